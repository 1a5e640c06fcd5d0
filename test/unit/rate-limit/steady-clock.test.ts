/** Time that never jumps. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/foundation/clock'
import { steady } from '../../../src/foundation/steady-clock'
import { RateLimiter } from '../../../src/rate-limit/limiter'

afterEach(() => vi.restoreAllMocks())

describe('12: a clock that is set', () => {
  it.each([3_600_000, -3_600_000])('by %i ms frees no slot early and holds none for longer', (step) => {
    const limiter = new RateLimiter({ clock: systemClock })
    const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
    void Promise.resolve(limiter.acquire({ buckets })).then((lease) => lease.answered({ status: 200 }))
    const real = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(real + step)
    expect(limiter.limits()).toMatchObject([{ free: 0 }])
    const begin = steady(systemClock).elapsed()
    expect(Math.abs(steady(systemClock).elapsed() - begin)).toBeLessThan(1000)
    limiter.close()
  })
})
