/** A service in the same process that counts requests in one of four windows, at the end of a road of a given length. */
import { Judge, type WindowKind } from '../../test/unit/rate-limit/support/service'

export interface Cell {
  readonly kind: WindowKind
  readonly limit: number
  readonly per: number
  readonly requests: number
  /** ms there and back. */
  readonly trip: number
  /** Each leg varies by so much, up and down, as a part of itself. */
  readonly jitter: number
  /** Requests that go first, `lead` ms before the rest: the rest meets the edge of a window. */
  readonly early: number
  readonly lead: number
}

/** Runs one request through a limiter. */
export type Send = (request: () => Promise<void>) => Promise<unknown>

export interface Measured {
  /** ms from the first request to the last answer. */
  readonly time: number
  /** What no schedule can beat, ms. */
  readonly best: number
  readonly refused: number
}

/** Sends all requests of a cell at once through `send`. A refused request is told to nobody: it only counts. */
export async function measure(cell: Cell, send: Send, giveUp = 60_000): Promise<Measured> {
  const judge = new Judge({ ...cell, phase: Math.random() })
  let refused = 0
  let done = 0
  const leg = () => pause((cell.trip / 2) * (1 + cell.jitter * (Math.random() * 2 - 1)))
  const request = async () => {
    await leg()
    if (judge.check(performance.now()).isRefused) refused++
    await leg()
    done++
  }
  const begin = performance.now()
  const early = Array.from({ length: cell.early }, () => send(request))
  if (cell.early > 0) await pause(cell.lead)
  const rest = Array.from({ length: cell.requests - cell.early }, () => send(request))
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise((resolve) => (timer = setTimeout(resolve, giveUp)))
  await Promise.race([Promise.allSettled([...early, ...rest]), tooLong])
  clearTimeout(timer)
  const time = done < cell.requests ? Number.POSITIVE_INFINITY : performance.now() - begin
  // The rest alone, which begins after the lead, needs so many windows.
  const best = cell.lead + Math.floor((cell.requests - cell.early - 1) / cell.limit) * cell.per + cell.trip
  return { time, best, refused }
}

const pause = (ms: number): Promise<void> => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, ms)))
