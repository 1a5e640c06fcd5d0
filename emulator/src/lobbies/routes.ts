/** All endpoints of lobbies under one roof, where every refusal is answered. */
import { Hono } from 'hono'
import { answerRefusal, methodNotAllowed, Refusal } from '../commands/refusal.js'
import type { Authenticate } from '../http/authenticate.js'
import type { Service } from '../service.js'
import { createApplicationRoutes } from './application-routes.js'
import { createPlayerRoutes } from './player-routes.js'

const paths = ['', '/:lobby', '/:lobby/members/:user', '/:lobby/members/:user/invites', '/:lobby/messages', '/:lobby/channel-linking']

export function createLobbies(service: Service, authenticate: Authenticate): Hono {
  const routes = new Hono()
  // Players first: `@me` is nobody's id.
  routes.route('/', createPlayerRoutes(service, authenticate))
  routes.route('/', createApplicationRoutes(service, authenticate))
  for (const path of paths)
    routes.all(`/lobbies${path}`, () => {
      throw methodNotAllowed('this address has no such method')
    })
  routes.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error)
    throw error
  })
  return routes
}
