/** Efficiency of four processes that share a limit through Redis, also when one of them is killed. */
import { readTogether } from '../../test/support/backend-processes'
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'
import { sharedLimit } from '../shared-limit'

const WHO = '4 processes'
const REQUESTS = 1000

export async function bench(): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  return [
    sharedLimit(WHO, '50 in 1 s', await readTogether(REQUESTS, { kill: false })),
    sharedLimit(WHO, '50 in 1 s, one killed', await readTogether(REQUESTS, { kill: true })),
  ]
}
