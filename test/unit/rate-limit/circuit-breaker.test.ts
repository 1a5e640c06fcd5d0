/** Circuit breaker: stops before the edge blocks the address, in virtual time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { Permit, RateLimiter } from '../../support/internals'
import { rejection } from '../../support/settle'
import { VirtualClock } from './support/virtual-clock'

let clock: VirtualClock

beforeEach(() => {
  clock = new VirtualClock()
})
afterEach(async () => {
  await clock.run(clock.time + 5000)
  if (clock.waiting > 0) throw new Error('A timer is left.')
})

describe('the circuit breaker', () => {
  it('halves concurrency as rejections accumulate, and opens before the edge blocks the IP address', async () => {
    const breaker = { soft: 10, hard: 20, per: 60_000 }
    const guarded = new RateLimiter({ clock, breaker })
    const buckets = [{ name: 'b', limit: 1000, per: 1000 }]
    const burst = await Promise.all(Array.from({ length: 8 }, async () => guarded.acquire({ buckets })))
    for (const lease of burst) lease.answered({ status: 403 })
    for (let i = 0; i < 2; i++) (await guarded.acquire({ buckets })).answered({ status: 401 })
    const next = Array.from({ length: 8 }, () => guarded.acquire({ buckets }))
    expect(next.filter((lease) => lease instanceof Permit)).toHaveLength(4)
    for (const lease of next)
      void Promise.resolve(lease)
        .then((one) => one.answered({ status: 403 }))
        .catch(() => {})
    await clock.run(1)
    for (let i = 0; i < 2; i++) (await guarded.acquire({ buckets })).answered({ status: 403 })
    const error = await rejection(() => guarded.acquire({ buckets }))
    expect(error).toMatchObject({ code: 'too_many_refusals', scope: 'address' })
    expect(error).toMatchObject({ retryAfter: expect.any(Number) as number })
    await clock.run(62_000)
    expect(guarded.acquire({ buckets })).toBeInstanceOf(Permit)
    guarded.close()
  })

  it.each([401, 403])(
    'rejects waiting requests, too, when %i responses have used up the budget',
    async (status) => {
      const guarded = new RateLimiter({ clock, breaker: { soft: 10, hard: 20, per: 60_000 } })
      const errors: { code: string; resetAt: number }[] = []
      let sent = 0
      const ask = async () => {
        const lease = await guarded.acquire({ buckets: [{ name: 'b', limit: 5, per: 10 }] })
        sent++
        lease.answered({ status })
      }
      for (let i = 0; i < 100; i++) void ask().catch((error: (typeof errors)[number]) => errors.push(error))
      await clock.run(10_000)
      expect([sent, errors.length]).toEqual([20, 80])
      for (const error of errors)
        expect(error).toMatchObject({ code: 'too_many_refusals', resetAt: 61_000, bucket: 'b' })
      guarded.close()
    },
  )

  it('closes when the rejections are a whole window old, and not earlier', async () => {
    const guarded = new RateLimiter({ clock, breaker: { soft: 10, hard: 20, per: 60_000 } })
    const buckets = [{ name: 'b', limit: 100, per: 10 }]
    for (let i = 0; i < 20; i++) (await guarded.acquire({ buckets })).answered({ status: 403 })
    clock.time = 60_000
    expect(await rejection(() => guarded.acquire({ buckets }))).toMatchObject({
      code: 'too_many_refusals',
      retryAfter: 1000,
      bucket: 'b',
    })
    clock.time = 61_000
    expect(guarded.acquire({ buckets })).toBeInstanceOf(Permit)
    guarded.close()
  })

  it('does not count rejections caused by others', async () => {
    const guarded = new RateLimiter({ clock, breaker: { soft: 1, hard: 2, per: 60_000 } })
    const buckets = [{ name: 'b', limit: 1000, per: 10 }]
    for (let i = 0; i < 3; i++) {
      const lease = await guarded.acquire({ buckets: [{ ...buckets[0], name: `b${i}`, limit: 9, per: 10 }] })
      lease.answered({ status: 429, scope: 'shared', retryAfter: 1 })
    }
    expect(guarded.acquire({ buckets })).toBeInstanceOf(Permit)
    guarded.close()
  })

  it('opens when the edge rejects a second route, since one route may have its own proxy', async () => {
    const guarded = new RateLimiter({ clock })
    const leases = await Promise.all(
      ['a', 'b'].map(async (name) => guarded.acquire({ buckets: [{ name, limit: 10, per: 1000 }] })),
    )
    leases[0]?.answered({ status: 429, isEdge: true, retryAfter: 30_000 })
    const third = await guarded.acquire({ buckets: [{ name: 'c', limit: 10, per: 1000 }] })
    third.unused()
    leases[1]?.answered({ status: 429, isEdge: true, retryAfter: 1000 })
    expect(
      await rejection(() => guarded.acquire({ buckets: [{ name: 'other', limit: 1, per: 1 }] })),
    ).toMatchObject({
      code: 'too_many_refusals',
      retryAfter: 30_000,
    })
    guarded.close()
  })

  it('stays closed when the edge rejected another route long ago', async () => {
    const guarded = new RateLimiter({ clock })
    for (const name of ['a', 'b']) {
      const lease = await guarded.acquire({ buckets: [{ name, limit: 10, per: 1000 }] })
      lease.answered({ status: 429, isEdge: true, retryAfter: 30_000 })
      await clock.run(30_000)
    }
    expect(guarded.acquire({ buckets: [{ name: 'c', limit: 1, per: 1 }] })).toBeInstanceOf(Permit)
    guarded.close()
  })
})

/** Limiters whose requests are all rejected, until none of them sends any more. Returns how many each has sent. */
const refuse = async (limiters: readonly RateLimiter[]): Promise<number[]> => {
  const sent = limiters.map(() => 0)
  const send = async (limiter: RateLimiter, index: number): Promise<never> => {
    for (;;) {
      const lease = await limiter.acquire({ buckets: [{ name: `b${index}`, limit: 1000, per: 10 }] })
      sent[index] = (sent[index] ?? 0) + 1
      await new Promise<void>((resolve) => void clock.at(clock.time + 5, resolve))
      lease.answered({ status: 403 })
    }
  }
  const ends = limiters.flatMap((limiter, index) =>
    Array.from({ length: 20 }, () => rejection(() => send(limiter, index))),
  )
  await clock.run(500_000)
  const codes = (await Promise.all(ends)).map((error) => (error as { code: string }).code)
  expect(new Set(codes)).toEqual(new Set(['too_many_refusals']))
  for (const limiter of limiters) limiter.close()
  return sent
}
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
const away = async () => Promise.reject(new Error('away'))

describe('circuit breakers of limiters that share a store', () => {
  it('open for all at the total number of rejections', async () => {
    const budget = new MemoryRateLimitStores(clock)
    const sent = await refuse(
      Array.from({ length: 3 }, () => new RateLimiter({ clock, store: budget.store() })),
    )
    expect(sum(sent)).toBeGreaterThanOrEqual(5000)
    expect(sum(sent)).toBeLessThan(5100)
  })

  it('use divided thresholds while the store is unavailable', async () => {
    const store = {
      parties: 3,
      acquire: away,
      settle: away,
      block: away,
      unblock: away,
      countRefusals: away,
      close: async () => {},
    }
    const sent = await refuse(Array.from({ length: 3 }, () => new RateLimiter({ clock, store })))
    expect(sum(sent)).toBeGreaterThanOrEqual(5000)
    expect(sum(sent)).toBeLessThan(5100)
  })
})
