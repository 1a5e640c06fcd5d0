/** Host pages: launching an Activity, the window that holds it, and its end. */
import { html } from 'hono/html'
import type { VisibleChannel } from '../../service/guilds/visible-channels.js'
import { visibleChannels } from '../../service/guilds/visible-channels.js'
import { frame, type Page, siteHeader } from '../../pages/documents/document.js'
import { avatarUrl } from '../../service/oauth/claims-of.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Instance } from '../../service/activity/instances.js'
import { LAYOUT_MODES, ORIENTATIONS, THERMAL_STATES } from '../../service/activity/device-state.js'
import { HOST_PATH } from '../../service/activity/host-ports.js'
import type { ActivityService } from '../../service/activity/activity-service.js'

const connectionWatch = html`<script type="module" src="${HOST_PATH}assets/lost-connection.js"></script>`

/** Values at the start, which are listed first. */
const USUAL = new Map([['orientation', 'landscape']])

/** Devices by what a person would call them. */
const PRESETS = {
  Desktop: { layoutMode: 'focused', orientation: 'landscape', thermalState: 'nominal' },
  Phone: { layoutMode: 'focused', orientation: 'portrait', thermalState: 'nominal' },
  'Hot phone': { layoutMode: 'focused', orientation: 'portrait', thermalState: 'serious' },
  'Small window': { layoutMode: 'pip', orientation: 'landscape', thermalState: 'nominal' },
} satisfies Record<
  string,
  {
    layoutMode: keyof typeof LAYOUT_MODES
    orientation: keyof typeof ORIENTATIONS
    thermalState: keyof typeof THERMAL_STATES
  }
>

interface Shown {
  instance: Instance
  players: Player[]
  activity: ActivityService
  context: EmulatorContext
}

/** The script adds the frames, after it has requested them. */
export function hostDocument({ instance, players, activity, context }: Shown): Page {
  const { seed, url } = context
  const others = seed.players.filter((player) => !players.includes(player))
  const settings = {
    instance: instance.id,
    as: players.map(({ id }) => id).join(','),
    channel: instance.location.channelId,
    busyPort: activity.busyPort,
  }
  const place = placeOf(instance, players[0], context)
  return hostFrame(
    `${seed.application.name} in ${place}`,
    html`<section class="bar" aria-label="Instance">
        <h1>${seed.application.name} <span class="quiet">in ${place}</span></h1>
        <code class="instance">${instance.id}</code>
        <form class="add" method="get" ${others.length === 0 ? 'hidden' : ''}>
          <label
            >Add
            <select name="player">
              ${others.map((player) => html`<option value="${player.id}">${nameOf(player)}</option>`)}
            </select></label
          >
          <button>Add player</button>
        </form>
      </section>
      <p id="status" class="status" role="status" hidden></p>
      <main
        id="frames"
        class="frames"
        data-settings="${JSON.stringify(settings)}"
        data-game="${activity.game ?? ''}"
      >
        ${players.map((player) =>
          tile(player, {
            url,
            skus: activity.skus(),
            others: seed.players.filter(({ id }) => id !== player.id),
          }),
        )}
      </main>
      <aside aria-label="Messages between game and host">
        <details class="log">
          <summary>Messages between game and host <span id="count" class="quiet">0</span></summary>
          <label class="log-filter"
            >Filter
            <input id="log-filter" type="search" autocomplete="off" placeholder="AUTHORIZE Ada" />
          </label>
          <ol id="log" tabindex="0" aria-label="Messages"></ol>
        </details>
      </aside>
      <script type="module" src="${HOST_PATH}assets/host.js"></script>`,
    { url, game: activity.game },
  )
}

interface TileParts {
  url: string
  skus: readonly { id: string; name: string }[]
  /** Players who may give something. */
  others: readonly Player[]
}

