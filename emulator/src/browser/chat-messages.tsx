/** Messages of a channel, oldest first, with their buttons and menus. */
import { html, useEffect, useRef } from './preact.js'
import { Menu } from './chat-menu.js'

const loading = 128
const serviceLine = 7

export function Messages({ view, application, act, join, accept }) {
  const list = useRef()
  const last = view.messages.at(-1)
  useEffect(() => {
    list.current.scrollTop = list.current.scrollHeight
  }, [view.channel, last?.id, last?.content, last?.flags])
  if (view.messages.length === 0)
    return html`<div class="messages empty" ref=${list}>
      <p>Nothing here yet. Type <kbd>/</kbd> to use a command, or just write something.</p>
    </div>`
  return html`<ol class="messages" ref=${list} tabindex="0" aria-label="Messages">
    ${view.messages.map((message) => html`<${Message} key=${message.id} message=${message} view=${view} application=${application} act=${act} join=${join} accept=${accept} />`)}
  </ol>`
}

function Message({ message, view, application, act, join, accept }) {
  const { author, type, content, flags, ephemeral, interaction_metadata: origin } = message
  if (type === serviceLine) return html`<${Launched} message=${message} view=${view} join=${join} />`
  const name = author.global_name ?? author.username
  return html`<li class=${`message${ephemeral ? ' ephemeral' : ''}`}>
    <img src=${author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`} alt="" width="40" height="40" />
    <div class="body">
      ${origin?.name && html`<p class="origin">${origin.user.global_name ?? origin.user.username} used <b>${origin.name}</b></p>`}
      <p class="head">
        <b>${name}</b> ${author.bot && html`<span class="tag">app</span>`}
        <time datetime=${message.timestamp}>${timeOf(message.timestamp)}</time>
        ${message.edited_timestamp && html`<span class="quiet">edited</span>`}
      </p>
      ${
        flags & loading
          ? html`<p class="thinking" role="status">${application.name} is thinking<span aria-hidden="true">…</span></p>`
          : html`<p class="text">${content}</p>`
      }
      <${Opening} message=${message} view=${view} application=${application} join=${join} accept=${accept} />
      ${message.embeds.map((embed) => html`<${Embed} embed=${embed} />`)}
      <${Components}
        components=${message.components}
        press=${(component, values) => act('press', { message: message.id, component, values })}
      />
      ${ephemeral && html`<p class="private">Only you can see this</p>`}
    </div>
    <${MessageMenu} message=${message} name=${name} view=${view} act=${act} />
  </li>`
}

/** Button of an invitation or a shared link, which opens the Activity. */
function Opening({ message: { activity_invitation: invitation, activity_link: link }, view, application, join, accept }) {
  if (invitation && invitation.to === view.player)
    return view.invitations.includes(invitation.id)
      ? html`<p><button type="button" class="primary" onClick=${() => accept(invitation.id)}>Accept invitation</button></p>`
      : html`<p class="quiet">This invitation is over.</p>`
  if (!link) return null
  const parameters = { customId: link.custom_id, referrerId: link.referrer_id }
  return html`<p><button type="button" class="primary" onClick=${() => join(parameters)}>Open ${application.name}</button></p>`
}

function MessageMenu({ message: { id, author }, name, view, act }) {
  const of = (type) => view.commands.filter((command) => command.type === type)
  const users = author.bot ? [] : of(2)
  return html`<${Menu}
    label=${`Apps for this message of ${name}`}
    empty="No commands for this message"
    groups=${[
      { title: 'Message', items: of(3) },
      { title: name, items: users },
    ]}
    choose=${({ id: command, version, type }) => act('use', { command, version, target: type === 3 ? id : author.id })}
  />`
}

function Launched({ message: { content, timestamp, interaction_metadata: origin }, view, join }) {
  const lives = view.activity?.id === origin?.activity_instance_id
  return html`<li class="line">
    <span aria-hidden="true">▶</span>
    <span>${content} <time datetime=${timestamp}>${timeOf(timestamp)}</time></span>
    ${
      lives
        ? html`<button type="button" class="primary" onClick=${() => join()}>Join</button>
            <span class="quiet">${view.activity.participants.length} playing</span>`
        : html`<span class="quiet">ended</span>`
    }
  </li>`
}

function Embed({ embed: { title, description, fields = [] } }) {
  return html`<div class="embed">
    ${title && html`<p><b>${title}</b></p>`} ${description && html`<p class="text">${description}</p>`}
    ${fields.map(({ name, value }) => html`<p><b>${name}</b><br />${value}</p>`)}
  </div>`
}

/** Renders action rows and text containers; shows only the type of any other component. */
function Components({ components = [], press }) {
  return components.map((component) => html`<${Component} component=${component} press=${press} />`)
}

function Component({ component, press }) {
  const { type, components = [], custom_id: id, label, style, url, disabled, options = [], placeholder, content } = component
  if (type === 1) return html`<div class="row"><${Components} components=${components} press=${press} /></div>`
  if (type === 2 && url) return html`<a class="button" href=${url} target="_blank" rel="noopener noreferrer">${label ?? url}</a>`
  if (type === 2)
    return html`<button type="button" class=${style === 1 ? 'primary' : ''} disabled=${disabled} onClick=${() => press(id)}>
      ${label ?? id}
    </button>`
  if (type === 3)
    return html`<select aria-label=${placeholder ?? id} disabled=${disabled} value="" onChange=${({ target }) => press(id, [target.value])}>
      <option value="" disabled>${placeholder ?? 'Choose'}</option>
      ${options.map((option) => html`<option value=${option.value}>${option.label}</option>`)}
    </select>`
  if (type === 10) return html`<p class="text">${content}</p>`
  if (components.length > 0) return html`<div class="embed"><${Components} components=${components} press=${press} /></div>`
  return html`<p class="quiet">component of type ${type}</p>`
}

function timeOf(timestamp) {
  return new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}
