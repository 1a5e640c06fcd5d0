/** Serves the inspector page. It contains no secret: its script reads the state from the control plane, with the control token. */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { frame, type Page } from '../pages/document.js'
import { siteHeader, type SiteLinks } from '../pages/site-header.js'

/** Addresses that may change while the emulator runs. */
interface Activity {
  /** Address of the host page, if a game is set. */
  readonly url: string | undefined
  readonly game: string | undefined
}

export function createInspector(applicationName: string, activity: Activity): Hono {
  const routes = new Hono()
  routes.get('/inspector', (c) => c.html(inspectorDocument(applicationName, { activity: activity.url, game: activity.game }), 200, HEADERS))
  return routes
}

function inspectorDocument(applicationName: string, links: SiteLinks): Page {
  return frame(
    {
      title: `Inspector of ${applicationName}`,
      icon: '/assets/icon.svg',
      styles: ['tokens', 'look', 'inspector'].map((name) => `/assets/${name}.css`),
    },
    html`${siteHeader('Inspector', links)}
      <div id="inspector"><noscript>The inspector needs scripts.</noscript></div>
      <script type="module" src="/assets/inspector.js"></script>`,
  )
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}
