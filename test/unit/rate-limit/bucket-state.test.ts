/** Arithmetic on a shared bucket's stored state: steps of the clock, refusals, heartbeats and dead parties. */
import { describe, expect, it } from 'vitest'
import {
  type BucketState,
  countRefusals,
  dropDeadParties,
  dropExpired,
  emptyBucketState,
  isEmpty,
  normalizeClock,
  recordHeartbeat,
  renewLease,
} from '../../support/internals'

const NOW = 100_000_000
const BUCKET = { key: 'a', limit: 5, per: 1000 }
/** A slot whose response comes at `NOW` is free then: a window and 2 ms later. */
const FREE_AT = NOW + 1002
/** The latest release time that is possible: a lost request may arrive within a second. */
const LATEST = FREE_AT + 1000
/** The latest expiry of a lease: a minute, a window and 2 ms. */
const LATEST_LEASE = NOW + 61_002

const normalized = (changes: Partial<BucketState>, isStep = false): BucketState =>
  normalizeClock({ ...emptyBucketState(), ...changes }, BUCKET, { now: NOW, isStep })

describe('a lease', () => {
  it('lasts for its hold, a window and 2 ms after its renewal, if it has not ended', () => {
    const state = { ...emptyBucketState(), out: { 'p:1': NOW + 1, 'p:2': NOW } }
    expect(
      ['p:1', 'p:2', 'p:3'].map((lease) => renewLease(state, { bucket: BUCKET, lease, hold: 500 }, NOW)),
    ).toEqual([true, false, false])
    expect(state.out).toEqual({ 'p:1': NOW + 1502, 'p:2': NOW })
  })
})

describe('a stored state whose times are possible', () => {
  it('stays as it is', () => {
    const state = {
      releasing: [FREE_AT, 1, LATEST, 2],
      out: { 'p:1': NOW + 500, 'q:2': LATEST_LEASE },
      blockedUntil: NOW + 300_000,
      isProbing: true,
      reservations: [{ party: 'p', slots: 1, until: NOW + 300_100 }],
    }
    expect(normalized(structuredClone(state))).toEqual(state)
  })

  it('keeps a block that is over', () => {
    expect(normalized({ blockedUntil: NOW - 5 }).blockedUntil).toBe(NOW - 5)
  })
})

describe('a stored state with times further ahead than possible', () => {
  it('releases all of its slots one window from now', () => {
    expect(normalized({ releasing: [FREE_AT - 900, 2, LATEST + 1, 3] }).releasing).toEqual([FREE_AT, 5])
    expect(normalized({ releasing: [FREE_AT - 900, 2, LATEST, 3] }).releasing).toEqual([
      FREE_AT - 900,
      2,
      LATEST,
      3,
    ])
  })

  it('loses the reservations that are too late, and keeps the others', () => {
    const reservations = [LATEST + 100, LATEST + 101].map((until, index) => ({
      party: String(index),
      slots: 1,
      until,
    }))
    expect(normalized({ reservations }).reservations).toEqual(reservations.slice(0, 1))
  })

  it('keeps reservations until shortly after its block', () => {
    const blockedUntil = NOW + 9000
    const reservations = [blockedUntil + 100, blockedUntil + 101].map((until) => ({
      party: 'p',
      slots: 1,
      until,
    }))
    expect(normalized({ blockedUntil, reservations }).reservations).toEqual(reservations.slice(0, 1))
  })

  it('holds a lease for a minute and a window at most', () => {
    expect(normalized({ out: { 'p:1': LATEST_LEASE + 1, 'q:1': NOW + 1 } }).out).toEqual({
      'p:1': LATEST_LEASE,
      'q:1': NOW + 1,
    })
  })

  it('is blocked for five minutes at most, or for a window if that is longer', () => {
    const ahead = { ...emptyBucketState(), blockedUntil: NOW + 9_000_000 }
    const blockedUntil = (per: number) =>
      normalizeClock({ ...ahead }, { ...BUCKET, per }, { now: NOW, isStep: false }).blockedUntil
    expect([blockedUntil(1000), blockedUntil(600_000)]).toEqual([NOW + 300_000, NOW + 600_000])
  })
})

describe('a stored state after a step of the clock', () => {
  it('counts all releasing slots as just answered', () => {
    expect(normalized({ releasing: [NOW - 50, 1, NOW + 10, 2] }, true).releasing).toEqual([FREE_AT, 3])
  })

  it('has no releasing slots if it had none', () => {
    expect(normalized({}, true).releasing).toEqual([])
  })

  it('holds every lease for the longest time, and has no reservations', () => {
    const reservations = [{ party: 'p', slots: 1, until: NOW + 5 }]
    expect(normalized({ out: { 'p:1': NOW + 5 }, reservations }, true)).toMatchObject({
      out: { 'p:1': LATEST_LEASE },
      reservations: [],
    })
  })
})

