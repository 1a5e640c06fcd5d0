/** The endpoint by which a game's backend asks who is in an instance. */
import { Hono } from 'hono'
import { checkApplication } from '../commands/caller.js'
import { answerRefusal, Refusal } from '../commands/refusal.js'
import type { Authenticate } from '../http/authenticate.js'
import { refuse, unauthorized } from '../http/refuse.js'
import type { Service } from '../service.js'
import { locationId } from './instances.js'
import type { Stage } from './stage.js'

export function createActivityRoutes(service: Service, { stage, authenticate }: { stage: Stage; authenticate: Authenticate }): Hono {
  const routes = new Hono()
  routes.get('/applications/:application/activity-instances/:instance', async (c) => {
    const caller = await authenticate(c.req.header('authorization'))
    if (caller.kind !== 'bot')
      return unauthorized(c, caller.kind === 'stranger' ? caller.rule : 'this is for the application: the token must be "Bot <bot token>"')
    checkApplication(c.req.param('application'), service)
    const { instances } = stage.host
    const instance = instances.find(c.req.param('instance'))
    if (instance === undefined)
      return refuse(c, { status: 404, code: 0, message: '404: Not Found', rule: 'no instance has this id, or everybody has left it' })
    const { id, launchId, location } = instance
    const { guildId, channelId } = location
    const kind = guildId === undefined ? 'pc' : 'gc'
    return c.json({
      application_id: service.seed.application.id,
      instance_id: id,
      launch_id: launchId,
      location: { id: locationId(location), kind, channel_id: channelId, ...(guildId === undefined ? {} : { guild_id: guildId }) },
      users: instances.users(id),
    })
  })
  routes.onError((error, c) => {
    if (error instanceof Refusal) return answerRefusal(c, error)
    throw error
  })
  return routes
}
