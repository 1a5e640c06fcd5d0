/** Index page: the values that a game needs, and links to the other pages. */
import { html } from 'hono/html'
import { document, type Page, siteHeader } from './document.js'

export interface Index {
  url: string
  application: { id: string; name: string; redirectUris: string[] }
  players: { globalName: string | null; username: string }[]
  /** URL of the Activity's host page, if a game is set. */
  activity: string | undefined
  /** URL of the game itself. */
  game: string | undefined
}

export function indexPage({ url, application, players, activity, game }: Index): Page {
  const { id, name, redirectUris } = application
  return document({
    header: siteHeader('Index', { activity, game }),
    heading: 'The emulator is running',
    intro: html`It is the service of <b>${name}</b>, on this machine. A game signs its players in with:`,
    body: html`<pre><code>new Client({
  applicationId: '${id}',
  service: { host: '${url}' },
})</code></pre>
      <dl>
        <dt>Players to sign in as</dt>
        <dd>${players.map(({ globalName, username }) => globalName ?? username).join(', ')}</dd>
        <dt>Redirect URIs</dt>
        ${redirectUris.map((uri) => html`<dd><code>${uri}</code></dd>`)}
        <dd class="quiet">The port does not count on localhost and 127.0.0.1.</dd>
      </dl>
      <h2>Pages</h2>
      <ul class="pages">
        <li><a href="/inspector">Inspector</a> requests, lobbies, limits, faults and clock</li>
        <li><a href="/chat">Chat</a> use commands as players do</li>
        <li>
          ${activity === undefined ? html`<b>Activity</b> none yet: start with <code>--activity-url</code>` : activityLink(activity)}
        </li>
        ${game === undefined ? '' : html`<li><a href="${game}">Game</a> in a window of its own</li>`}
        <li><a href="/activate">Connect a device</a> type the code that a console shows</li>
      </ul>`,
    tone: 'good',
  })
}

function activityLink(activity: string): Page {
  return html`<a href="${activity}">Activity</a> the game in frames, players side by side`
}
