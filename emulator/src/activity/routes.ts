/** The endpoint by which a game's backend asks who is in an instance. */
import { Hono } from 'hono'
import { checkApplication } from '../auth/require-caller.js'
import { answerApiError, ApiError } from '../api/api-error.js'
import type { Authenticate } from '../auth/authenticate.js'
import { refuse, unauthorized } from '../api/refuse.js'
import type { EmulatorContext } from '../context/context.js'
import { locationId } from './instances.js'
import type { ActivityService } from './activity-service.js'

export function createActivityRoutes(
  context: EmulatorContext,
  { activity, authenticate }: { activity: ActivityService; authenticate: Authenticate },
): Hono {
  const routes = new Hono()
  routes.get('/applications/:application/activity-instances/:instance', async (c) => {
    const caller = await authenticate(c.req.header('authorization'))
    if (caller.kind !== 'bot')
      return unauthorized(c, caller.kind === 'stranger' ? caller.rule : 'this is for the application: the token must be "Bot <bot token>"')
    checkApplication(c.req.param('application'), context)
    const { instances } = activity.host
    const instance = instances.find(c.req.param('instance'))
    if (instance === undefined)
      return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no instance has this id, or everybody has left it' })
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
  routes.onError((error, c) => {
    if (error instanceof ApiError) return answerApiError(c, error)
    throw error
  })
  return routes
}
