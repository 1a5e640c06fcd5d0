/** All endpoints of application commands under one roof, where every refusal is answered. */
import { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import type { Service } from '../service.js'
import { createCommandRoutes } from './command-routes.js'
import { createPermissionRoutes } from './permission-routes.js'
import { answerRefusal, Refusal } from './refusal.js'

export function createCommands(service: Service, provider: Provider): Hono {
  const routes = new Hono()
  routes.route('/', createPermissionRoutes(service, provider))
  routes.route('/', createCommandRoutes(service, provider))
  routes.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error)
    throw error
  })
  return routes
}
