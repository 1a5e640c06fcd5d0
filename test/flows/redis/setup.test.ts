/** Redis as people set it up: options of their client, other clients, users with few rights, changed passwords, servers that evict or change role. */
import { keyOf } from '../../support/key-of'
import { redisLobbyBroker, redisRateLimitStore, redisStore } from 'foyer-sdk/redis'
import { ApplicationClient, botToken, createLobbyHub, type LobbyBroker } from 'foyer-sdk/server'
import { Redis, type RedisOptions } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openLine } from '../../support/redis-line'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

const BUCKET = { key: 'get_lobby', limit: 50, per: 1000 }
const WANT = { buckets: [BUCKET], want: 1, hold: 1000 }
/** Rule that docs/backend.md states. */
const ACL_RULE = '+@read +@write +@scripting +@pubsub +@connection +info +time ~{foyer* &{foyer*'
let server: RedisServer
let admin: Redis
/** Clients of the current test. */
const clients = new Set<Redis>()

beforeAll(async () => {
  if (needsRedis.skip) return
  server = await startRedis()
  admin = new Redis({ path: server.path })
})
afterEach(async () => {
  if (needsRedis.skip) return
  for (const client of clients) client.disconnect()
  clients.clear()
  // What they had sent would otherwise run after the server is emptied.
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await admin.replicaof('NO', 'ONE')
  await admin.config('SET', 'requirepass', '', 'maxmemory', '0', 'maxmemory-policy', 'noeviction')
  await admin.flushall()
})
afterAll(async () => {
  if (needsRedis.skip) return
  admin.disconnect()
  await server.close()
})

function connect(options: RedisOptions = {}): Redis {
  const redis = new Redis({ path: server.path, ...options } as never)
  redis.on('error', () => undefined)
  clients.add(redis)
  return redis
}

/** Listens, and resolves with what arrives once the subscription works. */
async function subscribe(broker: LobbyBroker) {
  const notes: string[] = []
  const failures: unknown[] = []
  let gaps = 0
  const stop = broker.subscribe({
    note: (text) => void notes.push(text),
    gap: () => (gaps += 1),
    failed: (error) => void failures.push(error),
  })
  onTestFinished(stop)
  return { notes, failures, gaps: () => gaps }
}

/** Connects as a user with these rights. */
const user = async (rule: string) => {
  await admin.acl('SETUSER', 'game', 'reset', 'on', '>secret', ...rule.split(' '))
  return connect({ username: 'game', password: 'secret' })
}

const verify = async () => ({ id: '11' as never, expiresAt: Date.now() + 60_000, claims: {} })

/** Starts a backend with a hub. */
const startBackend = (applicationId: string) => {
  const redis = connect()
  const client = new ApplicationClient({
    applicationId,
    credentials: botToken('t'),
    service: { host: 'https://service.test' },
    fetch: async () =>
      Response.json({
        id: '5',
        application_id: applicationId,
        metadata: null,
        members: [{ id: '11', metadata: null }],
      }),
    rateLimitStore: redisRateLimitStore(redis),
  })
  const hub = createLobbyHub({ client, verify, broker: redisLobbyBroker(redis) })
  onTestFinished(() => (hub.close(), client.close()))
  const send = (init: RequestInit, query = '') => hub(new Request(`https://game.test/lobbies${query}`, init))
  return { client, hub, send }
}

describe.each<[string, RedisOptions]>([
  ['lazyConnect', { lazyConnect: true }],
  ['stringNumbers', { stringNumbers: true }],
  ['keyPrefix', { keyPrefix: 'game:' }],
  ['lazyConnect without an offline queue', { lazyConnect: true, enableOfflineQueue: false }],
  ['autoPipelining', { enableAutoPipelining: true }],
  ['no ready check', { enableReadyCheck: false }],
])('a client with %s', needsRedis, (_, options) => {
  it('shares notes, states, limits and signatures', async () => {
    const [redis, other] = [connect(options), connect(options)]
    for (const each of [redis, other]) await expect.poll(() => each.ping().catch(() => '')).toBe('PONG')
    const [broker, second] = [redisLobbyBroker(redis), redisLobbyBroker(other)]
    const { notes, gaps } = await subscribe(broker)
    await expect.poll(gaps).toBeGreaterThan(0)
    await second.publish('news')
    await expect.poll(() => notes).toEqual(['news'])
    expect(await broker.putNewest('k', { version: 5, text: 'five' }, 60_000)).toBe(true)
    expect(await second.putNewest('k', { version: 4, text: 'four' }, 60_000)).toBe(false)
    expect(await second.getAll(['k'])).toEqual(['five'])
    const limits = redisRateLimitStore(redis)
    const { leases } = await limits.acquire(WANT)
    expect(leases).toHaveLength(1)
    expect(
      await redisRateLimitStore(other).renew?.({ bucket: BUCKET, lease: leases[0] ?? '', hold: 1000 }),
    ).toBe(true)
    expect(await redisStore(redis).seen(keyOf('s'), 1000)).toBe(false)
    expect(await redisStore(other).seen(keyOf('s'), 1000)).toBe(true)
  })
})

