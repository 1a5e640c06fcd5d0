/** Several limiters on one store, with parties that die and a store that goes away, in virtual time. */
import { describe, expect, it } from 'vitest'
import { MemoryRateLimitStores, type RateLimitStoreEvent } from 'foyer-sdk/server'
import type { RateLimitStore } from 'foyer-sdk'
import { type LimitRequest, RateLimiter } from '../../support/internals'
import { Judge, KINDS } from './support/counting-service'
import { VirtualClock } from './support/virtual-clock'

const BUCKET = { name: 'global', limit: 50, per: 1000 }

interface Party {
  limiter: RateLimiter
  granted: number[]
  isDead: boolean
  states: RateLimitStoreEvent[]
}

/** Parties that all request more than their share until `end`, each starting `apart` ms after the one before. */
async function contend(
  {
    parties = 4,
    end = 10_000,
    kind = 'sliding' as const,
    up = 20,
    down = 20,
    apart = 0,
    bucket = BUCKET,
    loops = 60,
  },
  act?: (world: World) => void,
) {
  const clock = new VirtualClock()
  const budget = new MemoryRateLimitStores(clock)
  const judge = new Judge({ kind, ...bucket })
  const world: World = {
    clock,
    parties: [],
    isCut: false,
    cut: new Set(),
    refused: 0,
    granted: [],
    acquires: 0,
  }
  for (let index = 0; index < parties; index++) {
    const states: RateLimitStoreEvent[] = []
    const limiter = new RateLimiter({
      clock,
      store: cuttable(budget.store(), world, index),
      hold: 500,
      events: { shared: (state) => states.push(state) },
    })
    world.parties.push({ limiter, granted: [], isDead: false, states })
  }
  const send = async (party: Party): Promise<void> => {
    while (clock.time < end && !party.isDead) {
      const lease = await party.limiter.acquire({ buckets: [bucket] })
      party.granted.push(clock.time)
      world.granted.push(clock.time)
      await after(clock, up)
      if (judge.check(clock.time).isRefused) world.refused++
      await after(clock, down)
      if (!party.isDead) lease.answered({ status: 200 })
    }
  }
  for (const [index, party] of world.parties.entries()) {
    clock.at(index * apart, () => {
      for (let i = 0; i < loops; i++) void send(party).catch(() => {})
    })
  }
  act?.(world)
  await clock.run(end)
  for (const { limiter } of world.parties) limiter.close()
  return world
}

interface World {
  clock: VirtualClock
  parties: Party[]
  isCut: boolean
  /** Parties that cannot reach the store. */
  cut?: Set<number>
  refused: number
  granted: number[]
  /** Requests to the store for leases. */
  acquires: number
}

const after = (clock: VirtualClock, ms: number) =>
  new Promise<void>((resolve) => void clock.at(clock.time + ms, resolve))

/** A store behind a connection that can be cut, with a latency of its own. */
function cuttable(store: RateLimitStore, world: World, party = 0): RateLimitStore {
  const reach = async <T>(act: () => Promise<T>): Promise<T> => {
    await after(world.clock, 0.5)
    if (world.isCut || world.cut?.has(party)) throw new Error('cut')
    return act()
  }
  return {
    acquire: (ask) => {
      world.acquires++
      return reach(() => store.acquire(ask))
    },
    settle: (settlement) => reach(() => store.settle(settlement)),
    block: (bucket, ms) => reach(() => store.block(bucket, ms)),
    unblock: (bucket) => reach(() => store.unblock(bucket)),
    countRefusals: (count) => reach(() => store.countRefusals(count)),
    close: () => reach(() => store.close()),
  }
}

