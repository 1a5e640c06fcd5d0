/** Contract of every rate-limit store, as one test suite for all implementations. */
import { beforeEach, expect, it } from 'vitest'
import type { RateLimitStore } from 'foyer-sdk'
import { DEAD_AFTER, type Grant, granularity, margin, type SharedBucket } from './internals'

export interface StoreUnderTest {
  /** Opens the store for one more party. */
  join: () => RateLimitStore
  /** Advances the store's clock. */
  pass: (ms: number) => Promise<void>
  now: () => number
  /** Slowdown relative to the fastest store: a real server on a busy machine needs longer windows. */
  pace: number
}

/** Window that does not elapse during a test, however slow the machine is, in ms. */
const LONG = 600_000
/** Longest time until a slot that is settled now is free, in ms. */
const MOST = LONG + margin(LONG) + granularity(LONG)

export function testRateLimitStore(make: () => Promise<StoreUnderTest>): void {
  let a: RateLimitStore
  let b: RateLimitStore
  let pass: StoreUnderTest['pass']
  let now: StoreUnderTest['now']
  let serial = 0
  /** Tenth of a brief window, in ms. Short: a real server's clock cannot be moved. */
  let unit: number
  let bucket: SharedBucket
  let wide: SharedBucket
  /** Bucket whose window elapses while a test waits. */
  let brief: SharedBucket

  beforeEach(async () => {
    const made = await make()
    a = made.join()
    b = made.join()
    pass = made.pass
    now = made.now
    serial++
    unit = 10 * made.pace
    bucket = { key: `narrow:${serial}`, limit: 3, per: LONG }
    wide = { key: `wide:${serial}`, limit: 5, per: LONG }
    brief = { key: `brief:${serial}`, limit: 3, per: unit * 10 }
  })

  const ask = (store: RateLimitStore, want: number, buckets = [bucket]): Promise<Grant> =>
    store.acquire({ buckets, want, hold: LONG })
  /** Retries until a permit is granted; resolves with the time of the grant. */
  const acquireWhenFree = async (store: RateLimitStore, buckets: SharedBucket[]): Promise<number> => {
    for (;;) {
      const { leases, wait } = await store.acquire({ buckets, want: 1, hold: LONG })
      if (leases.length > 0) return now()
      await pass(Math.min(unit, Math.max(1, wait)))
    }
  }

  it('grants no more than the limit to several parties', async () => {
    expect((await ask(a, 2)).leases).toHaveLength(2)
    const second = await ask(b, 2)
    expect(second.leases).toHaveLength(1)
    expect(second.wait).toBeGreaterThan(0)
    expect(second.wait).toBeLessThanOrEqual(MOST)
  })

  it('grants no more than the limit to many concurrent requests', async () => {
    const grants = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? a : b, 1)))
    expect(grants.flatMap(({ leases }) => leases)).toHaveLength(3)
    expect(new Set(grants.flatMap(({ leases }) => leases)).size).toBe(3)
  })

  it('frees a slot a whole window after the response, not after the request', async () => {
    const { leases } = await ask(a, 3, [brief])
    await pass(unit * 6)
    const answered = now()
    await a.settle({ buckets: [brief], leases, how: 'answered' })
    expect((await acquireWhenFree(b, [brief])) - answered).toBeGreaterThanOrEqual(unit * 10)
  })

  it('counts usage that the service reports beyond the known parties as used by others, for a window', async () => {
    const { leases } = await ask(a, 1, [wide])
    await ask(b, 1, [wide])
    await a.settle({ buckets: [wide, bucket], leases, how: 'answered', used: 4 })
    expect((await ask(b, 5, [wide])).leases).toHaveLength(1)
    expect((await ask(b, 5)).leases).toHaveLength(2)
  })

  it('frees a slot used by others a window after the report', async () => {
    const { leases } = await ask(a, 1, [brief])
    const reported = now()
    await a.settle({ buckets: [brief], leases, how: 'answered', used: 3 })
    expect((await acquireWhenFree(b, [brief])) - reported).toBeGreaterThanOrEqual(unit * 10)
  })

  it('counts usage of known parties only once', async () => {
    const { leases } = await ask(a, 1, [wide])
    const others = await ask(b, 2, [wide])
    await b.settle({ buckets: [wide], leases: others.leases, how: 'answered', used: 3 })
    await a.settle({ buckets: [wide], leases, how: 'answered', used: 2 })
    expect((await ask(a, 5, [wide])).leases).toHaveLength(2)
  })

  it('returns the time until a retry can succeed', async () => {
    const { leases } = await ask(a, 3)
    await a.settle({ buckets: [bucket], leases, how: 'answered' })
    const { wait } = await ask(b, 1)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(MOST)
  })

  it('frees unused permits immediately', async () => {
    const { leases } = await ask(a, 3)
    await a.settle({ buckets: [bucket], leases: leases.slice(1), how: 'unused' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  it('takes a slot of every bucket or none', async () => {
    expect((await ask(a, 4, [wide])).leases).toHaveLength(4)
    const both = await ask(b, 3, [bucket, wide])
    expect(both.leases).toHaveLength(1)
    expect(both.blockedBy).toBe(1)
    expect((await ask(a, 3)).leases).toHaveLength(2)
  })

  it('names the first bucket if several leave the same number of slots', async () => {
    expect(await ask(b, 4, [bucket, { ...bucket, key: wide.key }])).toMatchObject({
      leases: { length: 3 },
      blockedBy: 0,
    })
  })

  it('frees the slots of a dead party after the longest time that its requests can take', async () => {
    const begin = now()
    await a.acquire({ buckets: [brief], want: 3, hold: unit * 20 })
    expect((await acquireWhenFree(b, [brief])) - begin).toBeGreaterThanOrEqual(unit * 30)
  })

  it('treats the requests in flight of a party without a heartbeat as lost', async () => {
    const begin = now()
    await ask(a, 3, [brief])
    const silence = (await acquireWhenFree(b, [brief])) - begin
    expect(silence).toBeGreaterThanOrEqual(DEAD_AFTER + unit * 10)
    expect(silence).toBeLessThan(LONG)
  })

  it('counts a response with an unknown lease', async () => {
    await a.settle({ buckets: [bucket], leases: ['unknown'], how: 'answered' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  it('counts a lost request for longer than a completed one', async () => {
    const single = { ...brief, limit: 1 }
    const { leases } = await ask(a, 1, [single])
    const begin = now()
    await a.settle({ buckets: [single], leases, how: 'lost' })
    // The grace period is one second for every window.
    expect((await acquireWhenFree(b, [single])) - begin).toBeGreaterThanOrEqual(unit * 10 + 1000)
  })

  it('grants nothing while a bucket is blocked, then one permit at a time until one is answered', async () => {
    const begin = now()
    await a.block(bucket, unit * 8)
    let probe = await ask(b, 3)
    while (probe.leases.length === 0) {
      expect(probe.wait).toBeGreaterThan(0)
      expect(probe.wait).toBeLessThanOrEqual(unit * 8 + 1)
      await pass(probe.wait)
      probe = await ask(b, 3)
    }
    expect(now() - begin).toBeGreaterThanOrEqual(unit * 8)
    expect(probe.leases).toHaveLength(1)
    expect((await ask(b, 3)).leases).toHaveLength(0)
    expect((await ask(a, 1)).leases).toHaveLength(0)
    await b.settle({ buckets: [bucket], leases: probe.leases, how: 'answered' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  it('unblocks a bucket immediately on request, with one permit as a probe', async () => {
    await a.block(bucket, LONG)
    expect((await ask(b, 3)).leases).toEqual([])
    await b.unblock(bucket)
    expect((await ask(b, 3)).leases).toHaveLength(1)
    expect((await ask(a, 3)).leases).toEqual([])
  })

  it('stays blocked until the later of two blocks ends', async () => {
    await a.block(bucket, LONG)
    await b.block(bucket, 1)
    await pass(unit)
    expect((await ask(a, 1)).leases).toEqual([])
  })

  it('serves waiting parties in order of arrival, each with its share', async () => {
    const slow = [{ key: `slow:${serial}`, limit: 4, per: 600_000 }]
    const { leases } = await ask(a, 4, slow)
    expect((await ask(b, 2, slow)).leases).toEqual([])
    expect((await ask(a, 2, slow)).leases).toEqual([])
    await a.settle({ buckets: slow, leases: leases.slice(0, 1), how: 'unused' })
    expect((await ask(a, 2, slow)).leases).toEqual([])
    expect((await ask(b, 2, slow)).leases).toHaveLength(1)
    await a.settle({ buckets: slow, leases: leases.slice(1), how: 'unused' })
    expect((await ask(a, 2, slow)).leases).toHaveLength(2)
    expect((await ask(a, 2, slow)).leases).toEqual([])
    expect((await ask(b, 2, slow)).leases).toHaveLength(1)
  })

  it('keeps the place of a party with an unused share, also after a request for nothing, and for the rest of the share only', async () => {
    const slow = [{ key: `turn:${serial}`, limit: 4, per: LONG }]
    const { leases } = await ask(a, 4, slow)
    const free = (from: number, to: number) =>
      a.settle({ buckets: slow, leases: leases.slice(from, to), how: 'unused' })
    for (const store of [b, a]) expect((await ask(store, 4, slow)).leases).toEqual([])
    await ask(b, 0, slow)
    await free(0, 1)
    expect((await ask(a, 4, slow)).leases).toEqual([])
    expect((await ask(b, 4, slow)).leases).toHaveLength(1)
    await free(1, 2)
    expect((await ask(a, 4, slow)).leases).toEqual([])
    await free(2, 4)
    expect((await ask(b, 4, slow)).leases).toHaveLength(1)
    expect((await ask(a, 4, slow)).leases).toHaveLength(2)
  })

  it('gives a single waiting party all free slots, and reserves no more than a party requested', async () => {
    const all = await ask(a, 3)
    await ask(b, 3)
    await a.settle({ buckets: [bucket], leases: all.leases, how: 'unused' })
    const { leases } = await ask(b, 3)
    expect(leases).toHaveLength(3)
    await ask(a, 1)
    await b.settle({ buckets: [bucket], leases, how: 'unused' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
    expect((await ask(a, 1)).leases).toHaveLength(1)
  })

  it('reserves nothing for a waiting party that does not return', async () => {
    const { leases } = await ask(a, 3, [brief])
    const { leases: none, wait } = await ask(b, 2, [brief])
    expect(none).toEqual([])
    await a.settle({ buckets: [brief], leases, how: 'answered' })
    await pass(wait + unit * 3)
    expect((await ask(a, 3, [brief])).leases).toHaveLength(3)
  })

  it('counts the refusals of all parties', async () => {
    const before = await a.countRefusals(2)
    const { total, oldest } = await b.countRefusals(3)
    expect([before.total, total, (await a.countRefusals(0)).total]).toEqual([2, 5, 5])
    expect(oldest).toBeGreaterThan(LONG - 10_000)
    expect(oldest).toBeLessThanOrEqual(LONG + 10_000)
  })

  it('responds to a request for nothing without a grant', async () => {
    expect(await ask(a, 0)).toMatchObject({ leases: [] })
  })

  it('counts the parties', async () => {
    await ask(a, 0)
    expect((await ask(b, 0)).parties).toBe(2)
    await a.close()
    expect((await ask(b, 0)).parties).toBe(1)
  })
}

/** Contract of stores that renew leases. */
export function testLeaseRenewal(make: () => Promise<StoreUnderTest>): void {
  it('holds a renewed lease longer, but none that has ended or never was', async () => {
    const { join, pass, pace } = await make()
    const [a, b] = [join(), join()]
    const unit = 10 * pace
    const lock = { key: 'lock', limit: 1, per: unit }
    const request = { buckets: [lock], want: 1, hold: 40 * unit, fence: 1 }
    const acquire = async (store: RateLimitStore): Promise<string> => {
      for (;;) {
        const { leases, wait } = await store.acquire(request)
        if (leases[0] !== undefined) return leases[0]
        await pass(Math.max(1, wait))
      }
    }
    const renew = (lease: string) => a.renew?.({ bucket: lock, lease, hold: request.hold })
    const lease = await acquire(a)
    for (let renewals = 0; renewals < 3; renewals++) {
      await pass(15 * unit)
      expect(await renew(lease)).toBe(true)
    }
    expect((await b.acquire(request)).leases).toEqual([])
    expect(await renew('unknown:1')).toBe(false)
    const next = await acquire(b)
    expect(await renew(lease)).toBe(false)
    await a.settle({ buckets: [lock], leases: [next], how: 'unused' })
    expect(await renew(next)).toBe(false)
  })
}
