/** The budget that clients of one process share. */
import { describe, expect, it } from 'vitest'
import { MemoryBudget } from '../../../src/rate-limit/memory-store'
import { keepsTheContract } from '../../support/store-contract'
import { VirtualClock } from './support/virtual-clock'

describe('a budget in memory', () => {
  keepsTheContract(async () => {
    const clock = new VirtualClock()
    const budget = new MemoryBudget(clock)
    return { join: () => budget.store(), pass: (ms) => clock.run(clock.time + ms), now: () => clock.time, pace: 1 }
  })

  it('forgets a bucket that has rested for a window, and leaves no timer', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryBudget(clock)
    const store = budget.store()
    const buckets = [{ key: 'a', limit: 3, per: 100 }]
    const { leases } = await store.acquire({ buckets, want: 1, hold: 50 })
    await store.settle({ buckets, leases, how: 'answered' })
    expect(budget.size).toBe(1)
    await clock.run(500)
    expect([budget.size, clock.waiting]).toEqual([0, 0])
  })
})
