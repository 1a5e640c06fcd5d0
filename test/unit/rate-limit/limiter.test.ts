/** The rate limiter for its callers, in virtual time. */
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RateLimitDelayedEvent, RateLimitedEvent } from 'foyer-sdk'
import { Permit, type RateLimiter } from '../../support/internals'
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

describe('a rate-limited request', () => {
  it('starts synchronously if every bucket has a free slot', () => {
    expect(limiter.acquire({ buckets: [JOIN] })).toBeInstanceOf(Permit)
  })

  it('starts a window and a margin after the response whose slot it takes', async () => {
    for (const name of 'abcd') void send(name)
    await clock.run(5000)
    expect(order).toEqual(['a 0', 'b 0', 'c 1012', 'd 1012'])
  })

  it('that must wait emits an event with the duration and the start time', async () => {
    for (const name of 'abcd') void send(name)
    expect(delayed).toEqual([
      { bucket: 'join_lobby', key: 'ada', wait: 1002, resetAt: 1_001_002, ahead: 0 },
      { bucket: 'join_lobby', key: 'ada', wait: 1002, resetAt: 1_001_002, ahead: 1 },
    ])
    await clock.run(3000)
  })

  it('that would exceed its maximum wait is rejected at once, with details', async () => {
    for (const name of 'ab') void send(name)
    await clock.run(10)
    const error = await rejection(() => limiter.acquire({ buckets: [JOIN], maxWait: 500 }))
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      bucket: 'join_lobby',
      scope: 'user',
      retryable: true,
    })
    expect(error).toMatchObject({ retryAfter: 1002, resetAt: 1_001_012 })
    expect(limited).toMatchObject([{ by: 'client', bucket: 'join_lobby', retryAfter: 1002 }])
  })

  it('is rejected as soon as its deadline cannot be met any more, and at the deadline at the latest', async () => {
    for (const name of 'ab') void send(name, { time: 400 })
    const error = rejection(() => limiter.acquire({ buckets: [JOIN], maxWait: 1100 }))
    await clock.run(1099)
    expect(limiter.limits()[0]).toMatchObject({ waiting: 1 })
    await clock.run(1101)
    expect(await error).toMatchObject({ code: 'rate_limited', retryAfter: 302 })
    expect(limiter.limits()[0]).toMatchObject({ waiting: 0 })
  })

  it('that is cancelled while waiting ends at once and does not affect others', async () => {
    const controller = new AbortController()
    for (const name of 'ab') void send(name)
    const error = rejection(() => send('x', { signal: controller.signal }))
    void send('c')
    await clock.run(100)
    controller.abort()
    expect(await error).toMatchObject({ name: 'NetworkError', code: 'aborted' })
    expect(limiter.limits()[0]).toMatchObject({ waiting: 1 })
    await clock.run(3000)
    expect(order).toEqual(['a 0', 'b 0', 'c 1012'])
  })

  it('that comes when all waiting requests have left is started like any other', async () => {
    const controller = new AbortController()
    for (const name of 'ab') void send(name)
    await clock.run(20)
    const left = rejection(() => send('x', { signal: controller.signal }))
    controller.abort()
    expect(await left).toMatchObject({ code: 'aborted' })
    void send('c')
    await clock.run(3000)
    expect(order).toEqual(['a 0', 'b 0', 'c 1012'])
  })

  it('that is cancelled leaves no timer for its deadline', async () => {
    const controller = new AbortController()
    for (const name of 'ab') void send(name)
    await clock.run(20)
    const before = clock.waiting
    const left = rejection(() =>
      limiter.acquire({ buckets: [JOIN], maxWait: 3_600_000, signal: controller.signal }),
    )
    controller.abort()
    expect(await left).toMatchObject({ code: 'aborted' })
    expect(clock.waiting).toBe(before)
  })

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController()
    for (const name of 'abc') void send(name, { signal })
    await clock.run(3000)
    expect(order).toHaveLength(3)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('does not overtake a request whose timer is late', async () => {
    for (const name of 'abc') void send(name)
    await clock.run(500)
    clock.time = 1500
    for (const name of 'de') void send(name)
    await clock.run(1500)
    expect(order).toEqual(['a 0', 'b 0', 'c 1500', 'd 1500'])
  })

  it('that was cancelled before takes no slot', async () => {
    const error = await rejection(() => limiter.acquire({ buckets: [JOIN], signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'aborted', message: 'aborted: join_lobby' })
    expect(limiter.limits()).toEqual([])
  })

  it('has no known start while every slot waits for a response', async () => {
    for (const name of 'abc') void send(name)
    expect(limiter.limits()).toMatchObject([{ free: 0, inFlight: 2, waiting: 1, nextAt: null }])
    await clock.run(2000)
  })

  it('that was never sent returns its slot at once', async () => {
    const lease = await limiter.acquire({ buckets: [JOIN] })
    void send('a')
    void send('b')
    lease.unused()
    await clock.run(0)
    expect(order).toEqual(['a 0', 'b 0'])
  })

  it('that was lost holds its slot for a window and a grace period', async () => {
    const lease = await limiter.acquire({ buckets: [JOIN] })
    lease.lost()
    void send('a')
    void send('b')
    await clock.run(1500)
    expect(order).toEqual(['a 0', 'b 1012'])
    expect(limiter.limits()[0]).toMatchObject({ free: 0 })
    await clock.run(2010)
    expect(limiter.limits()[0]).toMatchObject({ free: 1 })
  })

  it('is settled once: a second outcome has no effect', async () => {
    const lease = await limiter.acquire({ buckets: [JOIN] })
    lease.answered(OK)
    lease.unused()
    lease.lost()
    expect(limiter.limits()[0]).toMatchObject({ inFlight: 0, releasing: 1, free: 1 })
  })
})

