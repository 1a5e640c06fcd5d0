/** Serves the inspector page. It contains no secret: its script reads the state from the control plane, with the control token. */
import { Hono } from 'hono'
import { html } from 'hono/html'
import { pageFile } from '../pages/page-files.js'
import type { Page } from '../pages/html-document.js'

export function createInspector(applicationName: string): Hono {
  const routes = new Hono()
  routes.get('/inspector', (c) => c.html(inspectorDocument(applicationName), 200, headers))
  routes.get('/inspector/assets/:file', (c) => pageFile(c, c.req.param('file')))
  return routes
}

function inspectorDocument(applicationName: string): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Inspector of ${applicationName} – Foyer emulator</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/inspector/assets/inspector.css" />
      </head>
      <body>
        <div id="inspector"><noscript>The inspector needs scripts.</noscript></div>
        <script type="module" src="/inspector/assets/inspector.js"></script>
      </body>
    </html>`
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}
