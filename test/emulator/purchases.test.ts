/** The emulator's purchases: one store behind host window, HTTP and webhooks, read by a public client. */
import { REST } from '@discordjs/rest'
import { type APIEntitlement, type APISKU, EntitlementType, Routes } from 'discord-api-types/v10'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { createEventHandler, verifyInteraction } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { serveRequests } from '../support/serve-requests'
import { call, signIn } from './support/sign-in-client.js'

const [DICE, ROLLS, PASS] = ['1288100000000000001', '1288100000000000002', '1288100000000000003'] as const
const DAY = 86_400_000
let emulator: Emulator
let rest: REST

beforeEach(async () => {
  emulator = await createEmulator()
  rest = new REST({ api: `${emulator.url}/api` }).setToken(emulator.application.botToken)
})
afterEach(() => emulator.close())

const idOf = (name: string) => emulator.users.find(({ username }) => username === name)?.id ?? ''
const list = async (query: Record<string, string> = {}) =>
  (await rest.get(Routes.entitlements(emulator.application.id), {
    query: new URLSearchParams(query),
  })) as APIEntitlement[]
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const statusOf = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: unknown) => Reflect.get(Object(error), 'status'),
  )

describe('purchases of players', () => {
  it('are the same for a public client, the control plane and the player', async () => {
    const bought = emulator.activity.purchase({ as: 'ada', sku: ROLLS, test: false })
    const gift = emulator.activity.purchase({ as: 'ada', sku: DICE, giver: 'bruno' })
    expect([bought.type, gift.type]).toEqual([EntitlementType.Purchase, EntitlementType.UserGift])
    expect(gift.gifter_user_id).toBe(idOf('bruno'))
    expect(await list({ user_id: idOf('ada') })).toEqual([bought, gift])
    expect(emulator.activity.entitlements('ada')).toEqual([bought, gift])
    const { accessToken } = await signIn(emulator, 'ada')
    const path = `/users/@me/applications/${emulator.application.id}/entitlements`
    expect(await (await call(emulator, path, accessToken)).json()).toEqual([bought, gift])
    const other = await signIn(emulator, 'bruno')
    expect(await (await call(emulator, path, other.accessToken)).json()).toEqual([])
    const skus = (await rest.get(Routes.skus(emulator.application.id))) as APISKU[]
    expect(idsOf(skus)).toEqual([DICE, ROLLS, PASS])
  })

  it('are filtered and paged as the query asks for', async () => {
    const made = ['ada', 'bruno', 'ada'].map((as) => emulator.activity.purchase({ as, sku: ROLLS }))
    emulator.activity.purchase({ as: 'ada', sku: DICE })
    const [first, second, third] = idsOf(made)
    expect(idsOf(await list({ sku_ids: ROLLS }))).toEqual([first, second, third])
    expect(idsOf(await list({ sku_ids: ROLLS, user_id: idOf('ada') }))).toEqual([first, third])
    expect(idsOf(await list({ limit: '1' }))).toEqual([first])
    expect(idsOf(await list({ limit: '2', after: first ?? '' }))).toEqual([second, third])
  })

  it('that were refunded are listed only if the query asks for them', async () => {
    const { id } = emulator.activity.purchase({ as: 'ada', sku: DICE })
    emulator.activity.refund({ entitlement: id })
    expect(await list()).toEqual([])
    expect(await list({ exclude_deleted: 'false' })).toMatchObject([{ id, deleted: true }])
    expect(await rest.get(Routes.entitlement(emulator.application.id, id))).toMatchObject({ deleted: true })
  })

  it('of a consumable can be made again once a backend has consumed the first, in test mode always', async () => {
    const buy = (test: boolean) => emulator.activity.purchase({ as: 'ada', sku: ROLLS, test })
    const { id } = buy(false)
    expect(() => buy(false)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    buy(true)
    const consume = () => rest.post(Routes.consumeEntitlement(emulator.application.id, id))
    await consume()
    expect(await rest.get(Routes.entitlement(emulator.application.id, id))).toMatchObject({ consumed: true })
    await consume()
    expect(buy(false).consumed).toBe(false)
  })

  it('that are no consumables are not consumed, and unknown ones are not found', async () => {
    const { id } = emulator.activity.purchase({ as: 'ada', sku: DICE })
    const { application } = emulator
    expect(await statusOf(rest.post(Routes.consumeEntitlement(application.id, id)))).toBe(400)
    expect(await statusOf(rest.post(Routes.consumeEntitlement(application.id, '42')))).toBe(404)
    expect(await statusOf(rest.get(Routes.entitlement(application.id, '42')))).toBe(404)
    expect(() => emulator.activity.purchase({ as: 'ada', sku: '42' })).toThrow(/no SKU/)
    expect(() => emulator.activity.refund({ entitlement: '42' })).toThrow(/no entitlement/)
  })

  it('of a test are made and withdrawn by the application', async () => {
    const { application } = emulator
    const body = { sku_id: DICE, owner_id: idOf('ada'), owner_type: 2 }
    const made = (await rest.post(Routes.entitlements(application.id), { body })) as APIEntitlement
    expect(made).toMatchObject({ type: EntitlementType.ApplicationSubscription, user_id: idOf('ada') })
    expect(await rest.get(`${Routes.skuSubscriptions(DICE)}?user_id=${idOf('ada')}`)).toMatchObject([
      { entitlement_ids: [made.id], sku_ids: [DICE], status: 0 },
    ])
    await rest.delete(Routes.entitlement(application.id, made.id))
    expect(await list()).toEqual([])
    expect(
      await statusOf(rest.post(Routes.entitlements(application.id), { body: { ...body, owner_type: 3 } })),
    ).toBe(400)
  })
})

const subscriptionOf = async (skuId: string) => {
  const query = new URLSearchParams({ user_id: idOf('ada') })
  const found = (await rest.get(Routes.skuSubscriptions(skuId), { query })) as Record<string, unknown>[]
  return found[0] ?? {}
}
const isOwned = async () => (await list({ user_id: idOf('ada'), exclude_ended: 'true' })).length > 0
/** Events about purchases from now on, with the end of the purchase. */
const follow = () => {
  const events: unknown[] = []
  emulator.subscribe(({ name, data }) => {
    if (name.startsWith('ENTITLEMENT_')) events.push([name, Reflect.get(Object(data), 'ends_at')])
  })
  return events
}

describe('a subscription', () => {
  it('renews with each month of the clock, and brings the backend no event for that', async () => {
    emulator.clock({ frozen: true })
    const events = follow()
    const { now } = emulator.clock()
    const pass = emulator.activity.purchase({ as: 'ada', sku: PASS, test: false })
    expect(pass).toMatchObject({ type: EntitlementType.ApplicationSubscription })
    const at = (days: number) => new Date(now + days * DAY).toISOString()
    expect(await subscriptionOf(PASS)).toMatchObject({
      status: 0,
      current_period_start: at(0),
      current_period_end: at(30),
      canceled_at: null,
    })
    emulator.advance(31 * DAY)
    expect(await subscriptionOf(PASS)).toMatchObject({ status: 0, current_period_start: at(30) })
    emulator.advance(100 * DAY)
    expect(await subscriptionOf(PASS)).toMatchObject({ status: 0, current_period_end: at(150) })
    expect([await isOwned(), events]).toEqual([true, [['ENTITLEMENT_CREATE', undefined]]])
  })

  it('that is canceled lasts as long as it is paid for, and its end is an event', async () => {
    emulator.clock({ frozen: true })
    const { now } = emulator.clock()
    const { id } = emulator.activity.purchase({ as: 'ada', sku: PASS, test: false })
    const events = follow()
    emulator.advance(DAY)
    emulator.activity.cancelSubscription({ entitlement: id })
    expect(await subscriptionOf(PASS)).toMatchObject({
      status: 2,
      canceled_at: new Date(now + DAY).toISOString(),
    })
    emulator.advance(28 * DAY)
    expect([await isOwned(), events]).toEqual([true, []])
    emulator.advance(DAY)
    const end = new Date(now + 30 * DAY).toISOString()
    expect(await subscriptionOf(PASS)).toMatchObject({ status: 1 })
    expect([await isOwned(), events]).toEqual([false, [['ENTITLEMENT_UPDATE', end]]])
    expect(await rest.get(Routes.entitlement(emulator.application.id, id))).toMatchObject({ ends_at: end })
    expect(() => emulator.activity.cancelSubscription({ entitlement: id })).toThrow(/is over/)
  })

  it('that is refunded is over at once', async () => {
    const { id } = emulator.activity.purchase({ as: 'ada', sku: PASS, test: false })
    emulator.activity.refund({ entitlement: id })
    emulator.advance(40 * DAY)
    expect([await isOwned(), await subscriptionOf(PASS)]).toEqual([
      false,
      expect.objectContaining({ status: 1 }),
    ])
  })

  it('is what alone can be canceled', () => {
    const { id } = emulator.activity.purchase({ as: 'ada', sku: DICE })
    expect(() => emulator.activity.cancelSubscription({ entitlement: id })).toThrow(/no subscription/)
    expect(() => emulator.activity.cancelSubscription({ entitlement: '42' })).toThrow(/no entitlement/)
  })

  it('sends its end to the webhook of a backend', async () => {
    const { id } = emulator.activity.purchase({ as: 'ada', sku: PASS })
    emulator.activity.cancelSubscription({ entitlement: id })
    const ended: [id: string, end: unknown][] = []
    const handle = createEventHandler({
      publicKey: emulator.application.publicKey,
      on: { ENTITLEMENT_UPDATE: ({ id: entitlement, ends_at: end }) => void ended.push([entitlement, end]) },
    })
    const backend = await serveRequests(handle)
    onTestFinished(() => backend.close())
    await emulator.webhooks.connect(backend.url)
    emulator.advance(31 * DAY)
    await expect.poll(() => ended).toEqual([[id, expect.any(String)]])
  })
})

describe('an interaction', () => {
  it('has the purchases of its player that last', async () => {
    const seen: unknown[] = []
    const backend = await serveRequests(async (request) => {
      const verified = await verifyInteraction(request, emulator.application.publicKey)
      if (!verified.ok) return new Response(null, { status: 401 })
      const { interaction } = verified
      if (interaction.type !== 1) seen.push(interaction.entitlements)
      return Response.json(interaction.type === 1 ? { type: 1 } : { type: 4, data: { content: 'ok' } })
    })
    onTestFinished(() => backend.close())
    await emulator.interactions.connect(backend.url)
    const { id: applicationId } = emulator.application
    const body = { name: 'shop', description: 'Shows the shop' }
    await rest.post(Routes.applicationCommands(applicationId), { body })
    emulator.advance(10_000)
    const pass = emulator.activity.purchase({ as: 'ada', sku: PASS })
    const refunded = emulator.activity.purchase({ as: 'ada', sku: DICE })
    const used = emulator.activity.purchase({ as: 'ada', sku: ROLLS })
    emulator.activity.purchase({ as: 'bruno', sku: DICE })
    emulator.activity.refund({ entitlement: refunded.id })
    await rest.post(Routes.consumeEntitlement(applicationId, used.id))
    await emulator.interactions.use({ as: 'ada', command: 'shop' })
    emulator.activity.cancelSubscription({ entitlement: pass.id })
    emulator.advance(31 * DAY)
    await emulator.interactions.use({ as: 'ada', command: 'shop' })
    expect(seen).toEqual([[expect.objectContaining({ id: pass.id, sku_id: PASS })], []])
  })
})
