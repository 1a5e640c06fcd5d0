/** Measures how close the limiter comes to the best possible time, and counts refused requests. */
import type { Result } from '../measure'
import type * as Parts from './parts'
import { allRows, type Row, someRows, WARM } from './rows'
import { measure, type Measured, type Send } from './service'

/** Number of short rows that run at once: they mostly wait. */
const LINES = 6
const ROUNDS = 3

/** Takes a few minutes with `isFull`, less than one without. */
export async function efficiency(parts: typeof Parts, { isFull }: { isFull: boolean }): Promise<Result[]> {
  await measureOurs(parts, WARM)
  const all = isFull ? allRows() : someRows()
  const results = new Map<Row, Result>()
  const run = async (one: Row) => {
    const measured: Measured[] = []
    for (let round = 0; round < (one.per > 1000 && !isFull ? 1 : ROUNDS); round++)
      measured.push(await measureOurs(parts, one))
    const result = toResult(one, measured)
    results.set(one, result)
    console.log(
      `  ${results.size} of ${all.length}: ${one.name}: ${share(result.ratio)}${result.passed ? '' : ', FAIL'}`,
    )
  }
  // Long rows run beside all others; the rest run a few at a time.
  const lines = all.filter(({ per }) => per > 1000).map(run)
  const queue = all.filter(({ per }) => per <= 1000)
  for (let line = 0; line < LINES; line++) lines.push(drain(queue, run))
  await Promise.all(lines)
  return all.flatMap((one) => results.get(one) ?? [])
}

async function drain(queue: Row[], run: (row: Row) => Promise<void>): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) await run(next)
}

export async function measureOurs(
  { RateLimiter, parseRateLimitHeaders, systemClock }: typeof Parts,
  cell: Row,
): Promise<Measured> {
  const limiter = new RateLimiter({ clock: systemClock })
  const { limit, per, key } = cell
  // A player's bucket applies together with the global one; a global bucket applies alone.
  const buckets =
    key === undefined ? [{ name: 'global', limit, per }] : [{ name: 'join_lobby', key, limit, per }, GENEROUS]
  const send: Send = async (request) => {
    const lease = await limiter.acquire({ buckets })
    const answer = await request()
    lease.answered(parseRateLimitHeaders(answer, Date.now()))
    return answer
  }
  const measured = await measure(cell, send, 5 * 60_000)
  limiter.close()
  return measured
}

const GENEROUS = { name: 'global', limit: 1e6, per: 1000 }

const share = (ratio: number): string => `${(ratio * 100).toFixed(1)} % of the best possible time`

/** Takes the time of the median round, and the refusals of all rounds. */
export function toResult({ name, target }: Row, measured: readonly Measured[]): Result {
  const sorted = measured.toSorted((a, b) => a.time - b.time)
  const { time = Number.NaN, best = Number.NaN } = sorted[Math.floor(sorted.length / 2)] ?? {}
  const refused = measured.reduce((sum, each) => sum + each.refused, 0)
  const ratio = best / time
  return {
    bench: `limiter, of the best possible time`,
    where: name,
    ours: time,
    peer: best,
    unit: 'ms',
    ratio,
    target: `>= ${target} times, ${refused} of 0 refused`,
    passed: ratio >= target && refused === 0,
  }
}
