/** What a limiter asks of a shared store, and gives back. In virtual time. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RateLimiter } from '../../../src/rate-limit/limiter'
import { MemoryBudget } from '../../../src/rate-limit/memory-store'
import type { Ask, RateLimitStore, Settlement } from '../../../src/rate-limit/store'
import { VirtualClock } from './support/virtual-clock'

const BUCKETS = [{ name: 'join_lobby', limit: 8, per: 60_000 }]

let clock: VirtualClock
let asks: Ask[]
let settled: Settlement[]
/** ms until the store answers. */
let road: number
let limiter: RateLimiter

beforeEach(() => {
  clock = new VirtualClock()
  const store = new MemoryBudget(clock).store()
  asks = []
  settled = []
  road = 1
  const after = (ms: number) => new Promise<void>((resolve) => void clock.at(clock.time + ms, resolve))
  const line: RateLimitStore = {
    ...store,
    acquire: async (ask) => {
      asks.push(ask)
      const grant = await store.acquire(ask)
      await after(road)
      return grant
    },
    settle: (settlement) => {
      settled.push(settlement)
      return store.settle(settlement)
    },
  }
  limiter = new RateLimiter({ clock, store: line, parties: 4 })
})
afterEach(() => limiter.close())

const unused = () => settled.flatMap(({ how, leases }) => (how === 'unused' ? leases : []))

it('asks for no more than a fair part at a time', async () => {
  for (let i = 0; i < 6; i++) void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(0)
  expect(asks.map(({ want }) => want)).toEqual([2])
})

it('gives back at once what those who asked for it do not want any more', async () => {
  const controller = new AbortController()
  for (let i = 0; i < 2; i++) void Promise.resolve(limiter.acquire({ buckets: BUCKETS, signal: controller.signal })).catch(() => {})
  await clock.run(0)
  controller.abort()
  await clock.run(5)
  expect(unused()).toHaveLength(2)
})

it('gives back what comes too late to be believed', async () => {
  road = 3000
  void Promise.resolve(limiter.acquire({ buckets: BUCKETS })).catch(() => {})
  await clock.run(2000)
  expect(unused()).toEqual([])
  await clock.run(4000)
  expect(unused()).toHaveLength(1)
})
