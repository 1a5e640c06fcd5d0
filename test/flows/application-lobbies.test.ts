/** Lobbies of a backend against the emulator: their full lifecycle, and rate limits that are used up without a 429. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  type ApplicationClientOptions,
  botToken,
  clientCredentials,
  MemoryRateLimitStores,
  respondToPlayerError,
  undiciTransport,
} from 'foyer-sdk/server'
import { Pool } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../support/manual-clock'

let emulator: Emulator
let pool: Pool
const clients: ApplicationClient[] = []

beforeAll(async () => {
  emulator = await createEmulator()
  pool = new Pool(emulator.url, { connections: 50 })
})
afterAll(async () => {
  await pool.destroy()
  await emulator.close()
})
beforeEach(() => emulator.reset())
afterEach(() => clients.splice(0).forEach((client) => client.close()))

function connect(options: Partial<ApplicationClientOptions> = {}): ApplicationClient {
  const client = new ApplicationClient({
    applicationId: emulator.application.id,
    credentials: botToken(emulator.application.botToken),
    service: { host: emulator.url },
    transport: undiciTransport(pool),
    ...options,
  })
  clients.push(client)
  return client
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** Advances the clocks of the client and the service. */
function pass(clock: ManualClock, ms: number): void {
  emulator.advance(ms)
  clock.advance(ms)
}

const rejected = () => emulator.requests.filter(({ status }) => status === 429).length

describe('a lobby of a backend', () => {
  test('can be created, changed, joined, left and deleted', async () => {
    const { lobbies } = connect()
    const [ada, ben] = emulator.users
    if (!ada || !ben) throw new Error('Two players are needed.')
    const { id, ...made } = await lobbies.create({
      metadata: { map: 'moor' },
      members: [{ id: ada.id, flags: 1 }],
      idle_timeout_seconds: 60,
    })
    expect(made).toMatchObject({
      application_id: emulator.application.id,
      metadata: { map: 'moor' },
      members: [{ id: ada.id, flags: 1 }],
    })
    expect(await lobbies.putMember(id, { id: ben.id, metadata: { team: 'red' } })).toMatchObject({
      id: ben.id,
      metadata: { team: 'red' },
    })
    expect(
      (
        await lobbies.updateMembers(id, [
          { id: ada.id, remove_member: true },
          { id: ben.id, flags: 1 },
        ])
      ).map((each) => each.id),
    ).toEqual([ben.id])
    expect((await lobbies.edit(id, { idle_timeout_seconds: 5 })).members.map((each) => each.id)).toEqual([
      ben.id,
    ])
    await lobbies.removeMember(id, ben.id)
    expect((await lobbies.get(id)).members).toEqual([])
    await lobbies.delete(id)
    await lobbies.delete(id)
    expect(await rejection(lobbies.get(id))).toMatchObject({ name: 'ApiError', code: 'unknown_lobby' })
    expect(await rejection(lobbies.removeMember(id, ben.id))).toMatchObject({ code: 'unknown_lobby' })
  })

  test('admits its members, and nobody else, as the service states them now', async () => {
    const { lobbies } = connect()
    const [ada, ben] = emulator.users
    if (!ada || !ben) throw new Error('Two players are needed.')
    const { id } = await lobbies.create({ members: [{ id: ada.id, metadata: { team: 'red' } }] })
    expect(await lobbies.assertMember(id, ada.id)).toMatchObject({ id: ada.id, metadata: { team: 'red' } })
    const refused = { name: 'PlayerTokenError', code: 'not_a_member', status: 403, retryable: false }
    expect(await rejection(lobbies.assertMember(id, ben.id))).toMatchObject(refused)
    await lobbies.removeMember(id, ada.id)
    const error = await rejection(lobbies.assertMember(id, ada.id))
    expect(error).toMatchObject(refused)
    expect(respondToPlayerError(error).status).toBe(403)
    await lobbies.delete(id)
    // A player sends it: of any type and content, and it must not tell which lobbies exist.
    for (const lobbyId of [id, '1', '../users', '', undefined, { id }])
      expect(await rejection(lobbies.assertMember(lobbyId as string, ada.id))).toMatchObject(refused)
    expect(await rejection(lobbies.assertMember(id, 'ada'))).toMatchObject({ code: 'invalid_argument' })
    emulator.faults({
      match: { method: 'GET', path: '/api/v10/lobbies/*' },
      times: 9,
      effect: { status: 403 },
    })
    expect(await rejection(lobbies.assertMember(id, ada.id))).toMatchObject({ name: 'ApiError', status: 403 })
  })

  test('is deleted by the service after its idle timeout', async () => {
    const { lobbies } = connect()
    const { id } = await lobbies.create({ idle_timeout_seconds: 60 })
    emulator.advance(61_000)
    expect(await rejection(lobbies.get(id))).toMatchObject({ code: 'unknown_lobby' })
  })

  test('keeps every key of concurrent metadata changes', async () => {
    const { lobbies } = connect({ rateLimitStore: new MemoryRateLimitStores().store() })
    const { id } = await lobbies.create({ metadata: { count: '0', host: 'ada' } })
    const add = () => lobbies.updateMetadata(id, ({ count }) => ({ count: String(Number(count) + 1) }))
    await Promise.all([add(), add(), add(), lobbies.updateMetadata(id, () => ({ host: null }))])
    expect((await lobbies.get(id)).metadata).toEqual({ count: '3' })
  })

  test('is available to bot tokens only', async () => {
    const { id: clientId, clientSecret } = emulator.application
    const { lobbies } = connect({ credentials: clientCredentials({ clientId, clientSecret }) })
    expect(await rejection(lobbies.create())).toMatchObject({ name: 'ConfigurationError', retryable: false })
    expect(await rejection(connect({ credentials: botToken('wrong') }).lobbies.create())).toMatchObject({
      name: 'ApiError',
      status: 401,
    })
  })
})

