/** The in-memory store shared by clients of one process. */
import { describe, expect, it } from 'vitest'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { testRateLimitStore } from 'foyer-sdk/store-tests'
import { VirtualClock } from './support/virtual-clock'

describe('an in-memory store', () => {
  const shared = new VirtualClock()
  const groups = new Map<string, MemoryRateLimitStores>()
  const open = (group: string) => {
    const stores = groups.get(group) ?? new MemoryRateLimitStores(shared)
    groups.set(group, stores)
    return stores.store()
  }
  testRateLimitStore({
    test: it,
    expect,
    open,
    pass: (ms) => shared.run(shared.time + ms),
    now: () => shared.time,
    unit: 10,
  })

  it('returns no time to retry to a party that got all it wanted', async () => {
    const store = new MemoryRateLimitStores(new VirtualClock()).store()
    const grant = await store.acquire({
      buckets: [{ key: 'a', limit: 2, per: 60_000 }],
      want: 2,
      hold: 60_000,
    })
    expect(grant).toMatchObject({ wait: 0, leases: [expect.any(String), expect.any(String)] })
  })

  it('returns to each waiting party the time to retry', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryRateLimitStores(clock)
    const [a, b] = [budget.store(), budget.store()]
    const buckets = [{ key: 'a', limit: 2, per: 60_000 }]
    const { leases } = await a.acquire({ buckets, want: 2, hold: 60_000 })
    await a.settle({ buckets, leases: leases.slice(1), how: 'answered' })
    await clock.run(10_000)
    await a.settle({ buckets, leases: leases.slice(0, 1), how: 'answered' })
    const [first, second] = [
      await a.acquire({ buckets, want: 1, hold: 60_000 }),
      await b.acquire({ buckets, want: 1, hold: 60_000 }),
    ]
    expect(second.wait).toBeGreaterThan(first.wait)
  })

  it('gives each party less when more parties wait', async () => {
    const budget = new MemoryRateLimitStores(new VirtualClock())
    const [a, ...others] = Array.from({ length: 4 }, () => budget.store())
    const ask = { buckets: [{ key: 'a', limit: 4, per: 60_000 }], want: 4, hold: 60_000 }
    const { leases = [] } = (await a?.acquire(ask)) ?? {}
    for (const store of others) await store.acquire(ask)
    await a?.settle({ buckets: ask.buckets, leases: leases.slice(0, 2), how: 'unused' })
    expect((await others[1]?.acquire(ask))?.leases).toHaveLength(1)
  })

  it('does not count a party without a heartbeat for a minute', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryRateLimitStores(clock)
    const look = async (store = budget.store()) =>
      (await store.acquire({ buckets: [], want: 0, hold: 0 })).parties
    const own = budget.store()
    expect([await look(), await look(own)]).toEqual([1, 2])
    await clock.run(60_001)
    expect(await look(own)).toBe(1)
  })

  it('deletes an idle bucket after a window, and leaves no timer', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryRateLimitStores(clock)
    const store = budget.store()
    const buckets = [{ key: 'a', limit: 3, per: 100 }]
    const { leases } = await store.acquire({ buckets, want: 1, hold: 50 })
    await store.settle({ buckets, leases, how: 'answered' })
    expect(budget.size).toBe(1)
    await clock.run(500)
    expect([budget.size, clock.waiting]).toEqual([0, 0])
  })
})
