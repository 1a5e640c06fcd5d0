/** Serves the style sheet, the icon and the players' avatars. */
import { Hono, type Context } from 'hono'
import { ICON } from '../pages/icon.js'
import { CONNECTION_SCRIPT, CONSENT_SCRIPT, LOOK_PATH, RESET_PATH, STYLE_PATH, TOKENS_PATH } from '../pages/page-policy.js'
import { findUser } from '../context/find-user.js'
import { avatar } from '../seed/avatar.js'
import { avatarPng } from '../seed/avatar-png.js'
import { pageFile } from '../pages/page-file.js'
import { notFound } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'

export function createAssets(context: EmulatorContext): Hono {
  const routes = new Hono()
  for (const path of [TOKENS_PATH, RESET_PATH, LOOK_PATH, STYLE_PATH]) routes.get(path, (c) => pageFile(c, path.slice('/assets/'.length)))
  routes.get(CONSENT_SCRIPT, (c) => pageFile(c, 'warn-unreachable-callback.js'))
  routes.get(CONNECTION_SCRIPT, (c) => pageFile(c, 'lost-connection.js'))
  routes.get('/assets/watch-emulator.js', (c) => pageFile(c, 'watch-emulator.js'))
  routes.get('/assets/icon.svg', (c) => send(c, ICON, 'image/svg+xml'))
  routes.get('/avatars/:file', (c) => {
    const id = c.req.param('file').replace(/\.svg$/, '')
    return findUser(id, context) !== undefined ? send(c, avatar(id), 'image/svg+xml') : notFound(c)
  })
  // As on the service's own host for pictures: by hash, and the six default ones. Animated hashes get a still picture too.
  routes.get('/avatars/:id/:file', (c) => {
    const { id, file } = c.req.param()
    const player = findUser(id, context)
    return player !== undefined && file.replace(/\.\w+$/, '') === player.avatar ? send(c, avatarPng(BigInt(id)), 'image/png') : notFound(c)
  })
  routes.get('/embed/avatars/:file{[0-5]\\.png}', (c) => send(c, avatarPng(BigInt(c.req.param('file').charAt(0))), 'image/png'))
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