/** A preset sets several fields at once. */
function deviceForm(): Page {
  return html`<form class="device">
    <div class="presets" role="group" aria-label="Presets">
      ${Object.entries(PRESETS).map(
        ([label, values]) =>
          html`<button type="button" data-preset="${JSON.stringify(values)}">${label}</button>`,
      )}
    </div>
    ${choiceOf('Layout', 'layoutMode', LAYOUT_MODES)} ${choiceOf('Orientation', 'orientation', ORIENTATIONS)}
    ${choiceOf('Temperature', 'thermalState', THERMAL_STATES)}
    ${[
      ['selfMute', 'Muted'],
      ['selfDeaf', 'Deafened'],
      ['speaking', 'Speaking'],
    ].map(
      ([field, label]) =>
        html`<label class="inline"><input type="checkbox" name="${field}" /> ${label}</label>`,
    )}
  </form>`
}

function tile(player: Player, { url, skus, others }: TileParts): Page {
  const name = nameOf(player)
  return html`<section class="tile" data-player="${player.id}" data-name="${name}" aria-label="${name}">
    <header>
      <img src="${avatarUrl(player, url)}" alt="" width="28" height="28" />
      <h2>${name}</h2>
      <span class="state" data-state="loading">loading</span>
      <details class="more">
        <summary>Device</summary>
        ${deviceForm()}
      </details>
      <details class="more">
        <summary>Invite</summary>
        <form class="join">
          <label
            >Join secret <input name="secret" required maxlength="128" autocomplete="off" spellcheck="false"
          /></label>
          <button>Send</button>
        </form>
      </details>
      ${purchasesOf(player, { skus, others })}
      <button class="leave" type="button">Leave</button>
    </header>
    <p class="why" role="status" hidden></p>
    <div class="screen"></div>
  </section>`
}

/** The purchases of the player, which the script fills in, and a form to buy and give. */
function purchasesOf(player: Player, { skus, others }: Pick<TileParts, 'skus' | 'others'>): Page {
  return html`<details class="more purchases">
    <summary>Purchases</summary>
    <form class="shop">
      <label
        >Product
        <select name="sku">
          ${skus.map(({ id, name: product }) => html`<option value="${id}">${product}</option>`)}
        </select></label
      >
      <label
        >Paid by
        <select name="giver">
          <option value="">nobody: a test</option>
          ${others.map((other) => html`<option value="${other.id}">${nameOf(other)}, as a gift</option>`)}
        </select></label
      >
      <button>Buy</button>
      <ul class="owned" aria-label="Purchases of ${nameOf(player)}"></ul>
    </form>
  </details>`
}

interface LobbyContents {
  problem?: string
  /** Parameters of a shared link. */
  link?: { customId: string | undefined; referrerId: string | undefined; linkId: string | undefined }
}

export function lobbyDocument(
  activity: ActivityService,
  context: EmulatorContext,
  { problem, link }: LobbyContents = {},
): Page {
  const { players, application } = context.seed
  return hostFrame(
    `Launch ${application.name}`,
    html`<main class="card">
        <h1>Launch ${application.name}</h1>
        <p>Each player that you choose gets a frame of the game. All of them are in one instance.</p>
        <p class="quiet">The game is at <code>${activity.game ?? ''}</code></p>
        ${busyNote(activity)}
        ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
        <form method="post">
          <fieldset>
            <legend>Players</legend>
            ${players.map(
              (player, index) =>
                html`<label class="choice"
                  ><input type="checkbox" name="as" value="${player.id}" ${index === 0 ? 'checked' : ''} />
                  <img src="${avatarUrl(player, context.url)}" alt="" width="28" height="28" />
                  ${nameOf(player)}</label
                >`,
            )}
          </fieldset>
          ${channelField(context)} ${platformFields(link)}
          <button class="primary">Launch</button>
        </form>
      </main>
      ${connectionWatch}`,
    { url: context.url, game: activity.game },
  )
}