describe('four limiters on one store', () => {
  it.each(KINDS)('never exceed a %s window, use it up, and get fair shares', async (kind) => {
    const { refused, parties, granted } = await contend({ kind: kind as 'sliding' })
    expect(refused).toBe(0)
    expect(granted.length).toBeGreaterThanOrEqual(0.94 * 50 * Math.floor(10_000 / 1050))
    const shares = parties.map((party) => party.granted.length)
    expect(Math.max(...shares)).toBeLessThanOrEqual(2 * Math.min(...shares))
  })

  it('continue when one dies with requests in flight; its slots come back', async () => {
    const { refused, granted } = await contend({ end: 8000 }, ({ clock, parties }) => {
      clock.at(2010, () => {
        for (const party of parties.slice(0, 1)) {
          party.isDead = true
          party.limiter.close()
        }
      })
    })
    expect(refused).toBe(0)
    const late = granted.filter((at) => at > 4000)
    expect(late.length).toBeGreaterThanOrEqual(0.9 * 50 * 3)
  })

  it('use their shares while the store is unavailable, report that, and neither stop nor exceed the limit', async () => {
    const { parties, granted } = await contend({ end: 12_000 }, (world) => {
      world.clock.at(3000, () => (world.isCut = true))
      world.clock.at(7000, () => (world.isCut = false))
    })
    for (const { states } of parties)
      expect(states.map(({ isAway, parties: count }) => [isAway, count])).toEqual([
        [true, 4],
        [false, 4],
      ])
    const between = (from: number, to: number) => granted.filter((at) => at >= from && at < to).length
    for (let from = 4500; from < 7000; from += 250) {
      expect(between(from, from + 1000)).toBeLessThanOrEqual(50)
      expect(between(from, from + 1500)).toBeGreaterThan(0)
    }
    // At most one extra window, when it goes and when it comes back.
    for (let from = 0; from < 11_000; from += 100) expect(between(from, from + 1000)).toBeLessThanOrEqual(100)
    expect(between(9500, 10_600)).toBeGreaterThanOrEqual(45)
  })

  it.each([300, 500, 800])('exceed no limit when one of them loses the store for %i ms', async (ms) => {
    const { refused, parties, granted } = await contend({ end: 12_000 }, ({ clock, cut }) => {
      clock.at(3000, () => cut?.add(0))
      clock.at(3000 + ms, () => cut?.delete(0))
    })
    expect(parties[0]?.states.map(({ isAway }) => isAway)).toEqual([true, false])
    expect(refused).toBe(0)
    expect(granted.length).toBeGreaterThanOrEqual(0.93 * 50 * 12)
  })
})

/** Two limiters on one limit of ten per minute, whose service reports the remaining requests. */
function reportingPair() {
  const clock = new VirtualClock()
  const budget = new MemoryRateLimitStores(clock)
  const bucket = { name: 'join', limit: 10, per: 60_000 }
  const judge = new Judge({ kind: 'sliding', ...bucket })
  const make = () => new RateLimiter({ clock, store: budget.store(), hold: 500 })
  /** Sends so many requests, and returns the seconds at which they were sent. */
  const send = async (limiter: RateLimiter, count: number): Promise<number[]> => {
    const one = async () => {
      const lease = await limiter.acquire({ buckets: [bucket] })
      const { remaining } = judge.check(clock.time)
      const sentAt = Math.round(clock.time / 1000)
      await after(clock, 20)
      lease.answered({ status: 200, limit: bucket.limit, remaining })
      return sentAt
    }
    return Promise.all(Array.from({ length: count }, one))
  }
  return { clock, judge, limiters: [make(), make()] as const, send }
}

describe('the reported number of remaining requests', () => {
  it('adds no usage for two limiters that share a store', async () => {
    const { clock, limiters, send } = reportingPair()
    void send(limiters[0], 5)
    await clock.run(30_000)
    const later = send(limiters[1], 10)
    await clock.run(150_000)
    // The five slots of the first are free a minute after their use, not a minute after the second received the report.
    expect(await later).toEqual([30, 30, 30, 30, 30, 60, 60, 60, 60, 60])
  })

  it('adds the usage of another client for both', async () => {
    const { clock, judge, limiters, send } = reportingPair()
    for (let i = 0; i < 4; i++) judge.check(clock.time)
    void send(limiters[0], 1)
    await clock.run(30_000)
    const later = send(limiters[1], 10)
    await clock.run(150_000)
    expect((await later).filter((second) => second === 30)).toHaveLength(5)
    expect((await later).filter((second) => second === 60)).toHaveLength(5)
  })
})

