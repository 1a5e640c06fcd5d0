/** Rate limit windows under generated schedules, exact to the millisecond, which real time between requests would blur. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WindowKind } from 'foyer-emulator'
import { createWindow, type Window } from '../../support/emulator-internals'

const kinds = ['fixed', 'first', 'sliding', 'token'] as const
const startWindow = 1_700_000_000_000

interface Schedule {
  limit: number
  per: number
  pauses: number[]
}

const schedules = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  per: fc.integer({ min: 1, max: 50 }),
  pauses: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 60 }),
})

/** Time of each request, and whether it was accepted. */
function play(
  kind: WindowKind,
  { limit, per, pauses }: Schedule,
): { window: Window; now: number; granted: number[]; refused: number[] } {
  const window = createWindow(kind, { limit, per })
  const granted: number[] = []
  const refused: number[] = []
  let now = startWindow
  for (const pause of pauses) {
    now += pause
    const fits = window.wait(now) === 0
    if (fits) window.spend(now)
    ;(fits ? granted : refused).push(now)
  }
  return { window, now, granted, refused }
}

function expectAlways(property: (schedule: Schedule) => boolean): void {
  expect(fc.check(fc.property(schedules, property), { numRuns: 500 })).toMatchObject({ failed: false })
}

describe.each(kinds)('a %s window', (kind) => {
  it('accepts a request exactly after the reported wait and not before', () => {
    expectAlways((schedule) => {
      const { window, now } = play(kind, schedule)
      const wait = window.wait(now)
      return (wait === 0 || window.wait(now + wait - 1) > 0) && window.wait(now + wait) === 0
    })
  })

  it('is reset exactly at the reported time', () => {
    expectAlways((schedule) => {
      const { window, now } = play(kind, schedule)
      const rest = window.wholeIn(now)
      return (
        (rest === 0 || kind === 'token' || window.wholeIn(now + rest - 1) === 1) &&
        window.remaining(now + rest) === schedule.limit
      )
    })
  })

  it('has room exactly if it reports remaining requests', () => {
    expectAlways((schedule) => {
      const { window, now } = play(kind, schedule)
      return window.remaining(now) > 0 === (window.wait(now) === 0)
    })
  })
})

const within = (times: number[], from: number, length: number) =>
  times.filter((time) => time >= from && time < from + length).length

describe('no schedule exceeds the limit', () => {
  it('in any period of a sliding window, and none gets less', () => {
    expectAlways((schedule) => {
      const { limit, per } = schedule
      const { granted, refused } = play('sliding', schedule)
      return (
        granted.every((time) => within(granted, time, per) <= limit) &&
        refused.every((time) => within(granted, time - per + 1, per) === limit)
      )
    })
  })

  it('in a fixed window', () => {
    expectAlways((schedule) => {
      const { limit, per } = schedule
      const { granted, refused } = play('fixed', schedule)
      const marks = granted.map((time) => time - (time % per))
      return (
        marks.every((mark) => within(granted, mark, per) <= limit) &&
        refused.every((time) => within(granted, time - (time % per), per) === limit)
      )
    })
  })

  it('in a window that begins with its first request', () => {
    expectAlways((schedule) => {
      const { limit, per } = schedule
      const { granted } = play('first', schedule)
      let start = Number.NEGATIVE_INFINITY
      const starts = granted.map((time) => (start = time < start + per ? start : time))
      return starts.every((one) => starts.filter((other) => other === one).length <= limit)
    })
  })

  it('of a token bucket with steady refill', () => {
    expectAlways((schedule) => {
      const { limit, per } = schedule
      const { granted } = play('token', schedule)
      return granted.every((from, index) =>
        granted.slice(index).every((to, count) => count + 1 <= limit + ((to - from) * limit) / per + 1e-6),
      )
    })
  })
})
