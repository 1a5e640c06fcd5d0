/** Benchmark of starting a sign-in, in Node and in Chromium, with its targets. */
import { inChromium } from '../page'
import type { Comparison, Result } from '../measure'
import { run } from './workload'

const NAME = 'begin-sign-in'

export async function bench(): Promise<Result[]> {
  const node = await run()
  const chromium = await inChromium<Comparison>('bench/begin-sign-in/workload.ts')
  return [
    { bench: NAME, where: 'Node', ...node, target: '>= 3 times', passed: node.ratio >= 3 },
    // The SDK's synchronous start exists so that a browser opens the popup inside the click; in Chromium it only must not be slower.
    {
      bench: NAME,
      where: 'Chromium',
      ...chromium,
      target: '>= 1 time, <= 100 µs',
      passed: chromium.ratio >= 1 && chromium.ours <= 100,
    },
  ]
}
