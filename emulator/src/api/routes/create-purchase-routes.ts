/** Endpoints about products and purchases: for the application, and a list for the player. */
import { ApiError } from '../../check/api-error.js'
import { integer, object, snowflake } from '../../check/schema.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import {
  type Entitlement,
  type PurchaseStore,
  PurchaseType,
  type Subscription,
} from '../../service/activity/purchase-store.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { ApiRoutes } from '../request/api-routes.js'
import { checkApplication, requireBot, requireCaller } from '../request/caller.js'
import { checkId, pageOf, readFlag, readPageQuery } from '../request/read-json.js'
import { type Context, Hono } from 'hono'

const MAX_ENTITLEMENTS = 100
const GUILD_OWNER = 1
const USER_OWNER = 2
/** States of a subscription. */
const [ACTIVE, INACTIVE, ENDING] = [0, 1, 2]

const testBody = object({
  sku_id: snowflake,
  owner_id: snowflake,
  owner_type: integer(GUILD_OWNER, USER_OWNER),
})

export function createPurchaseRoutes(context: EmulatorContext, activity: ActivityService): Hono {
  const routes = new ApiRoutes()
  const purchases = () => activity.host.stores.purchases
  const ENTITLEMENTS = '/applications/:application/entitlements'
  for (const path of ['/applications/:application/skus', ENTITLEMENTS, `${ENTITLEMENTS}/*`])
    routes.hono.use(path, async (c, next) => {
      requireBot(c)
      checkApplication(c.req.param('application') ?? '', context)
      await next()
    })
  const found = (c: Context): Entitlement => {
    const entitlement = purchases().find(checkId(c.req.param('entitlement') ?? '', 'entitlement_id'))
    if (entitlement === undefined) throw unknownEntitlement()
    return entitlement
  }

  routes.get('/applications/:application/skus', (c) => c.json(purchases().skus()))
  routes.get(ENTITLEMENTS, (c) => c.json(listOf(c, purchases().all(), context)))
  routes.get(`${ENTITLEMENTS}/:entitlement`, (c) => c.json(found(c)))
  routes.with('POST', ENTITLEMENTS, { schema: () => testBody }, async (c, body) => {
    const { sku_id: skuId, owner_id: owner, owner_type: kind } = await body.read()
    if (purchases().sku(skuId) === undefined) throw unknownSku()
    const place = kind === GUILD_OWNER ? { guildId: owner } : { userId: owner }
    return c.json(purchases().add({ skuId, type: PurchaseType.subscription, ...place }))
  })
  routes.bare('DELETE', `${ENTITLEMENTS}/:entitlement`, (c) => {
    purchases().withdraw(found(c))
    return c.body(null, 204)
  })
  routes.bare('POST', `${ENTITLEMENTS}/:entitlement/consume`, (c) => {
    if (!purchases().consume(found(c)))
      throw new ApiError({
        status: 400,
        code: 50_035,
        message: 'Invalid Form Body',
        rule: 'only a consumable (SKU type 3) can be consumed',
      })
    return c.body(null, 204)
  })

  routes.hono.route('/', createOwnerRoutes(context, purchases))
  return routes.hono
}

/** Lists of one player. */
function createOwnerRoutes(context: EmulatorContext, purchases: () => PurchaseStore): Hono {
  const routes = new Hono()
  routes.get('/users/@me/applications/:application/entitlements', (c) => {
    const caller = requireCaller(c)
    if (caller.kind !== 'player') throw unknownSku()
    checkApplication(c.req.param('application'), context)
    const own = purchases()
      .all()
      .filter(({ user_id: owner }) => owner === caller.player.id)
    return c.json(listOf(c, own, context))
  })

  routes.get('/skus/:sku/subscriptions', (c) => {
    const caller = requireCaller(c)
    const user =
      caller.kind === 'player' ? caller.player.id : checkId(c.req.query('user_id') ?? '', 'user_id')
    const skuId = checkId(c.req.param('sku'), 'sku_id')
    if (purchases().sku(skuId) === undefined) throw unknownSku()
    const bought = purchases().subscriptions(skuId, user)
    return c.json(pageOf(bought.map(subscriptionOf), readPageQuery(c, MAX_ENTITLEMENTS)))
  })
  return routes
}

/** Entitlements that the query asks for. Those that were withdrawn are left out unless it asks for them. */
function listOf(c: Context, all: readonly Entitlement[], { clock }: EmulatorContext): Entitlement[] {
  const page = readPageQuery(c, MAX_ENTITLEMENTS)
  const { user_id: user, guild_id: guild, sku_ids: skus } = c.req.query()
  if (guild !== undefined) checkId(guild, 'guild_id')
  if (user !== undefined) checkId(user, 'user_id')
  readFlag(c, 'only_active')
  const isWithoutEnded = readFlag(c, 'exclude_ended')
  const isWithoutConsumed = readFlag(c, 'exclude_consumed')
  const isWithoutDeleted = readFlag(c, 'exclude_deleted', 'true')
  const wanted = skus?.split(',').map((id) => checkId(id, 'sku_ids'))
  const hasEnded = ({ ends_at: end }: Entitlement) =>
    typeof end === 'string' && Date.parse(end) <= clock.now()
  const found = all.filter(
    (each) =>
      (user === undefined || each.user_id === user) &&
      (guild === undefined || each.guild_id === guild) &&
      (wanted === undefined || wanted.includes(each.sku_id)) &&
      !(isWithoutDeleted && each.deleted) &&
      !(isWithoutConsumed && each.consumed) &&
      !(isWithoutEnded && hasEnded(each)),
  )
  return pageOf(found, page)
}

const subscriptionOf = ({ entitlement, start, end, canceledAt, isOver }: Subscription) => ({
  id: entitlement.id,
  user_id: entitlement.user_id,
  sku_ids: [entitlement.sku_id],
  entitlement_ids: [entitlement.id],
  renewal_sku_ids: null,
  current_period_start: new Date(start).toISOString(),
  current_period_end: new Date(end).toISOString(),
  status: isOver ? INACTIVE : canceledAt === undefined ? ACTIVE : ENDING,
  canceled_at: canceledAt === undefined ? null : new Date(canceledAt).toISOString(),
})

const unknownEntitlement = () =>
  new ApiError({
    status: 404,
    code: 10_029,
    message: 'Unknown Entitlement',
    rule: 'no entitlement has this id',
  })

const unknownSku = () =>
  new ApiError({
    status: 404,
    code: 10_027,
    message: 'Unknown SKU',
    rule: 'the application has no SKU with this id',
  })
