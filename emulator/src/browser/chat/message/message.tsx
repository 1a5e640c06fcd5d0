/** One message: its author, content, embeds, files, poll and components, and what it answers. */
import type { Act, ShownMessage, Start, View } from '../shared/chat-data.js'
import { Markdown } from '../markdown/markdown.js'
import { Menu } from '../../kit/menu.js'
import { listOf } from '../shared/wire-parts.js'
import { Attachments } from './attachments.js'
import { Embed } from './embed.js'
import { MessageComponents } from './message-components.js'
import { Origin } from './origin.js'
import { Poll } from './poll.js'

/** Bits of `flags`. */
const FLAG = { withoutEmbeds: 4, loading: 128, silent: 4096, version2: 32_768 }

/** Parameters of a shared link. */
export interface LinkParameters {
  customId?: string | undefined
  referrerId?: string | undefined
}

export interface MessageProps {
  message: ShownMessage
  view: View
  start: Start
  act: Act
  /** Launches or joins the Activity. */
  join: (link?: LinkParameters) => void
  /** Accepts an invitation. */
  accept: (invitation: string) => void
}

export function Message(props: MessageProps) {
  const { message, view, act } = props
  const { author, flags, ephemeral } = message
  const name = author.global_name ?? author.username
  return (
    <li class={`message${ephemeral ? ' ephemeral' : ''}`}>
      <Origin message={message} view={view} />
      <img class="face" src={author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`} alt="" width="40" height="40" />
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
      <MessageComponents components={components} press={(component, values) => act('press', { message: message.id, component, values })} />
    </div>
  )
}

/** Files that no embed shows. */
function filesBeside({ attachments, embeds }: ShownMessage) {
  const used = new Set(
    listOf(embeds).flatMap(({ image, thumbnail, author, footer }) => [image?.url, thumbnail?.url, author?.icon_url, footer?.icon_url]),
  )
  return listOf(attachments).filter(
    ({ filename = '', url }) => !used.has(`attachment://${filename}`) && (url === undefined || !used.has(url)),
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
  const parameters = { customId: link.custom_id, referrerId: link.referrer_id }
  return (
    <p>
      <button type="button" class="primary" onClick={() => join(parameters)}>
        Open {start.application.name}
      </button>
    </p>
  )
}

function MessageMenu({ message: { id, author }, name, view, act }: { message: ShownMessage; name: string; view: View; act: Act }) {
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
      choose={({ id: command, version, type }) => void act('use', { command, version, target: type === 3 ? id : author.id })}
    />
  )
}

export function timeOf(timestamp: string): string {
  return new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
