/** What is said in the lobby, and the line to say something. */
import type { LobbyMessage } from 'foyer-sdk'
import type { PlayerSlot } from '../game/player-slot'
import { h } from '../ui/dom'
import { icon } from '../ui/icons'
import { authorName } from '../ui/lobby-names'

const LENGTH = 2000
/** Messages on the page: the newest. */
const SHOWN = 100

/** `prefix` makes ids of this seat's elements. */
export function chat({ seat, prefix }: { seat: Pick<PlayerSlot, 'messages' | 'send' | 'session'>; prefix: string }): HTMLElement {
  const list = h('ol', { class: 'messages' })
  const empty = h('p', { class: 'hint' }, ['Nothing has been said yet.'])
  const log = h('div', { class: 'talk', role: 'log', 'aria-label': 'Messages', tabindex: 0 }, [empty, list])
  const input = h('input', { id: `${prefix}-message`, maxlength: LENGTH, autocomplete: 'off' })
  /** A message that was not sent is given back, unless the next one is being written. */
  const deliver = async (text: string) => {
    const isSent = await seat.send(text)
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
  seat.messages.watch((messages) => {
    const shown = messages.slice(-SHOWN)
    empty.hidden = shown.length > 0
    // Only what is new is added, so that only that is read out.
    const isContinued = shown[0]?.id === first && list.childElementCount <= shown.length
    if (!isContinued) list.replaceChildren()
    first = shown[0]?.id
    list.append(...shown.slice(list.childElementCount).map((message) => messageItem(message, seat.session.value?.userId)))
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
