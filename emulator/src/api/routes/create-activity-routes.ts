/** Endpoints for a game's backend: the participants of an instance, and purchases. */
import { ApiError } from '../../check/api-error.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import { locationId } from '../../service/activity/instances.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkApplication, requireBot } from '../request/caller.js'
import { checkId, pageOf, readFlag, readPageQuery } from '../request/read-json.js'
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

const MAX_ENTITLEMENTS = 100

function createPurchaseRoutes(context: EmulatorContext, activity: ActivityService): Hono {
  const routes = new Hono()
  const purchases = () => activity.host.stores.purchases
  routes.use('/applications/:application/:list{skus|entitlements}', async (c, next) => {
    requireBot(c)
    checkApplication(c.req.param('application'), context)
    await next()
  })
  routes.get('/applications/:application/skus', (c) => c.json(purchases().skus()))
  routes.get('/applications/:application/entitlements', (c) => {
    const page = readPageQuery(c, MAX_ENTITLEMENTS)
    const { user_id: user, guild_id: guild, sku_ids: skus } = c.req.query()
    if (guild !== undefined) checkId(guild, 'guild_id')
    for (const flag of ['exclude_ended', 'exclude_deleted', 'only_active']) readFlag(c, flag)
    const owner = user === undefined ? undefined : checkId(user, 'user_id')
    const wanted = skus?.split(',')
    const found = purchases()
      .all()
      .filter(
        ({ user_id, sku_id }) =>
          (owner === undefined || user_id === owner) && (wanted === undefined || wanted.includes(sku_id)),
      )
    return c.json(pageOf(found, page))
  })
  return routes
}
