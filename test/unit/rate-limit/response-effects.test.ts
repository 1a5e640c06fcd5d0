/** Effects of responses on a limiter, as its callers see them, in virtual time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RateLimitDelayedEvent, RateLimitedEvent } from 'foyer-sdk'
import type { RateLimiter } from '../../support/internals'
import { rejection } from '../../support/settle'
import { closeLimiter, JOIN, OK, openLimiter, type OpenLimiter } from './support/open-limiter'
import type { VirtualClock } from './support/virtual-clock'

let clock: VirtualClock
let limiter: RateLimiter
let delayed: RateLimitDelayedEvent[]
let limited: RateLimitedEvent[]
let order: string[]
let send: OpenLimiter['send']

beforeEach(() => {
  ;({ clock, limiter, delayed, limited, order, send } = openLimiter())
})
afterEach(() => closeLimiter({ limiter, clock }))

describe('a 429', () => {
  it('blocks the bucket for the given time, then allows one request at a time, then more', async () => {
    const bucket = { name: 'b', limit: 8, per: 100 }
    void send('refused', { buckets: [bucket], news: { status: 429, retryAfter: 500 } })
    await clock.run(20)
    expect(limited).toMatchObject([{ by: 'service', bucket: 'b', retryAfter: 500, resetAt: 1_000_510 }])
    for (let i = 0; i < 7; i++) void send(`r${i}`, { buckets: [bucket], time: 5 })
    await clock.run(509)
    expect(order).toHaveLength(1)
    await clock.run(512)
    expect(order).toHaveLength(2)
    await clock.run(518)
    expect(order).toHaveLength(4)
    await clock.run(1000)
    expect(order).toHaveLength(8)
  })

  it('for each request of a burst is one event and one block', async () => {
    const bucket = { name: 'b', limit: 8, per: 1000 }
    for (let i = 0; i < 8; i++) void send('x', { buckets: [bucket], news: { status: 429, retryAfter: 300 } })
    await clock.run(20)
    expect(limited).toHaveLength(1)
    for (let i = 0; i < 16; i++) void send('later', { buckets: [bucket] })
    await clock.run(3000)
    expect(order).toHaveLength(24)
  })

  it('with global scope blocks all buckets', async () => {
    const buckets = [JOIN, { name: 'global', limit: 50, per: 1000 }]
    void send('a', { buckets, news: { status: 429, retryAfter: 500, scope: 'global' } })
    await clock.run(20)
    void send('b', { buckets: [{ ...JOIN, key: 'bruno' }, buckets[1] ?? JOIN] })
    await clock.run(509)
    expect(order).toEqual(['a 0'])
    await clock.run(520)
    expect(order).toEqual(['a 0', 'b 510'])
  })

  it('rejects waiting requests whose deadline is too early, and notifies the others', async () => {
    const bucket = { name: 'b', limit: 1, per: 100 }
    void send('a', { buckets: [bucket], news: { status: 429, retryAfter: 60_000 } })
    const early = rejection(() => limiter.acquire({ buckets: [bucket], maxWait: 5000 }))
    void send('patient', { buckets: [bucket] })
    await clock.run(10)
    expect(await early).toMatchObject({ code: 'rate_limited', retryAfter: 60_000 })
    await clock.run(60_200)
    expect(order).toEqual(['a 0', 'patient 60010'])
  })

  it('with a lower limit rejects requests that are too far behind for it', async () => {
    const bucket = { name: 'b', limit: 2, per: 500 }
    void send('a', { buckets: [bucket], news: { status: 429, retryAfter: 100, limit: 1 } })
    void send('b', { buckets: [bucket] })
    const [first, second] = [0, 1].map(() => rejection(() => send('x', { buckets: [bucket], maxWait: 800 })))
    await clock.run(20)
    expect(await second).toMatchObject({ code: 'rate_limited' })
    expect(limiter.limits()[0]).toMatchObject({ waiting: 1 })
    await clock.run(600)
    expect(await first).toBeUndefined()
  })

  it('with global scope rejects requests when their queue reaches the block', async () => {
    const buckets = [JOIN, { name: 'global', limit: 50, per: 1000 }]
    for (const name of 'ab') void send(name, { buckets })
    await clock.run(20)
    const early = rejection(() => limiter.acquire({ buckets, maxWait: 5000 }))
    void send('x', {
      buckets: [{ ...JOIN, key: 'bruno' }, buckets[1] ?? JOIN],
      news: { status: 429, retryAfter: 60_000, scope: 'global' },
    })
    await clock.run(1100)
    expect(limited).toMatchObject([{ by: 'service' }, { by: 'client', bucket: 'global' }])
    expect(await early).toMatchObject({ code: 'rate_limited', scope: 'global' })
  })

  it("keeps the request's position ahead of later ones", async () => {
    const bucket = { name: 'b', limit: 1, per: 100 }
    const lease = await limiter.acquire({ buckets: [bucket] })
    for (let i = 0; i < 5; i++) void send('second', { buckets: [bucket] })
    lease.answered({ status: 429, retryAfter: 50 })
    void send('again', { buckets: [bucket], retryOf: lease, maxWait: 150 })
    await clock.run(300)
    expect(order.map((entry) => entry.split(' ')[0])).toEqual(['again', 'second'])
  })

  it('for several requests keeps their order', async () => {
    const bucket = { name: 'b', limit: 4, per: 100 }
    const leases = await Promise.all([1, 2, 3].map(async () => limiter.acquire({ buckets: [bucket] })))
    void send('fourth', { buckets: [bucket], time: 500 })
    void send('fifth', { buckets: [bucket] })
    for (const place of [1, 0, 2]) {
      leases[place]?.answered({ status: 429, retryAfter: 50 })
      void send(String(place), { buckets: [bucket], retryOf: leases[place] })
    }
    await clock.run(3000)
    expect(order.map((entry) => entry.split(' ')[0])).toEqual(['fourth', '0', '1', '2', 'fifth'])
  })
})

describe('rate limit headers', () => {
  it('can lower a known limit and cannot raise it', async () => {
    const bucket = { name: 'b', limit: 4, per: 1000 }
    void send('a', { buckets: [bucket], news: { status: 200, limit: 2 } })
    await clock.run(20)
    expect(limiter.limits()[0]).toMatchObject({ limit: 2 })
    void send('b', { buckets: [bucket], news: { status: 200, limit: 1_000_000 } })
    await clock.run(40)
    expect(limiter.limits()[0]).toMatchObject({ limit: 4 })
  })

  it('with a limit below current usage delay the next request until enough slots are free', async () => {
    const bucket = { name: 'b', limit: 4, per: 1000 }
    for (const [index, name] of Array.from('abcd').entries())
      void send(name, {
        buckets: [bucket],
        time: 100 * index,
        news: index < 3 ? OK : { status: 200, limit: 2 },
      })
    await clock.run(300)
    void send('e', { buckets: [bucket] })
    await clock.run(3000)
    expect(order.at(-1)).toBe('e 1202')
    expect(delayed).toMatchObject([{ wait: 902 }])
  })

  it("with more usage than the client's own occupy the difference", async () => {
    const bucket = { name: 'b', limit: 5, per: 1000 }
    void send('a', { buckets: [bucket], news: { status: 200, limit: 5, remaining: 1 } })
    await clock.run(20)
    expect(limiter.limits()[0]).toMatchObject({ free: 1, releasing: 4 })
  })

  it('describe the bucket with the stated limit, and leave the more specific one alone', async () => {
    const all = { name: 'PUT /lobbies', limit: 100, per: 7_200_000 }
    void send('a', { buckets: [JOIN, all], news: { status: 200, limit: 100, remaining: 3 } })
    await clock.run(20)
    expect(limiter.limits()).toMatchObject([
      { bucket: JOIN.name, releasing: 1 },
      { bucket: all.name, free: 3, releasing: 97 },
    ])
  })

  it('reveal an unknown limit; until then few requests run at once', async () => {
    const bucket = { name: 'GET /commands', limit: Infinity, per: 1000 }
    for (let i = 0; i < 30; i++)
      void send(String(i), {
        buckets: [bucket],
        news: { status: 200, limit: 20, remaining: 20 - i, resetAfter: 2000 },
      })
    await clock.run(0)
    expect(order).toHaveLength(10)
    await clock.run(30)
    expect(order.length).toBeLessThanOrEqual(20)
    await clock.run(3000)
    expect(order).toHaveLength(30)
  })
})
