/** Endpoints for a game's backend: the participants of an instance, and purchases. */
import { ApiError } from '../../check/api-error.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import { locationId } from '../../service/activity/instances.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkApplication, requireBot } from '../request/caller.js'
import { createPurchaseRoutes } from './create-purchase-routes.js'
import { Hono } from 'hono'

export function createActivityRoutes(context: EmulatorContext, activity: ActivityService): Hono {
  const routes = new Hono()
  routes.get('/applications/:application/activity-instances/:instance', (c) => {
    requireBot(c)
    checkApplication(c.req.param('application'), context)
    const { instances } = activity.host
    const instance = instances.find(c.req.param('instance'))
    if (instance === undefined)
      throw new ApiError({
        status: 404,
        code: 0,
        message: '404: Not Found',
        rule: 'no instance has this id, or everybody has left it',
      })
    const { id, launchId, location } = instance
    const { guildId, channelId } = location
    const kind = guildId === undefined ? 'pc' : 'gc'
    return c.json({
      application_id: context.seed.application.id,
      instance_id: id,
      launch_id: launchId,
      location: {
        id: locationId(location),
        kind,
        channel_id: channelId,
        ...(guildId === undefined ? {} : { guild_id: guildId }),
      },
      users: instances.users(id),
    })
  })
  routes.route('/', createPurchaseRoutes(context, activity))
  return routes
}
