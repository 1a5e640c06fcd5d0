/** Serves the inspector page. It contains no secret: its script reads the state from the control plane, with the control token. */
import { notFound } from '../../check/api-error.js'
import { frame, pagePolicy, siteHeader, type Page, type SiteLinks } from '../../pages/documents/document.js'
import { indexPage } from '../../pages/documents/index-page.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { findUser } from '../../state/find-user.js'
import { avatar, avatarPng } from '../../state/seed/avatar.js'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { readFile } from 'node:fs/promises'

/** Addresses that may change while the emulator runs. */
interface Activity {
  /** Address of the host page, if a game is set. */
  readonly url: string | undefined
  readonly game: string | undefined
}

export function createInspector(applicationName: string, activity: Activity): Hono {
  const routes = new Hono()
  routes.get('/inspector', (c) =>
    c.html(inspectorDocument(applicationName, { activity: activity.url, game: activity.game }), 200, HEADERS),
  )
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

export function createIndexPageRoute({ url, seed }: EmulatorContext, activity: ActivityService): Hono {
  const routes = new Hono()
  routes.get('/', (c) =>
    c.html(
      indexPage({
        url,
        application: seed.application,
        players: seed.players,
        activity: activity.url,
        game: activity.game,
      }),
      200,
      {
        'Content-Security-Policy': pagePolicy(),
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      },
    ),
  )
  return routes
}

export function createAssets(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.get('/assets/icon.svg', (c) => send(c, ICON, 'image/svg+xml'))
  routes.get('/assets/:file', (c) => pageFile(c, c.req.param('file')))
  routes.get('/avatars/:file', (c) => {
    const id = c.req.param('file').replace(/\.svg$/, '')
    return findUser(id, context) !== undefined ? send(c, avatar(id), 'image/svg+xml') : notFound(c)
  })
  // As on the service's own host for pictures: by hash, and the six default ones. Animated hashes get a still picture too.
  routes.get('/avatars/:id/:file', (c) => {
    const { id, file } = c.req.param()
    const player = findUser(id, context)
    return player !== undefined && file.replace(/\.\w+$/, '') === player.avatar
      ? send(c, avatarPng(BigInt(id)), 'image/png')
      : notFound(c)
  })
  routes.get('/embed/avatars/:file{[0-5]\\.png}', (c) =>
    send(c, avatarPng(BigInt(c.req.param('file').charAt(0))), 'image/png'),
  )
  return routes
}

function send(c: Context, body: string | Buffer, type: string): Response {
  return c.body(typeof body === 'string' ? body : new Uint8Array(body), 200, {
    'Content-Type': type,
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  })
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3f46c9"/><path d="M11 25V8h11M11 16h8" fill="none" stroke="#fff" stroke-width="3.5"/></svg>'

const folders = {
  js: new URL('../../../dist/browser/', import.meta.url),
  css: new URL('../../../page/', import.meta.url),
}
const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

export async function pageFile(c: Context, name: string): Promise<Response> {
  const kind = /^[a-z-]+\.(?:js|css)$/.test(name) ? (name.endsWith('.js') ? 'js' : 'css') : undefined
  const body =
    kind === undefined
      ? undefined
      : await readFile(new URL(name, folders[kind]), 'utf8').catch(() => undefined)
  if (kind === undefined || body === undefined) return notFound(c)
  const headers = {
    'Content-Type': TYPES[kind],
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
  return c.body(body, 200, headers)
}
