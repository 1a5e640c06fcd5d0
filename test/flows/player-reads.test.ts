/** Reads of the player's account: the membership in a guild, and what the player has bought, in a page outside an Activity. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

/** Players that every emulator has. */
const [ADA, BRUNO] = ['175928847299117063', '211842960158326785']
const [TAVERN, OTHERS, ROLE] = ['9001', '9002', '9003']
const [DICE, ROLLS] = ['1288100000000000001', '1288100000000000002'] as const

let emulator: Emulator
beforeEach(async () => {
  const roles = [{ id: ROLE, name: 'Healer', permissions: '0' }]
  emulator = await createEmulator({
    limits: 'off',
    seed: {
      guilds: [
        { id: TAVERN, name: 'Tavern', roles, members: [{ userId: ADA, roles: [ROLE] }] },
        { id: OTHERS, name: 'Others', members: [{ userId: BRUNO }] },
      ],
    },
  })
})
afterEach(() => emulator.close())

async function playerOf(as: string, scopes = 'openid identify guilds.members.read'): Promise<Client> {
  const { id: applicationId } = emulator.application
  const client = new Client({ applicationId, service: { host: emulator.url } })
  onTestFinished(() => client.close())
  const open = async (url: string) => (await emulator.authorize(url, { as })).redirect
  await client.signIn({ scopes, surface: { open } })
  return client
}

describe('client.fetchGuildMember', () => {
  it('reads roles and name of the player in a guild', async () => {
    const client = await playerOf('ada')
    expect(await client.fetchGuildMember(TAVERN)).toEqual({
      nick: null,
      avatar: null,
      roles: [ROLE],
      joinedAt: expect.stringContaining('T'),
    })
    emulator.activity.setPlayer({ as: 'ada', nickname: { guildId: TAVERN, name: 'Ada the Healer' } })
    expect(await client.fetchGuildMember(TAVERN)).toMatchObject({ nick: 'Ada the Healer' })
  })

  it('rejects without the scope, for a guild of others, and for what is no id', async () => {
    const client = await playerOf('ada')
    await expect(client.fetchGuildMember(OTHERS)).rejects.toMatchObject({ status: 404, apiCode: 10_004 })
    await expect(client.fetchGuildMember('tavern')).rejects.toMatchObject({ code: 'invalid_argument' })
    const other = await playerOf('bruno', 'openid identify')
    await expect(other.fetchGuildMember(OTHERS)).rejects.toMatchObject({ status: 403, apiCode: 50_026 })
    await other.signOut()
    await expect(other.fetchGuildMember(OTHERS)).rejects.toMatchObject({ code: 'signed_out' })
  })
})

describe('client.fetchPurchases', () => {
  it('lists what the player has bought, and nothing of others, with any scope', async () => {
    const own = emulator.activity.purchase({ as: 'ada', sku: ROLLS })
    const gift = emulator.activity.purchase({ as: 'ada', sku: DICE, giver: 'bruno' })
    emulator.activity.purchase({ as: 'bruno', sku: DICE })
    const client = await playerOf('ada', 'openid')
    expect(await client.fetchPurchases()).toEqual([
      {
        id: own.id,
        skuId: ROLLS,
        type: 4,
        consumed: false,
        startsAt: own.starts_at,
        endsAt: null,
        gifterUserId: null,
      },
      expect.objectContaining({ id: gift.id, type: 6, gifterUserId: BRUNO }),
    ])
    emulator.activity.refund({ entitlement: own.id })
    expect((await client.fetchPurchases()).map(({ id }) => id)).toEqual([gift.id])
  })

  it('reads all pages, the oldest first', async () => {
    const bought = Array.from({ length: 201 }, () => emulator.activity.purchase({ as: 'ada', sku: ROLLS }))
    const client = await playerOf('ada')
    expect((await client.fetchPurchases()).map(({ id }) => id)).toEqual(bought.map(({ id }) => id))
  })
})
