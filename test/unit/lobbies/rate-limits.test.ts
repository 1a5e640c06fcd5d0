/** Rate limits of a backend’s calls: waiting, reporting, and monitoring. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApplicationClient,
  type ApplicationClientOptions,
  type RateLimitDelayedEvent,
  DEVELOPMENT_LIMITS,
  type RateLimitedEvent,
  LIMITS,
  MemoryRateLimitStores,
  type ServiceOptions,
  UserClient,
} from 'foyer-sdk/server'
import { fairnessKeyOf, limitsOf, RouteLimits } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { APPLICATION, LobbyService } from './fake-lobby-service'

let service: LobbyService
const clients: { close(): void }[] = []

beforeEach(async () => {
  service = await new LobbyService().open()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await service.close()
})

const open = (
  limits: ServiceOptions['limits'],
  options: Partial<ApplicationClientOptions> = {},
): ApplicationClient => {
  const client = service.client({ service: { host: service.url, ...(limits && { limits }) }, ...options })
  clients.push(client)
  return client
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Maximum count in any window of `per` ms. */
function busiest(per: number): number {
  const at = service.seen.map((seen) => seen.at).toSorted((a, b) => a - b)
  return Math.max(...at.map((from) => at.filter((each) => each >= from && each < from + per).length))
}

/** A stopped clock, shared with the service. */
function stopClock(): ManualClock {
  const clock = new ManualClock(Date.now())
  service.now = () => clock.now()
  return clock
}

/** Advances the clock by a window after each `count` calls. Returns the number of requests per window. */
async function perWindow(
  clock: ManualClock,
  { per, counts }: { per: number; counts: number[] },
  work: () => Promise<unknown>,
) {
  let done = 0
  const all = times(counts.at(-1) ?? 0, () => work().then(() => done++))
  for (const count of counts) {
    await expect.poll(() => done).toBe(count)
    clock.advance(per + 10)
  }
  await all
  const instants = service.seen.map(({ at }) => at)
  return [...new Set(instants)].map((instant) => instants.filter((at) => at === instant).length)
}

describe('calls of a backend', () => {
  test('wait for the limit of their route', async () => {
    const clock = stopClock()
    const { lobbies } = open({ create_lobby: { limit: 4, per: 200 } }, { clock })
    expect(await perWindow(clock, { per: 200, counts: [4, 8, 10] }, () => lobbies.create())).toEqual([
      4, 4, 2,
    ])
  })

  test('wait for the global limit', async () => {
    const clock = stopClock()
    const { lobbies, commands } = open({ global: { limit: 4, per: 200 } }, { clock })
    service.fault = (call) => (call.includes('/commands') ? { status: 200, body: [] } : undefined)
    let turn = 0
    const work = (): Promise<unknown> => (turn++ % 2 ? lobbies.create() : commands.global.list())
    expect(await perWindow(clock, { per: 200, counts: [4, 8, 10] }, work)).toEqual([4, 4, 2])
  })

  test('of one lobby do not delay another lobby', async () => {
    const { lobbies } = open({ get_lobby: { limit: 2, per: 150 } })
    const [a, b] = [await lobbies.create(), await lobbies.create()]
    const order: string[] = []
    const read = async (id: string) => void order.push((await lobbies.get(id)).id)
    await Promise.all([...Array.from({ length: 8 }, () => read(a.id)), read(b.id)])
    expect(order.indexOf(b.id)).toBeLessThan(6)
  })

  test('with high priority go first', async () => {
    const { lobbies } = open({ get_lobby: { limit: 1, per: 50 } })
    const { id } = await lobbies.create()
    const order: string[] = []
    const read = async (priority: 'high' | 'low') => {
      await lobbies.get(id, { priority })
      order.push(priority)
    }
    await Promise.all([read('low'), read('low'), read('high')])
    expect(order).toEqual(['low', 'high', 'low'])
  })

  test('are rejected at once, with exact times, if they would exceed their maximum wait', async () => {
    const limited: RateLimitedEvent[] = []
    const clock = stopClock()
    const options = { clock, maxWait: 1000, onRateLimited: (event: RateLimitedEvent) => limited.push(event) }
    const { lobbies } = open({ create_lobby: { limit: 1, per: 60_000 } }, options)
    await lobbies.create()
    const error = await rejection(lobbies.create())
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      bucket: 'create_lobby',
      scope: 'user',
      retryable: true,
    })
    expect(limited).toMatchObject([{ bucket: 'create_lobby', by: 'client' }])
    const { retryAfter, resetAt } = limited[0] ?? { retryAfter: 0, resetAt: 0 }
    expect(retryAfter).toBeGreaterThan(59_000)
    expect(resetAt).toBe(clock.now() + retryAfter)
    expect(service.calls).toHaveLength(1)
  })

  test('report their wait; a listener that throws changes nothing', async () => {
    const delayed: RateLimitDelayedEvent[] = []
    const onRateLimitDelayed = (event: RateLimitDelayedEvent) => {
      delayed.push(event)
      throw new Error('mine')
    }
    const clock = stopClock()
    const { lobbies } = open({ create_lobby: { limit: 1, per: 100 } }, { clock, onRateLimitDelayed })
    await lobbies.create()
    const begin = clock.now()
    const second = lobbies.create()
    await expect.poll(() => delayed).toHaveLength(1)
    clock.advance(110)
    await second
    expect(delayed).toMatchObject([{ bucket: 'create_lobby', key: '', ahead: 0 }])
    expect(delayed[0]?.wait).toBeLessThanOrEqual(103)
    expect(delayed[0]?.resetAt).toBe(begin + (delayed[0]?.wait ?? 0))
  })
})