/** The channels that a player can see, by guild. */
function channelField(context: EmulatorContext): Page {
  const places = context.seed.players
    .flatMap((player) => visibleChannels(player, context))
    .filter((place) => place.kind === 'guild')
  const unique = [...new Map(places.map((place) => [place.id, place])).values()]
  const options = (of: unknown) =>
    unique
      .filter(({ guild }) => guild === of)
      .map(({ id, channel }) => html`<option value="${id}">#${channel.name}</option>`)
  const guilds = [...new Set(unique.map(({ guild }) => guild))]
  return html`<label class="field"
    >Channel
    <select name="channel">
      ${guilds.map((guild) => html`<optgroup label="${guild.name}">${options(guild)}</optgroup>`)}
    </select></label
  >`
}

function platformFields(link: LobbyContents['link']): Page {
  return html`<label class="field"
      >Platform
      <select name="platform">
        <option>desktop</option>
        <option>mobile</option>
      </select></label
    >
    <input type="hidden" name="custom_id" value="${link?.customId ?? ''}" />
    <input type="hidden" name="link_id" value="${link?.linkId ?? ''}" />
    <input type="hidden" name="referrer_id" value="${link?.referrerId ?? ''}" />`
}

function choiceOf(label: string, name: string, values: object): Page {
  return html`<label
    >${label}
    <select name="${name}">
      ${Object.keys(values)
        .toSorted((left, right) => Number(right === USUAL.get(name)) - Number(left === USUAL.get(name)))
        .map((value) => html`<option>${value}</option>`)}
    </select></label
  >`
}

function busyNote({ busyPort, origin }: ActivityService): Page | string {
  if (busyPort === undefined) return ''
  return html`<p class="quiet">
    Another program has port ${busyPort}, so this page is at <code>${origin ?? ''}</code> and the game is
    served through it. Foyer’s client connects here; other SDKs accept
    <code>http://localhost:3333</code> only.
  </p>`
}

/** Address of the emulator, and of the game if one is set. */
type Addresses = { url: string; game: string | undefined }

export function overDocument(addresses: Addresses): Page {
  return hostFrame(
    'This instance is over',
    html`<main class="card bad">
        <h1>This instance is over</h1>
        <p>
          Everybody has left it, or it never was. An instance is not used again: launch the Activity anew.
        </p>
        <p><a class="button primary" href="${HOST_PATH}">Launch</a></p>
      </main>
      ${connectionWatch}`,
    addresses,
  )
}

export function nothingDocument(addresses: Addresses): Page {
  return hostFrame(
    'There is no page here',
    html`<main class="card bad">
        <h1>There is no page here</h1>
        <p>
          This is where the Activity’s host page is. The game and the emulator have addresses of their own.
        </p>
        <p><a class="button primary" href="${HOST_PATH}">Launch the Activity</a></p>
        <p><a href="${addresses.url}/">Index of the emulator</a></p>
      </main>
      ${connectionWatch}`,
    addresses,
  )
}

function nameOf({ globalName, username }: Player): string {
  return globalName ?? username
}

function spotName(location: VisibleChannel): string {
  if (location.kind === 'guild') return `#${location.channel.name} (${location.guild.name})`
  return location.with === undefined ? 'messages with the app' : `messages with ${nameOf(location.with)}`
}

function placeOf({ location }: Instance, player: Player | undefined, context: EmulatorContext): string {
  const visible = player && visibleChannels(player, context).find(({ id }) => id === location.channelId)
  return visible === undefined ? `channel ${location.channelId}` : spotName(visible)
}

function hostFrame(title: string, body: Page, { url, game }: Addresses): Page {
  const styles = ['tokens', 'look', 'host'].map((name) => `${HOST_PATH}assets/${name}.css`)
  const header = siteHeader('Activity', { base: url, activity: HOST_PATH, game })
  return frame({ title, icon: `${url}/assets/icon.svg`, styles }, html`${header} ${body}`)
}
