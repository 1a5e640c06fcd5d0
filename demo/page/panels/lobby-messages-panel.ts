/** Messages of the lobby, and the form that sends one. */
import type { LobbyMessage } from 'foyer-sdk'
import type { PlayerSlot } from '../game/lobby-player'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { authorName } from '../ui/player-names'

const LENGTH = 2000
/** Maximum number of messages on the page; older ones are removed. */
const SHOWN = 100

/** Creates the chat. `prefix` makes the ids of its elements unique. */
export function chat({ slot, prefix }: { slot: Pick<PlayerSlot, 'messages' | 'send' | 'session'>; prefix: string }): HTMLElement {
  const list = h('ol', { class: 'messages' })
  const empty = h('p', { class: 'hint' }, ['No messages yet.'])
  const log = h('div', { class: 'talk', role: 'log', 'aria-label': 'Messages', tabindex: 0 }, [empty, list])
  const input = h('input', { id: `${prefix}-message`, maxlength: LENGTH, autocomplete: 'off' })
  /** Restores a message that could not be sent, unless the next one is being typed. */
  const deliver = async (text: string) => {
    const isSent = await slot.send(text)
    if (!isSent && input.value === '') input.value = text
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return
    input.value = ''
    void deliver(text)
  }
  let first: string | undefined
  slot.messages.subscribe((messages) => {
    const shown = messages.slice(-SHOWN)
    empty.hidden = shown.length > 0
    // Append only new messages, so that a screen reader reads only those.
    const isContinued = shown[0]?.id === first && list.childElementCount <= shown.length
    if (!isContinued) list.replaceChildren()
    first = shown[0]?.id
    list.append(...shown.slice(list.childElementCount).map((message) => messageItem(message, slot.session.value?.userId)))
    log.scrollTop = log.scrollHeight
  })
  return h('div', { class: 'chat' }, [
    log,
    h('form', { class: 'field', onsubmit: submit }, [
      h('label', { for: `${prefix}-message` }, ['Message']),
      h('div', { class: 'inline' }, [input, h('button', { class: 'secondary' }, [icon('send'), 'Send'])]),
    ]),
  ])
}

function messageItem(message: LobbyMessage, self: string | undefined): HTMLElement {
  const { author, content, sentAt } = message
  return h('li', { class: author.id === self ? 'message message-own' : 'message' }, [
    h('p', { class: 'message-head' }, [
      h('strong', {}, [authorName(message)]),
      h('time', { class: 'ms', datetime: new Date(sentAt).toISOString() }, [new Date(sentAt).toLocaleTimeString('en-GB')]),
    ]),
    h('p', {}, [content]),
  ])
}
