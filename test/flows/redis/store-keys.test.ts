/** Everything that two games store in one Redis, without a prefix of their own: each key names its game and its kind. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  redisLobbyBroker,
  redisPurchaseStore,
  redisRateLimitStore,
  redisSessionStore,
  redisStore,
} from 'foyer-sdk/redis'
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createEventHandler,
  createLobbyHub,
  createPlayerTickets,
  createPlayerVerifier,
  createPurchaseDesk,
  createSessionHandler,
  defineCommand,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sender, Signer, slash } from '../../unit/interactions/signed-sender'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { GAME, hashOf, SessionBrowser } from '../../support/session-browser'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())
const IDS = ['1287654321098765433', '1287654321098765434']
const KINDS = [
  'session',
  'ended',
  'end',
  'lock',
  'attempt',
  'ticket',
  'seen',
  'purchase',
  'hub',
  'bucket',
  'parties',
  'refusals',
  'life',
]
const logger = () => undefined
let server: RedisServer
let redis: Redis
let emulators: Emulator[]

beforeAll(async () => {
  if (needsRedis.skip) return
  server = await startRedis()
  redis = new Redis({ path: server.path })
  emulators = await Promise.all(
    IDS.map((id) => {
      const redirectUris = [`${GAME}/callback.html`, `${GAME}/session/callback`]
      return createEmulator({ seed: { application: { id, publicClient: false, redirectUris } } })
    }),
  )
})
afterAll(async () => {
  if (needsRedis.skip) return
  for (const emulator of emulators) await emulator.close()
  redis.disconnect()
  await server.close()
})

/** A backend with everything that the SDK offers, and a player who uses it. */
async function runBackend(emulator: Emulator): Promise<void> {
  const { id: applicationId, clientSecret: secret, botToken: bot } = emulator.application
  const own = {
    applicationId,
    service: { host: emulator.url },
    rateLimitStore: redisRateLimitStore(redis, { logger }),
  }
  const redirectUri = `${GAME}/session/callback`
  const store = redisSessionStore(redis, { logger })
  const session = createSessionHandler({
    ...own,
    credentials: clientSecret(secret),
    origins: [GAME],
    store,
    redirectUri,
  })
  const browser = new SessionBrowser(session)
  const { access_token: token, user_id: player } = await browser.signIn(emulator)
  await browser.ask('token', { refused: hashOf(token) })
  const started = await browser.send('/session/start')
  const { redirect } = await emulator.authorize(started.headers.get('location') ?? '', { as: 'ada' })
  await browser.send(`/session/callback${new URL(redirect).search}`)
  const { access_token: newest } = await browser.ask('token')

  const client = new ApplicationClient({ ...own, credentials: botToken(bot) })
  const verify = createPlayerVerifier({ ...own, accessTokens: true })
  const hub = createLobbyHub({ client, verify, broker: redisLobbyBroker(redis, { logger }) })
  const headers = { authorization: `Bearer ${String(newest)}` }
  const lobby = await client.lobbies.create({ members: [{ id: String(player) }] })
  const stream = await hub(new Request(`${GAME}/lobbies`, { headers }))
  await hub.changed(lobby.id)
  await hub(
    new Request(`${GAME}/lobbies`, { method: 'POST', headers, body: JSON.stringify({ type: 'ticket' }) }),
  )
  for (const type of ['changed', 'message'])
    await hub(
      new Request(`${GAME}/lobbies`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ type, lobby_id: '77', message_id: '78' }),
      }),
    )
  const tickets = createPlayerTickets({
    applicationId,
    verify,
    purposes: ['match'],
    store: redisStore(redis, { logger }),
  })
  await tickets(new Request(`${GAME}/tickets?purpose=match`, { method: 'POST', headers }))
  emulator.activity.purchase({ as: 'ada', sku: '1288100000000000001', test: false })
  const purchases = redisPurchaseStore(redis, { logger })
  const desk = createPurchaseDesk({ purchases: client.purchases, store: purchases, grant: () => undefined })
  await desk.redeem(String(player))
  await session.end(String(player))
  // What the hub does after its answers.
  await expect
    .poll(async () => (await redis.keys(`{foyer:${applicationId}}:hub:*`)).length)
    .toBeGreaterThan(5)
  await stream.body?.cancel()
  hub.close()
  client.close()
  session.close()
}

describe('in one Redis', needsRedis, () => {
  it('each key of two games begins with the game and a known kind', async () => {
    for (const emulator of emulators) await runBackend(emulator)
    const signer = await Signer.create()
    const command = defineCommand({ name: 'ping', description: 'x' }, () => 'pong')
    const replays = redisStore(redis, { logger })
    const sender = new Sender(signer, { commands: [command], replays })
    await sender.send(slash('ping'))
    const events = createEventHandler({ publicKey: signer.publicKey, on: {}, replays, clock: sender.clock })
    const event = { type: 'ENTITLEMENT_CREATE', timestamp: '2026-01-01T00:00:00', data: {} }
    await events(await sender.request({ version: 1, application_id: IDS[0], type: 1, event }))
    const keys = await redis.keys('*')
    const KEY = new RegExp(`^\\{foyer:\\d+\\}:(${KINDS.join('|')})(:|$)`)
    expect(keys.filter((key) => !KEY.test(key))).toEqual([])
    for (const id of IDS)
      for (const kind of [
        'session',
        'ended',
        'end',
        'attempt',
        'ticket',
        'purchase',
        'hub',
        'bucket',
        'parties',
      ])
        expect([id, kind, keys.some((key) => key.startsWith(`{foyer:${id}}:${kind}`))]).toEqual([
          id,
          kind,
          true,
        ])
    expect(keys.filter((key) => key.includes(':seen:')).length).toBe(2)
  })
})
