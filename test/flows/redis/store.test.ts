/** The budget that processes share through a real Redis server. */
import { type RedisCommands, redisRateLimitStore } from 'foyer-sdk/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { testRateLimitStore } from '../../support/store-contract'

const pass = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const missing = missingRedis()
// A machine without Redis skips these, with the reason; there must be one where everything is proved.
const isSkipped = missing !== undefined && !process.env['CI']
if (isSkipped) console.warn(`Skipped, no Redis to test with: ${missing}.`)

describe.skipIf(isSkipped)('a budget in Redis', () => {
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

  let budgets = 0

  testRateLimitStore(async () => {
    const prefix = `contract-${budgets++}`
    return { join: () => redisRateLimitStore(redis, { prefix }), pass, now: () => performance.now(), pace: 4 }
  })

  it('gives every key a time to live', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'ttl' })
    const buckets = [
      { key: 'a', limit: 3, per: 60_000 },
      { key: 'b', limit: 3, per: 7_200_000 },
    ]
    const { leases } = await store.acquire({ buckets, want: 2, hold: 30_000 })
    await store.settle({ buckets, leases: leases.slice(1), how: 'lost' })
    await store.block({ key: 'c', limit: 3, per: 1000 }, 5000)
    const keys = await redis.keys('{ttl}:*')
    expect(keys.length).toBeGreaterThan(6)
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0)
  })

  it('takes one round trip a step', async () => {
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
    // The monitor is a connection of its own: what it tells comes later, in order.
    await redis.echo('all')
    await expect.poll(() => monitored).toContain('echo')
    monitor.disconnect()
    expect(monitored.filter((command) => command.toLowerCase() === 'evalsha')).toHaveLength(2)
    expect(monitored.filter((command) => command.toLowerCase() === 'eval')).toHaveLength(0)
  })

  it('goes by the clock of the server, whatever this machine believes', async () => {
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

  it('counts nothing that has come back, however long nobody asked', async () => {
    const store = redisRateLimitStore(redis, { prefix: 'rest' })
    const buckets = [{ key: 'a', limit: 2, per: 100 }]
    // A refusal gives what is noted of the bucket a longer life than what cools in it.
    await store.block(buckets[0] ?? fail(), 1)
    for (let round = 0; round < 3; round++) {
      let leases: readonly string[] = []
      await expect.poll(async () => ({ leases } = await store.acquire({ buckets, want: 1, hold: 1000 })).leases).toHaveLength(1)
      await store.settle({ buckets, leases, how: 'answered' })
      await expect.poll(() => redis.exists('{rest}:a:cool')).toBe(0)
      if (round === 1) await store.settle({ buckets, leases, how: 'answered' })
    }
    await expect.poll(() => redis.exists('{rest}:a:cool')).toBe(0)
    expect((await store.acquire({ buckets, want: 2, hold: 1000 })).leases).toHaveLength(2)
  })

  it('holds nothing for longer than a window when another host takes over whose clock is behind', async () => {
    const [before, after] = [redis, behind(redis, 3600)].map((client) => redisRateLimitStore(client, { prefix: 'failover' }))
    const buckets = [{ key: 'a', limit: 3, per: 60_000 }]
    const { leases } = (await before?.acquire({ buckets, want: 3, hold: 1000 })) ?? { leases: [] }
    await before?.settle({ buckets, leases, how: 'answered' })
    const grant = await after?.acquire({ buckets, want: 1, hold: 1000 })
    expect(grant?.leases).toEqual([])
    expect(grant?.wait).toBeLessThanOrEqual(61_000)
    // What is answered from now on lies by the new clock, too.
    await after?.settle({ buckets, leases: ['late'], how: 'answered' })
    expect((await after?.acquire({ buckets, want: 1, hold: 1000 }))?.wait).toBeLessThanOrEqual(61_000)
  })

  it('grants no lock for a while after it was started again, since it may have forgotten some', async () => {
    const own = await startRedis()
    const client = new Redis({ path: own.path, maxRetriesPerRequest: 1, retryStrategy: () => 20 })
    client.on('error', () => {})
    try {
      const store = redisRateLimitStore(client, { prefix: 'lock' })
      const buckets = [{ key: 'turn', limit: 1, per: 1 }]
      const lock = () => store.acquire({ buckets, want: 1, hold: 60_000, fence: 400 })
      for (let start = 0; start < 2; start++) {
        const { leases, wait } = await lock()
        expect(leases).toEqual([])
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(400)
        await pass(wait)
        expect((await lock()).leases).toHaveLength(1)
        expect((await lock()).leases).toEqual([])
        await own.kill()
        await own.start()
        await expect.poll(() => client.ping().catch(() => '')).toBe('PONG')
      }
      expect((await store.acquire({ buckets, want: 1, hold: 60_000 })).leases).toHaveLength(1)
    } finally {
      client.disconnect()
      await own.close()
    }
  })

  it('works on after the server was restarted and has forgotten everything', async () => {
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
      await expect.poll(async () => (await store.acquire({ buckets, want: 1, hold: 1000 })).leases.length).toBe(1)
    } finally {
      client.disconnect()
      await own.close()
    }
  })
})

/** A client of a server whose clock is some seconds behind. */
function behind(redis: Redis, seconds: number): RedisCommands {
  const late = (script: string) => script.replace("redis.call('TIME')", `redis.call('TIME') time[1] = time[1] - ${seconds}`)
  return {
    script: (subcommand, script) => redis.script(subcommand, late(script)),
    evalsha: (...call) => redis.evalsha(...call),
    eval: (script, ...call) => redis.eval(late(script), ...call),
  }
}

function fail(): never {
  throw new Error('There is one.')
}
