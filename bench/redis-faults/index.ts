/** Use of a limit that four processes share through Redis, in each way of running Redis and with its faults. */
import { FAULTS, readThrough } from '../../test/support/redis-faults'
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'

/** A Sentinel takes up to ten seconds to announce a failover on request, and the last 5 s have to lie after it. */
const SECONDS = 25
/** Fraction of the limit that must be used again in the last 5 s, after a fault. */
const AFTER = 0.9
/** Fraction that must be used in the whole run, by the round trip to the server in ms: nothing fails there that has to recover. */
const THROUGHOUT: Readonly<Record<number, number>> = { 20: 0.85, 150: 0.65 }

export async function bench(): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  const results: Result[] = []
  for (const fault of FAULTS) {
    const { share, refused, standstill, after } = await readThrough(fault, SECONDS)
    const throughout = THROUGHOUT[fault.away ?? 0]
    const [used, least, time] =
      throughout === undefined ? [after, AFTER, 'in the last 5 s'] : [share, throughout, 'in the whole run']
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
      target: `${refused} refused, standstill ${Math.round(standstill)} ms, ${used.toFixed(2)} of >= ${least} ${time}`,
      passed: used >= least,
    })
  }
  return results
}
