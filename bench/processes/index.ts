/** How well four processes use a limit that they share through Redis, and when one of them is killed. */
import { readTogether, type Use } from '../../test/support/backend-processes'
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'

/** Of the best possible time. */
const TARGET = 0.94
const REQUESTS = 1000

export async function bench(): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  return [
    toResult('50 in 1 s', await readTogether(REQUESTS, { kill: false })),
    toResult('50 in 1 s, one killed', await readTogether(REQUESTS, { kill: true })),
  ]
}

function toResult(where: string, { efficiency, unfairness, refused, time, best }: Use): Result {
  return {
    bench: '4 processes, of the best possible time',
    where,
    ours: time,
    peer: best,
    unit: 'ms',
    ratio: efficiency,
    target: `>= ${TARGET} times, ${refused} of 0 refused, shares ${unfairness.toFixed(2)} of 2 times`,
    passed: efficiency >= TARGET && refused === 0 && unfairness <= 2,
  }
}
