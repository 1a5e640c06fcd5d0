/**
 * Memory and CPU time of one process with a lobby hub, and the time until all members of 50 lobbies see a change, for 100 to 10,000 players.
 * With `--growth` a table of players by lobbies instead, which takes about ten minutes; with `--peers` a comparison
 * with socket.io and Colyseus, which takes a minute.
 */
import type { Result } from '../measure'
import { printGrowth } from './growth'
import { printPeers } from './peers'
import { type HubFigures, measureHub, percentile } from './measure-hub'

const SIZES = [100, 1000, 10_000]
const MEMBERS = 20
/** ms and MB. */
const SLOWEST = 100
const MEMORY = 400
/** Reads of `get_lobby` in 10 s that the service allows. */
const READS = 500

export async function bench(): Promise<Result[]> {
  if (process.argv.includes('--growth')) {
    await printGrowth()
    return []
  }
  if (process.argv.includes('--peers')) {
    await printPeers()
    return []
  }
  const results: Result[] = []
  for (const players of SIZES)
    results.push(...rowsOf(await measureHub({ players, lobbies: players / MEMBERS })))
  return results
}

const median = (sorted: readonly number[]) => `median ${percentile(sorted, 0.5).toFixed(1)} ms`

function rowsOf({
  population: { players },
  members,
  memory,
  cpu,
  handed,
  received,
  reads,
  load,
  closed,
}: HubFigures): Result[] {
  const row = (
    where: string,
    [ours, peer]: [number, number],
    rest: Pick<Result, 'unit' | 'target' | 'passed'>,
  ): Result => ({
    bench: `hub with ${players} players`,
    where,
    ours,
    peer,
    ratio: ours / peer,
    ...rest,
  })
  const perPlayer = ((memory.used - memory.empty) * 1024) / players
  const p99 = percentile(received, 0.99)
  return [
    row('memory of the process', [memory.used, MEMORY], {
      unit: 'MB',
      target: `<= ${MEMORY} MB, ${perPlayer.toFixed(1)} KB a player`,
      passed: memory.used <= MEMORY,
    }),
    row(`p99 to ${members} members`, [p99, SLOWEST], {
      unit: 'ms',
      target: `<= ${SLOWEST} ms, ${median(received)}, load ${load.toFixed(1)}, ${closed} streams closed`,
      passed: p99 <= SLOWEST && closed === 0,
    }),
    row('p99 until handed to a socket', [percentile(handed, 0.99), SLOWEST], {
      unit: 'ms',
      target: `<= ${SLOWEST} ms, ${median(handed)}`,
      passed: percentile(handed, 0.99) <= SLOWEST,
    }),
    row('CPU time of a delivery', [cpu.delivery * 1000, (SLOWEST / members) * 1000], {
      target: `${cpu.change.toFixed(2)} ms a change, ${cpu.connect.toFixed(2)} ms a connection, ${cpu.idle.toFixed(1)} ms an idle second`,
      passed: true,
    }),
    row('most reads in 10 s', [reads.most, READS], {
      unit: 'reads',
      target: `<= ${READS}, ${reads.connect} until connected`,
      passed: reads.most <= READS,
    }),
  ]
}
