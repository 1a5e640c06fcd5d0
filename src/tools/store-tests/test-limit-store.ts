/** The promises of a rate-limit store, as tests for any implementation. */
import {
  DEAD_AFTER,
  type Grant,
  granularity,
  margin,
  type RateLimitStore,
  type SharedBucket,
} from '../../shared/rate-limit/store-port'
import { type StoreTests, type StoreUnderTest, withDefaults } from './store-under-test'
import { LONG, newGroup } from './test-keys'

/** Longest time until a slot that is settled now is free, in ms. */
const most = () => LONG + margin(LONG) + granularity(LONG)

/**
 * Defines the tests that a `rateLimitStore` has to pass. Stores of one group share their limits, and no two groups meet.
 *
 * @example
 * ```ts
 * testRateLimitStore({ test, expect, open: (group) => redisRateLimitStore(redis, { prefix: group }) })
 * ```
 */
export function testRateLimitStore(given: StoreTests<RateLimitStore>): void {
  const tested = withDefaults(given)
  for (const define of [testGrants, testWindows, testOthersUse, testBlocks, testWaiting, testParties])
    define(tested)
}

type Tested = StoreUnderTest<RateLimitStore>

/** What is granted, and of which bucket. */
function testGrants(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('grants no more than the limit to several parties', async () => {
    const { a, b, ask } = await begin()
    expect((await ask(a, 2)).leases).toHaveLength(2)
    const second = await ask(b, 2)
    expect(second.leases).toHaveLength(1)
    expect(second.wait).toBeGreaterThan(0)
    expect(second.wait).toBeLessThanOrEqual(most())
  })

  test('grants no more than the limit to many concurrent requests', async () => {
    const { a, b, ask } = await begin()
    const grants = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? a : b, 1)))
    expect(grants.flatMap(({ leases }) => leases)).toHaveLength(3)
    expect(new Set(grants.flatMap(({ leases }) => leases)).size).toBe(3)
  })

  test('takes a slot of every bucket or none', async () => {
    const { a, b, ask, bucket, wide } = await begin()
    expect((await ask(a, 4, [wide])).leases).toHaveLength(4)
    const both = await ask(b, 3, [bucket, wide])
    expect(both.leases).toHaveLength(1)
    expect(both.blockedBy).toBe(1)
    expect((await ask(a, 3)).leases).toHaveLength(2)
  })

  test('names the first bucket if several leave the same number of slots', async () => {
    const { b, ask, bucket, wide } = await begin()
    const { leases, blockedBy } = await ask(b, 4, [bucket, { ...bucket, key: wide.key }])
    expect([leases.length, blockedBy]).toEqual([3, 0])
  })

  test('responds to a request for nothing without a grant', async () => {
    const { a, ask } = await begin()
    expect((await ask(a, 0)).leases).toEqual([])
  })
}

