/** Messages of a channel, oldest first. */
import { useEffect, useRef } from 'preact/hooks'
import { ChatContext } from '../shared/chat-context.js'
import type { ShownMessage, View } from '../shared/chat-data.js'
import { Message, timeOf, type MessageProps } from './message.js'

const SERVICE_LINE = 7

type Props = Omit<MessageProps, 'message'>

export function Messages({ view, start, ...actions }: Props) {
  const list = useRef<HTMLElement & HTMLOListElement & HTMLDivElement>(null)
  const last = view.messages.at(-1)
  const toEnd = () => list.current?.scrollTo(0, list.current.scrollHeight)
  useEffect(toEnd, [view.channel, last?.id, last?.content, last?.flags])
  if (view.messages.length === 0)
    return (
      <div class="messages empty" ref={list} tabIndex={0} role="group" aria-label="Messages">
        <p>
          Nothing here yet. Type <kbd>/</kbd> to use a command, or just write something.
        </p>
      </div>
    )
  return (
    <ol class="messages" ref={list} tabIndex={0} aria-label="Messages" onLoadCapture={toEnd}>
      {view.messages.map((message) => {
        const { id, type, attachments } = message
        return (
          <ChatContext.Provider key={id} value={{ scope: id, start, view, markdown: view.markdown, attachments }}>
            {type === SERVICE_LINE ? (
              <Launched message={message} view={view} join={actions.join} />
            ) : (
              <Message message={message} view={view} start={start} {...actions} />
            )}
          </ChatContext.Provider>
        )
      })}
    </ol>
  )
}

function Launched({ message, view, join }: { message: ShownMessage; view: View; join: Props['join'] }) {
  const { content, timestamp, interaction_metadata: origin } = message
  const lives = view.activity !== null && view.activity.id === origin?.activity_instance_id ? view.activity : undefined
  return (
    <li class="line">
      <span aria-hidden="true">▶</span>
      <span>
        {content} <time datetime={timestamp}>{timeOf(timestamp)}</time>
      </span>
      {lives ? (
        <>
          <button type="button" class="primary" onClick={() => join()}>
            Join
          </button>
          <span class="quiet">{lives.participants.length} playing</span>
        </>
      ) : (
        <span class="quiet">ended</span>
      )}
    </li>
  )
}
