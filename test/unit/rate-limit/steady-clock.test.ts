/** Limits under changes of the system clock. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { monotonic, RateLimiter, systemClock } from '../../support/internals'

afterEach(() => vi.restoreAllMocks())

it.each([Infinity, 2 ** 31])('a timer of %d ms does not fire at once', async (delay) => {
  let fired = 0
  const clock = monotonic(systemClock)
  const cancels = [clock.after(delay, () => fired++), clock.afterUnref(delay, () => fired++)]
  // A platform treats an invalid delay as 1 ms; timers of one length fire in order.
  await new Promise<void>((resolve) => void setTimeout(resolve, 1))
  for (const cancel of cancels) cancel()
  expect(fired).toBe(0)
})

describe('12: a change of the system clock', () => {
  it.each([3_600_000, -3_600_000])('by %i ms releases no slot early and holds none for longer', (step) => {
    const limiter = new RateLimiter({ clock: systemClock })
    const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
    void Promise.resolve(limiter.acquire({ buckets })).then((lease) => lease.answered({ status: 200 }))
    const real = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(real + step)
    expect(limiter.limits()).toMatchObject([{ free: 0 }])
    const begin = monotonic(systemClock).elapsed()
    expect(Math.abs(monotonic(systemClock).elapsed() - begin)).toBeLessThan(1000)
    limiter.close()
  })
})
