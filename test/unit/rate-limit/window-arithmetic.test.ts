/** Arithmetic of a limit: smaller portions of its rate, parts of it for several parties, and margins of time. */
import { describe, expect, it } from 'vitest'
import {
  fairPart,
  freeAt,
  gateOf,
  granularity,
  margin,
  opensAt,
  reservationHold,
  smoothed,
} from '../../support/internals'

describe('a rate in smaller portions', () => {
  it.each([
    [{ limit: 50, per: 1000 }, 1, { limit: 5, per: 125 }],
    [{ limit: 50, per: 1000 }, 0.5, { limit: 2, per: 125 }],
    [{ limit: 9, per: 1000 }, 1, { limit: 1, per: 125 }],
    [{ limit: 5, per: 1000 }, 1, { limit: 1, per: 250 }],
    [{ limit: 4, per: 1000 }, 1, { limit: 1, per: 334 }],
    [{ limit: 2, per: 1000 }, 1, { limit: 1, per: 1000 }],
    [{ limit: 1, per: 1000 }, 1, { limit: 1, per: 2000 }],
    [{ limit: 3, per: 1000 }, 0.1, { limit: 1, per: 2000 }],
  ])('%o at %d is %o', (rule, fraction, expected) => {
    expect(smoothed(rule, fraction)).toEqual(expected)
  })
})

describe('a limit that parties divide', () => {
  it('has equal parts of one slot or more', () => {
    expect([1, 4, 50, 200].map((parties) => fairPart({ limit: 50, per: 1000 }, parties).limit)).toEqual([
      50, 12, 1, 1,
    ])
  })

  it('is used in turns if there are more parties than slots', () => {
    const rule = { limit: 50, per: 1000 }
    expect(gateOf(rule, { parties: 50, phase: 0.5 })).toBeUndefined()
    expect(gateOf(rule, { parties: 51, phase: 0.5 })).toEqual({ period: 1020, offset: 510, width: 125 })
    expect(gateOf({ limit: 3, per: 1000 }, { parties: 4, phase: 0 })).toEqual({
      period: 1334,
      offset: 0,
      width: 125,
    })
  })

  it('opens for each party at the start of its turn, for an eighth of a window', () => {
    const gate = { period: 1000, offset: 300, width: 125 }
    expect([0, 299, 300, 424, 425, 1299, 1300, 1424.5].map((now) => opensAt(gate, now))).toEqual([
      300, 300, 300, 424, 1300, 1300, 1300, 1424.5,
    ])
    expect(opensAt(gate, 425.5)).toBe(1300)
    expect(opensAt({ ...gate, offset: 950 }, 10)).toBe(10)
    expect(opensAt({ ...gate, offset: 5000 }, 200)).toBe(1000)
  })
})

describe('the margins of time', () => {
  it('are 2 ms or 0.02 % of a window', () => {
    expect([0, 1000, 10_000, 10_001, 600_000].map((per) => margin(per))).toEqual([2, 2, 2, 3, 120])
  })

  it('round the end of a window up to 1/1024 of it', () => {
    expect([1000, 2048, 600_000].map((per) => granularity(per))).toEqual([1, 2, 585])
    expect([freeAt(10, 1000), freeAt(1, 2048), freeAt(0, 600_000)]).toEqual([1012, 2052, 600_210])
  })

  it('hold a slot for a late party for a tenth of a window, a second at most', () => {
    expect([101, 1000, 10_000, 60_000].map((per) => reservationHold(per))).toEqual([11, 100, 1000, 1000])
  })
})
