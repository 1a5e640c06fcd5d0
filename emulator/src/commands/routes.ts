/** All endpoints of application commands under one roof, where every refusal is answered. */
import { Hono } from 'hono'
import type { Authenticate } from '../auth/authenticate.js'
import type { EmulatorContext } from '../context/context.js'
import { createCommandRoutes } from './command-routes.js'
import { createPermissionRoutes } from './permission-routes.js'
import { answerApiError, ApiError } from '../api/api-error.js'

export function createCommands(context: EmulatorContext, authenticate: Authenticate): Hono {
  const routes = new Hono()
  routes.route('/', createPermissionRoutes(context, authenticate))
  routes.route('/', createCommandRoutes(context, authenticate))
  routes.onError((error, c) => {
    if (error instanceof ApiError) return answerApiError(c, error)
    throw error
  })
  return routes
}
