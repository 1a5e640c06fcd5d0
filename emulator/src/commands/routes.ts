/** All endpoints of application commands under one roof, where every refusal is answered. */
import { Hono } from 'hono'
import type { Authenticate } from '../http/authenticate.js'
import type { Service } from '../service.js'
import { createCommandRoutes } from './command-routes.js'
import { createPermissionRoutes } from './permission-routes.js'
import { answerRefusal, Refusal } from './refusal.js'

export function createCommands(service: Service, authenticate: Authenticate): Hono {
  const routes = new Hono()
  routes.route('/', createPermissionRoutes(service, authenticate))
  routes.route('/', createCommandRoutes(service, authenticate))
  routes.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error)
    throw error
  })
  return routes
}
