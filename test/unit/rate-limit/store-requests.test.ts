/** Requests of a limiter to a shared store, in virtual time. */
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { MemoryRateLimitStores, type RateLimitStoreEvent } from 'foyer-sdk/server'
import type { RateLimitStore } from 'foyer-sdk'
import { type AcquireRequest, RateLimiter, type Settlement } from '../../support/internals'
import { VirtualClock } from './support/virtual-clock'

const BUCKETS = [{ name: 'join_lobby', limit: 8, per: 60_000 }]

let clock: VirtualClock
let acquires: AcquireRequest[]
let settled: Settlement[]
/** Latency of the store in ms. */
let latency: number
/** Operation that fails in the store. */
let broken: 'ask' | 'block' | 'settle' | 'heartbeat' | 'refusals' | 'unblock' | undefined
/** Messages to the store, in order. */
let steps: string[]
let states: RateLimitStoreEvent[]
let budget: MemoryRateLimitStores
let delays: number[]
let limiter: RateLimiter

beforeEach(() => {
  clock = new VirtualClock()
  budget = new MemoryRateLimitStores(clock)
  const store = budget.store()
  acquires = []
  settled = []
  latency = 1
  broken = undefined
  steps = []
  states = []
  delays = []
  const step = (name: string) => {
    steps.push(name)
    if (broken === name) throw new Error('broken')
  }
  const after = (ms: number) => new Promise<void>((resolve) => void clock.at(clock.time + ms, resolve))
  const line: RateLimitStore = {
    ...store,
    acquire: async (ask) => {
      acquires.push(ask)
      step(ask.want > 0 ? 'ask' : 'heartbeat')
      const grant = await store.acquire(ask)
      await after(latency)
      return grant
    },
    settle: async (settlement) => {
      settled.push(settlement)
      step('settle')
      return store.settle(settlement)
    },
    block: async (bucket, ms) => {
      step('block')
      return store.block(bucket, ms)
    },
    unblock: async (bucket) => {
      step('unblock')
      return store.unblock(bucket)
    },
    countRefusals: async (count) => {
      step('refusals')
      return store.countRefusals(count)
    },
    close: async () => {
      step('close')
      return store.close()
    },
  }
  limiter = new RateLimiter({
    clock,
    store: line,
    parties: 4,
    events: { shared: (state) => states.push(state), delayed: ({ wait }) => delays.push(wait) },
  })
})
afterEach(() => limiter.close())

/** Heartbeats. */
const signs = () => acquires.filter(({ want }) => want === 0).length
const unused = () => settled.flatMap(({ how, leases }) => (how === 'unused' ? leases : []))

it('a limiter requests no more than a fair part at a time', async () => {
  for (let i = 0; i < 6; i++) void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(0)
  expect(acquires.map(({ want }) => want)).toEqual([2])
})

it('a request reports its wait when the store responds that another process has got a 429', async () => {
  const other = new RateLimiter({ clock, store: budget.store() })
  onTestFinished(() => other.close())
  const rejected = other.acquire({ buckets: BUCKETS })
  await clock.run(1)
  ;(await rejected).answered({ status: 429, retryAfter: 5000 })
  await clock.run(2)
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  expect(delays).toEqual([])
  await clock.run(10)
  expect(delays).toEqual([4999])
})

it.each([
  [1999, 'only checks whether it is back', 0],
  [2000, 'requests leases again', 1],
])('%i ms after it lost the store, a limiter %s', async (...[ms, , want]) => {
  broken = 'ask'
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(0)
  expect(states).toMatchObject([{ isAway: true }])
  broken = undefined
  await clock.run(ms)
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(ms + 1)
  expect(acquires.at(-1)).toMatchObject({ want })
})

it('a limiter has one pending store request at a time', async () => {
  latency = 100
  for (const party of ['a', 'b', 'c']) {
    void Promise.resolve(limiter.acquire({ buckets: BUCKETS, fairnessKey: party })).catch(() => {})
    await clock.run(clock.time + 10)
  }
  expect(acquires.map(({ want }) => want)).toEqual([1])
  await clock.run(150)
  expect(acquires.map(({ want }) => want)).toEqual([1, 2])
})

it('a limiter requests no more than may start locally: one request after a 429', async () => {
  const rejected = limiter.acquire({ buckets: BUCKETS })
  await clock.run(5)
  ;(await rejected).answered({ status: 429, retryAfter: 100 })
  for (let i = 0; i < 4; i++) void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(120)
  expect(acquires.slice(1).map(({ want }) => want)).toEqual([1])
})

it('a limiter reports outcomes of one turn in one message, with the highest usage that the service reported', async () => {
  const leases = [0, 1].map(async () => limiter.acquire({ buckets: BUCKETS }))
  await clock.run(5)
  for (const [index, lease] of (await Promise.all(leases)).entries())
    lease.answered({ status: 200, limit: 8, remaining: 2 + index })
  await clock.run(10)
  expect(settled).toMatchObject([
    { how: 'answered', used: 6, leases: [expect.any(String), expect.any(String)] },
  ])
})

it('a limiter reports a 429 as such, and ignores the usage reported with it', async () => {
  const rejected = limiter.acquire({ buckets: BUCKETS })
  await clock.run(5)
  ;(await rejected).answered({ status: 429, retryAfter: 100, limit: 8, remaining: 0 })
  await clock.run(10)
  expect(settled).toMatchObject([{ how: 'refused', used: 0 }])
})

