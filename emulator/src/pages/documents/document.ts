/** HTML document of every page: one heading, one main landmark, no required scripts. */
import type { Player } from '../../state/seed/seed.js'
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Escaped HTML; the template tag escapes all values. */
export type Page = HtmlEscapedString | Promise<HtmlEscapedString>

export interface Content {
  /** Heading; also the title of the document. */
  heading: string
  intro?: Page | string
  body?: Page | string
  tone?: 'plain' | 'good' | 'bad'
  /** Default: one without links. */
  header?: Page
}

export function document({
  heading,
  intro = '',
  body = '',
  tone = 'plain',
  header = plainHeader(),
}: Content): Page {
  return frame(
    { title: heading, icon: '/assets/icon.svg', styles: [TOKENS_PATH, LOOK_PATH, STYLE_PATH] },
    html`${header}
      <main class="card ${tone}">
        <h1>${heading}</h1>
        ${intro === '' ? '' : html`<p class="intro">${intro}</p>`} ${body}
      </main>
      <script type="module" src="${CONNECTION_SCRIPT}"></script>`,
  )
}

/** Document around the body of each page, of this server and of the Activity host. */
export function frame(
  { title, icon, styles }: { title: string; icon: string; styles: string[] },
  body: Page,
): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} – Foyer emulator</title>
        <link rel="icon" href="${icon}" />
        ${styles.map((style) => html`<link rel="stylesheet" href="${style}" />`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`
}

const STYLE_PATH = '/assets/pages.css'
const LOOK_PATH = '/assets/look.css'
const TOKENS_PATH = '/assets/tokens.css'
export const CONSENT_SCRIPT = '/assets/consent.js'
const CONNECTION_SCRIPT = '/assets/lost-connection.js'

/** @param target source that a form's response redirects to: browsers apply `form-action` to redirects as well. */
export function pagePolicy(target?: string): string {
  const formAction = target === undefined ? "'self'" : `'self' ${target}`
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; connect-src 'self'`
}

/** Policy of the consent page: its script checks, through the emulator and directly, whether the redirect target can be reached. */
export function consentPolicy(target?: string): string {
  const connect = target?.startsWith('http') === true ? `'self' ${target}` : "'self'"
  return pagePolicy(target).replace("connect-src 'self'", `connect-src ${connect}`)
}

/** CSP source of a redirect URI: its origin, or the custom scheme. */
export function policySource(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri)
  if (url === null) return undefined
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.origin : url.protocol
}

type Header = HtmlEscapedString | Promise<HtmlEscapedString>

/** Addresses of the pages that are elsewhere. */
export interface SiteLinks {
  /** Base of the links: empty on the emulator's own pages, its address on the host page. */
  base?: string
  /** Address of the Activity's host page, if a game is set. */
  activity: string | undefined
  /** Address of the game, if it is set: the demo, when `npm run demo` started the emulator. */
  game: string | undefined
}

/** @param current page that contains the header. */
export function siteHeader(
  current: 'Index' | 'Chat' | 'Inspector' | 'Activity' | undefined,
  { base = '', activity, game }: SiteLinks,
): Header {
  const links = [
    { name: 'Index', href: `${base}/` },
    { name: 'Chat', href: `${base}/chat` },
    { name: 'Inspector', href: `${base}/inspector` },
    ...(activity === undefined ? [] : [{ name: 'Activity', href: activity }]),
    ...(game === undefined ? [] : [{ name: 'Game', href: game }]),
  ]
  return html`<header class="site">
    ${badge}
    <nav aria-label="Pages of the emulator">
      ${links.map(({ name, href }) => html`<a href="${href}" ${name === current ? html`aria-current="page"` : ''}>${name}</a>`)}
    </nav>
  </header>`
}

/** Header of a page in the middle of a sign-in, which leads nowhere else. */
function plainHeader(): Header {
  return html`<header class="site">${badge}</header>`
}

const badge = html`<p class="badge">Foyer emulator <span>on this machine only, no real account</span></p>`

export function playerChoice(
  players: Player[],
  { legend, chosen }: { legend: string; chosen?: string | undefined },
): Page {
  const first = players.some((player) => player.id === chosen) ? chosen : players[0]?.id
  return html`<fieldset>
    <legend>${legend}</legend>
    <div class="players">
      ${players.map(
        (player) =>
          html`<label class="player">
            <input
              type="radio"
              name="as"
              value="${player.id}"
              required
              ${player.id === first ? 'checked' : ''}
            />
            <img src="/avatars/${player.id}.svg" alt="" width="44" height="44" />
            <span class="name"
              ><b>${player.globalName ?? player.username}</b> <span>${player.username}</span></span
            >
          </label>`,
      )}
    </div>
  </fieldset>`
}
