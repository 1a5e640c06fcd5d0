/** Thresholds, windows and shares of the circuit breaker. */
import { describe, expect, it } from 'vitest'
import { CircuitBreaker } from '../../support/internals'

const CLOSED = Number.NEGATIVE_INFINITY
const UNLIMITED = Number.POSITIVE_INFINITY
const RULE = { soft: 10, hard: 20, per: 60_000 }

/** A breaker that has counted so many 403 responses at `now`. */
function breakerWith(refusals: number, now = 0): CircuitBreaker {
  const breaker = new CircuitBreaker(RULE)
  count(breaker, refusals, now)
  return breaker
}

function count(breaker: CircuitBreaker, refusals: number, now: number): void {
  for (let i = 0; i < refusals; i++) breaker.count({ status: 403 }, { now, route: 'GET /a' })
}

describe('the circuit breaker', () => {
  it.each([
    [429, true],
    [401, true],
    [403, true],
    [200, false],
    [404, false],
    [500, false],
  ])('counts status %i: %s', (status, expected) => {
    const breaker = new CircuitBreaker({ ...RULE, hard: 1 })
    expect(breaker.count({ status }, { now: 0, route: 'GET /a' })).toBe(expected)
    expect(breaker.openUntil(0)).toBe(expected ? 61_000 : CLOSED)
  })

  it('does not count a 429 that others caused', () => {
    const breaker = new CircuitBreaker({ ...RULE, hard: 1 })
    expect(breaker.count({ status: 429, scope: 'shared' }, { now: 0, route: 'GET /a' })).toBe(false)
    expect(breaker.openUntil(0)).toBe(CLOSED)
  })

  it('opens at its hard threshold, not before, until the oldest interval is a window old', () => {
    const breaker = breakerWith(19, 2500)
    expect(breaker.openUntil(2500)).toBe(CLOSED)
    count(breaker, 1, 9000)
    expect(breaker.openUntil(9000)).toBe(63_000)
  })

  it('drops an interval once it is older than a window', () => {
    const breaker = breakerWith(5, 1000)
    count(breaker, 15, 5000)
    expect(breaker.openUntil(61_999)).toBe(62_000)
    expect(breaker.openUntil(62_000)).toBe(CLOSED)
    count(breaker, 5, 62_000)
    expect(breaker.openUntil(62_000)).toBe(66_000)
  })

  it('halves concurrency at each multiple of the soft threshold, down to one', () => {
    const caps = [9, 10, 19, 20, 35, 90].map((refusals) => breakerWith(refusals).cap(12, 0))
    expect(caps).toEqual([UNLIMITED, 6, 6, 3, 1, 1])
  })

  it('restores concurrency when the refusals are older than a window', () => {
    const breaker = breakerWith(10)
    expect([breaker.cap(8, 60_999), breaker.cap(8, 61_000)]).toEqual([4, UNLIMITED])
  })

  it('halves concurrency for refusals of all parties while the report is current', () => {
    const breaker = breakerWith(3)
    breaker.updateShared({ total: 10, oldest: 500 }, 1000)
    expect([breaker.cap(8, 1499), breaker.cap(8, 1500)]).toEqual([4, UNLIMITED])
    breaker.updateShared({ total: 9, oldest: 500 }, 2000)
    expect(breaker.cap(8, 2000)).toBe(UNLIMITED)
  })

  it('counts the larger of its own and all refusals', () => {
    const breaker = breakerWith(20)
    breaker.updateShared({ total: 10, oldest: 500 }, 0)
    expect(breaker.cap(8, 0)).toBe(2)
    breaker.updateShared({ total: 30, oldest: 500 }, 0)
    expect(breaker.cap(8, 0)).toBe(1)
  })

  it('opens for the refusals of all parties at the hard threshold, and never shortens that', () => {
    const breaker = new CircuitBreaker(RULE)
    breaker.updateShared({ total: 19, oldest: 500 }, 1000)
    expect(breaker.openUntil(1000)).toBe(CLOSED)
    breaker.updateShared({ total: 20, oldest: 500 }, 1000)
    expect(breaker.openUntil(1000)).toBe(1500)
    breaker.updateShared({ total: 20, oldest: 100 }, 1100)
    expect(breaker.openUntil(1100)).toBe(1500)
    count(breaker, 1, 1100)
    expect(breaker.openUntil(1100)).toBe(1500)
  })

  it('keeps the later of two reasons to be open', () => {
    const breaker = breakerWith(20)
    breaker.updateShared({ total: 20, oldest: 90_000 }, 0)
    expect(breaker.openUntil(0)).toBe(90_000)
    breaker.clearEdge()
    expect(breaker.openUntil(0)).toBe(61_000)
  })

  it('divides its thresholds among the parties, with one refusal as the least', () => {
    const breaker = breakerWith(4)
    breaker.splitAmong(5)
    expect([breaker.cap(8, 0), breaker.openUntil(0)]).toEqual([2, 61_000])
    const many = breakerWith(1)
    many.splitAmong(40)
    expect([many.cap(8, 0), many.openUntil(0)]).toEqual([4, 61_000])
    many.splitAmong(1)
    expect([many.cap(8, 0), many.openUntil(0)]).toEqual([UNLIMITED, CLOSED])
  })

  it('compares the refusals of all parties with its whole threshold, however many parties share it', () => {
    const breaker = new CircuitBreaker(RULE)
    breaker.splitAmong(4)
    breaker.updateShared({ total: 19, oldest: 500 }, 0)
    expect(breaker.openUntil(0)).toBe(CLOSED)
  })
})

