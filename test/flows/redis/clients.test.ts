/** Every function of `foyer-sdk/redis` over the client of every package. */
import * as redis from 'foyer-sdk/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedRedis, redisClients, type RedisClientName } from '../../support/redis-clients'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'
import { testRateLimitStore } from '../../support/store-contract'

const needsRedis = skipIfMissing(missingRedis())
const NAMES = Object.keys(redisClients) as RedisClientName[]
let server: RedisServer
let count = 0

beforeAll(async () => {
  if (!needsRedis.skip) server = await startRedis()
})
afterAll(async () => server?.close())

/** What each function promises, with the client of a package. */
const uses: Record<string, (client: OpenedRedis['client'], name: RedisClientName) => Promise<void>> = {
  async redisRateLimitStore(client) {
    const store = redis.redisRateLimitStore(client, { prefix: `limits-${count++}` })
    const buckets = [{ key: 'lobby', limit: 5, per: 60_000 }]
    const { leases } = await store.acquire({ buckets, want: 7, hold: 60_000 })
    expect(leases).toHaveLength(5)
    await store.settle({ buckets, leases, how: 'unused' })
    expect((await store.acquire({ buckets, want: 3, hold: 60_000 })).leases).toHaveLength(3)
    expect(await store.countRefusals(2)).toMatchObject({ total: 2 })
    await store.close()
  },
  async redisStore(client) {
    const store = redis.redisStore(client, { prefix: `replays-${count++}` })
    expect([await store.seen('a', 60_000), await store.seen('a', 60_000), await store.seen('b', 60_000)]).toEqual([false, true, false])
    for (const text of ['{"id":"1","n":[1]}', '12', 'null', '=x', '']) {
      await store.put('ticket', text, 60_000)
      expect(await store.take('ticket')).toBe(text)
      expect(await store.take('ticket')).toBeUndefined()
    }
  },
  async redisSessionStore(client) {
    const store = redis.redisSessionStore(client, { prefix: `sessions-${count++}` })
    await store.set('a', '{"sealed":1}', 60_000)
    expect(await store.get('a')).toBe('{"sealed":1}')
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    expect([await store.lock('l', '1', 60_000), await store.lock('l', '2', 60_000)]).toEqual([true, false])
    await store.unlock('l', '2')
    expect(await store.lock('l', '3', 60_000)).toBe(false)
    await store.unlock('l', '1')
    expect(await store.lock('l', '3', 60_000)).toBe(true)
    await store.set('brief', 'x', 30)
    await expect.poll(() => store.get('brief')).toBeUndefined()
  },
  async redisLobbyBroker(client, name) {
    if (name === 'Upstash over HTTP') {
      const refused = expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('no subscriptions') })
      return expect(() => redis.redisLobbyBroker(client)).toThrow(refused)
    }
    const [one, two] = [`hub-${count}`, `hub-${count++}`].map((prefix) => redis.redisLobbyBroker(client, { prefix }))
    const notes: string[] = []
    let gaps = 0
    const end = two?.subscribe({ note: (text) => void notes.push(text), gap: () => void gaps++ })
    await expect.poll(() => gaps).toBe(1)
    await one?.publish('hello')
    await expect.poll(() => notes).toEqual(['hello'])
    await one?.addMember(['set'], 'ada', 60_000)
    expect(await two?.membersOf(['set'])).toEqual([['ada']])
    await one?.put('k', '{"a":1}', 60_000)
    expect(await two?.getAll(['k', 'none'])).toEqual(['{"a":1}', undefined])
    end?.()
  },
}

describe.each(NAMES)('with a client of %s', needsRedis, (name) => {
  let opened: OpenedRedis
  beforeAll(async () => {
    if (!needsRedis.skip) opened = await redisClients[name](server.path)
  })
  afterAll(async () => opened?.close())

  it.each(Object.keys(uses))('%s does what it does with any other', async (what) => {
    await uses[what]?.(opened.client, name)
  })
})

/** With `ioredis`, the test of the store does it. */
describe.each(['node-redis 6', 'Upstash over HTTP'] as const)('the store of limits with a client of %s', needsRedis, (name) => {
  let opened: OpenedRedis
  beforeAll(async () => {
    if (!needsRedis.skip) opened = await redisClients[name](server.path)
  })
  afterAll(async () => opened?.close())

  testRateLimitStore(async () => {
    const prefix = `contract-${count++}`
    const pass = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
    const join = () => redis.redisRateLimitStore(opened.client, { prefix, logger: () => undefined })
    return { join, pass, now: () => performance.now(), pace: 10 }
  })
})

it('no function of the entry is missing here', () => {
  expect(Object.keys(uses).toSorted()).toEqual(Object.keys(redis).toSorted())
})