/** A limiter whose store has latency, on a connection that can be cut. */
function withRoad(isCut = false) {
  const clock = new VirtualClock()
  const world = { clock, parties: [], isCut, refused: 0, granted: [], acquires: 0 }
  const limiter = new RateLimiter({
    clock,
    store: cuttable(new MemoryRateLimitStores(clock).store(), world),
    parties: 5,
  })
  const granted: number[] = []
  const send = async (request: Partial<LimitRequest> = {}) => {
    const lease = await limiter.acquire({
      buckets: [{ name: 'join_lobby', limit: 10, per: 60_000 }],
      ...request,
    })
    granted.push(clock.time)
    clock.at(clock.time + 10, () => lease.answered({ status: 200 }))
  }
  return { clock, world, limiter, granted, send }
}

describe('a limiter whose store takes a moment to respond', () => {
  it('starts a request without any allowed wait if a slot is free', async () => {
    const { clock, limiter, granted, send } = withRoad()
    for (let i = 0; i < 10; i++) void send({ maxWait: 0 })
    await clock.run(100)
    expect(granted).toHaveLength(10)
    await expect(send({ maxWait: 0 })).rejects.toMatchObject({ code: 'rate_limited' })
    limiter.close()
  })

  it('rejects it if others have used up the limit', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryRateLimitStores(clock)
    const world = { clock, parties: [], isCut: false, refused: 0, granted: [], acquires: 0 }
    const [first, second] = [0, 1].map(
      () => new RateLimiter({ clock, store: cuttable(budget.store(), world) }),
    )
    const buckets = [{ name: 'join_lobby', limit: 1, per: 60_000 }]
    const lease = first?.acquire({ buckets })
    await clock.run(10)
    const rejection = Promise.resolve(second?.acquire({ buckets, maxWait: 0 })).catch(
      (error: unknown) => error,
    )
    await clock.run(20)
    expect(await rejection).toMatchObject({ code: 'rate_limited', bucket: 'join_lobby' })
    await lease
    for (const limiter of [first, second]) limiter?.close()
  })

  it('resumes requests that wait for its share as soon as the whole limit is restored', async () => {
    const { clock, world, limiter, granted, send } = withRoad(true)
    void send()
    await clock.run(2000)
    world.isCut = false
    void send({ buckets: [{ name: 'send_message', limit: 10, per: 60_000 }] })
    await clock.run(50_000)
    for (let i = 0; i < 5; i++) void send()
    // Its share is two. All ten are its own one window after the store is back.
    await clock.run(62_100)
    expect(granted.filter((at) => at >= 50_000)).toHaveLength(5)
    limiter.close()
  })
})

