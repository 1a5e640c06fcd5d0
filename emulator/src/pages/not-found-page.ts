/** The page for an address where nothing is: what a person meant may be one link away. */
import { html } from 'hono/html'
import { document, type Page } from './document.js'

export function notFoundPage(path: string): Page {
  return document({
    heading: 'There is no page here',
    intro: html`The emulator has nothing at <code>${path}</code>.`,
    body: html`<h2>Pages</h2>
      <ul class="pages">
        <li><a href="/">Overview</a> what a game needs to know</li>
        <li><a href="/chat">Chat</a> use commands as players do</li>
        <li><a href="/activate">Connect a device</a> type the code that a console shows</li>
      </ul>
      <p class="quiet">
        The API is under <code>/api/v10</code>. An address of the game, such as its callback page, is on the game’s own server and port.
      </p>`,
    tone: 'bad',
  })
}