const reject = (
  breaker: CircuitBreaker,
  route: string,
  { now, retryAfter }: { now: number; retryAfter?: number },
) =>
  breaker.count(
    { status: 429, isEdge: true, ...(retryAfter !== undefined && { retryAfter }) },
    { now, route },
  )

describe('blocks by the edge', () => {
  it('of one route do not open the breaker, however often', () => {
    const breaker = new CircuitBreaker(RULE)
    for (const now of [0, 10]) reject(breaker, 'GET /a', { now, retryAfter: 5000 })
    expect(breaker.openUntil(10)).toBe(CLOSED)
  })

  it('are only those: other refusals of two routes do not open it', () => {
    const breaker = new CircuitBreaker(RULE)
    for (const route of ['GET /a', 'GET /b'])
      breaker.count({ status: 429, retryAfter: 9000 }, { now: 0, route })
    expect(breaker.openUntil(0)).toBe(CLOSED)
  })

  it('of two routes open it until the later one ends', () => {
    const breaker = new CircuitBreaker(RULE)
    reject(breaker, 'GET /a', { now: 0, retryAfter: 9000 })
    reject(breaker, 'GET /b', { now: 100, retryAfter: 5000 })
    expect(breaker.openUntil(100)).toBe(9000)
  })

  it.each([
    ['has not ended open it', 4999, 6999],
    ['has just ended do not open it', 5000, CLOSED],
  ])('of two routes of which the first %s', (_, now, expected) => {
    const breaker = new CircuitBreaker(RULE)
    reject(breaker, 'GET /a', { now: 0, retryAfter: 5000 })
    reject(breaker, 'GET /b', { now, retryAfter: 2000 })
    expect(breaker.openUntil(now)).toBe(expected)
  })

  it('of one route last until the later of its ends', () => {
    const breaker = new CircuitBreaker(RULE)
    reject(breaker, 'GET /a', { now: 0, retryAfter: 9000 })
    reject(breaker, 'GET /a', { now: 0, retryAfter: 1000 })
    reject(breaker, 'GET /b', { now: 0, retryAfter: 2000 })
    expect(breaker.openUntil(0)).toBe(9000)
  })

  it('without a retry time open nothing', () => {
    const breaker = new CircuitBreaker(RULE)
    for (const route of ['GET /a', 'GET /b']) reject(breaker, route, { now: 700 })
    expect(breaker.openUntil(700)).toBeLessThanOrEqual(700)
  })

  it('are removed on request', () => {
    const breaker = new CircuitBreaker(RULE)
    reject(breaker, 'GET /a', { now: 0, retryAfter: 9000 })
    reject(breaker, 'GET /b', { now: 0, retryAfter: 9000 })
    breaker.clearEdge()
    expect(breaker.openUntil(0)).toBe(CLOSED)
    reject(breaker, 'GET /c', { now: 0, retryAfter: 9000 })
    expect(breaker.openUntil(0)).toBe(CLOSED)
  })
})