describe('a 429 of the service', () => {
  test('is retried at the given time', async () => {
    const limited: RateLimitedEvent[] = []
    const clock = stopClock()
    const { lobbies } = open({}, { clock, onRateLimited: (event) => limited.push(event) })
    let rejections = 0
    service.fault = () =>
      rejections++ === 0
        ? {
            status: 429,
            body: { message: 'slow', retry_after: 0.2, global: false },
            headers: { 'retry-after': '1' },
          }
        : undefined
    const made = lobbies.create()
    await expect.poll(() => limited).toHaveLength(1)
    clock.advance(199)
    clock.advance(11)
    await made
    const [first, second] = service.seen
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(200)
    expect(limited).toMatchObject([{ bucket: 'create_lobby', by: 'service', retryAfter: 200 }])
  })

  test('reveals the limit of a route without a documented one', async () => {
    const { lobbies } = open({})
    const { id } = await lobbies.create()
    const headers = {
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset-after': '0.2',
    }
    service.fault = () => ({ status: 200, body: service.lobbies.get(id), headers })
    await lobbies.edit(id, {})
    service.seen.length = 0
    await times(5, () => lobbies.edit(id, {}))
    expect(busiest(199)).toBeLessThanOrEqual(2)
  })

  test('for the daily limit of creates does not delay later calls', async () => {
    const client = open({})
    service.fault = () => ({
      status: 429,
      body: { code: 30_034, message: 'daily', retry_after: 86_400, global: false },
    })
    const error = await rejection(client.commands.global.create({ name: 'give', description: 'Gives' }))
    expect(error).toMatchObject({ name: 'ApiError', code: 'daily_creates_used_up', status: 429 })
    service.fault = () => undefined
    await client.lobbies.create()
  })

  test('for the daily limit of creates does not block its route', async () => {
    const limited: RateLimitedEvent[] = []
    const client = open({}, { onRateLimited: (event) => limited.push(event) })
    service.fault = () => ({
      status: 429,
      body: { code: 30_034, message: 'daily', retry_after: 86_400, global: false },
    })
    expect(await rejection(client.lobbies.create())).toMatchObject({ code: 'daily_creates_used_up' })
    service.fault = () => undefined
    await client.lobbies.create()
    expect(limited).toEqual([])
  })

  test('for a shared resource is reported as such, and does not count for the circuit breaker', async () => {
    const budget = new MemoryRateLimitStores()
    const client = service.client({ rateLimitStore: budget.store() })
    const headers = { 'x-ratelimit-scope': 'shared' }
    service.fault = () => ({
      status: 429,
      body: { message: 'slow', retry_after: 0.001, global: false },
      headers,
    })
    expect(await rejection(client.lobbies.create())).toMatchObject({ code: 'rate_limited', scope: 'shared' })
    expect(await budget.store().countRefusals(0)).toMatchObject({ total: 0 })
    client.close()
  })
})

test('a shared store holds the slot of a request until its time is over, and for one second more', async () => {
  // oxlint-disable-next-line typescript/unbound-method -- the store of one application only
  const { forApplication: _, ...store } = new MemoryRateLimitStores().store()
  const holds: number[] = []
  const client = open(
    {},
    {
      requestTimeout: 5000,
      rateLimitStore: { ...store, acquire: (request) => (holds.push(request.hold), store.acquire(request)) },
    },
  )
  await client.lobbies.create()
  expect(new Set(holds)).toEqual(new Set([6000]))
})

describe('limits()', () => {
  test('shows every limit in use', async () => {
    const client = open({ create_lobby: { limit: 3, per: 60_000 } })
    await client.lobbies.create()
    const [route, global] = client.limits()
    expect(route).toMatchObject({
      bucket: 'create_lobby',
      key: '',
      limit: 3,
      per: 60_000,
      free: 2,
      inFlight: 0,
      releasing: 1,
      waiting: 0,
    })
    expect(global).toMatchObject({ bucket: 'global', limit: 50, per: 1000 })
  })
})

describe('a closed client', () => {
  test('rejects waiting and pending calls, and sends no more', async () => {
    const client = open({ create_lobby: { limit: 1, per: 50_000 } })
    await client.lobbies.create()
    const waiting = rejection(client.lobbies.create())
    service.fault = () => {
      client.close()
      return undefined
    }
    expect(await rejection(client.lobbies.get('1'))).toMatchObject({ code: 'aborted' })
    expect(await waiting).toMatchObject({ name: 'ConfigurationError', code: 'closed' })
    expect(await rejection(client.lobbies.create())).toMatchObject({ code: 'closed' })
    client.close()
  })
})

