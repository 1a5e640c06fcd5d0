/** Purchases of a backend against the emulator: read, consumed and tested, and granted exactly once by a desk. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  createPurchaseDesk,
  type Log,
  memoryPurchaseStore,
  type PurchaseDeskOptions,
  type PurchaseGrant,
  type PurchaseStore,
  SkuType,
} from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '../support/manual-clock'

const [DICE, ROLLS, PASS] = ['1288100000000000001', '1288100000000000002', '1288100000000000003'] as const
let emulator: Emulator
let client: ApplicationClient

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(() => {
  emulator.reset()
  client = connect()
})
afterEach(() => client.close())

const connect = (credentials = botToken(emulator.application.botToken)) =>
  new ApplicationClient({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    credentials,
  })
const idOf = (name: string) => emulator.users.find(({ username }) => username === name)?.id ?? ''
const buy = (sku: string, options: { as?: string; test?: boolean; giver?: string } = {}) =>
  emulator.activity.purchase({ as: 'ada', test: false, ...options, sku })
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)

describe('a backend', () => {
  it('reads products and what a player owns, page after page', async () => {
    const { purchases } = client
    expect((await purchases.skus()).map(({ id, type }) => [id, type])).toEqual([
      [DICE, SkuType.DURABLE],
      [ROLLS, SkuType.CONSUMABLE],
      [PASS, SkuType.SUBSCRIPTION],
    ])
    const bought = Array.from({ length: 205 }, () => buy(ROLLS, { test: true }).id)
    buy(DICE, { as: 'bruno' })
    expect(idsOf(await purchases.list({ userId: idOf('ada') }))).toEqual(bought)
    const [first = '', second = '', third = ''] = bought
    const some = { userId: idOf('ada'), skuIds: [ROLLS], after: first, before: third }
    expect(idsOf(await purchases.list(some))).toEqual([second])
    expect(await purchases.list({ userId: idOf('ada'), skuIds: [DICE] })).toEqual([])
    expect(await purchases.list({ guildId: '42' })).toEqual([])
  })

  it('owns a subscription month after month, until it was canceled and is over', async () => {
    const { purchases } = client
    const { id } = buy(PASS)
    const month = 30 * 86_400_000
    const states = async () => [
      await purchases.owns(idOf('ada'), PASS),
      ...(await purchases.subscriptions(PASS, { userId: idOf('ada') })).map(({ status }) => status),
    ]
    emulator.advance(3 * month)
    expect(await states()).toEqual([true, 0])
    emulator.activity.cancelSubscription({ entitlement: id })
    expect(await states()).toEqual([true, 2])
    emulator.advance(month)
    expect(await states()).toEqual([false, 1])
  })

  it('reads, consumes and owns one, and finds those that were refunded if it asks for them', async () => {
    const { purchases } = client
    const { id } = buy(ROLLS)
    expect(await purchases.get(id)).toMatchObject({
      id,
      sku_id: ROLLS,
      user_id: idOf('ada'),
      consumed: false,
    })
    expect(await purchases.owns(idOf('ada'), ROLLS)).toBe(true)
    expect(await purchases.owns(idOf('bruno'), ROLLS)).toBe(false)
    await purchases.consume(id)
    await purchases.consume(id)
    expect(await purchases.get(id)).toMatchObject({ consumed: true })
    expect(await purchases.owns(idOf('ada'), ROLLS)).toBe(false)
    const dice = buy(DICE, { test: true }).id
    expect(await purchases.owns(idOf('ada'), DICE)).toBe(false)
    expect(await purchases.owns(idOf('ada'), DICE, { allowTest: true })).toBe(true)
    await expect(purchases.consume(dice)).rejects.toMatchObject({ status: 400 })
    emulator.activity.refund({ entitlement: dice })
    expect(await purchases.owns(idOf('ada'), DICE, { allowTest: true })).toBe(false)
    expect(idsOf(await purchases.list({ userId: idOf('ada') }))).toEqual([id])
    expect(idsOf(await purchases.list({ userId: idOf('ada'), excludeDeleted: false }))).toEqual([id, dice])
    expect(await purchases.get('42')).toBeNull()
  })

  it('tests a subscription that nobody pays for', async () => {
    const { purchases } = client
    const made = await purchases.createTest({ skuId: DICE, userId: idOf('ada') })
    expect(made).toMatchObject({ sku_id: DICE, user_id: idOf('ada'), type: 8 })
    expect(await purchases.subscriptions(DICE, { userId: idOf('ada') })).toMatchObject([
      { entitlement_ids: [made.id], sku_ids: [DICE], status: 0 },
    ])
    await purchases.deleteTest(made.id)
    expect(await purchases.list({ userId: idOf('ada') })).toEqual([])
    expect(await purchases.createTest({ skuId: DICE, guildId: '77' })).toMatchObject({ guild_id: '77' })
  })

  it('is told what is wrong before anything is sent', async () => {
    const { purchases } = client
    const wrong: [() => Promise<unknown>, string][] = [
      [() => purchases.list({}), 'userId'],
      [() => purchases.list({ userId: '1', guildId: '2' }), 'userId'],
      [() => purchases.list({ userId: 'ada' }), 'userId'],
      [() => purchases.list({ userId: '1', skuIds: [] }), 'skuIds'],
      [() => purchases.list({ userId: '1', skuIds: Array.from({ length: 101 }, () => DICE) }), 'skuIds'],
      [() => purchases.list({ userId: '1', skuIds: ['dice'] }), 'skuIds[0]'],
      [() => purchases.list(Object({ userId: '1', skus: [] })), 'skus'],
      [() => purchases.get(Object(undefined)), 'entitlement.id'],
      [() => purchases.consume('../x'), 'entitlement.id'],
      [() => purchases.owns('1', ''), 'sku.id'],
      [() => purchases.createTest({ skuId: DICE }), 'userId'],
      [() => purchases.skus(Object({ onBehalfOf: 'ada' })), 'onBehalfOf'],
    ]
    const sent = emulator.requests.length
    for (const [call, path] of wrong)
      await expect(call()).rejects.toMatchObject({ code: 'invalid_argument', issues: [{ path }] })
    const other = connect(
      clientCredentials({
        clientId: emulator.application.id,
        clientSecret: emulator.application.clientSecret,
      }),
    )
    await expect(other.purchases.skus()).rejects.toMatchObject({ code: 'invalid_argument' })
    other.close()
    expect(emulator.requests.length).toBe(sent)
  })

  it('pays for what a player causes with what that player may cause', async () => {
    const lists = Array.from({ length: 40 }, () =>
      client.purchases.list({ userId: idOf('ada') }, { onBehalfOf: idOf('ada') }),
    )
    const outcomes = await Promise.allSettled(lists)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(5)
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited' } })
    await client.purchases.list({ userId: idOf('ada') }, { onBehalfOf: idOf('bruno') })
  })
})

/** A desk, and what its game has given. */
function open(options: Partial<PurchaseDeskOptions> = {}) {
  const granted: string[] = []
  const revoked: string[] = []
  const errors: unknown[] = []
  const desk = createPurchaseDesk({
    purchases: client.purchases,
    store: memoryPurchaseStore(),
    grant: ({ userId, skuId, entitlementId }) => granted.push(`${userId} ${skuId} ${entitlementId}`),
    revoke: ({ entitlementId }) => revoked.push(entitlementId),
    onError: (error) => errors.push(error),
    ...options,
  })
  return { desk, granted, revoked, errors }
}

