/** Limiters whose store has not responded yet, or never does, in virtual time. */
import { describe, expect, it } from 'vitest'
import { MemoryRateLimitStores, type RateLimitStoreEvent } from 'foyer-sdk/server'
import type { RateLimitStore } from 'foyer-sdk'
import { RateLimiter } from '../support/internals'
import { VirtualClock } from '../unit/rate-limit/support/virtual-clock'

const BUCKET = { name: 'global', limit: 50, per: 1000 }
const after = (clock: VirtualClock, ms: number) =>
  new Promise<void>((resolve) => void clock.at(clock.time + ms, resolve))
const away = async () => Promise.reject(new Error('away'))

/** Limiters whose store is absent from the start and provides only their number. */
function unknownParties({
  parties,
  bucket,
}: {
  parties: number
  bucket: { name: string; limit: number; per: number }
}) {
  const clock = new VirtualClock()
  const store: RateLimitStore = {
    parties,
    acquire: away,
    settle: away,
    block: away,
    unblock: away,
    countRefusals: away,
    close: async () => {},
  }
  const limiters = Array.from({ length: parties }, () => new RateLimiter({ clock, store }))
  const granted: number[] = []
  const send = async (limiter: RateLimiter): Promise<void> => {
    const lease = await limiter.acquire({ buckets: [bucket] })
    granted.push(clock.time)
    await after(clock, 20)
    lease.answered({ status: 200 })
  }
  /** Maximum count in any window. */
  const most = () =>
    Math.max(...granted.map((from) => granted.filter((at) => at >= from && at < from + bucket.per).length))
  return { clock, limiters, granted, send, most }
}

describe('more parties than slots without an available store', () => {
  it.each([
    [200, 50],
    [51, 50],
    [400, 100],
  ])(
    '%i of them at %i a second never send twice the limit in a window, and use most of it',
    async (parties, limit) => {
      const { clock, limiters, granted, send, most } = unknownParties({
        parties,
        bucket: { ...BUCKET, limit },
      })
      const again = (limiter: RateLimiter): Promise<void> => send(limiter).then(() => again(limiter))
      for (const limiter of limiters) for (let i = 0; i < 2; i++) void again(limiter).catch(() => {})
      await clock.run(20_000)
      expect(most()).toBeLessThan(2 * limit)
      expect(granted.length).toBeGreaterThan(0.45 * limit * 20)
      for (const limiter of limiters) limiter.close()
    },
  )

  it('keep the limit also when all send at the same moment after a rest', async () => {
    const { clock, limiters, granted, send, most } = unknownParties({ parties: 200, bucket: BUCKET })
    for (const at of [0, 30_000]) {
      await clock.run(at)
      for (const limiter of limiters) void send(limiter)
    }
    await clock.run(40_000)
    expect(granted).toHaveLength(400)
    expect(most()).toBeLessThan(100)
    for (const limiter of limiters) limiter.close()
  })

  it('use their part of the limit before the first response of the store', async () => {
    const { clock, limiters, granted, send } = unknownParties({ parties: 8, bucket: BUCKET })
    for (const limiter of limiters) for (let i = 0; i < 60; i++) void send(limiter).catch(() => {})
    await clock.run(900)
    expect(granted).toHaveLength(8 * 6)
    for (const limiter of limiters) limiter.close()
  })
})

/** A store that responds to its first request after so many ms. */
const late = (clock: VirtualClock, ms: number): RateLimitStore => {
  const store = new MemoryRateLimitStores(clock).store()
  return {
    ...store,
    connectTimeout: 5000,
    acquire: (ask) => after(clock, Math.max(0, ms - clock.time)).then(() => store.acquire(ask)),
  }
}

describe('a store that has never responded', () => {
  it('is treated as connecting for a while', async () => {
    const clock = new VirtualClock()
    const states: RateLimitStoreEvent[] = []
    const limiter = new RateLimiter({
      clock,
      store: late(clock, 1500),
      events: { shared: (state) => states.push(state) },
    })
    const lease = limiter.acquire({ buckets: [BUCKET] })
    await clock.run(1600)
    expect((await lease).sentAt).toBe(1500)
    expect(states).toEqual([])
    limiter.close()
  })

  it('has no more than a second for later requests, once it has responded', async () => {
    const clock = new VirtualClock()
    const states: RateLimitStoreEvent[] = []
    const store = new MemoryRateLimitStores(clock).store()
    const slow: RateLimitStore = {
      ...store,
      connectTimeout: 5000,
      acquire: (ask) => after(clock, clock.time < 100 ? 1 : 60_000).then(() => store.acquire(ask)),
    }
    const limiter = new RateLimiter({ clock, store: slow, events: { shared: (state) => states.push(state) } })
    const first = limiter.acquire({ buckets: [{ ...BUCKET, limit: 1 }] })
    await clock.run(100)
    ;(await first).answered({ status: 200 })
    await clock.run(2000)
    void Promise.resolve(limiter.acquire({ buckets: [{ ...BUCKET, limit: 1 }] })).catch(() => {})
    await clock.run(3100)
    expect(states.map(({ isAway }) => isAway)).toEqual([true])
    limiter.close()
  })

  it('is treated as unavailable after that, until it responds', async () => {
    const clock = new VirtualClock()
    const states: RateLimitStoreEvent[] = []
    const limiter = new RateLimiter({
      clock,
      store: late(clock, 7000),
      events: { shared: (state) => states.push(state) },
    })
    const lease = limiter.acquire({ buckets: [BUCKET] })
    await clock.run(5100)
    expect((await lease).sentAt).toBe(5000)
    void limiter.acquire({ buckets: [BUCKET] })
    await clock.run(6500)
    void limiter.acquire({ buckets: [BUCKET] })
    await clock.run(7100)
    expect(states.map(({ isAway }) => isAway)).toEqual([true, false])
    limiter.close()
  })
})
