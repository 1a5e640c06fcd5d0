/** All endpoints of application commands. */
import { Hono } from 'hono'
import type { EmulatorContext } from '../context/emulator-context.js'
import { createCommandRoutes } from './create-command-routes.js'
import { createPermissionRoutes } from './create-permission-routes.js'

export function createCommands(context: EmulatorContext): Hono {
  const routes = new Hono()
  routes.route('/', createPermissionRoutes(context))
  routes.route('/', createCommandRoutes(context))
  return routes
}
