/** A service in the same process that counts requests in one of four windows, at the end of a road of a given length. */
import type { ResponseHead } from '../../src/rate-limit/response-headers'
import { Judge, type Verdict, type WindowKind } from '../../test/unit/rate-limit/support/service'

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
  /** What an answer shows of the limit. `hidden`: sent, but a page may not read it. */
  readonly headers: 'none' | 'hidden' | 'visible'
  /** A bucket of one player; without it the bucket of all. */
  readonly key?: string
}

/** Runs one request through a limiter, and resolves with its answer, unless it sends again what is refused by itself. */
export type Send = (request: () => Promise<ResponseHead>) => Promise<unknown>

export interface Measured {
  /** ms from the first request to the last answer. */
  readonly time: number
  /** What no schedule can beat, ms. */
  readonly best: number
  readonly refused: number
  readonly done: number
}

/** Sends all requests of a cell at once through `send`. A refused one counts, and is sent again after the wait that was named. */
export async function measure(cell: Cell, send: Send, giveUp = 60_000): Promise<Measured> {
  const judge = new Judge({ ...cell, phase: Math.random() })
  let refused = 0
  let done = 0
  const leg = () => pause((cell.trip / 2) * (1 + cell.jitter * (Math.random() * 2 - 1)))
  const request = async () => {
    await leg()
    const verdict = judge.check(performance.now())
    if (verdict.isRefused) refused++
    await leg()
    if (!verdict.isRefused) done++
    const told: Readonly<Record<string, string>> = {
      ...(cell.headers === 'visible' ? headersOf(cell, verdict) : {}),
      ...(verdict.isRefused ? { 'retry-after': String(verdict.resetAfter / 1000) } : {}),
    }
    return { status: verdict.isRefused ? 429 : 200, header: (name: string) => told[name] ?? null }
  }
  const begin = performance.now()
  const early = Array.from({ length: cell.early }, () => untilServed(send, request))
  if (cell.early > 0) await pause(cell.lead)
  const rest = Array.from({ length: cell.requests - cell.early }, () => untilServed(send, request))
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise((resolve) => (timer = setTimeout(resolve, giveUp)))
  await Promise.race([Promise.allSettled([...early, ...rest]), tooLong])
  clearTimeout(timer)
  const time = done < cell.requests ? Number.POSITIVE_INFINITY : performance.now() - begin
  // The rest alone, which begins after the lead, needs so many windows.
  const best = cell.lead + Math.floor((cell.requests - cell.early - 1) / cell.limit) * cell.per + cell.trip
  return { time, best, refused, done }
}

async function untilServed(send: Send, request: () => Promise<ResponseHead>): Promise<void> {
  for (;;) {
    const answer = await send(request)
    const wait = isRefusal(answer) ? Number(answer.header('retry-after')) : Number.NaN
    if (Number.isNaN(wait)) return
    await pause(wait * 1000)
  }
}

const isRefusal = (answer: unknown): answer is ResponseHead =>
  typeof answer === 'object' && answer !== null && 'header' in answer && 'status' in answer && answer.status === 429

const headersOf = ({ limit }: Cell, { remaining, resetAfter }: Verdict): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset-after': String(resetAfter / 1000),
})

const pause = (ms: number): Promise<void> => (ms <= 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, ms)))