test('clients that share a store keep their limits together', async () => {
  const budget = new MemoryRateLimitStores()
  const limits = { global: { limit: 4, per: 200 } }
  const a = open(limits, { rateLimitStore: budget.store() })
  const user = new UserClient({
    accessToken: 'theirs',
    applicationId: APPLICATION,
    service: { host: service.url, limits },
    rateLimitStore: budget.store(),
  })
  clients.push(user)
  let shown: string[] = []
  service.fault = (call) => {
    if (!call.includes('/commands')) return undefined
    shown = user.limits().map(({ bucket }) => bucket)
    return { status: 200, body: [] }
  }
  await Promise.all([times(5, () => a.lobbies.create()), times(5, () => user.commandPermissions('7').list())])
  expect(busiest(199)).toBeLessThanOrEqual(4)
  expect(shown).toContain('global')
})

describe('the limits of a deployment', () => {
  test('default to those of the interface', () => {
    expect(limitsOf({})).toEqual(LIMITS)
    expect(limitsOf({ limits: { global: { limit: 1200, per: 1000 } } })).toEqual({
      ...LIMITS,
      global: { limit: 1200, per: 1000 },
    })
    expect(limitsOf({ limits: DEVELOPMENT_LIMITS })).toEqual(DEVELOPMENT_LIMITS)
  })

  test.each([
    { limit: 0, per: 1 },
    { limit: 1.5, per: 1 },
    { limit: Number.POSITIVE_INFINITY, per: 1 },
    { limit: 1, per: 0 },
    { limit: 1, per: Number.NaN },
  ])('are rejected if invalid: %j', (limit) => {
    expect(() => open({ get_lobby: limit })).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
  })
})

describe('a route', () => {
  const ids = { 'lobby.id': '1', 'user.id': '2', 'guild.id': '3' }
  const names = (method: string, route: string, user?: string) =>
    new RouteLimits(LIMITS)
      .bucketsOf({ method, route, ids }, user)
      .map(({ name, key, limit }) => [name, key, limit])

  test.each([
    ['POST', '/lobbies', 'create_lobby', 500],
    ['GET', '/lobbies/{lobby.id}', 'get_lobby', 500],
    ['DELETE', '/lobbies/{lobby.id}', 'delete_lobby', 500],
    ['PUT', '/lobbies/{lobby.id}/members/{user.id}', 'add_lobby_member', 5000],
    ['DELETE', '/lobbies/{lobby.id}/members/{user.id}', 'remove_lobby_member', 5000],
  ])('%s %s of the application counts as %s, and globally', (...[method, route, name, limit]) => {
    expect(names(method, route)).toEqual([
      [name, '', limit],
      ['global', '', 50],
    ])
  })

  test.each([
    ['PUT', '/lobbies', 'join_lobby', 10],
    ['POST', '/lobbies/{lobby.id}/messages', 'send_message', 3000],
  ])('%s %s of a player counts as %s, for that player', (...[method, route, name, limit]) => {
    expect(names(method, route, 'ada')).toEqual([
      [name, 'ada', limit],
      ['global', '', 50],
    ])
  })

  test('without a documented limit is learned, separately for each guild', () => {
    const route = '/applications/{application.id}/guilds/{guild.id}/commands'
    expect(names('GET', route)).toEqual([
      [`GET ${route}`, '3', Number.POSITIVE_INFINITY],
      ['global', '', 50],
    ])
    const call = { method: 'PATCH', route: '/lobbies/{lobby.id}', ids: {} }
    const [own] = new RouteLimits(DEVELOPMENT_LIMITS).bucketsOf(call)
    expect(own).toEqual({ name: 'PATCH /lobbies/{lobby.id}', key: '', limit: 100, per: 7_200_000 })
  })

  test.each([
    ['PUT /lobbies', 100],
    ['POST /lobbies/{lobby.id}/messages', 100],
    ['POST /lobbies/{lobby.id}/members/@me/invites', 100],
    ['PATCH /lobbies/{lobby.id}/channel-linking', 20],
  ])('of an application in development counts for all players together: %s', (name, limit) => {
    const [method = '', route = ''] = name.split(' ')
    const buckets = new RouteLimits(DEVELOPMENT_LIMITS).bucketsOf({ method, route, ids }, 'ada')
    expect(buckets).toContainEqual({ name, key: '', limit, per: 7_200_000 })
    expect(buckets.at(-1)).toMatchObject({ name: 'global', key: '' })
  })

  test('of an application in development counts for its player too', () => {
    const call = { method: 'PUT', route: '/lobbies', ids }
    const buckets = new RouteLimits(DEVELOPMENT_LIMITS).bucketsOf(call, 'ada')
    expect(buckets[0]).toEqual({ name: 'join_lobby', key: 'ada', limit: 10, per: 60_000 })
  })

  test('has a lock by lobby, otherwise by guild', () => {
    expect([
      fairnessKeyOf({ ids }),
      fairnessKeyOf({ ids: { 'guild.id': '3' } }),
      fairnessKeyOf({ ids: {} }),
    ]).toEqual(['1', '3', ''])
  })
})
