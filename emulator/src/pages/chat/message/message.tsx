/** One message: its author, content, embeds, files, poll and components, and what it answers. */
import { Menu } from '../../kit/menu.js'
import { Markdown } from '../markdown/markdown.js'
import { relativeTime } from '../markdown/timestamp.js'
import { ChatContext, localeOf, useChat } from '../shared/chat-context.js'
import type { Act, ShownMessage, Start, View } from '../shared/chat-data.js'
import { Emoji } from '../shared/emoji.js'
import { listOf, type PollData } from '../shared/wire-parts.js'
import { Attachments } from './attachments.js'
import { Embed } from './embed.js'
import { MessageComponents } from './message-components.js'
import { useEffect, useRef } from 'preact/hooks'

/** Bits of `flags`. */
const FLAG = { withoutEmbeds: 4, loading: 128, silent: 4096, version2: 32_768 }

/** Parameters of a shared link. */
export interface LinkParameters {
  customId?: string | undefined
  referrerId?: string | undefined
  linkId?: string | undefined
}

interface MessageProps {
  message: ShownMessage
  view: View
  start: Start
  act: Act
  /** Launches or joins the Activity. */
  join: (link?: LinkParameters) => void
  /** Accepts an invitation. */
  accept: (invitation: string) => void
}

function Message(props: MessageProps) {
  const { message, view, act } = props
  const { author, flags, ephemeral } = message
  const name = author.global_name ?? author.username
  return (
    <li class={`message${ephemeral ? ' ephemeral' : ''}`}>
      <Origin message={message} view={view} />
      <img
        class="face"
        src={author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`}
        alt=""
        width="40"
        height="40"
      />
      <div class="body">
        <p class="head">
          <b>
            <bdi>{name}</bdi>
          </b>{' '}
          {author.bot && <span class="tag">app</span>}
          <time datetime={message.timestamp}>{timeOf(message.timestamp)}</time>
          {(flags & FLAG.silent) !== 0 && <span class="quiet">silent</span>}
          {message.edited_timestamp && (
            <span class="quiet" title={new Date(message.edited_timestamp).toLocaleString()}>
              edited
            </span>
          )}
        </p>
        <Content {...props} />
        {ephemeral && <p class="private">Only you can see this</p>}
      </div>
      <MessageMenu message={message} name={name} view={view} act={act} />
    </li>
  )
}

function Content(props: MessageProps) {
  const { message, start, act } = props
  const { content, flags, embeds, components, poll, timestamp } = message
  if ((flags & FLAG.loading) !== 0)
    return (
      <p class="thinking" role="status">
        {start.application.name} is thinking<span aria-hidden="true">…</span>
      </p>
    )
  const shown = (flags & FLAG.withoutEmbeds) === 0 ? listOf(embeds) : []
  return (
    <div class="content">
      {content !== '' && <Markdown text={content} />}
      <Opening {...props} />
      <Attachments files={(flags & FLAG.version2) === 0 ? filesBeside(message) : []} />
      {shown.map((embed) => (
        <Embed embed={embed} />
      ))}
      {poll && <Poll poll={poll} sent={timestamp} />}
      <MessageComponents
        components={components}
        press={(component, values) => act('press', { message: message.id, component, values })}
      />
    </div>
  )
}

/** Files that no embed shows. */
function filesBeside({ attachments, embeds }: ShownMessage) {
  const used = new Set(
    listOf(embeds).flatMap(({ image, thumbnail, author, footer }) => [
      image?.url,
      thumbnail?.url,
      author?.icon_url,
      footer?.icon_url,
    ]),
  )
  return listOf(attachments).filter(
    ({ filename = '', url }) =>
      !used.has(`attachment://${filename}`) && (url === undefined || !used.has(url)),
  )
}

/** Button of an invitation or a shared link, which opens the Activity. */
function Opening({ message, view, start, join, accept }: MessageProps) {
  const { activity_invitation: invitation, activity_link: link } = message
  if (invitation && invitation.to === view.player)
    return view.invitations.includes(invitation.id) ? (
      <p>
        <button type="button" class="primary" onClick={() => accept(invitation.id)}>
          Accept invitation
        </button>
      </p>
    ) : (
      <p class="quiet">This invitation is over.</p>
    )
  if (!link) return null
  const parameters = { customId: link.custom_id, referrerId: link.referrer_id, linkId: link.link_id }
  if (link.expires_at !== undefined && link.expires_at <= view.now)
    return <p class="quiet">This link is over.</p>
  return (
    <>
      {link.title !== undefined && (
        <figure class="shared-link">
          {link.image !== undefined && <img src={pathOf(link.image)} alt="" width="344" height="192" />}
          <figcaption>
            <b>
              <bdi>{link.title}</bdi>
            </b>
            <span>{link.description}</span>
          </figcaption>
        </figure>
      )}
      <p>
        <button type="button" class="primary" onClick={() => join(parameters)}>
          Open {start.application.name}
        </button>
      </p>
    </>
  )
}

/** The page shows files of the emulator only, whatever host name it was opened with. */
const pathOf = (url: string): string => new URL(url).pathname

function MessageMenu({
  message: { id, author },
  name,
  view,
  act,
}: {
  message: ShownMessage
  name: string
  view: View
  act: Act
}) {
  const of = (type: number) => view.commands.filter((command) => command.type === type)
  const users = author.bot ? [] : of(2)
  return (
    <Menu
      label={`Apps for this message of ${name}`}
      empty="No commands for this message"
      groups={[
        { title: 'Message', items: of(3) },
        { title: name, items: users },
      ]}
      choose={({ id: command, version, type }) =>
        void act('use', { command, version, target: type === 3 ? id : author.id })
      }
    />
  )
}

function timeOf(timestamp: string): string {
  return new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}

interface OriginProps {
  message: ShownMessage
  view: View
}

function Origin({ message, view }: OriginProps) {
  const { interaction_metadata: origin, message_reference: reference } = message
  const answered = view.messages.find(
    ({ id }) => id === (reference?.message_id ?? origin?.interacted_message_id),
  )
  if (answered !== undefined && answered !== message)
    return (
      <p class="origin">
        <img src={faceOf(answered)} alt="" width="16" height="16" />
        <b>
          <bdi>{answered.author.global_name ?? answered.author.username}</bdi>
        </b>
        <bdi class="excerpt">{answered.content || 'a message'}</bdi>
      </p>
    )
  if (!origin?.name) return null
  return (
    <p class="origin">
      <img src={`/avatars/${origin.user.id}.svg`} alt="" width="16" height="16" />
      <span>
        <bdi>{origin.user.global_name ?? origin.user.username}</bdi> used{' '}
        <b>
          <bdi>{origin.name}</bdi>
        </b>
      </span>
    </p>
  )
}

function faceOf({ author }: ShownMessage): string {
  return author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`
}

function Poll({ poll, sent }: { poll: PollData; sent: string }) {
  const chat = useChat()
  const counts = listOf(poll.results?.answer_counts)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const ends = poll.expiry ? Date.parse(poll.expiry) : Date.parse(sent) + (poll.duration ?? 24) * 3_600_000
  const isOver = poll.results?.is_finalized === true || ends <= chat.view.now
  return (
    <section class="poll" aria-label={`Poll: ${poll.question?.text ?? ''}`}>
      <p class="poll-question" dir="auto">
        {poll.question?.text}
      </p>
      <p class="quiet">
        {poll.allow_multiselect ? 'Several answers can be chosen' : 'One answer can be chosen'}
      </p>
      <ul>
        {listOf(poll.answers).map(({ answer_id: id, poll_media: media }, index) => {
          const votes = counts.find((one) => one.id === (id ?? index + 1))?.count ?? 0
          const share = total === 0 ? 0 : Math.round((votes / total) * 100)
          return (
            <li style={{ '--share': `${share}%` }}>
              <span>
                <Emoji emoji={media?.emoji} /> <bdi>{media?.text}</bdi>
              </span>
              <span class="quiet">
                {votes} {votes === 1 ? 'vote' : 'votes'}, {share} %
              </span>
            </li>
          )
        })}
      </ul>
      <p class="quiet">
        {total} {total === 1 ? 'vote' : 'votes'},{' '}
        {isOver ? 'over' : `ends ${relativeTime((ends - chat.view.now) / 1000, localeOf(chat))}`}
      </p>
    </section>
  )
}

const SERVICE_LINE = 7

type MessagesProps = Omit<MessageProps, 'message'>

export function Messages({ view, start, ...actions }: MessagesProps) {
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
          <ChatContext.Provider
            key={id}
            value={{ scope: id, start, view, markdown: view.markdown, attachments }}
          >
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

function Launched({
  message,
  view,
  join,
}: {
  message: ShownMessage
  view: View
  join: MessagesProps['join']
}) {
  const { content, timestamp, activity_instance_id: instanceId } = message
  const lives = view.activity !== null && view.activity.id === instanceId ? view.activity : undefined
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
