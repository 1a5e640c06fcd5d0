/** Compares the limiter and its peers in one run, one after another: a burst of three windows on a sliding window, without headers. One round, at most a minute each. */
import type { Result } from '../measure'
import { measureOurs, toResult } from './efficiency'
import type * as Parts from './parts'
import { PEERS } from './peers'
import { BESIDE, WARM } from './rows'
import { measure, type Measured } from './service'

/** ms. */
const AT_MOST = 60_000

export async function besidePeers(parts: typeof Parts): Promise<Result[]> {
  await measureOurs(parts, WARM)
  const results: Result[] = []
  for (const row of BESIDE) {
    console.log(`  ${row.name}: share of the best possible time / answers 429`)
    const ours = await measureOurs(parts, row)
    print('ours', ours)
    results.push(toResult(row, [ours]))
    for (const [peer, make] of Object.entries(PEERS))
      print(peer, await measure(row, make(row.limit, row.per), AT_MOST))
  }
  return results
}

function print(name: string, { time, best, refused, done }: Measured): void {
  const reached =
    time < Number.POSITIVE_INFINITY ? `${((best / time) * 100).toFixed(0)} %` : `${done} done in a minute`
  console.log(`    ${name.padEnd(30)} ${reached} / ${refused}`)
}
