/** The emulator's purchases: one store behind host window, HTTP and webhooks, read by a public client. */
import { REST } from '@discordjs/rest'
import { type APIEntitlement, type APISKU, EntitlementType, Routes } from 'discord-api-types/v10'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, signIn } from './support/sign-in-client.js'

const [DICE, ROLLS] = ['1288100000000000001', '1288100000000000002'] as const
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
    expect(idsOf(skus)).toEqual([DICE, ROLLS])
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
