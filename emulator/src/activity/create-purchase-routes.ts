/** Endpoints for a game's backend: products of the application, and what players own. */
import { Hono } from 'hono'
import { checkApplication, requireBot } from '../auth/caller.js'
import { checkId, readFlag } from '../api/read-json.js'
import { pageOf, readPageQuery } from '../api/page-query.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { ActivityService } from './activity-service.js'

const MAX_ENTITLEMENTS = 100

export function createPurchaseRoutes(context: EmulatorContext, activity: ActivityService): Hono {
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
    for (const flag of ['exclude_ended', 'exclude_deleted']) readFlag(c, flag)
    const owner = user === undefined ? undefined : checkId(user, 'user_id')
    const wanted = skus?.split(',')
    const found = purchases()
      .all()
      .filter(({ user_id, sku_id }) => (owner === undefined || user_id === owner) && (wanted === undefined || wanted.includes(sku_id)))
    return c.json(pageOf(found, page))
  })
  return routes
}
