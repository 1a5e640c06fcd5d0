/** Page for an unknown path, with links to the existing pages. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { notFound } from '../../check/api-error.js'
import { document, type Page, siteHeader, pagePolicy } from './document.js'

/** Responds 404: with a page for browsers outside the API, otherwise with JSON. */
export function notFoundAnywhere(c: Context): Response | Promise<Response> {
  if (c.req.path.startsWith('/api/') || !wantsPage(c)) return notFound(c)
  return c.html(notFoundPage(c.req.path), 404, {
    'X-Emulator-Rule': 'no such route',
    'Content-Security-Policy': pagePolicy(),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
}

/** True for a navigation in a browser, whose Accept header names HTML. */
export function wantsPage(c: Context): boolean {
  return c.req.header('accept')?.includes('text/html') === true
}

function notFoundPage(path: string): Page {
  return document({
    header: siteHeader(undefined, { activity: undefined, game: undefined }),
    heading: 'There is no page here',
    intro: html`The emulator has nothing at <code>${path}</code>.`,
    body: html`<h2>Pages</h2>
      <ul class="pages">
        <li><a href="/">Index</a> what a game needs to know</li>
        <li><a href="/inspector">Inspector</a> requests, lobbies, limits, faults and clock</li>
        <li><a href="/chat">Chat</a> use commands as players do</li>
        <li><a href="/activate">Connect a device</a> type the code that a console shows</li>
      </ul>
      <p class="quiet">
        The API is under <code>/api/v10</code>. An address of the game, such as its callback page, is on the
        game’s own server and port.
      </p>`,
    tone: 'bad',
  })
}
