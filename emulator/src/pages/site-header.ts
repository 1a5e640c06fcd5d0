/** Header of the emulator's pages: its badge, and the navigation between index, chat, inspector, Activity and game. */
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

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
export function plainHeader(): Header {
  return html`<header class="site">${badge}</header>`
}

const badge = html`<p class="badge">Foyer emulator <span>on this machine only, no real account</span></p>`
