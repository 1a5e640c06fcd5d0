/** Backoff of a bucket after one, two and more 429 responses, until it is forgotten. */
import { describe, expect, it } from 'vitest'
import { Backoff } from '../../support/internals'

const NEVER = Number.POSITIVE_INFINITY
const RULE = { limit: 50, per: 1000 }

/** A backoff after this many separate 429s, one every ten seconds from 0 on, each with a wait of one second. */
function backoffAfter(count: number): Backoff {
  const backoff = new Backoff()
  for (let i = 0; i < count; i++) backoff.onRefusal(i * 10_000, i * 10_000, 1000)
  return backoff
}

describe('the first 429', () => {
  it('blocks until its wait is over, and then allows one request at a time', () => {
    const backoff = backoffAfter(1)
    expect([backoff.blockedUntil, backoff.cap, backoff.free(RULE, 2000), backoff.isOver]).toEqual([1000, 1, 1, false])
    expect(backoff.earliest(RULE, 3, 2000)).toBe(2000)
  })

  it('is one with those of requests sent before its end', () => {
    const backoff = backoffAfter(1)
    expect(backoff.onRefusal(999, 1200, 2000)).toEqual({ isNew: false })
    expect(backoff.blockedUntil).toBe(3200)
    expect(backoff.onRefusal(1000, 1300, 100)).toEqual({ isNew: true })
    expect(backoff.blockedUntil).toBe(3200)
  })

  it('is followed by a slow start: one more request per response, and none after the limit', () => {
    const backoff = backoffAfter(1)
    backoff.onSuccess(999, 1100, RULE)
    expect(backoff.cap).toBe(1)
    for (let i = 0; i < 49; i++) backoff.onSuccess(1000, 1100, RULE)
    expect(backoff.cap).toBe(50)
    backoff.onSuccess(1000, 1100, RULE)
    expect(backoff.cap).toBe(NEVER)
    backoff.onSuccess(1000, 1100, RULE)
    expect([backoff.cap, backoff.isOver]).toEqual([NEVER, false])
  })

  it('is forgotten after sixteen windows', () => {
    const backoff = backoffAfter(1)
    for (let i = 0; i < 50; i++) backoff.onSuccess(1000, 1100, RULE)
    backoff.onSuccess(1000, 16_999, RULE)
    expect(backoff.isOver).toBe(false)
    backoff.onSuccess(1000, 17_000, RULE)
    expect(backoff.isOver).toBe(true)
  })

  it('is over with its block when that is ended by hand', () => {
    const backoff = backoffAfter(1)
    backoff.unblock(400)
    expect([backoff.blockedUntil, backoff.onRefusal(399, 500, 0).isNew, backoff.onRefusal(400, 500, 0).isNew]).toEqual([400, false, true])
    const late = backoffAfter(1)
    late.unblock(1500)
    expect([late.blockedUntil, late.onRefusal(999, 1500, 0).isNew]).toEqual([1000, false])
  })
})

describe('a second 429', () => {
  it('spreads the rate over eighths of a window', () => {
    const backoff = backoffAfter(2)
    backoff.cap = NEVER
    expect(backoff.free(RULE, 20_000)).toBe(5)
    for (let i = 0; i < 5; i++) backoff.onResponse(20_000, RULE)
    expect([backoff.free(RULE, 20_126), backoff.free(RULE, 20_127), backoff.earliest(RULE, 0, 20_127)]).toEqual([0, 5, 20_127])
    for (let i = 0; i < 5; i++) backoff.onResponse(20_200, RULE)
    expect([backoff.earliest(RULE, 0, 20_200), backoff.earliest(RULE, 5, 20_200)]).toEqual([20_327, 20_454])
    expect(backoff.free({ limit: NEVER, per: 1000 }, 20_200)).toBe(NEVER)
  })

  it('allows no more than its slow start', () => {
    const backoff = backoffAfter(2)
    expect(backoff.free(RULE, 20_000)).toBe(1)
  })

  it('is forgotten after twice as many windows of that rate', () => {
    const backoff = backoffAfter(2)
    const smoothed = 125
    for (let i = 0; i < 50; i++) backoff.onSuccess(11_000, 11_000, RULE)
    backoff.onSuccess(11_000, 11_000 + smoothed * 32 - 1, RULE)
    expect(backoff.free(RULE, 30_000)).toBe(5)
    backoff.onSuccess(11_000, 11_000 + smoothed * 32, RULE)
    expect([backoff.free(RULE, 30_000), backoff.isOver]).toEqual([NEVER, false])
  })
})

describe('a third 429', () => {
  it('lowers the rate to 80 %, which is restored in steps of 5 %', () => {
    const backoff = backoffAfter(3)
    const free = () => {
      backoff.cap = NEVER
      return backoff.free(RULE, 90_000)
    }
    expect(free()).toBe(4)
    let now = 21_000
    const step = (ms: number) => {
      now += ms
      backoff.onSuccess(21_000, now, RULE)
      return free()
    }
    // 85, 90 and 95 % after an eighth of a window each, 100 % too, since the last 429 came at 100 %.
    expect([step(124), step(1), step(125), step(125), step(125)]).toEqual([4, 4, 5, 5, 5])
  })

  it('makes the steps from the rate of the last 429 on take full windows', () => {
    const backoff = backoffAfter(4)
    backoff.cap = NEVER
    // 0.64, refused at 0.8: 0.69, 0.74, 0.79 quickly, then a window each.
    let now = 31_000
    const freeAfter = (ms: number) => {
      now += ms
      backoff.onSuccess(31_000, now, { limit: 100, per: 1000 })
      backoff.cap = NEVER
      return backoff.free({ limit: 100, per: 1000 }, 90_000)
    }
    expect([freeAfter(0), freeAfter(125), freeAfter(125), freeAfter(125), freeAfter(125), freeAfter(874), freeAfter(1)]).toEqual([
      7, 7, 8, 8, 8, 8, 9,
    ])
  })
})
