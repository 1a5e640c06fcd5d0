/** What holds under every schedule: generated, in virtual time, and replayed by seed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { margin } from '../../../src/rate-limit/store'
import { play, RUNS, schedules } from './support/schedule'

const runs = (parameters: fc.Parameters<unknown> = {}) => ({ ...RUNS, ...parameters })

describe('under every schedule', () => {
  it('no window of any kind is exceeded, and nothing is ever refused', async () => {
    await fc.assert(
      fc.asyncProperty(schedules(), async (schedule) => {
        const { refused } = await play(schedule)
        expect(refused).toBe(0)
      }),
      runs(),
    )
  }, 120_000)

  it('every request is granted within as many windows as stand before it', async () => {
    await fc.assert(
      fc.asyncProperty(schedules({ faults: false }), async (schedule) => {
        const { outcomes, clock, limiter } = await play(schedule)
        const { per, requests, limit, all } = schedule
        const road = Math.max(...requests.map(({ up, down }) => up + down))
        const narrow = Math.min(limit, all)
        const last = Math.max(...requests.map(({ at }) => at))
        const longest = (requests.length / narrow + 2) * ((per + margin(per)) * 1.001 + road + per / 512 + 2)
        for (const { granted = Infinity } of outcomes) expect(granted).toBeLessThanOrEqual(last + longest)
        limiter.close()
        expect(clock.waiting).toBe(0)
      }),
      runs(),
    )
  }, 120_000)
})
