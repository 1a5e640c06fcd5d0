/** Serves the inspector page. It contains no secret: its script reads the state from the control plane, with the control token. */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { pageFile } from '../pages/page-files.js'
import { frame, type Page } from '../pages/html-document.js'

export function createInspector(applicationName: string): Hono {
  const routes = new Hono()
  routes.get('/inspector', (c) => c.html(inspectorDocument(applicationName), 200, headers))
  routes.get('/inspector/assets/:file', (c) => pageFile(c, c.req.param('file')))
  return routes
}

function inspectorDocument(applicationName: string): Page {
  return frame(
    { title: `Inspector of ${applicationName}`, icon: '/assets/icon.svg', style: '/inspector/assets/inspector.css' },
    html`<div id="inspector"><noscript>The inspector needs scripts.</noscript></div>
      <script type="module" src="/inspector/assets/inspector.js"></script>`,
  )
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}
