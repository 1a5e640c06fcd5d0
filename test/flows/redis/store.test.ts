/** The rate limit store that processes share through a real Redis server. */
import { type RedisCommands, redisRateLimitStore } from 'foyer-sdk/redis'
import { testRateLimitStore } from 'foyer-sdk/store-tests'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLine } from '../../support/redis-line'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const pass = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const needsRedis = skipIfMissing(missingRedis())

describe('a rate limit store in Redis', needsRedis, () => {
  let server: RedisServer
  let redis: Redis

  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis({ path: server.path, maxRetriesPerRequest: 1 })
    redis.on('error', () => {})
  })
  afterAll(async () => {
    redis.disconnect()
    await server.close()
  })

  testRateLimitStore({
    test: it,
    expect,
    open: (prefix) => redisRateLimitStore(redis, { prefix }),
    now: () => performance.now(),
    unit: 40,
  })

  it('sets a time to live on every key', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'ttl' })
    const buckets = [
      { key: 'a', limit: 3, per: 60_000 },
      { key: 'b', limit: 3, per: 7_200_000 },
    ]
    const { leases } = await store.acquire({ buckets, want: 2, hold: 30_000 })
    await store.settle({ buckets, leases: leases.slice(1), how: 'lost' })
    await store.block({ key: 'c', limit: 3, per: 1000 }, 5000)
    const keys = await redis.keys('{ttl}:*')
    expect(keys).toHaveLength(4)
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0)
  })

  it('replaces a connection that never answers, with the default options of ioredis', async () => {
    const line = await openLine(server.path, {})
    const client = new Redis({ path: line.path })
    const store = redisRateLimitStore(client, { prefix: 'frozen' })
    const acquire = () =>
      store.acquire({ buckets: [{ key: 'a', limit: 100, per: 1000 }], want: 1, hold: 1000 })
    await acquire()
    line.freeze()
    expect((await acquire()).leases).toHaveLength(1)
    client.disconnect()
    await line.close()
  })

  it('frees leases whose settlement was lost in an outage, long before their requests would time out', async () => {
    const buckets = [{ key: 'a', limit: 2, per: 100 }]
    const sent = { isLost: false }
    const unless = <T>(send: () => Promise<T>) =>
      sent.isLost ? Promise.reject(new Error('Connection is closed.')) : send()
    const lossy: RedisCommands = Object.assign(Object.create(redis), {
      eval: (...args: Parameters<RedisCommands['eval']>) => unless(() => redis.eval(...args)),
      evalsha: (...args: Parameters<RedisCommands['evalsha']>) => unless(() => redis.evalsha(...args)),
    })
    const [store, other] = [lossy, redis].map((client) => redisRateLimitStore(client, { prefix: 'outage' }))
    if (!store || !other) throw new Error('No store.')
    const { leases } = await store.acquire({ buckets, want: 2, hold: 600_000 })
    sent.isLost = true
    await expect(store.settle({ buckets, leases, how: 'answered' })).rejects.toThrow('closed')
    sent.isLost = false
    // The first command that succeeds ends the outage; a process keeps asking while it waits.
    const isFree = async () => {
      await store.acquire({ buckets: [], want: 0, hold: 0 })
      return (await other.acquire({ buckets, want: 1, hold: 1000 })).leases.length === 1
    }
    expect(await isFree()).toBe(false)
    await expect.poll(isFree, { timeout: 30_000 }).toBe(true)
    const { parties } = await other.acquire({ buckets: [], want: 0, hold: 0 })
    expect(parties).toBe(2)
  })

  it('grants once what a client sends again because the reply was lost', async () => {
    const buckets = [{ key: 'a', limit: 5, per: 100 }]
    const twice: RedisCommands = Object.assign(Object.create(redis), {
      eval: (...args: Parameters<RedisCommands['eval']>) =>
        redis.eval(...args).then(() => redis.eval(...args)),
      evalsha: (...args: Parameters<RedisCommands['evalsha']>) =>
        redis.evalsha(...args).then(() => redis.evalsha(...args)),
    })
    const store = redisRateLimitStore(twice, { prefix: 'resent' })
    const { leases } = await store.acquire({ buckets, want: 2, hold: 600_000 })
    expect(leases).toHaveLength(2)
    expect((await store.acquire({ buckets, want: 5, hold: 600_000 })).leases).toHaveLength(3)
  })

  it('needs one round trip per operation', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'trips' })
    const buckets = ['a', 'b', 'c'].map((key) => ({ key, limit: 100, per: 1000 }))
    await store.acquire({ buckets, want: 1, hold: 1000 })
    const monitored: string[] = []
    const monitor = await redis.monitor()
    monitor.on('monitor', (_: string, [command = '']: string[], source: string) => {
      if (!source.startsWith('lua')) monitored.push(command)
    })
    const { leases } = await store.acquire({ buckets, want: 50, hold: 1000 })
    expect(leases).toHaveLength(50)
    await store.acquire({ buckets, want: 50, hold: 1000 })
    // The monitor has a connection of its own: its messages arrive later, in order.
    await redis.echo('all')
    await expect.poll(() => monitored).toContain('echo')
    monitor.disconnect()
    expect(monitored.filter((command) => command.toLowerCase() === 'evalsha')).toHaveLength(2)
    expect(monitored.filter((command) => command.toLowerCase() === 'eval')).toHaveLength(0)
  })

  it('leaves the parties and returns its slots, also if the connection is closed in the same moment', async () => {
    const connection = new Redis({ path: server.path })
    const store = redisRateLimitStore(connection, { prefix: 'closing' })
    const buckets = [{ key: 'a', limit: 2, per: 60_000 }]
    const { leases } = await store.acquire({ buckets, want: 2, hold: 60_000 })
    await Promise.all([store.settle({ buckets, leases, how: 'unused' }), store.close(), connection.quit()])
    const other = redisRateLimitStore(redis, { prefix: 'closing' })
    const { leases: again, parties } = await other.acquire({ buckets, want: 2, hold: 1000 })
    expect({ granted: again.length, parties }).toEqual({ granted: 2, parties: 1 })
  })

  it('grants nothing for a window after its server was replaced by one that lacks the last grants', async () => {
    const own = await startRedis()
    const connection = new Redis({ path: own.path, retryStrategy: () => 10 })
    connection.on('error', () => undefined)
    const store = redisRateLimitStore(connection, { prefix: 'replaced' })
    const buckets = [{ key: 'a', limit: 50, per: 1000 }]
    const request = { buckets, want: 50, hold: 1000 }
    const { leases } = await store.acquire(request)
    expect(leases).toHaveLength(50)
    await own.kill()
    await own.start()
    const { leases: none, wait } = await store.acquire(request)
    expect(none).toEqual([])
    expect(wait).toBeGreaterThan(800)
    await pass(wait)
    expect((await store.acquire(request)).leases).toHaveLength(50)
    connection.disconnect()
    await own.close()
  })

  it('uses the clock of the server, not that of the machine', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'clock' })
    const buckets = [{ key: 'a', limit: 1, per: 60_000 }]
    const { leases } = await store.acquire({ buckets, want: 1, hold: 1000 })
    await store.settle({ buckets, leases, how: 'answered' })
    const real = Date.now
    try {
      Date.now = () => real() + 3_600_000
      expect((await store.acquire({ buckets, want: 1, hold: 1000 })).leases).toHaveLength(0)
    } finally {
      Date.now = real
    }
  })

  it('does not count permits that have been restored, however long ago', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'rest' })
    const buckets = [{ key: 'a', limit: 2, per: 100 }]
    // After a 429 the bucket’s state lives longer than its cooling permits.
    await store.block(buckets[0] ?? fail(), 1)
    let leases: readonly string[] = []
    // Leases of a part that were left in flight would expire a window after `hold`, at times that rarely meet.
    const free = async () => {
      await store.settle({ buckets, leases, how: 'unused' })
      leases = (await store.acquire({ buckets, want: 2, hold: 1000 })).leases
      return leases.length
    }
    const answer = async () => {
      const answered = leases
      leases = []
      await store.settle({ buckets, leases: answered, how: 'answered' })
      return answered
    }
    await expect.poll(free).toBe(1)
    await answer()
    for (let round = 0; round < 3; round++) {
      await expect.poll(free).toBe(2)
      const answered = await answer()
      // As after a lost response of Redis: the same report comes twice.
      if (round === 1) await store.settle({ buckets, leases: answered, how: 'answered' })
    }
    await expect.poll(free).toBe(2)
  })

  it('blocks for at most one window after a failover to a host whose clock is behind', async () => {
    const [before, after] = [redis, behind(redis, 3600)].map((client) =>
      redisRateLimitStore(client, { prefix: 'failover' }),
    )
    const buckets = [{ key: 'a', limit: 3, per: 60_000 }]
    const { leases } = (await before?.acquire({ buckets, want: 3, hold: 1000 })) ?? { leases: [] }
    await before?.settle({ buckets, leases, how: 'answered' })
    const grant = await after?.acquire({ buckets, want: 1, hold: 1000 })
    expect(grant?.leases).toEqual([])
    expect(grant?.wait).toBeLessThanOrEqual(61_000)
    // From now on settled permits use the new clock, too.
    await after?.settle({ buckets, leases: ['late'], how: 'answered' })
    expect((await after?.acquire({ buckets, want: 1, hold: 1000 }))?.wait).toBeLessThanOrEqual(61_000)
  })

  it('runs a script in less than 5 ms with 1,000 dead parties and 500 leases of theirs', async () => {
    const times: number[] = []
    // The shortest of five: other work of the machine may interrupt the server.
    for (let run = 0; run < 5; run++) {
      const prefix = `dead-${run}`
      const buckets = [{ key: 'a', limit: 500, per: 10_000 }]
      const past = behind(redis, 60)
      const dead = Array.from({ length: 1000 }, () => redisRateLimitStore(past, { prefix }))
      const grants = await Promise.all(
        dead.map((store) => store.acquire({ buckets, want: 1, hold: 600_000 })),
      )
      expect(grants.flatMap(({ leases }) => leases)).toHaveLength(500)
      await redis.config('RESETSTAT')
      expect(
        (await redisRateLimitStore(redis, { prefix }).acquire({ buckets, want: 500, hold: 1000 })).leases,
      ).toHaveLength(500)
      const statistics = await redis.info('commandstats')
      times.push(Number(/cmdstat_eval:calls=\d+,usec=(\d+)/.exec(statistics)?.[1]))
    }
    expect(Math.min(...times)).toBeLessThan(5000)
  })

  it('grants no lock for a while after a restart, since the server may have lost one', async () => {
    const own = await startRedis()
    const client = new Redis({ path: own.path, maxRetriesPerRequest: 1, retryStrategy: () => 20 })
    client.on('error', () => {})
    try {
      const store = redisRateLimitStore(client, { prefix: 'lock' })
      const buckets = [{ key: 'turn', limit: 1, per: 1 }]
      // Longer than a busy machine needs to start the server and to ask it: one that has run for longer grants the lock.
      const lock = () => store.acquire({ buckets, want: 1, hold: 60_000, fence: 2000 })
      for (let start = 0; start < 2; start++) {
        const { leases, wait } = await lock()
        expect(leases).toEqual([])
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(2000)
        await pass(wait)
        expect((await lock()).leases).toHaveLength(1)
        expect((await lock()).leases).toEqual([])
        await own.kill()
        await own.start()
        await expect.poll(() => client.ping().catch(() => '')).toBe('PONG')
      }
      // No lock: it waits for a window only.
      const { wait, leases } = await store.acquire({ buckets, want: 1, hold: 60_000 })
      expect(wait).toBeLessThan(10)
      await pass(wait)
      // On a busy machine the window is over before the first call ends, which then has the lease.
      const later =
        leases.length > 0 ? leases : (await store.acquire({ buckets, want: 1, hold: 60_000 })).leases
      expect(later).toHaveLength(1)
    } finally {
      client.disconnect()
      await own.close()
    }
  })

  it('continues after the server restarts without its data', async () => {
    const own = await startRedis()
    const client = new Redis({ path: own.path, maxRetriesPerRequest: 0, retryStrategy: () => 20 })
    client.on('error', () => {})
    try {
      const store = redisRateLimitStore(client, { prefix: 'restart' })
      const buckets = [{ key: 'a', limit: 3, per: 60_000 }]
      await store.acquire({ buckets, want: 3, hold: 1000 })
      await own.kill()
      await expect(store.acquire({ buckets, want: 1, hold: 1000 })).rejects.toBeInstanceOf(Error)
      await own.start()
      await expect
        .poll(async () => (await store.acquire({ buckets, want: 1, hold: 1000 })).leases.length)
        .toBe(1)
    } finally {
      client.disconnect()
      await own.close()
    }
  })
})

/** A client of a server whose clock is behind by `seconds`. */
function behind(redis: Redis, seconds: number): RedisCommands {
  const late = (script: string) =>
    script.replace("redis.call('TIME')", `redis.call('TIME') time[1] = time[1] - ${seconds}`)
  return {
    script: (subcommand, script) => redis.script(subcommand, late(script)),
    evalsha: (...call) => redis.evalsha(...call),
    eval: (script, ...call) => redis.eval(late(script), ...call),
  }
}

function fail(): never {
  throw new Error('There is one.')
}