it('a limiter sends heartbeats while a request is in flight, and no longer', async () => {
  const long = limiter.acquire({ buckets: BUCKETS })
  await clock.run(10_000)
  expect(signs()).toBeGreaterThan(5)
  ;(await long).answered({ status: 200 })
  await clock.run(12_000)
  const before = signs()
  await clock.run(30_000)
  expect(signs()).toBe(before)
})

it.each(['block', 'settle', 'heartbeat'] as const)(
  'a limiter treats a store as unavailable that fails at a %s',
  async (step) => {
    const long = limiter.acquire({ buckets: BUCKETS })
    await clock.run(5)
    broken = step
    await clock.run(2000)
    ;(await long).answered({ status: 429, retryAfter: 100 })
    await clock.run(2010)
    expect(states).toEqual([{ isAway: true, parties: 1, cause: expect.any(Error) }])
  },
)

it('a limiter notices that the store is unavailable when it cannot count a rejection there', async () => {
  const long = limiter.acquire({ buckets: BUCKETS })
  await clock.run(5)
  broken = 'refusals'
  ;(await long).answered({ status: 403 })
  await clock.run(10)
  expect([steps.includes('refusals'), states]).toEqual([
    true,
    [{ isAway: true, parties: 1, cause: expect.any(Error) }],
  ])
})

it('a limiter without requests stops asking whether the store is back', async () => {
  const long = limiter.acquire({ buckets: BUCKETS })
  await clock.run(5)
  broken = 'settle'
  ;(await long).answered({ status: 200 })
  await clock.run(10)
  broken = 'heartbeat'
  await clock.run(60_000)
  const before = acquires.length
  await clock.run(600_000)
  expect([states.length, acquires.length - before]).toEqual([1, 0])
})

it('a limiter notices that the store is unavailable when it cannot end blocks there', async () => {
  broken = 'unblock'
  await limiter.clearBlocks(BUCKETS)
  expect([steps, states]).toEqual([['unblock'], [{ isAway: true, parties: 4, cause: expect.any(Error) }]])
})

it('a limiter that is closed twice closes its store once', () => {
  limiter.close()
  limiter.close()
  expect(steps).toEqual(['close'])
})

it('a limiter uses its share while the store is unavailable, even below one request per window', async () => {
  broken = 'ask'
  void Promise.resolve(limiter.acquire({ buckets: [{ name: 'rare', limit: 2, per: 60_000 }] })).catch(
    () => {},
  )
  await clock.run(5)
  expect(limiter.limits()).toMatchObject([{ limit: 1 }])
  // Its turn comes once in two windows, since there are twice as many parties as slots.
  await clock.run(120_010)
  expect(limiter.limits()).toMatchObject([{ inFlight: 1 }])
})

it('a limiter starts requests that wait for a failing store, once its last grants have expired', async () => {
  const long = limiter.acquire({ buckets: BUCKETS })
  await clock.run(5)
  latency = 10_000
  const waits = limiter.acquire({ buckets: [{ name: 'get_lobby', limit: 8, per: 60_000 }] })
  await clock.run(100)
  broken = 'block'
  ;(await long).answered({ status: 429, retryAfter: 100 })
  await clock.run(1099)
  expect(limiter.limits()).toMatchObject([{}, { bucket: 'get_lobby', inFlight: 0 }])
  await clock.run(1110)
  ;(await waits).unused()
  expect(clock.time).toBe(1110)
})

it('a limiter blocks the exhausted bucket and no other', async () => {
  const all = { key: 'global:', limit: 2, per: 60_000 }
  await budget.store().acquire({ buckets: [all], want: 2, hold: 60_000 })
  void Promise.resolve(limiter.acquire({ buckets: [...BUCKETS, { ...all, name: 'global', key: '' }] })).catch(
    () => {},
  )
  await clock.run(10)
  expect(limiter.limits()).toMatchObject([
    { bucket: 'join_lobby', nextAt: null },
    { bucket: 'global', nextAt: expect.any(Number) },
  ])
})

it('a limiter reports pending outcomes on close, leaves no timer, and ignores a store that fails then', async () => {
  const leases = [0, 1].map(async () => limiter.acquire({ buckets: BUCKETS }))
  await clock.run(5)
  latency = 500
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS, fairnessKey: 'late' })).catch(() => {})
  await clock.run(10)
  ;(await leases[0])?.answered({ status: 200 })
  broken = 'settle'
  limiter.close()
  expect(steps).toEqual(['ask', 'ask', 'settle', 'close'])
  // The pending one of the shared state, and the response in transit.
  expect(clock.waiting).toBe(2)
  await clock.run(1000)
  expect(states).toEqual([])
})

it('a limiter requests nothing for waiters that have left', async () => {
  const controller = new AbortController()
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS, signal: controller.signal })).catch(() => {})
  controller.abort()
  await clock.run(5)
  expect(acquires).toEqual([])
})

it('a limiter returns leases at once that are no longer wanted', async () => {
  const controller = new AbortController()
  for (let i = 0; i < 2; i++)
    void Promise.resolve(limiter.acquire({ buckets: BUCKETS, signal: controller.signal })).catch(() => {})
  await clock.run(0)
  controller.abort()
  await clock.run(5)
  expect(new Set(unused()).size).toBe(2)
})

it('a limiter returns leases that arrive after the timeout', async () => {
  latency = 3000
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(2000)
  expect(unused()).toEqual([])
  await clock.run(4000)
  expect(unused()).toHaveLength(1)
})

it('many limits that ask the store at the same time cause no warning of the process', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  for (let player = 0; player < 20; player++)
    void Promise.resolve(
      limiter.acquire({ buckets: [{ name: 'player', key: String(player), limit: 8, per: 60_000 }] }),
    ).catch(() => {})
  await clock.run(5)
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})