describe('one route', () => {
  it('has as many requests in flight as its limit allows, whether or not the limit is documented', async () => {
    const known = { name: 'get_lobby', limit: 500, per: 10_000 }
    for (let i = 0; i < 500; i++) void send('known', { buckets: [known], time: 100_000 })
    for (let i = 0; i < 10; i++)
      void send('unknown', { buckets: [{ name: 'GET /x', limit: Infinity, per: 1000 }], time: 100_000 })
    await clock.run(0)
    expect(limiter.limits()).toMatchObject([{ inFlight: 500 }, { inFlight: 10 }])
    await clock.run(100_000)
  })

  it('serves other requests while one never gets a response', async () => {
    const bucket = { name: 'get_lobby', limit: 3, per: 100 }
    void send('never', { buckets: [bucket], time: 1e8 })
    for (let i = 0; i < 8; i++) void send(String(i), { buckets: [bucket] })
    await clock.run(1000)
    expect(order).toHaveLength(9)
    limiter.close()
    await clock.run(1e8)
  })
})

describe('requests in several buckets', () => {
  const GLOBAL = { name: 'global', limit: 3, per: 100 }

  it('are taken together or not at all, and the tightest decides', async () => {
    for (const name of 'abcd') void send(name, { buckets: [JOIN, GLOBAL] })
    await clock.run(50)
    expect(limiter.limits()).toMatchObject([
      { bucket: 'join_lobby', free: 0 },
      { bucket: 'global', free: 1 },
    ])
    void send('other', { buckets: [{ ...JOIN, key: 'bruno' }, GLOBAL] })
    await clock.run(3000)
    expect(order).toEqual(['a 0', 'b 0', 'other 50', 'c 1012', 'd 1012'])
    expect(delayed.map(({ bucket }) => bucket)).toEqual(['join_lobby', 'join_lobby'])
  })

  it('are counted in the current buckets after earlier waiting requests have left and theirs was deleted', async () => {
    const buckets = [JOIN, GLOBAL]
    const controller = new AbortController()
    void send('a', { buckets, news: { status: 429, retryAfter: 60_000, scope: 'global' } })
    await clock.run(20)
    const left = rejection(() => send('x', { buckets, signal: controller.signal }))
    void send('other', { buckets: [GLOBAL] })
    controller.abort()
    expect(await left).toMatchObject({ code: 'aborted' })
    await clock.run(30_000)
    expect(limiter.limits()).toMatchObject([{ bucket: 'global' }])
    const remaining = rejection(() => limiter.acquire({ buckets }))
    expect(limiter.limits()).toMatchObject([
      { bucket: 'join_lobby', waiting: 1 },
      { bucket: 'global', waiting: 2 },
    ])
    await clock.run(60_011)
    expect(order).toEqual(['a 0', 'other 60010'])
    limiter.close()
    expect(await remaining).toMatchObject({ code: 'closed' })
  })

  it('with different keys are independent', async () => {
    for (const name of 'abc') void send(name)
    void send('x', { buckets: [{ ...JOIN, key: 'bruno' }] })
    await clock.run(0)
    expect(order).toEqual(['a 0', 'b 0', 'x 0'])
  })
})

