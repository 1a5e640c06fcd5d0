/** All endpoints of lobbies. */
import { Hono } from 'hono'
import { methodNotAllowed } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { createApplicationRoutes } from './create-application-routes.js'
import { createPlayerRoutes } from './create-player-routes.js'

const PATHS = ['', '/:lobby', '/:lobby/members/:user', '/:lobby/members/:user/invites', '/:lobby/messages', '/:lobby/channel-linking']

export function createLobbies(context: EmulatorContext): Hono {
  const routes = new Hono()
  // Routes for players go first: `@me` would match `:user`.
  routes.route('/', createPlayerRoutes(context))
  routes.route('/', createApplicationRoutes(context))
  for (const path of PATHS)
    routes.all(`/lobbies${path}`, () => {
      throw methodNotAllowed('this address has no such method')
    })
  return routes
}
