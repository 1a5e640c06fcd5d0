/** Cost and use of one budget in Redis by 4 to 256 parties in real processes, measured from outside. */
import { loadSharedLimit } from '../../test/support/shared-limit-load'
import { missingRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'

const SECONDS = 30
/** Fraction of the limit that must be used. */
const SHARE = 0.93
/** Percentage of a core that Redis may use. */
const CORE = 25
/** Commands for each request of four processes. */
const COMMANDS = 15

const LOADS = [
  { processes: 4, clients: 1 },
  { processes: 8, clients: 8 },
  { processes: 8, clients: 16 },
  { processes: 8, clients: 32 },
]

export async function bench(): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  const results: Result[] = []
  for (const load of LOADS) results.push(...(await measure(load)))
  return results
}

async function measure(load: (typeof LOADS)[number]): Promise<Result[]> {
  const use = await loadSharedLimit({ ...load, seconds: SECONDS })
  const parties = load.processes * load.clients
  const row = (
    where: string,
    [ours, peer]: [number, number],
    rest: Pick<Result, 'unit' | 'target' | 'passed'>,
  ): Result => ({
    bench: `${parties} parties on 50 in 1 s`,
    where,
    ours,
    peer,
    ratio: ours / peer,
    ...rest,
  })
  const { share, refused, redisCore, commands, scripts, served } = use
  const rows = [
    row('requests', [share * 50, 50], {
      unit: '/s',
      target: `>= ${SHARE} times, ${refused} of 0 refused, ${served} of ${parties} parties served`,
      passed: share >= SHARE && refused === 0 && served === parties,
    }),
    row('CPU time of Redis', [redisCore * 100, CORE], {
      unit: '% of a core',
      target: `< ${CORE} %`,
      passed: redisCore * 100 < CORE,
    }),
  ]
  const target =
    parties === 4 ? `<= ${COMMANDS} commands, ${scripts.toFixed(1)} scripts` : `${scripts.toFixed(1)} scripts`
  rows.push(
    row('commands per request', [commands, COMMANDS], {
      unit: 'in Redis',
      target,
      passed: parties !== 4 || commands <= COMMANDS,
    }),
  )
  return rows
}
