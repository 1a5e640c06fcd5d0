/** Prints how memory, CPU time and latency grow with players and lobbies, as rows of the table in docs/proofs/lobby-hub.md. */
import { type HubFigures, measureHub, percentile } from './measure-hub'

const PLAYERS = [100, 1000, 10_000]
const LOBBIES = [10, 50, 500]
const ROUNDS = 8

export async function printGrowth(): Promise<void> {
  print([
    'players',
    'lobbies',
    'members told',
    'MB',
    'CPU ms: connection',
    'idle second',
    'change',
    'µs: delivery',
    'p50 ms',
    'p99 ms',
    'load',
  ])
  for (const players of PLAYERS)
    for (const lobbies of LOBBIES) print(rowOf(await measureHub({ players, lobbies }, { rounds: ROUNDS })))
}

const print = (cells: readonly (number | string)[]): void => console.log(`| ${cells.join(' | ')} |`)

function rowOf({
  population: { players, lobbies },
  members,
  memory,
  cpu,
  received,
  load,
  closed,
}: HubFigures): (number | string)[] {
  const latency = [percentile(received, 0.5).toFixed(0), percentile(received, 0.99).toFixed(0)]
  const times = [
    cpu.connect.toFixed(2),
    cpu.idle.toFixed(1),
    cpu.change.toFixed(2),
    (cpu.delivery * 1000).toFixed(0),
  ]
  return [
    players,
    lobbies,
    members,
    memory.used.toFixed(0),
    ...times,
    ...latency,
    load.toFixed(0),
    ...(closed > 0 ? [`${closed} closed`] : []),
  ]
}