it('hubs whose clients differ in keyPrefix share no notes', needsRedis, async () => {
  const [one, two] = [
    redisLobbyBroker(connect({ keyPrefix: 'a:' })),
    redisLobbyBroker(connect({ keyPrefix: 'b:' })),
  ]
  const [first, second] = [await subscribe(one), await subscribe(two)]
  await expect.poll(() => Math.min(first.gaps(), second.gaps())).toBeGreaterThan(0)
  await one.publish('to a')
  await expect.poll(() => first.notes).toEqual(['to a'])
  expect(second.notes).toEqual([])
})

/** Methods of a client of node-redis 5, whose `set` takes an object. */
const nodeRedis = {
  set: async () => 'OK',
  del: async () => 1,
  get: async () => null,
  eval: async () => 1,
  evalSha: async () => 1,
}

describe('a client that is not of ioredis', () => {
  const notClients: [string, unknown][] = [
    ['node-redis', nodeRedis],
    ['a Map', new Map()],
    ['a promise of a client', Promise.resolve(nodeRedis)],
    ['a URL', 'redis://localhost'],
    ['nothing', undefined],
    ['a class', Redis],
  ]
  it.each(notClients)('is refused: %s', (_, client) => {
    for (const create of [redisStore, redisRateLimitStore, redisLobbyBroker])
      expect(() => create(client as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
  })

  it.each(['QUEUED', 1, undefined, {}])('is found out by its reply %j: nothing passes', async (reply) => {
    const strange = {
      set: async () => reply,
      get: async () => null,
      del: async () => 1,
      getdel: async () => null,
      evalsha: async () => 1,
    }
    await expect(redisStore(strange).seen(keyOf('x'), 1000)).rejects.toThrow(TypeError)
  })
})

describe('a store of signatures', needsRedis, () => {
  it('rejects within a second while a connection carries nothing, and works again on another one', async () => {
    const line = await openLine(server.path, {})
    onTestFinished(() => line.close())
    const redis = new Redis(line.path, { retryStrategy: () => 50 })
    redis.on('error', () => undefined)
    onTestFinished(() => redis.disconnect())
    const store = redisStore(redis)
    expect(await store.seen(keyOf('before'), 60_000)).toBe(false)
    line.freeze()
    const start = performance.now()
    await expect(store.seen(keyOf('during'), 60_000)).rejects.toMatchObject({ code: 'timed_out' })
    expect(performance.now() - start).toBeLessThan(1000)
    await expect
      .poll(() => store.seen(keyOf('after'), 60_000).catch(() => undefined), { interval: 100 })
      .toBeDefined()
    expect(await store.seen(keyOf('before'), 60_000)).toBe(true)
  })

  it('forgets what was stored too late, so that the repeated request is not a replay', async () => {
    const store = redisStore(connect())
    expect(await store.seen(keyOf('before'), 60_000)).toBe(false)
    await admin.call('CLIENT', 'PAUSE', '1500')
    await expect(store.seen(keyOf('late'), 60_000)).rejects.toMatchObject({ code: 'timed_out' })
    await expect.poll(() => admin.exists('{foyer}:seen:late')).toBe(0)
    await expect.poll(() => store.seen(keyOf('late'), 60_000).catch(() => undefined)).toBe(false)
  })
})

describe('a server that refuses for good', needsRedis, () => {
  it('because it has become a replica: the connection is replaced until it is a master again', async () => {
    const redis = connect({ retryStrategy: () => 50 })
    const store = redisRateLimitStore(redis)
    await store.acquire(WANT)
    const before = await redis.client('ID')
    await admin.replicaof('127.0.0.1', 1)
    await expect(store.acquire(WANT)).rejects.toThrow(/READONLY/)
    await expect.poll(() => redis.client('ID').catch(() => before)).not.toBe(before)
    await admin.replicaof('NO', 'ONE')
    await expect.poll(() => store.acquire(WANT).then((grant) => grant.leases.length, String)).toBe(1)
  })

  it.each([
    ['with the default delays of the client', {}],
    ['with short delays', { retryStrategy: () => 50 }],
  ])(
    'because the password was changed, %s: back within a second once the client has it',
    async (_, options) => {
      await admin.config('SET', 'requirepass', 'first')
      const redis = connect({ password: 'first', ...options })
      const store = redisRateLimitStore(redis)
      await store.acquire(WANT)
      await admin.config('SET', 'requirepass', 'second')
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      // A command that was being written when the connection ended has no response before the client has signed in again.
      const attempt = (limit: number) => Promise.race([store.acquire(WANT), never(limit)])
      await expect
        .poll(() => attempt(1000).then(() => '', String))
        .toMatch(/WRONGPASS|NOAUTH|closed|retries|Timeout/i)
      redis.options.password = 'second'
      await expect.poll(() => attempt(200).then((grant) => grant.leases.length, String)).toBe(1)
    },
  )
})

const never = (ms: number) =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response')), ms))

describe('a user with few rights', needsRedis, () => {
  it('that has those which the documentation states can do everything', async () => {
    const redis = await user(ACL_RULE)
    const seen: string[] = []
    const logger = (_level: string, step: string) => void seen.push(step)
    const broker = redisLobbyBroker(redis, { logger })
    const { gaps, notes, failures } = await subscribe(broker)
    await expect.poll(gaps).toBeGreaterThan(0)
    await broker.publish('news')
    await expect.poll(() => notes).toEqual(['news'])
    expect(await broker.nextVersion(0)).toBeGreaterThan(0)
    expect(await broker.increment('n', 2, 1000)).toBe(2)
    const store = redisRateLimitStore(redis, { logger })
    expect((await store.acquire({ ...WANT, fence: 100 })).parties).toBe(1)
    expect(await redisStore(redis, { logger }).seen(keyOf('x'), 1000)).toBe(false)
    expect([seen, failures]).toEqual([[], []])
  })

  it.each([
    ['scripts', ACL_RULE.replace('+@scripting', '-@scripting')],
    ['its keys', ACL_RULE.replace('~{foyer*', '~other*')],
  ])('that lacks %s: the limits and the log say so, once', async (_, rule) => {
    const redis = await user(rule)
    const entries: { step: string; data: object | undefined }[] = []
    const events: unknown[] = []
    const client = new ApplicationClient({
      applicationId: '1234567890123456789',
      credentials: botToken('t'),
      service: { host: 'https://service.test' },
      fetch: async () =>
        Response.json({ id: '5', application_id: '1234567890123456789', metadata: null, members: [] }),
      rateLimitStore: redisRateLimitStore(redis, {
        logger: (_level, step, data) => void entries.push({ step, data }),
      }),
      onRateLimitStoreChanged: (event) => void events.push(event),
    })
    onTestFinished(() => client.close())
    await client.lobbies.get('5')
    await client.lobbies.get('5')
    expect(events[0]).toMatchObject({
      isAway: true,
      cause: expect.objectContaining({ message: expect.stringMatching(/^NOPERM/) }),
    })
    expect(entries).toEqual([
      {
        step: 'redis.denied',
        data: { message: expect.stringMatching(/^NOPERM/), remedy: expect.stringContaining(ACL_RULE) },
      },
    ])
  })

  it('that lacks the channel: the hub logs why no notes arrive', async () => {
    const redis = await user(ACL_RULE.replace('&{foyer*', '&other*'))
    const messages: unknown[] = []
    const hub = createLobbyHub({
      client: {
        lobbies: {
          get: async () => expect.fail('read'),
          removeMember: async () => undefined,
          onChanged: () => () => undefined,
        },
      },
      verify: async () => expect.fail('verified'),
      broker: redisLobbyBroker(redis, { logger: () => undefined }),
      logger: (_level, step, data) =>
        void (step === 'lobby_hub.subscription_failed' && messages.push(data?.['message'])),
    })
    onTestFinished(() => hub.close())
    await expect.poll(() => messages[0]).toMatch(/^NOPERM/)
  })
})

describe('a server that evicts keys', needsRedis, () => {
  it.each(['allkeys-random', 'volatile-ttl', 'allkeys-lru'])(
    'is reported once, with its policy %s',
    async (policy) => {
      await admin.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', policy)
      const entries: unknown[] = []
      const store = redisRateLimitStore(connect(), {
        logger: (_level, step, data) => void entries.push([step, data?.['policy']]),
      })
      for (let call = 0; call < 3; call++) await store.acquire(WANT)
      await expect.poll(() => entries).toEqual([['redis.evicts_keys', policy]])
    },
  )

  it('is not reported without a limit of memory, or if it refuses writes instead', async () => {
    for (const setting of [
      ['maxmemory', '0', 'maxmemory-policy', 'allkeys-lru'] as const,
      ['maxmemory', '100mb', 'maxmemory-policy', 'noeviction'] as const,
    ]) {
      await admin.config('SET', ...setting)
      const redis = connect()
      const store = redisRateLimitStore(redis, { logger: () => expect.fail('reported') })
      await store.acquire(WANT)
      await redis.ping()
    }
  })
})

describe('two applications on one Redis, with the documented calls', needsRedis, () => {
  it('share no key and no channel', async () => {
    const ids = ['1000000000000000001', '1000000000000000002']
    const games = ids.map(startBackend)
    for (const { client, hub, send } of games) {
      await client.lobbies.get('5')
      await hub.changed('5')
      await send({}, '?lobbies=5')
      await send({ method: 'POST', body: '{"type":"ticket"}' })
    }
    await expect.poll(async () => (await admin.pubsub('CHANNELS')).length).toBe(2)
    const names = [...(await admin.keys('*')), ...((await admin.pubsub('CHANNELS')) as string[])]
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((name) => !ids.some((id) => name.includes(id)))).toEqual([])
  })

  it('do not accept each other’s tickets', async () => {
    const [one, two] = [startBackend('1000000000000000001'), startBackend('1000000000000000002')]
    const response = await one.send({ method: 'POST', body: '{"type":"ticket"}' })
    const { ticket } = (await response.json()) as { ticket: string }
    expect((await two.send({}, `?ticket=${ticket}`)).status).toBe(401)
    expect((await one.send({}, `?ticket=${ticket}`)).status).toBe(200)
  })
})
