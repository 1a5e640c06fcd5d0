/** Arithmetic of one bucket: releasing slots, earliest starts, smaller portions of a rate, and parts of it for several parties. */
import { describe, expect, it } from 'vitest'
import {
  fairPart,
  freeAt,
  gateOf,
  granularity,
  margin,
  opensAt,
  ReleaseLog,
  reservationHold,
  SlotWindow,
  smoothed,
} from '../../support/internals'

const NEVER = Number.POSITIVE_INFINITY

/** A log with these release times and counts. */
function logOf(...pairs: [at: number, count: number][]): ReleaseLog {
  const log = new ReleaseLog()
  for (const [at, count] of pairs) log.add(at, count)
  return log
}

describe('a log of releases', () => {
  it('is in order, with equal times as one', () => {
    const log = logOf([30, 1], [10, 2], [20, 1], [10, 3], [30, 4], [5, 1])
    expect(log.toPairs()).toEqual([5, 1, 10, 5, 20, 1, 30, 5])
    expect([log.total, log.first, log.last]).toEqual([12, 5, 30])
  })

  it('returns the release time of each slot', () => {
    const log = logOf([10, 2], [20, 1])
    expect([0, 1, 2, 3].map((index) => log.at(index))).toEqual([10, 10, 20, undefined])
  })

  it('drops what is free, at its time and not before', () => {
    const log = logOf([10, 2], [20, 1])
    log.expire(9)
    expect(log.total).toBe(3)
    log.expire(10)
    expect([log.total, log.first, log.toPairs(), log.at(0)]).toEqual([1, 20, [20, 1], 20])
    log.expire(20)
    expect([log.total, log.first, log.toPairs()]).toEqual([0, NEVER, []])
  })

  it('is restored from its serialized form', () => {
    const log = ReleaseLog.from([10, 2, 20, 1])
    expect([log.total, log.toPairs()]).toEqual([3, [10, 2, 20, 1]])
    expect(ReleaseLog.from([]).last).toBe(Number.NEGATIVE_INFINITY)
  })

  it('stays right while hundreds of times come and go', () => {
    const log = new ReleaseLog()
    let model: number[] = []
    for (let now = 0; now < 1000; now++) {
      const at = now + 100 + ((now * 37) % 23)
      log.add(at, 1 + (now % 2))
      model.push(at, ...(now % 2 ? [at] : []))
      log.expire(now)
      model = model.filter((time) => time > now).sort((a, b) => a - b)
      if (now % 50 > 0) continue
      expect([log.total, log.first, log.last]).toEqual([model.length, model[0], model.at(-1)])
      expect(model.map((_, index) => log.at(index))).toEqual(model)
    }
  })
})

/** Occupies slots until these times. */
function windowOf(inFlight: number, ...times: number[]): SlotWindow {
  const window = new SlotWindow()
  for (const at of times) window.occupyUntil(at)
  window.inFlight = inFlight
  return window
}

describe('the window of a bucket', () => {
  it('is empty at first', () => {
    const window = new SlotWindow()
    expect([window.releasing, window.nextRelease, window.lastRelease, window.free(5, 0)]).toEqual([0, NEVER, -NEVER, 5])
  })

  it.each([
    ['one time', [100, 100], 100],
    ['several times', [100, 200], 200],
  ])('releases slots with %s', (_, times, last) => {
    const window = windowOf(1, ...times)
    expect([window.releasing, window.nextRelease, window.lastRelease, window.free(5, 99)]).toEqual([2, 100, last, 2])
    expect(window.free(5, 100)).toBe(last === 100 ? 4 : 3)
    expect(window.nextRelease).toBe(last === 100 ? NEVER : 200)
    expect([window.free(5, 200), window.nextRelease, window.lastRelease]).toEqual([4, NEVER, -NEVER])
    window.occupyUntil(300, 2)
    expect([window.releasing, window.nextRelease, window.lastRelease, window.free(5, 299), window.free(5, 300)]).toEqual([
      2, 300, 300, 2, 4,
    ])
  })

  it('has less than no free slots after its limit was lowered', () => {
    expect(windowOf(3, 100).free(2, 0)).toBe(-2)
  })

  it('has an earliest start for each waiting request', () => {
    const rule = { limit: 3, per: 1000 }
    const starts = (window: SlotWindow) => [0, 1, 2, 3, 4, 5, 6].map((ahead) => window.earliest(rule, ahead, 50))
    expect(starts(new SlotWindow())).toEqual([50, 50, 50, 1052, 1052, 1052, 2054])
    expect(starts(windowOf(0, 100, 100))).toEqual([50, 100, 100, 1052, 1102, 1102, 2054])
    expect(starts(windowOf(0, 100, 200))).toEqual([50, 100, 200, 1052, 1102, 1202, 2054])
    expect(starts(windowOf(2, 100))).toEqual([100, 1052, 1052, 1102, 2054, 2054, 2104])
    expect(starts(windowOf(0, 100, 200, 300, 400))).toEqual([200, 300, 400, 1202, 1302, 1402, 2204])
    expect(windowOf(9, 100).earliest({ limit: NEVER, per: 1000 }, 5, 50)).toBe(50)
  })
})

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
    expect([1, 4, 50, 200].map((parties) => fairPart({ limit: 50, per: 1000 }, parties).limit)).toEqual([50, 12, 1, 1])
  })

  it('is used in turns if there are more parties than slots', () => {
    const rule = { limit: 50, per: 1000 }
    expect(gateOf(rule, { parties: 50, phase: 0.5 })).toBeUndefined()
    expect(gateOf(rule, { parties: 51, phase: 0.5 })).toEqual({ period: 1020, offset: 510, width: 125 })
    expect(gateOf({ limit: 3, per: 1000 }, { parties: 4, phase: 0 })).toEqual({ period: 1334, offset: 0, width: 125 })
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