describe('a desk', () => {
  it('grants what was bought once, consumes a consumable, and leaves everybody else alone', async () => {
    const { desk, granted } = open()
    const [rolls, dice] = [buy(ROLLS), buy(DICE, { giver: 'bruno' })]
    buy(ROLLS, { as: 'bruno' })
    const ada = idOf('ada')
    const all = await Promise.all([
      desk.redeem(ada),
      desk.redeemEvent(rolls),
      desk.redeemEvent(dice),
      desk.redeem(ada),
    ])
    expect(granted.toSorted()).toEqual(
      [`${ada} ${ROLLS} ${rolls.id}`, `${ada} ${DICE} ${dice.id}`].toSorted(),
    )
    expect(all.flatMap((each) => each.granted)).toHaveLength(2)
    expect(await client.purchases.get(rolls.id)).toMatchObject({ consumed: true })
    expect(await client.purchases.get(dice.id)).toMatchObject({ consumed: false })
    expect(await desk.redeem(ada)).toEqual({ granted: [], revoked: [], failed: [] })
    buy(ROLLS)
    await desk.redeem(ada)
    expect(granted).toHaveLength(3)
  })

  it('attack/360 believes neither a page nor an event about what was bought, by whom, and whether it lasts', async () => {
    const { desk, granted, revoked } = open()
    const { id } = buy(ROLLS)
    const claimed = { id, user_id: idOf('bruno'), sku_id: DICE, deleted: true, consumed: false }
    await desk.redeemEvent({ ...claimed, id: '42' })
    await desk.redeem(idOf('bruno'))
    expect(granted).toEqual([])
    await desk.redeemEvent(claimed)
    expect([granted, revoked]).toEqual([[`${idOf('ada')} ${ROLLS} ${id}`], []])
    await expect(desk.redeemEvent(Object({ user_id: '1' }))).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(desk.redeem(Object(undefined))).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('attack/363 refuses what nobody has paid for, unless it may', async () => {
    const logger = vi.fn<Log>()
    const { desk, granted } = open({ logger })
    buy(ROLLS, { test: true })
    buy(DICE, { test: true })
    await desk.redeem(idOf('ada'))
    expect([granted, logger.mock.calls]).toEqual([
      [],
      [['warn', 'purchase.test_refused', { remedy: expect.any(String) }]],
    ])
    const other = open({ allowTest: true })
    await other.desk.redeem(idOf('ada'))
    expect(other.granted).toHaveLength(2)
  })

  it('attack/361 takes back what was refunded, once, and grants it never again', async () => {
    const { desk, granted, revoked } = open()
    const dice = buy(DICE)
    await desk.redeem(idOf('ada'))
    emulator.activity.refund({ entitlement: dice.id })
    await Promise.all([desk.redeemEvent(dice), desk.redeem(idOf('ada')), desk.redeemEvent(dice)])
    expect([granted.length, revoked]).toEqual([1, [dice.id]])
    // The service has told of the refund before the purchase.
    const early = buy(DICE)
    emulator.activity.refund({ entitlement: early.id })
    await desk.redeemEvent(early)
    await desk.redeemEvent(early)
    expect([granted.length, revoked]).toEqual([1, [dice.id, early.id]])
  })

  it('attack/361 grants nothing for what it has read before a refund, if another process has taken it back since', async () => {
    const store = memoryPurchaseStore()
    const { id } = buy(DICE)
    const read = await client.purchases.get(id)
    emulator.activity.refund({ entitlement: id })
    const other = open({ store })
    await other.desk.redeem(idOf('ada'))
    expect(other.revoked).toEqual([id])
    const late = open({
      store,
      purchases: Object.assign(Object.create(client.purchases), { get: async () => read }),
    })
    expect(await late.desk.redeemEvent({ id })).toEqual({ granted: [], revoked: [], failed: [] })
    expect(late.granted).toEqual([])
  })

  it('attack/360 grants a player nothing that the service lists for somebody else, or for another game', async () => {
    const { id } = buy(DICE)
    const bought = await client.purchases.get(id)
    const listing = (entitlement: object) =>
      open({
        purchases: Object.assign(Object.create(client.purchases), { list: async () => [entitlement] }),
      })
    const others = listing({ ...bought })
    await others.desk.redeem(idOf('bruno'))
    const foreign = listing({ ...bought, application_id: '42' })
    await foreign.desk.redeem(idOf('ada'))
    expect([others.granted, foreign.granted]).toEqual([[], []])
    const own = listing({ ...bought })
    await own.desk.redeem(idOf('ada'))
    expect(own.granted).toHaveLength(1)
  })

  it('grants neither subscriptions, nor what a guild owns, nor what has ended', async () => {
    emulator.activity.skus([
      { id: DICE, name: 'Season', type: SkuType.SUBSCRIPTION, price: { amount: 499, currency: 'eur' } },
    ])
    const { desk, granted } = open()
    await client.purchases.createTest({ skuId: DICE, userId: idOf('ada') })
    const guild = await client.purchases.createTest({ skuId: DICE, guildId: '77' })
    await desk.redeem(idOf('ada'))
    await desk.redeemEvent(guild)
    const ended = { ...guild, user_id: guild.id, sku_id: ROLLS, ends_at: '2020-01-01T00:00:00Z' }
    const purchases = Object.assign(Object.create(client.purchases), { get: async () => ended })
    const store = memoryPurchaseStore()
    await createPurchaseDesk({ purchases, store, grant: () => granted.push('ended') }).redeemEvent(guild)
    expect(granted).toEqual([])
  })

  it('consumes nothing that was not granted, and grants again what has failed, with the same id', async () => {
    const calls: PurchaseGrant[] = []
    const { desk, errors } = open({
      grant(purchase) {
        calls.push(purchase)
        if (calls.length === 1) throw new Error('no database')
      },
    })
    const { id } = buy(ROLLS)
    expect(await desk.redeem(idOf('ada'))).toMatchObject({ granted: [], failed: [{ entitlementId: id }] })
    expect(errors).toEqual([new Error('no database')])
    expect(await client.purchases.get(id)).toMatchObject({ consumed: false })
    expect(await desk.redeem(idOf('ada'))).toMatchObject({ granted: [{ entitlementId: id }], failed: [] })
    expect(calls.map(({ entitlementId, isRepeated }) => [entitlementId, isRepeated])).toEqual([
      [id, false],
      [id, true],
    ])
    expect(await client.purchases.get(id)).toMatchObject({ consumed: true })
  })

  it('only consumes what was granted and recorded, if the process has ended in between', async () => {
    const store = memoryPurchaseStore()
    const consume = vi.fn<() => Promise<void>>(async () => Promise.reject(new Error('killed')))
    const first = open({ store, purchases: Object.assign(Object.create(client.purchases), { consume }) })
    const { id } = buy(ROLLS)
    expect(await first.desk.redeem(idOf('ada'))).toMatchObject({
      granted: [{ entitlementId: id }],
      failed: [{}],
    })
    const second = open({ store })
    await second.desk.redeem(idOf('ada'))
    expect([first.granted.length, second.granted.length]).toEqual([1, 0])
    expect(await client.purchases.get(id)).toMatchObject({ consumed: true })
  })

  it('waits for the claim of a process that was killed, and takes over', async () => {
    // The clocks of backend and service differ.
    const clock = new ManualClock(emulator.clock().now - 60_000)
    const store = memoryPurchaseStore({ clock })
    const killed = open({ store, clock, grant: () => new Promise(() => undefined) })
    const { id } = buy(ROLLS)
    void killed.desk.redeem(idOf('ada'))
    await expect.poll(() => statesOf(store, id)).toBe('claimed')
    const calls: PurchaseGrant[] = []
    const { desk } = open({ store, clock, grant: (purchase) => calls.push(purchase) })
    let isDone = false
    const redeemed = desk.redeem(idOf('ada')).finally(() => (isDone = true))
    for (let passed = 0; passed < 11_000; passed += 100) await pass(clock, 100)
    expect([isDone, killed.errors]).toEqual([false, [expect.objectContaining({ code: 'timed_out' })]])
    for (let passed = 0; passed < 2000; passed += 100) await pass(clock, 100)
    expect((await redeemed).granted).toMatchObject([{ entitlementId: id }])
    expect(calls).toMatchObject([{ entitlementId: id, isRepeated: true }])
  })

  it('grants nothing without its store, and records nothing as granted that it could not record', async () => {
    const memory = memoryPurchaseStore()
    const broken: PurchaseStore = { ...memory, claim: async () => Promise.reject(new Error('down')) }
    const one = open({ store: broken })
    const { id } = buy(ROLLS)
    expect((await one.desk.redeem(idOf('ada'))).failed).toEqual([
      { entitlementId: id, error: new Error('down') },
    ])
    expect(one.granted).toEqual([])
    const forgetful: PurchaseStore = { ...memory, settle: async () => Promise.reject(new Error('down')) }
    await open({ store: forgetful, grantTimeout: 100 }).desk.redeem(idOf('ada'))
    expect(await client.purchases.get(id)).toMatchObject({ consumed: false })
  })

  it('is refused without what it needs', () => {
    const wrong: [object, string][] = [
      [{ grant: undefined }, 'grant'],
      [{ grant: 'rolls' }, 'grant'],
      [{ revoke: 'rolls' }, 'revoke'],
      [{ purchases: client }, 'purchases'],
      [{ purchases: undefined }, 'purchases'],
      [{ store: {} }, 'store'],
      [{ store: undefined }, 'memoryPurchaseStore()'],
      [{ allowTest: 'true' }, 'allowTest'],
      [{ grantTimeout: 0 }, 'grantTimeout'],
      [{ allowTests: true }, 'allowTests'],
    ]
    for (const [options, name] of wrong)
      expect(() => open(options)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(name) }),
      )
  })
})

/** Any state of one purchase. */
async function statesOf(store: PurchaseStore, id: string) {
  const key = `${emulator.application.id}:purchase:${id}` as Parameters<PurchaseStore['get']>[0]
  return store.get(key)
}

/** Lets the clock pass, and what waits for it run. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
}
