/** When each exchange of a run was under way, in percent of the run. A run begins with an authorize page. */
import type { Exchange } from '../../exchanges/exchange'

/** ms without a message, after which another group begins. */
const PAUSE = 2000

/** Percent of the run's time. */
export interface Bar {
  readonly start: number
  readonly length: number
}

type Timed = Pick<Exchange, 'id' | 'kind' | 'startedAt' | 'duration'>

/** Bars by the id of the exchange. An exchange without a response lasts until the end of its run. */
export function waterfall(exchanges: readonly Timed[]): ReadonlyMap<number, Bar> {
  return new Map(runsOf(exchanges).flatMap(barsOf))
}

function runsOf(exchanges: readonly Timed[]): Timed[][] {
  const runs: Timed[][] = []
  for (const exchange of exchanges) {
    const run = runs.at(-1)
    if (!run || exchange.kind === 'authorize' || isLater(exchange, run)) runs.push([exchange])
    else run.push(exchange)
  }
  return runs
}

/** True if nothing was under way for a while: a later call of the game has a scale of its own. */
function isLater({ startedAt }: Timed, run: readonly Timed[]): boolean {
  const open = run.some(({ duration }) => duration === undefined)
  return !open && startedAt - Math.max(...run.map((one) => one.startedAt + (one.duration ?? 0))) > PAUSE
}

function barsOf(run: readonly Timed[]): (readonly [number, Bar])[] {
  const start = Math.min(...run.map(({ startedAt }) => startedAt))
  const end = Math.max(...run.map(({ startedAt, duration = 0 }) => startedAt + duration))
  const percent = (ms: number) => (end === start ? 100 : (100 * ms) / (end - start))
  return run.map(({ id, startedAt, duration = end - startedAt }) => [
    id,
    { start: end === start ? 0 : percent(startedAt - start), length: percent(duration) },
  ])
}
