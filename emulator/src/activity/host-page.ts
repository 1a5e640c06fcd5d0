/** The pages of the host: where an Activity is launched, the window that holds it, and the word that it is over. */
import { html } from 'hono/html'
import type { Spot } from '../channels.js'
import { spotsOf } from '../channels.js'
import { frame, type Page } from '../pages/document.js'
import { avatarUrl } from '../oauth/claims.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import type { Instance } from './instances.js'
import { hostPath } from './paths.js'
import type { Stage } from './stage.js'

interface Shown {
  instance: Instance
  players: Player[]
  stage: Stage
  service: Service
}

/** The frames are put in by the script, which asks for them when the page has loaded. */
export function hostDocument({ instance, players, stage, service }: Shown): Page {
  const { seed, url } = service
  const others = seed.players.filter((player) => !players.includes(player))
  const settings = { instance: instance.id, as: players.map(({ id }) => id).join(','), busyPort: stage.busyPort }
  const place = placeOf(instance, players[0], service)
  return hostFrame(
    `${seed.application.name} in ${place}`,
    html`<header class="bar">
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
      </header>
      <p id="status" class="status" role="status" hidden></p>
      <main id="frames" class="frames" data-settings="${JSON.stringify(settings)}" data-game="${stage.game ?? ''}">
        ${players.map((player) => tile(player, url))}
      </main>
      <aside aria-label="Messages between game and host">
        <details class="log">
          <summary>Messages between game and host <span id="count" class="quiet">0</span></summary>
          <ol id="log" tabindex="0" aria-label="Messages"></ol>
        </details>
      </aside>
      <script type="module" src="${hostPath}assets/host.js"></script>`,
    service,
  )
}

function tile(player: Player, url: string): Page {
  const name = nameOf(player)
  return html`<section class="tile" data-player="${player.id}" data-name="${name}" aria-label="${name}">
    <header>
      <img src="${avatarUrl(player, url)}" alt="" width="28" height="28" />
      <h2>${name}</h2>
      <span class="state" data-state="loading">loading</span>
      <details class="more">
        <summary>Invite</summary>
        <form class="join">
          <label>Join secret <input name="secret" required maxlength="128" autocomplete="off" spellcheck="false" /></label>
          <button>Send</button>
        </form>
      </details>
      <button class="leave" type="button">Leave</button>
    </header>
    <p class="why" role="status" hidden></p>
    <div class="screen"></div>
  </section>`
}

export function lobbyDocument(stage: Stage, service: Service, problem?: string): Page {
  const { players, application } = service.seed
  const spots = players.flatMap((player) => spotsOf(player, service)).filter(({ kind }) => kind === 'guild')
  const unique = [...new Map(spots.map((spot) => [spot.id, spot])).values()]
  return hostFrame(
    `Launch ${application.name}`,
    html`<main class="card">
      <h1>Launch ${application.name}</h1>
      <p>Everybody whom you choose gets a frame of the game, and all of them are in one instance.</p>
      <p class="quiet">The game is at <code>${stage.game ?? ''}</code></p>
      ${busyNote(stage)} ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      <form method="post">
        <fieldset>
          <legend>Players</legend>
          ${players.map(
            (player, index) =>
              html`<label class="choice"
                ><input type="checkbox" name="as" value="${player.id}" ${index === 0 ? 'checked' : ''} />
                <img src="${avatarUrl(player, service.url)}" alt="" width="28" height="28" /> ${nameOf(player)}</label
              >`,
          )}
        </fieldset>
        <label class="field"
          >Channel
          <select name="channel">
            ${unique.map((spot) => html`<option value="${spot.id}">${spotName(spot)}</option>`)}
          </select></label
        >
        <button class="primary">Launch</button>
      </form>
    </main>`,
    service,
  )
}

function busyNote({ busyPort, origin }: Stage): Page | string {
  if (busyPort === undefined) return ''
  return html`<p class="quiet">
    Another program has port ${busyPort}, so this page is at <code>${origin ?? ''}</code> and the game is served through it. Foyer’s client
    connects here; other SDKs accept <code>http://localhost:3333</code> only.
  </p>`
}

export function overDocument(service: Service): Page {
  return hostFrame(
    'This instance is over',
    html`<main class="card">
      <h1>This instance is over</h1>
      <p>Everybody has left it, or it never was. An instance is not used again: launch the Activity anew.</p>
      <p><a class="button primary" href="${hostPath}">Launch</a></p>
    </main>`,
    service,
  )
}

export function nothingDocument(service: Pick<Service, 'url'>): Page {
  return hostFrame(
    'There is no page here',
    html`<main class="card">
      <h1>There is no page here</h1>
      <p>This is where the Activity’s host page is. The game and the emulator have addresses of their own.</p>
      <p><a class="button primary" href="${hostPath}">Launch the Activity</a></p>
      <p><a href="${service.url}/">Overview of the emulator</a></p>
    </main>`,
    service,
  )
}

function nameOf({ globalName, username }: Player): string {
  return globalName ?? username
}

function spotName(spot: Spot): string {
  if (spot.kind === 'guild') return `#${spot.channel.name} (${spot.guild.name})`
  return spot.with === undefined ? 'messages with the app' : `messages with ${nameOf(spot.with)}`
}

function placeOf({ location }: Instance, player: Player | undefined, service: Service): string {
  const spot = player && spotsOf(player, service).find(({ id }) => id === location.channelId)
  return spot === undefined ? `channel ${location.channelId}` : spotName(spot)
}

function hostFrame(title: string, body: Page, { url }: Pick<Service, 'url'>): Page {
  return frame({ title, icon: `${url}/assets/icon.svg`, style: `${hostPath}assets/host.css` }, body)
}
