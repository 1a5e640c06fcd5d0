/** Benchmark of responding to an interaction, in Node, with its targets. */
import type { Result } from '../measure'
import { runEndpoint, runRouter } from './workload'

const NAME = 'interactions'
/** All work besides the signature takes at most a fifth of it. Ratios are operations per second, ours to the peer's. */
const ENDPOINT = 1 / 1.2
/** Finding and running the handler takes at most 1.2 times the time of parsing the body, which is included. */
const ROUTER = 0.45

export async function bench(): Promise<Result[]> {
  const endpoint = await runEndpoint()
  const router = await runRouter()
  return [
    {
      bench: NAME,
      where: 'Node, endpoint',
      ...endpoint,
      target: `>= ${ENDPOINT.toFixed(2)} times`,
      passed: endpoint.ratio >= ENDPOINT,
    },
    {
      bench: NAME,
      where: 'Node, router',
      ...router,
      target: `>= ${ROUTER.toFixed(2)} times`,
      passed: router.ratio >= ROUTER,
    },
  ]
}
