/** All endpoints of lobbies under one roof, where every refusal is answered. */
import { Hono } from 'hono'
import { answerApiError, methodNotAllowed, ApiError } from '../api/api-error.js'
import type { Authenticate } from '../auth/authenticate.js'
import type { EmulatorContext } from '../context/context.js'
import { createApplicationRoutes } from './application-routes.js'
import { createPlayerRoutes } from './player-routes.js'

const paths = ['', '/:lobby', '/:lobby/members/:user', '/:lobby/members/:user/invites', '/:lobby/messages', '/:lobby/channel-linking']

export function createLobbies(context: EmulatorContext, authenticate: Authenticate): Hono {
  const routes = new Hono()
  // Players first: `@me` is nobody's id.
  routes.route('/', createPlayerRoutes(context, authenticate))
  routes.route('/', createApplicationRoutes(context, authenticate))
  for (const path of paths)
    routes.all(`/lobbies${path}`, () => {
      throw methodNotAllowed('this address has no such method')
    })
  routes.onError((error, c) => {
    if (error instanceof ApiError) return answerApiError(c, error)
    throw error
  })
  return routes
}