describe('the rate limits of a backend', () => {
  const limit = { limit: 20, per: 3000 }
  const KINDS = ['fixed', 'first', 'sliding', 'token'] as const

  test.each(
    KINDS.flatMap((window) => (['visible', 'absent'] as const).map((headers) => ({ window, headers }))),
  )('with a $window window and $headers headers are used up without a 429', async ({ window, headers }) => {
    emulator.limits({
      global: { ...limit, window, headers },
      get_lobby: { limit: 5000, per: 10_000, window, headers },
    })
    const clock = new ManualClock(Date.now())
    const { lobbies } = connect({ clock, service: { host: emulator.url, limits: { global: limit } } })
    const { id } = await lobbies.create()
    let done = 1
    const reads = Promise.all(Array.from({ length: 59 }, () => lobbies.get(id).then(() => done++)))
    for (const all of [20, 40, 60]) {
      await expect.poll(() => done).toBe(all)
      expect(emulator.requests).toHaveLength(all)
      pass(clock, limit.per + 10)
    }
    await reads
    expect(rejected()).toBe(0)
  })

  test('are lowered after one 429 if they are tighter than configured', async () => {
    emulator.limits({ create_lobby: { limit: 5, per: 5000, window: 'sliding', headers: 'absent' } })
    const clock = new ManualClock(Date.now())
    const { lobbies } = connect({ clock })
    let done = 0
    const made = Promise.all(Array.from({ length: 12 }, () => lobbies.create().then(() => done++)))
    await expect.poll(() => (rejected() > 0 && pass(clock, 500), done), { interval: 10 }).toBe(12)
    await made
    expect(emulator.requests.filter(({ status }) => status === 201)).toHaveLength(12)
    expect(rejected()).toBeGreaterThan(0)
  })

  test('are obeyed and reported if the service reports them by mistake', async () => {
    emulator.faults({
      match: { method: 'POST', path: '/api/v10/lobbies' },
      times: 2,
      effect: {
        status: 429,
        headers: { 'retry-after': '1' },
        body: { message: 'slow', retry_after: 0.3, global: false },
      },
    })
    const received: string[] = []
    const { lobbies } = connect({
      onRateLimited: ({ bucket, by, retryAfter }) => received.push(`${bucket} ${by} ${retryAfter}`),
    })
    const begin = performance.now()
    await lobbies.create()
    expect(performance.now() - begin).toBeGreaterThanOrEqual(600)
    expect(received).toEqual(['create_lobby service 300', 'create_lobby service 300'])
  })
})

test('a request with a lost response is retried only where that is safe', async () => {
  const { lobbies } = connect()
  const { id } = await lobbies.create()
  emulator.faults({ effect: { lostAnswer: true } })
  expect((await lobbies.get(id)).id).toBe(id)
  emulator.faults({ effect: { lostAnswer: true } })
  expect(await rejection(lobbies.create())).toMatchObject({ name: 'NetworkError', code: 'connection_failed' })
})
