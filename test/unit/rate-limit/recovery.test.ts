/** Recovery of a bucket to its whole limit after unexplained 429s, in virtual time. */
import { expect, it } from 'vitest'
import { RateLimiter } from '../../support/internals'
import { Judge, KINDS, type WindowKind } from './support/counting-service'
import { VirtualClock } from './support/virtual-clock'

const RULE = { limit: 50, per: 1000 }

/** Sends as much as allowed for a period; two of the first responses are 429s caused by others. Returns the times of the service’s own 429s. */
async function saturate(
  kind: WindowKind,
  { seconds, foreign = [], real = RULE.limit }: { seconds: number; foreign?: number[]; real?: number },
) {
  const clock = new VirtualClock()
  const limiter = new RateLimiter({ clock })
  const judge = new Judge({ kind, ...RULE, limit: real })
  const refused: number[] = []
  const granted: number[] = []
  const after = (ms: number) => new Promise<void>((resolve) => void clock.at(clock.time + ms, resolve))
  const send = async (): Promise<never> => {
    for (;;) {
      const lease = await limiter.acquire({ buckets: [{ name: 'b', ...RULE }] })
      granted.push(clock.time)
      await after(5)
      const { isRefused, resetAfter } = judge.check(clock.time)
      if (isRefused) refused.push(clock.time)
      const isForeign = clock.time > (foreign[0] ?? Infinity)
      if (isForeign) foreign.shift()
      await after(5)
      lease.answered(isRefused || isForeign ? { status: 429, retryAfter: resetAfter } : { status: 200 })
    }
  }
  for (let i = 0; i < 80; i++) void send().catch(() => {})
  await clock.run(seconds * 1000)
  limiter.close()
  return { refused, granted }
}

it.each(KINDS)('a %s window is kept while a bucket recovers, and used up from then on', async (kind) => {
  const { refused, granted } = await saturate(kind, { seconds: 20, foreign: [3000, 6000] })
  expect(refused).toEqual([])
  const between = (from: number, to: number) => granted.filter((at) => at >= from && at < to).length
  // Gradually first, then in whole windows again.
  expect(between(7500, 9500)).toBeLessThan(95)
  expect(between(14_000, 18_000)).toBeGreaterThan(190)
})

it('a service that weights the previous window sends ever fewer 429s', async () => {
  const { refused } = await saturate('counter', { seconds: 80, foreign: [] })
  const events = refused.filter((at, index) => at - (refused[index - 1] ?? -Infinity) > 2000)
  const pauses = events.slice(1).map((at, index) => at - (events[index] ?? 0))
  expect(pauses.length).toBeGreaterThan(3)
  expect(pauses.slice(1)).toEqual(pauses.slice(1).toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBeGreaterThan(20_000)
})

it('a service with a lower limit than documented is used up, and sends one 429 in ten', async () => {
  const { refused, granted } = await saturate('sliding', { seconds: 60, real: 20 })
  expect(granted.length - refused.length).toBeGreaterThan(0.95 * 20 * 60)
  expect(refused.length).toBeLessThan(granted.length / 10)
})