/** When a slot is free again. */
function testWindows(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('frees a slot a whole window after the response, not after the request', async () => {
    const { a, b, ask, acquireWhenFree, brief, pass, now, unit } = await begin()
    const { leases } = await ask(a, 3, [brief])
    await pass(unit * 6)
    const answered = now()
    await a.settle({ buckets: [brief], leases, how: 'answered' })
    expect((await acquireWhenFree(b, [brief])) - answered).toBeGreaterThanOrEqual(unit * 10)
  })

  test('returns the time until a retry can succeed', async () => {
    const { a, b, ask, bucket } = await begin()
    const { leases } = await ask(a, 3)
    await a.settle({ buckets: [bucket], leases, how: 'answered' })
    const { wait } = await ask(b, 1)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(most())
  })

  test('frees unused permits immediately', async () => {
    const { a, b, ask, bucket } = await begin()
    const { leases } = await ask(a, 3)
    await a.settle({ buckets: [bucket], leases: leases.slice(1), how: 'unused' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  test('counts a lost request for longer than a completed one', async () => {
    const { brief, a, b, ask, acquireWhenFree, now, unit } = await begin()
    const single = { ...brief, limit: 1 }
    const { leases } = await ask(a, 1, [single])
    const begun = now()
    await a.settle({ buckets: [single], leases, how: 'lost' })
    // The grace period is one second for every window.
    expect((await acquireWhenFree(b, [single])) - begun).toBeGreaterThanOrEqual(unit * 10 + 1000)
  })
}

/** What others used, and what the service refused. */
function testOthersUse(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('counts usage that the service reports beyond the known parties as used by others, for a window', async () => {
    const { a, b, ask, bucket, wide } = await begin()
    const { leases } = await ask(a, 1, [wide])
    await ask(b, 1, [wide])
    await a.settle({ buckets: [wide, bucket], leases, how: 'answered', used: 4 })
    expect((await ask(b, 5, [wide])).leases).toHaveLength(1)
    expect((await ask(b, 5)).leases).toHaveLength(2)
  })

  test('frees a slot used by others a window after the report', async () => {
    const { a, b, ask, acquireWhenFree, brief, now, unit } = await begin()
    const { leases } = await ask(a, 1, [brief])
    const reported = now()
    await a.settle({ buckets: [brief], leases, how: 'answered', used: 3 })
    expect((await acquireWhenFree(b, [brief])) - reported).toBeGreaterThanOrEqual(unit * 10)
  })

  test('counts usage of known parties only once', async () => {
    const { a, b, ask, wide } = await begin()
    const { leases } = await ask(a, 1, [wide])
    const others = await ask(b, 2, [wide])
    await b.settle({ buckets: [wide], leases: others.leases, how: 'answered', used: 3 })
    await a.settle({ buckets: [wide], leases, how: 'answered', used: 2 })
    expect((await ask(a, 5, [wide])).leases).toHaveLength(2)
  })

  test('counts a response with an unknown lease', async () => {
    const { a, b, ask, bucket } = await begin()
    await a.settle({ buckets: [bucket], leases: ['unknown'], how: 'answered' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  test('counts the refusals of all parties', async () => {
    const { a, b } = await begin()
    const before = await a.countRefusals(2)
    const { total, oldest } = await b.countRefusals(3)
    expect([before.total, total, (await a.countRefusals(0)).total]).toEqual([2, 5, 5])
    expect(oldest).toBeGreaterThan(LONG - 10_000)
    expect(oldest).toBeLessThanOrEqual(LONG + 10_000)
  })
}

/** Buckets that the service has blocked. */
function testBlocks(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('grants nothing while a bucket is blocked, then one permit at a time until one is answered', async () => {
    const { a, b, ask, bucket, pass, now, unit } = await begin()
    const begun = now()
    await a.block(bucket, unit * 8)
    let probe = await ask(b, 3)
    while (probe.leases.length === 0) {
      expect(probe.wait).toBeGreaterThan(0)
      expect(probe.wait).toBeLessThanOrEqual(unit * 8 + 1)
      await pass(probe.wait)
      probe = await ask(b, 3)
    }
    expect(now() - begun).toBeGreaterThanOrEqual(unit * 8)
    expect(probe.leases).toHaveLength(1)
    expect((await ask(b, 3)).leases).toHaveLength(0)
    expect((await ask(a, 1)).leases).toHaveLength(0)
    await b.settle({ buckets: [bucket], leases: probe.leases, how: 'answered' })
    expect((await ask(b, 3)).leases).toHaveLength(2)
  })

  test('unblocks a bucket immediately on request, with one permit as a probe', async () => {
    const { a, b, ask, bucket } = await begin()
    await a.block(bucket, LONG)
    expect((await ask(b, 3)).leases).toEqual([])
    await b.unblock(bucket)
    expect((await ask(b, 3)).leases).toHaveLength(1)
    expect((await ask(a, 3)).leases).toEqual([])
  })

  test('stays blocked until the later of two blocks ends', async () => {
    const { a, b, ask, bucket, pass, unit } = await begin()
    await a.block(bucket, LONG)
    await b.block(bucket, 1)
    await pass(unit)
    expect((await ask(a, 1)).leases).toEqual([])
  })
}

/** Turns and shares of parties that wait. */
function testWaiting(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('serves waiting parties in order of arrival, each with its share', async () => {
    const { a, b, ask } = await begin()
    const slow = [{ key: 'slow', limit: 4, per: 600_000 }]
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

  test('keeps the place of a party with an unused share, also after a request for nothing, and for the rest of the share only', async () => {
    const { a, b, ask } = await begin()
    const slow = [{ key: 'turn', limit: 4, per: LONG }]
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

  test('gives a single waiting party all free slots, and reserves no more than a party requested', async () => {
    const { a, b, ask, bucket } = await begin()
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

  test('reserves nothing for a waiting party that does not return', async () => {
    const { a, b, ask, brief, pass, unit } = await begin()
    const { leases } = await ask(a, 3, [brief])
    const { leases: none, wait } = await ask(b, 2, [brief])
    expect(none).toEqual([])
    await a.settle({ buckets: [brief], leases, how: 'answered' })
    await pass(wait + unit * 3)
    expect((await ask(a, 3, [brief])).leases).toHaveLength(3)
  })
}

/** Parties that die, leave, or renew what they hold. */
function testParties(tested: Tested): void {
  const { test, expect } = tested
  const begin = () => beginLimits(tested)

  test('frees the slots of a dead party after the longest time that its requests can take', async () => {
    const { a, b, acquireWhenFree, brief, now, unit } = await begin()
    const begun = now()
    await a.acquire({ buckets: [brief], want: 3, hold: unit * 20 })
    expect((await acquireWhenFree(b, [brief])) - begun).toBeGreaterThanOrEqual(unit * 30)
  })

  test('treats the requests in flight of a party without a heartbeat as lost', async () => {
    const { a, b, ask, acquireWhenFree, brief, now, unit } = await begin()
    const begun = now()
    await ask(a, 3, [brief])
    const silence = (await acquireWhenFree(b, [brief])) - begun
    expect(silence).toBeGreaterThanOrEqual(DEAD_AFTER + unit * 10)
    expect(silence).toBeLessThan(LONG)
  })

  test('counts the parties', async () => {
    const { a, b, ask } = await begin()
    await ask(a, 0)
    expect((await ask(b, 0)).parties).toBe(2)
    await a.close()
    expect((await ask(b, 0)).parties).toBe(1)
  })

  test('holds a renewed lease longer, but none that has ended or never was (a store without `renew` passes)', async () => {
    const { a, b, pass, unit } = await begin()
    const lock = { key: 'lock', limit: 1, per: unit }
    const request = { buckets: [lock], want: 1, hold: 40 * unit, fence: 1 }
    const acquire = async (store: RateLimitStore): Promise<string> => {
      for (;;) {
        const { leases, wait } = await store.acquire(request)
        if (leases[0] !== undefined) return leases[0]
        await pass(Math.max(1, wait))
      }
    }
    if (!a.renew) return
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

/** Two parties of a new store, and buckets of it. */
async function beginLimits({ open, pass, now, unit }: StoreUnderTest<RateLimitStore>) {
  const group = newGroup()
  const [a, b] = [await open(group), await open(group)]
  const bucket: SharedBucket = { key: 'narrow', limit: 3, per: LONG }
  const ask = (store: RateLimitStore, want: number, buckets = [bucket]): Promise<Grant> =>
    store.acquire({ buckets, want, hold: LONG })
  /** Retries until a permit is granted. Resolves with the time of the grant. */
  const acquireWhenFree = async (store: RateLimitStore, buckets: SharedBucket[]): Promise<number> => {
    for (;;) {
      const { leases, wait } = await store.acquire({ buckets, want: 1, hold: LONG })
      if (leases.length > 0) return now()
      await pass(Math.min(unit, Math.max(1, wait)))
    }
  }
  const wide: SharedBucket = { key: 'wide', limit: 5, per: LONG }
  /** Its window ends while a test waits. */
  const brief: SharedBucket = { key: 'brief', limit: 3, per: unit * 10 }
  return { a, b, ask, acquireWhenFree, bucket, wide, brief, pass, now, unit }
}
