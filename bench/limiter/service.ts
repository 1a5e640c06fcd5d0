/** Simulated service in the same process that counts requests in one of four windows, behind a given network delay. */
import type { ResponseHead } from '../../test/support/internals'
import { Judge, type Verdict, type WindowKind } from '../../test/unit/rate-limit/support/counting-service'

export interface Cell {
  readonly kind: WindowKind
  readonly limit: number
  readonly per: number
  readonly requests: number
  /** Round trip time, in ms. */
  readonly trip: number
  /** Random variation of each leg, as a fraction of it. */
  readonly jitter: number
  /** Number of requests sent first, `lead` ms before the others, which then meet the edge of a window. */
  readonly early: number
  readonly lead: number
  /** Rate-limit headers of a response. `hidden`: sent, but a page may not read them. */
  readonly headers: 'none' | 'hidden' | 'visible'
  /** Key of a player's bucket; without it the global bucket. */
  readonly key?: string
}

/** Runs one request through a limiter and resolves with its response, unless the limiter retries refusals itself. */
export type Send = (request: () => Promise<ResponseHead>) => Promise<unknown>

export interface Measured {
  /** ms from the first request to the last response. */
  readonly time: number
  /** Shortest time that any schedule can reach, in ms. */
  readonly best: number
  readonly refused: number
  readonly done: number
}

/** Sends all requests of a cell at once through `send`. A refused one is counted, and is sent again after the wait in its response. */
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
    const sent: Readonly<Record<string, string>> = {
      ...(cell.headers === 'visible' ? headersOf(cell, verdict) : {}),
      ...(verdict.isRefused ? { 'retry-after': String(verdict.resetAfter / 1000) } : {}),
    }
    return { status: verdict.isRefused ? 429 : 200, header: (name: string) => sent[name] ?? null }
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
  // Number of windows that the requests after the lead need.
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
  typeof answer === 'object' &&
  answer !== null &&
  'header' in answer &&
  'status' in answer &&
  answer.status === 429

const headersOf = (
  { limit }: Cell,
  { remaining, resetAfter }: Verdict,
): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset-after': String(resetAfter / 1000),
})

const pause = (ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, ms))