describe('256 limiters on a limit of 50', () => {
  const many = { parties: 256, up: 10, down: 10, loops: 2 }

  it('use it up, each in its turn, with a few requests to the store for each grant', async () => {
    const { refused, parties, granted, acquires } = await contend({ ...many, end: 12_000 })
    expect(refused).toBe(0)
    expect(granted.length).toBeGreaterThanOrEqual(0.95 * 50 * 12)
    const counts = parties.map((party) => party.granted.length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
    expect(acquires).toBeLessThan(6 * granted.length)
  })

  it('use it up again three seconds after 200 of them have died while they waited', async () => {
    const { refused, granted } = await contend({ ...many, end: 12_000 }, ({ clock, parties }) => {
      clock.at(3000, () => {
        for (const party of parties.slice(0, 200)) {
          party.isDead = true
          party.limiter.close()
        }
      })
    })
    expect(refused).toBe(0)
    expect(granted.filter((at) => at > 6000).length).toBeGreaterThanOrEqual(0.9 * 50 * 6)
  })
})

describe('five limiters on a limit of ten', () => {
  const bucket = { name: 'join_lobby', limit: 10, per: 60_000 }

  it('each get their share of every window, even after the first of them had a window for itself', async () => {
    const { refused, parties } = await contend({ parties: 5, end: 400_000, apart: 1000, bucket })
    expect(refused).toBe(0)
    for (let window = 1; window <= 5; window++) {
      const from = window * 61_000 - 500
      expect(
        parties.map(({ granted }) => granted.filter((at) => at >= from && at < from + 60_000).length),
      ).toEqual([2, 2, 2, 2, 2])
    }
  })

  it('are delayed only briefly by one that dies while it waits', async () => {
    const { granted } = await contend({ parties: 5, end: 130_000, bucket }, ({ clock, parties }) => {
      clock.at(1000, () => {
        for (const party of parties.slice(1, 2)) {
          party.isDead = true
          party.limiter.close()
        }
      })
    })
    expect(granted.filter((at) => at > 60_000 && at < 61_500)).toHaveLength(10)
  })
})

describe('a long request', () => {
  const buckets = [{ name: 'join_lobby', limit: 1, per: 1000 }]

  it('holds its slot while its limiter lives, and also if that is closed before the response', async () => {
    const clock = new VirtualClock()
    const budget = new MemoryRateLimitStores(clock)
    const [first, second] = [0, 1].map(() => new RateLimiter({ clock, store: budget.store() }))
    const long = await first?.acquire({ buckets })
    let granted = 0
    const send = async () => {
      const lease = await second?.acquire({ buckets })
      granted = clock.time
      lease?.answered({ status: 200 })
    }
    void send()
    await clock.run(clock.time + 20_000)
    expect(granted).toBe(0)
    first?.close()
    await clock.run(clock.time + 40_000)
    expect(granted).toBe(0)
    long?.answered({ status: 200 })
    await clock.run(clock.time + 2000)
    expect(granted).toBeGreaterThan(60_000)
    second?.close()
    await clock.run(clock.time + 5000)
    expect(clock.waiting).toBe(0)
  })
})

describe('a limiter whose store never responds', () => {
  it('continues alone after a second and leaves no timer', async () => {
    const clock = new VirtualClock()
    const never = new Promise<never>(() => {})
    const store: RateLimitStore = {
      acquire: () => never,
      settle: () => never,
      block: () => never,
      unblock: () => never,
      countRefusals: () => never,
      close: async () => {},
    }
    const limiter = new RateLimiter({ clock, store, parties: 2 })
    const waiting = Array.from({ length: 3 }, async () =>
      limiter.acquire({ buckets: [{ name: 'join_lobby', limit: 4, per: 60_000 }] }),
    )
    await clock.run(999)
    expect(limiter.limits()[0]).toMatchObject({ inFlight: 0, waiting: 3 })
    await clock.run(1001)
    expect(limiter.limits()[0]).toMatchObject({ limit: 2, inFlight: 2, waiting: 1 })
    limiter.close()
    await expect(Promise.allSettled(waiting)).resolves.toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected' },
    ])
    await clock.run(5000)
    expect(clock.waiting).toBe(0)
  })
})

describe('a party that was idle while the store was unavailable', () => {
  it('checks the store again instead of relying on its old state', async () => {
    const world = withRoad(true)
    const { clock, limiter, granted, send } = world
    void send()
    await clock.run(100)
    expect(granted).toHaveLength(1)
    world.world.isCut = false
    await clock.run(100_000)
    void send()
    await clock.run(100_000.2)
    expect(granted).toHaveLength(1)
    await clock.run(100_010)
    expect(granted).toHaveLength(2)
    limiter.close()
  })
})
