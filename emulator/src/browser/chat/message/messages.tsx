/** Messages of a channel, oldest first, with their buttons and menus. */
import { h, useEffect, useRef } from '../../preact.js'
import { Fragment } from '../../fragment.js'
import { Menu } from '../menu-button.js'
import type { Act, ComponentData, EmbedData, ShownMessage, Start, View } from '../chat-data.js'

const loading = 128
const serviceLine = 7

/** Parameters of a shared link. */
export interface LinkParameters {
  customId?: string | undefined
  referrerId?: string | undefined
}

interface Props {
  view: View
  application: Start['application']
  act: Act
  /** Launches or joins the Activity. */
  join: (link?: LinkParameters) => void
  /** Accepts an invitation. */
  accept: (invitation: string) => void
}

export function Messages({ view, application, act, join, accept }: Props) {
  const list = useRef<HTMLElement & HTMLOListElement & HTMLDivElement>(null)
  const last = view.messages.at(-1)
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight)
  }, [view.channel, last?.id, last?.content, last?.flags])
  if (view.messages.length === 0)
    return (
      <div class="messages empty" ref={list} tabIndex={0} role="group" aria-label="Messages">
        <p>
          Nothing here yet. Type <kbd>/</kbd> to use a command, or just write something.
        </p>
      </div>
    )
  return (
    <ol class="messages" ref={list} tabIndex={0} aria-label="Messages">
      {view.messages.map((message) => (
        <Message key={message.id} message={message} view={view} application={application} act={act} join={join} accept={accept} />
      ))}
    </ol>
  )
}

function Message({ message, view, application, act, join, accept }: Props & { message: ShownMessage }) {
  const { author, type, content, flags, ephemeral, interaction_metadata: origin } = message
  if (type === serviceLine) return <Launched message={message} view={view} join={join} />
  const name = author.global_name ?? author.username
  return (
    <li class={`message${ephemeral ? ' ephemeral' : ''}`}>
      <img src={author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`} alt="" width="40" height="40" />
      <div class="body">
        {origin?.name && (
          <p class="origin">
            {origin.user.global_name ?? origin.user.username} used <b>{origin.name}</b>
          </p>
        )}
        <p class="head">
          <b>{name}</b> {author.bot && <span class="tag">app</span>}
          <time datetime={message.timestamp}>{timeOf(message.timestamp)}</time>
          {message.edited_timestamp && <span class="quiet">edited</span>}
        </p>
        {flags & loading ? (
          <p class="thinking" role="status">
            {application.name} is thinking<span aria-hidden="true">…</span>
          </p>
        ) : (
          <p class="text">{content}</p>
        )}
        <Opening message={message} view={view} application={application} join={join} accept={accept} />
        {message.embeds.map((embed) => (
          <Embed embed={embed} />
        ))}
        <Components
          components={message.components}
          press={(component, values) => void act('press', { message: message.id, component, values })}
        />
        {ephemeral && <p class="private">Only you can see this</p>}
      </div>
      <MessageMenu message={message} name={name} view={view} act={act} />
    </li>
  )
}

/** Button of an invitation or a shared link, which opens the Activity. */
function Opening({ message, view, application, join, accept }: Omit<Props, 'act'> & { message: ShownMessage }) {
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
        Open {application.name}
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

function Launched({ message, view, join }: Pick<Props, 'view' | 'join'> & { message: ShownMessage }) {
  const { content, timestamp, interaction_metadata: origin } = message
  const lives = view.activity !== null && view.activity.id === origin?.activity_instance_id ? view.activity : undefined
  return (
    <li class="line">
      <span aria-hidden="true">▶</span>
      <span>
        {content} <time datetime={timestamp}>{timeOf(timestamp)}</time>
      </span>
      {lives ? (
        <Fragment>
          <button type="button" class="primary" onClick={() => join()}>
            Join
          </button>
          <span class="quiet">{lives.participants.length} playing</span>
        </Fragment>
      ) : (
        <span class="quiet">ended</span>
      )}
    </li>
  )
}

function Embed({ embed: { title, description, fields = [] } }: { embed: EmbedData }) {
  return (
    <div class="embed">
      {title && (
        <p>
          <b>{title}</b>
        </p>
      )}{' '}
      {description && <p class="text">{description}</p>}
      {fields.map(({ name, value }) => (
        <p>
          <b>{name}</b>
          <br />
          {value}
        </p>
      ))}
    </div>
  )
}

/** Renders action rows and text containers; shows only the type of any other component. */
interface ComponentProps {
  press: (component: string, values?: string[]) => void
}

function Components({ components, press }: ComponentProps & { components: ComponentData[] }) {
  return (
    <Fragment>
      {components.map((component) => (
        <Component component={component} press={press} />
      ))}
    </Fragment>
  )
}

function Component({ component, press }: ComponentProps & { component: ComponentData }) {
  const { type, components = [], custom_id: id = '', label, style, url, disabled, options = [], placeholder, content } = component
  if (type === 1)
    return (
      <div class="row">
        <Components components={components} press={press} />
      </div>
    )
  if (type === 2 && url)
    return (
      <a class="button" href={url} target="_blank" rel="noopener noreferrer">
        {label ?? url}
      </a>
    )
  if (type === 2)
    return (
      <button type="button" class={style === 1 ? 'primary' : ''} disabled={disabled} onClick={() => press(id)}>
        {label ?? id}
      </button>
    )
  if (type === 3)
    return (
      <select
        aria-label={placeholder ?? id}
        disabled={disabled}
        value=""
        onChange={({ currentTarget }) => press(id, [currentTarget.value])}
      >
        <option value="" disabled>
          {placeholder ?? 'Choose'}
        </option>
        {options.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </select>
    )
  if (type === 10) return <p class="text">{content}</p>
  if (components.length > 0)
    return (
      <div class="embed">
        <Components components={components} press={press} />
      </div>
    )
  return <p class="quiet">component of type {type}</p>
}

function timeOf(timestamp: string): string {
  return new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
