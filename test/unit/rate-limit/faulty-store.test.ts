/** A shared store of the game's own that breaks its contract: a call goes on with the client's own limits, and the cause is reported. */
import { ApplicationClient, botToken, type RateLimitStoreEvent } from 'foyer-sdk/server'
import { expect, it } from 'vitest'
import { strayErrors } from '../../support/stray-errors'

const refuse = () => {
  throw new Error('of the store')
}

it.each<[string, unknown, object]>([
  ['throws', refuse, { message: 'of the store' }],
  ['returns nothing', () => undefined, { code: 'invalid_argument' }],
  ['resolves with a text', async () => 'OK', { code: 'invalid_argument' }],
  ['resolves with leases alone that are no list', async () => ({ leases: 1 }), { code: 'invalid_argument' }],
  [
    'resolves with a wait that is no number',
    async () => ({ leases: [], wait: 'soon', blockedBy: 0, parties: 1 }),
    { code: 'invalid_argument' },
  ],
])('a store whose acquire %s hangs no call', async (_, acquire, cause) => {
  using stray = strayErrors()
  const events: RateLimitStoreEvent[] = []
  const client = new ApplicationClient({
    applicationId: '1287654321098765433',
    service: { host: 'https://service.test' },
    credentials: botToken('a token'.replace(' ', '-')),
    fetch: async () =>
      Response.json({ id: '7', application_id: '1287654321098765433', metadata: {}, members: [] }),
    rateLimitStore: {
      acquire,
      settle: refuse,
      block: refuse,
      unblock: refuse,
      countRefusals: refuse,
      close: refuse,
    } as never,
    onRateLimitStoreChanged: (event) => events.push(event),
  })
  expect(await client.lobbies.get('7')).toMatchObject({ id: '7' })
  await client.clearRateLimitBlocks()
  client.close()
  expect([await stray.errors(), events]).toEqual([
    [],
    [expect.objectContaining({ isAway: true, cause: expect.objectContaining(cause) })],
  ])
})
