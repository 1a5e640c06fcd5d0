/** Use of a limit that four processes share through Redis, in each way of running Redis and with its faults. */
import { FAULTS, readThrough } from '../../test/support/redis-faults'
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'

const SECONDS = 20
/** Fraction of the limit that must be used again in the last 5 s, by the round trip to the server in ms. */
const AFTER: Readonly<Record<number, number>> = { 0: 0.9, 20: 0.85, 150: 0.5 }

export async function bench(): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  const results: Result[] = []
  for (const fault of FAULTS) {
    const { share, refused, standstill, after } = await readThrough(fault, SECONDS)
    const least = AFTER[fault.away ?? 0] ?? 0.9
    console.log(
      `  ${fault.name}: ${share.toFixed(3)} of the limit, ${refused} refused, standstill ${Math.round(standstill)} ms, then ${after.toFixed(3)}`,
    )
    results.push({
      bench: '4 processes on 50 in 1 s',
      where: fault.name,
      ours: share * 50,
      peer: 50,
      unit: '/s',
      ratio: share,
      target: `${refused} refused, standstill ${Math.round(standstill)} ms, ${after.toFixed(2)} of >= ${least} in the last 5 s`,
      passed: after >= least,
    })
  }
  return results
}
