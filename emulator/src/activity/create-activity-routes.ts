/** Endpoints for a game's backend: the participants of an instance, and purchases. */
import { Hono } from 'hono'
import { checkApplication, requireBot } from '../auth/caller.js'
import { ApiError } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { locationId } from './instances.js'
import { createPurchaseRoutes } from './create-purchase-routes.js'
import type { ActivityService } from './activity-service.js'

export function createActivityRoutes(context: EmulatorContext, activity: ActivityService): Hono {
  const routes = new Hono()
  routes.get('/applications/:application/activity-instances/:instance', (c) => {
    requireBot(c)
    checkApplication(c.req.param('application'), context)
    const { instances } = activity.host
    const instance = instances.find(c.req.param('instance'))
    if (instance === undefined)
      throw new ApiError({ status: 404, code: 0, message: '404: Not Found', rule: 'no instance has this id, or everybody has left it' })
    const { id, launchId, location } = instance
    const { guildId, channelId } = location
    const kind = guildId === undefined ? 'pc' : 'gc'
    return c.json({
      application_id: context.seed.application.id,
      instance_id: id,
      launch_id: launchId,
      location: { id: locationId(location), kind, channel_id: channelId, ...(guildId === undefined ? {} : { guild_id: guildId }) },
      users: instances.users(id),
    })
  })
  routes.route('/', createPurchaseRoutes(context, activity))
  return routes
}
