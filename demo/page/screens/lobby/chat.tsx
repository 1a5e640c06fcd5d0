/** Messages of the lobby, and the form that sends one. */
import type { LobbyMessage } from 'foyer-sdk'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PlayerSlot } from '../../game/player-slot'
import { Icon } from 'kit/icon'

const LENGTH = 2000
/** Maximum number of messages on the page; older ones are removed. */
const SHOWN = 100

interface Props {
  slot: Pick<PlayerSlot, 'messages' | 'send' | 'session'>
  /** Makes the ids of its elements unique. */
  prefix: string
}

export function Chat({ slot, prefix }: Props) {
  return (
    <div class="chat">
      <MessageList slot={slot} />
      <MessageForm send={(text) => slot.send(text)} id={`${prefix}-message`} />
    </div>
  )
}

function MessageList({ slot }: Pick<Props, 'slot'>) {
  const messages = slot.messages.value
  const self = slot.session.value?.userId
  const log = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }, [messages])
  return (
    <div class="talk" role="log" aria-label="Messages" tabIndex={0} ref={log}>
      <p class="hint" hidden={messages.length > 0}>
        No messages yet.
      </p>
      <ol class="messages">
        {messages.slice(-SHOWN).map((message) => (
          <LobbyMessageItem message={message} isOwn={message.author.id === self} key={message.id} />
        ))}
      </ol>
    </div>
  )
}

function LobbyMessageItem({ message, isOwn }: { message: LobbyMessage; isOwn: boolean }) {
  const sentAt = new Date(message.sentAt)
  return (
    <li class={isOwn ? 'message message-own' : 'message'}>
      <p class="message-head">
        <strong>{authorName(message)}</strong>
        <time class="ms" datetime={sentAt.toISOString()}>
          {sentAt.toLocaleTimeString('en-GB')}
        </time>
      </p>
      <p>{message.content}</p>
    </li>
  )
}

function MessageForm({ send, id }: { send: (text: string) => Promise<boolean>; id: string }) {
  const [typed, setTyped] = useState('')
  /** Restores a message that could not be sent, unless the next one is being typed. */
  const deliver = async (text: string) => {
    if (!(await send(text))) setTyped((now) => (now === '' ? text : now))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const text = typed.trim()
    if (text === '') return
    setTyped('')
    void deliver(text)
  }
  return (
    <form class="field" onSubmit={submit}>
      <label for={id}>Message</label>
      <div class="inline">
        <input
          id={id}
          maxlength={LENGTH}
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button class="secondary">
          <Icon name="send" />
          Send
        </button>
      </div>
    </form>
  )
}

function authorName({ author, additionalName }: LobbyMessage): string {
  return additionalName ?? author.globalName ?? author.username
}
