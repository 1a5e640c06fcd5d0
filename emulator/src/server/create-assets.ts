/** Serves the scripts and style sheets of the pages, the icon and the players' avatars. */
import { Hono, type Context } from 'hono'
import { ICON } from '../pages/icon.js'
import { findUser } from '../context/find-user.js'
import { avatar } from '../seed/avatar.js'
import { avatarPng } from '../seed/avatar-png.js'
import { pageFile } from '../pages/page-file.js'
import { notFound } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'

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
