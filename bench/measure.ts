/** Times two implementations alternately on the same machine in the same minute, so that only their ratio matters. */

/** Runs a number of operations and returns their time, in ms. Setup is not timed. */
export type Round = (operations: number) => Promise<number>

export interface Comparison {
  /** Median µs per operation. */
  readonly ours: number
  readonly peer: number
  /** Operations per second as a multiple of the peer's: the median over pairs of neighbouring rounds, which run under the same machine load. */
  readonly ratio: number
}

/** One line of the table. */
export interface Result extends Comparison {
  readonly bench: string
  readonly where: string
  readonly target: string
  /** Unit of `ours` and `peer`, if not µs. */
  readonly unit?: string
  readonly passed: boolean
}

/** Runs rounds A B A B; the first fifth only warms up. */
export async function compare(
  ours: Round,
  peer: Round,
  { rounds = 100, operations = 256 } = {},
): Promise<Comparison> {
  const times = { ours: new Array<number>(), peer: new Array<number>(), ratio: new Array<number>() }
  for (let round = 0; round < rounds; round++) {
    const a = await ours(operations)
    const b = await peer(operations)
    if (round < rounds / 5) continue
    times.ours.push((a * 1000) / operations)
    times.peer.push((b * 1000) / operations)
    times.ratio.push(b / a)
  }
  return { ours: median(times.ours), peer: median(times.peer), ratio: median(times.ratio) }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
