/** Every function of `foyer-sdk/redis` over the client of every package. */
import * as redis from 'foyer-sdk/redis'
import {
  testLobbyBroker,
  testPurchaseStore,
  testRateLimitStore,
  testReplayStore,
  testSessionStore,
  testTicketStore,
} from 'foyer-sdk/store-tests'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedRedis, redisClients, type RedisClientName } from '../../support/redis-clients'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'
import { storeKey } from '../../support/internals'

const needsRedis = skipIfMissing(missingRedis())
const logger = () => undefined
const NAMES = Object.keys(redisClients) as RedisClientName[]
let server: RedisServer
let count = 0

beforeAll(async () => {
  if (!needsRedis.skip) server = await startRedis()
})
afterAll(async () => server?.close())

const APPLICATION = '1082700000000000001'
const seen = (id: string) => storeKey(APPLICATION, 'seen', id)
const TICKET = storeKey(APPLICATION, 'ticket', 't')
const RECORD = storeKey(APPLICATION, 'session', 'a')
const BRIEF = storeKey(APPLICATION, 'session', 'brief')
const BOUGHT = storeKey(APPLICATION, 'purchase', '9')
const LOCK = storeKey(APPLICATION, 'lock', 'l')

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
    expect([
      await store.seen(seen('a'), 60_000),
      await store.seen(seen('a'), 60_000),
      await store.seen(seen('b'), 60_000),
    ]).toEqual([false, true, false])
    for (const text of ['{"id":"1","n":[1]}', '12', 'null', '=x', '']) {
      await store.put(TICKET, text, 60_000)
      expect(await store.take(TICKET)).toBe(text)
      expect(await store.take(TICKET)).toBeUndefined()
    }
  },
  async redisSessionStore(client) {
    const store = redis.redisSessionStore(client, { prefix: `sessions-${count++}` })
    await store.set(RECORD, '{"sealed":1}', 60_000)
    expect(await store.get(RECORD)).toBe('{"sealed":1}')
    await store.delete(RECORD)
    expect(await store.get(RECORD)).toBeUndefined()
    expect([await store.lock(LOCK, '1', 60_000), await store.lock(LOCK, '2', 60_000)]).toEqual([true, false])
    await store.unlock(LOCK, '2')
    expect(await store.lock(LOCK, '3', 60_000)).toBe(false)
    await store.unlock(LOCK, '1')
    expect(await store.lock(LOCK, '3', 60_000)).toBe(true)
    await store.set(BRIEF, 'x', 30)
    await expect.poll(() => store.get(BRIEF)).toBeUndefined()
  },
  async redisPurchaseStore(client) {
    const store = redis.redisPurchaseStore(client, { prefix: `purchases-${count++}` })
    expect(await store.get(BOUGHT)).toBeUndefined()
    expect([await store.claim(BOUGHT, 'a', 60_000), await store.claim(BOUGHT, 'b', 60_000)]).toEqual([
      'new',
      'busy',
    ])
    expect([await store.settle(BOUGHT, 'b', 'granted'), await store.settle(BOUGHT, 'a', 'granted')]).toEqual([
      false,
      true,
    ])
    expect([await store.get(BOUGHT), await store.claim(BOUGHT, 'b', 60_000)]).toEqual(['granted', 'granted'])
  },
  async redisLobbyBroker(client, name) {
    if (name === 'Upstash over HTTP') {
      const refused = expect.objectContaining({
        code: 'unsupported',
        message: expect.stringContaining('no subscriptions'),
      })
      expect(() => redis.redisLobbyBroker(client)).toThrow(refused)
      return
    }
    const [one, two] = [`hub-${count}`, `hub-${count++}`].map((prefix) =>
      redis.redisLobbyBroker(client, { prefix }),
    )
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

  // Each use has the expectations.
  // oxlint-disable-next-line vitest/expect-expect
  it.each(Object.keys(uses))('%s does what it does with any other', async (what) => {
    await expect(uses[what]?.(opened.client, name)).resolves.toBeUndefined()
  })
})

/** The stores of our own keys, over each client. */
describe.each(NAMES)('over a client of %s', needsRedis, (name) => {
  let opened: OpenedRedis
  beforeAll(async () => {
    if (!needsRedis.skip) opened = await redisClients[name](server.path)
  })
  afterAll(async () => opened?.close())
  const own = { test: it, expect, unit: 100 }

  describe('a store of sessions', () => {
    testSessionStore({
      ...own,
      open: (prefix) => redis.redisSessionStore(opened.client, { prefix, logger }),
    })
  })
  describe('a store of tickets', () => {
    testTicketStore({ ...own, open: (prefix) => redis.redisStore(opened.client, { prefix, logger }) })
  })
  describe('a record of purchases', () => {
    testPurchaseStore({
      ...own,
      open: (prefix) => redis.redisPurchaseStore(opened.client, { prefix, logger }),
    })
  })
  describe('a store of received requests', () => {
    testReplayStore({ ...own, open: (prefix) => redis.redisStore(opened.client, { prefix, logger }) })
  })
  if (name === 'Upstash over HTTP') return
  describe('what the processes of a hub share', () => {
    testLobbyBroker({
      ...own,
      open: (prefix) => redis.redisLobbyBroker(opened.client, { prefix, logger }),
    })
  })
})

/** With `ioredis`, the test of the store does it. */
describe.each(['node-redis 5', 'node-redis 6', 'Upstash over HTTP'] as const)(
  'the store of limits with a client of %s',
  needsRedis,
  (name) => {
    let opened: OpenedRedis
    beforeAll(async () => {
      if (!needsRedis.skip) opened = await redisClients[name](server.path)
    })
    afterAll(async () => opened?.close())

    testRateLimitStore({
      test: it,
      expect,
      open: (prefix) => redis.redisRateLimitStore(opened.client, { prefix, logger: () => undefined }),
      now: () => performance.now(),
      unit: 100,
    })
  },
)

it('no function of the entry is missing here', () => {
  expect(Object.keys(uses).toSorted()).toEqual(Object.keys(redis).toSorted())
})