describe('expired entries', () => {
  it('are dropped at their time, not before', () => {
    const reservations = [NOW, NOW + 1].map((until) => ({ party: 'p', slots: 1, until }))
    const state = {
      ...emptyBucketState(),
      releasing: [NOW, 1, NOW + 1, 2],
      out: { 'p:1': NOW, 'p:2': NOW + 1 },
      reservations,
    }
    dropExpired(state, NOW)
    expect(state).toEqual({
      ...emptyBucketState(),
      releasing: [NOW + 1, 2],
      out: { 'p:2': NOW + 1 },
      reservations: reservations.slice(1),
    })
  })
})

const left = (lease: string, silence: number) => {
  const state = { ...emptyBucketState(), out: { [lease]: NOW + 90_000 } }
  dropDeadParties(state, BUCKET, { present: { p: NOW - silence }, now: NOW })
  return Object.keys(state.out)
}

describe('leases of a party without a heartbeat', () => {
  it('are dropped four seconds and a window after the last heartbeat, not before', () => {
    expect([left('p:1', 5001), left('p:1', 5002)]).toEqual([['p:1'], []])
  })

  it('belong to the party before the first colon', () => {
    expect(left('p:1:2', 6000)).toEqual([])
  })

  it('are kept if the party is unknown', () => {
    expect(left('q:1', 600_000)).toEqual(['q:1'])
  })
})

describe('refusals', () => {
  /** Ten-second interval of `NOW`. */
  const CURRENT = NOW / 10_000

  it('are counted for ten minutes after the end of their interval', () => {
    const parts = { [CURRENT - 60]: 3, [CURRENT - 61]: 4, [CURRENT]: 1 }
    expect(countRefusals(parts, 2, NOW)).toEqual({ total: 6, oldest: 10_000 })
    expect(parts).toEqual({ [CURRENT - 60]: 3, [CURRENT]: 3 })
  })

  it('start an interval of their own', () => {
    const parts = { [CURRENT - 2]: 1 }
    expect(countRefusals(parts, 1, NOW)).toEqual({ total: 2, oldest: 590_000 })
    expect(parts).toEqual({ [CURRENT - 2]: 1, [CURRENT]: 1 })
  })

  it('leave no interval if there are none', () => {
    const parts = {}
    expect(countRefusals(parts, 0, NOW + 4000)).toEqual({ total: 0, oldest: 606_000 })
    expect(parts).toEqual({})
  })

  it('of a clock that was set back since count as current', () => {
    const parts = { [CURRENT]: 1, [CURRENT + 7]: 2, [CURRENT + 9]: 3 }
    expect(countRefusals(parts, 4, NOW)).toEqual({ total: 10, oldest: 610_000 })
    expect(parts).toEqual({ [CURRENT]: 10 })
  })
})

describe('an empty state', () => {
  it('can be deleted once its block is over', () => {
    const state = { ...emptyBucketState(), blockedUntil: NOW }
    expect([isEmpty(state, NOW - 1), isEmpty(state, NOW)]).toEqual([false, true])
  })

  it.each([
    ['releasing slots', { releasing: [NOW + 5, 1] }],
    ['leases in flight', { out: { 'p:1': NOW + 5 } }],
    ['reservations', { reservations: [{ party: 'p', slots: 1, until: NOW + 5 }] }],
  ])('is not one with %s', (_, changes) => {
    expect(isEmpty({ ...emptyBucketState(), ...changes }, NOW)).toBe(false)
  })
})

describe('an empty state without a block', () => {
  it('allows all requests, not one at a time', () => {
    expect(emptyBucketState().isProbing).toBe(false)
  })
})

describe('a heartbeat', () => {
  it('counts the parties seen within a minute, and forgets those silent for more than ten', () => {
    const parties = { a: NOW - 60_000, b: NOW - 60_001, c: NOW - 600_000, d: NOW - 600_001 }
    expect(recordHeartbeat(parties, 'e', { now: NOW })).toBe(2)
    expect(parties).toEqual({ a: NOW - 60_000, b: NOW - 60_001, c: NOW - 600_000, e: NOW })
  })

  it('counts a party whose heartbeat lies in the future as just seen', () => {
    const parties = { a: NOW + 5 }
    expect(recordHeartbeat(parties, 'b', { now: NOW })).toBe(2)
    expect(parties).toEqual({ a: NOW, b: NOW })
  })

  it('counts every party as just seen after a step of the clock', () => {
    const parties = { a: NOW - 700_000 }
    expect(recordHeartbeat(parties, 'b', { now: NOW, isStep: true })).toBe(2)
    expect(parties).toEqual({ a: NOW, b: NOW })
  })
})
