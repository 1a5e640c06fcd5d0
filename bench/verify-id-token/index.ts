/** Benchmark of redeeming a code and verifying its ID token, in Node and in Chromium, with its targets. */
import { inChromium } from '../page'
import type { Comparison, Result } from '../measure'
import { run } from './workload'

const NAME = 'verify-id-token'
/** In a page, all checks and the bounded reading together take at most one and a half times as long again as the signature alone. */
const TARGET = 0.58

export async function bench(): Promise<Result[]> {
  const node = await run()
  const chromium = await inChromium<Comparison>('bench/verify-id-token/workload.ts')
  return [
    // Node's web streams cost more than the signature, and no game signs in there: reported, not asserted.
    { bench: NAME, where: 'Node', ...node, target: 'none', passed: true },
    {
      bench: NAME,
      where: 'Chromium',
      ...chromium,
      target: `>= ${TARGET} times`,
      passed: chromium.ratio >= TARGET,
    },
  ]
}
