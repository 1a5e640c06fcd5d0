/** Details of a 429: the blocked bucket, the duration, and the recovery. In virtual time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { parseRateLimitHeaders, RateLimiter, type RateLimitInfo } from '../../support/internals'
import { VirtualClock } from './support/virtual-clock'

const OWN = { name: 'join_lobby', limit: 100, per: 1000 }
const ALL = { name: 'global', limit: 10, per: 1000 }

let clock: VirtualClock
let limiter: RateLimiter

beforeEach(() => {
  clock = new VirtualClock()
  limiter = new RateLimiter({ clock })
})
afterEach(() => limiter.close())

const meter = (name: string) => limiter.limits().find(({ bucket }) => bucket === name)

/** Sends one request with this response. */
async function meet(news: RateLimitInfo, buckets = [OWN, ALL]): Promise<void> {
  const lease = await limiter.acquire({ buckets })
  lease.answered(news)
}

describe('a 429', () => {
  it('with user scope blocks the most specific bucket, even if another is closer to its limit', async () => {
    await meet({ status: 429, scope: 'user', retryAfter: 60_000 })
    expect([meter('join_lobby')?.nextAt, meter('global')?.nextAt]).toEqual([60_000, null])
  })

  it('without a scope blocks the bucket closest to its limit', async () => {
    await meet({ status: 429, retryAfter: 1000 })
    expect([meter('join_lobby')?.nextAt, meter('global')?.nextAt]).toEqual([null, 1000])
  })

  it('without a scope does not block a bucket whose window is shorter than the wait', async () => {
    await meet({ status: 429, retryAfter: 60_000 })
    expect([meter('join_lobby')?.nextAt, meter('global')?.nextAt]).toEqual([60_000, null])
  })

  it('blocks for a whole window if that is known to be longer than five minutes', async () => {
    await meet({ status: 429, scope: 'user', retryAfter: 7_000_000 }, [
      { name: 'send_message', limit: 5, per: 7_200_000 },
    ])
    expect(meter('send_message')?.nextAt).toBe(7_000_000)
    await meet({ status: 429, isEdge: true, retryAfter: 7_000_000 }, [
      { name: 'create_lobby', limit: 5, per: 7_200_000 },
    ])
    expect(meter('create_lobby')?.nextAt).toBe(300_000)
  })

  it('reveals no window beyond five minutes', async () => {
    await meet({ status: 200, limit: 5, remaining: 4, resetAfter: 65_000_000 }, [
      { name: 'GET /x', limit: Infinity, per: 1000 },
    ])
    expect(meter('GET /x')).toMatchObject({ limit: 5, per: 300_000 })
  })

  it('with global scope blocks the least specific bucket if there is no global one', async () => {
    await meet({ status: 429, scope: 'global', retryAfter: 60_000 }, [
      OWN,
      { name: 'account', limit: 10, per: 1000 },
    ])
    expect([meter('join_lobby')?.nextAt, meter('account')?.nextAt]).toEqual([null, 60_000])
  })

  it('with a shorter wait than an earlier one does not shorten the block', async () => {
    const [first, second] = await Promise.all([1, 2].map(async () => limiter.acquire({ buckets: [OWN] })))
    first?.answered({ status: 429, retryAfter: 60_000 })
    second?.answered({ status: 429, retryAfter: 1000 })
    expect(meter('join_lobby')?.nextAt).toBe(60_000)
  })

  it('is effective for its whole duration, even if the bucket is idle meanwhile', async () => {
    await meet({ status: 429, retryAfter: 60_000 }, [OWN])
    await clock.run(50_000)
    expect(meter('join_lobby')?.nextAt).toBe(60_000)
  })

  it('does not count as usage by others: the remaining number is no lower bound then', async () => {
    await meet({ status: 429, limit: 100, remaining: 0, retryAfter: 1 }, [OWN])
    expect(meter('join_lobby')).toMatchObject({ free: 99, releasing: 1 })
  })

  it('is not lifted by a response to an earlier request', async () => {
    const leases = await Promise.all(
      Array.from({ length: 6 }, async () => limiter.acquire({ buckets: [OWN] })),
    )
    for (const [index, lease] of leases.entries())
      lease.answered(index === 0 ? { status: 429, retryAfter: 100 } : { status: 200 })
    await clock.run(101)
    let sent = 0
    for (let i = 0; i < 5; i++)
      void Promise.resolve(limiter.acquire({ buckets: [OWN] })).then(
        () => sent++,
        () => {},
      )
    await clock.run(102)
    expect(sent).toBe(1)
  })
})

const read = (status: number, headers: Record<string, string>, body: unknown = {}) =>
  parseRateLimitHeaders({ status, header: (name) => headers[name] ?? null, body }, 0)

describe('a response', () => {
  it('with invalid values is ignored', () => {
    expect(read(200, { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '6' })).toEqual({
      status: 200,
      limit: 5,
    })
    expect(read(429, {}, { retry_after: -1 })).toMatchObject({ retryAfter: 1000 })
  })

  it('has global scope by its body or by its header', () => {
    expect(read(429, {}, { global: true })).toMatchObject({ scope: 'global' })
    expect(read(429, { 'x-ratelimit-global': 'true' })).toMatchObject({ scope: 'global' })
    expect(read(429, {}, { global: false })).toMatchObject({ scope: 'user' })
  })

  it('reveals the longest window that it has named', async () => {
    const unknown = [{ name: 'GET /x', limit: Infinity, per: 1000 }]
    await meet({ status: 200, limit: 5, remaining: 4, resetAfter: 60_000 }, unknown)
    await meet({ status: 200, limit: 5, remaining: 3, resetAfter: 2000 }, unknown)
    expect(meter('GET /x')).toMatchObject({ limit: 5, per: 60_000 })
  })
})

it('after a block a shared store lets one request through, and a 429 or a lost request does not end that', async () => {
  const budget = new MemoryRateLimitStores(clock)
  const [a, b] = [budget.store(), budget.store()]
  const bucket = { key: 'b', limit: 10, per: 1000 }
  const ask = async (store: typeof a) =>
    (await store.acquire({ buckets: [bucket], want: 5, hold: 1000 })).leases
  await a.block(bucket, 100)
  await clock.run(101)
  for (const how of ['refused', 'lost'] as const) {
    const leases = await ask(a)
    expect([leases.length, await ask(b)]).toEqual([1, []])
    await a.settle({ buckets: [bucket], leases, how })
  }
  const leases = await ask(a)
  expect(leases).toHaveLength(1)
  await a.settle({ buckets: [bucket], leases, how: 'answered' })
  expect((await ask(a)).length).toBeGreaterThan(1)
})