describe('the order of waiting requests', () => {
  it('is first in, first out for one fairness key and priority', async () => {
    for (let i = 0; i < 9; i++) void send(String(i))
    await clock.run(10_000)
    expect(order.map((entry) => entry[0])).toEqual(Array.from({ length: 9 }, (_, index) => String(index)))
  })

  it('prefers higher priorities without starving the lowest', async () => {
    const bucket = { name: 'b', limit: 1, per: 10 }
    const first = await limiter.acquire({ buckets: [bucket] })
    for (let i = 0; i < 26; i++)
      for (const priority of ['low', 'normal', 'high'] as const)
        void send(priority, { buckets: [bucket], priority, time: 0 })
    first.answered(OK)
    await clock.run(13 * 2 * 20)
    const granted = order.slice(0, 26).map((entry) => entry.split(' ')[0])
    const count = (name: string) => granted.filter((entry) => entry === name).length
    expect([count('high'), count('normal'), count('low')]).toEqual([16, 8, 2])
  })

  it.each([1, 4])(
    'alternates between fairness keys, %i at a time, so that a busy one does not hold up the others',
    async (limit) => {
      const bucket = { name: 'b', limit, per: 10 }
      const first = await Promise.all(
        Array.from({ length: limit }, async () => limiter.acquire({ buckets: [bucket] })),
      )
      for (let i = 0; i < 50; i++) void send('crowd', { buckets: [bucket], fairnessKey: 'crowd', time: 0 })
      void send('single', { buckets: [bucket], fairnessKey: 'single', time: 0 })
      for (const lease of first) lease.answered(OK)
      await clock.run(100)
      expect(order.findIndex((entry) => entry.startsWith('single'))).toBe(1)
    },
  )

  it('puts a served fairness key at the end of the queue while others wait', async () => {
    const bucket = { name: 'b', limit: 1, per: 10 }
    const first = await limiter.acquire({ buckets: [bucket] })
    for (let i = 0; i < 10; i++) void send('crowd', { buckets: [bucket], fairnessKey: 'crowd', time: 0 })
    void send('single', { buckets: [bucket], fairnessKey: 'single', time: 0 })
    first.answered(OK)
    await clock.run(30)
    void send('single', { buckets: [bucket], fairnessKey: 'single', time: 0 })
    await clock.run(80)
    expect(order.filter((entry) => entry.startsWith('single'))).toHaveLength(2)
  })
})

describe('a limiter', () => {
  it('deletes an idle key after a window, and retains a key in use', async () => {
    for (let i = 0; i < 100; i++) void send('x', { buckets: [{ ...JOIN, key: String(i) }] })
    await clock.run(900)
    void send('y', { buckets: [{ ...JOIN, key: '7' }], time: 3000 })
    expect(limiter.limits()).toHaveLength(100)
    await clock.run(1300)
    expect(limiter.limits()).toMatchObject([{ key: '7', inFlight: 1 }])
    await clock.run(6000)
    expect(limiter.limits()).toEqual([])
  })

  it('that is closed rejects waiting and new requests', async () => {
    for (const name of 'ab') void send(name)
    const error = rejection(() => limiter.acquire({ buckets: [JOIN] }))
    await clock.run(0)
    limiter.close()
    expect(await error).toMatchObject({ code: 'closed' })
    expect(await rejection(() => limiter.acquire({ buckets: [JOIN] }))).toMatchObject({ code: 'closed' })
    await clock.run(20)
  })

  it('that is closed emits no events for later responses', async () => {
    const lease = await limiter.acquire({ buckets: [JOIN] })
    limiter.close()
    lease.answered({ status: 429, retryAfter: 1000 })
    expect([limited, clock.waiting]).toEqual([[], 0])
  })

  it('sets one timer, however many keys wait', async () => {
    for (let key = 0; key < 50; key++)
      for (let i = 0; i < 4; i++)
        void send('x', { buckets: [{ ...JOIN, key: String(key) }], maxWait: 60_000 })
    await clock.run(10)
    // One timer for the waiting requests, one for idle keys.
    expect(clock.waiting).toBe(2)
    await clock.run(5000)
    expect(order).toHaveLength(200)
  })

  it('releases each slot in order, however many there are', async () => {
    const bucket = { name: 'b', limit: 100, per: 5000 }
    for (let i = 0; i < 100; i++) void send('x', { buckets: [bucket], time: 10 * i })
    await clock.run(5800)
    expect(limiter.limits()[0]).toMatchObject({ free: 80, releasing: 20 })
    void send('last', { buckets: [bucket], time: 1000 })
    await clock.run(6500)
    expect(limiter.limits()[0]).toMatchObject({ free: 99, releasing: 0, inFlight: 1 })
  })

  it('waits for a window longer than any timer', async () => {
    const month = 31 * 86_400_000
    const bucket = { name: 'b', limit: 1, per: month }
    void send('a', { buckets: [bucket] })
    void send('b', { buckets: [bucket] })
    await clock.run(month - 1)
    expect(order).toEqual(['a 0'])
    await clock.run(month * 1.01)
    expect(order).toHaveLength(2)
  })
})
