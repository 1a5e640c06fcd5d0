/** Which failures are worth a second try, and when: decided without doing anything. */
import { isRecord } from '../foundation/encoding'
import type { ResponseHead } from '../rate-limit/response-headers'

/** How an attempt failed. `refused`: 429. `unsent`: it never left this machine. `lost`: nobody knows whether the service acted on it. */
export type Failure = 'refused' | 'unsent' | 'lost' | 'broken'

export interface Attempted {
  readonly method: string
  /** Whether doing it twice is as good as once. Default: by the method (RFC 9110 section 9.2.2). */
  readonly isRepeatable?: boolean | undefined
  /** How many attempts there have been, by failure. */
  readonly tries: Readonly<Record<Failure, number>>
}

/** Attempts after the first, for each kind of failure. */
const AGAIN: Readonly<Record<Failure, number>> = { refused: 4, unsent: 3, lost: 2, broken: 2 }
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
/** Codes of a connection that was never made. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const FIRST_PAUSE = 200
const LONGEST_PAUSE = 5000

/** The creates of the day are used up (S:352, supplement A.6.3), told as a refusal that asks for a wait of hours. */
const DAILY_CREATES = 30_034

/** What an answer says of the attempt; undefined when it is the service's own last word. */
export function failureOf({ status, body }: Pick<ResponseHead, 'status' | 'body'>): 'refused' | 'broken' | undefined {
  if (status === 429) return isRecord(body) && body['code'] === DAILY_CREATES ? undefined : 'refused'
  return status === 502 || status === 503 || status === 504 ? 'broken' : undefined
}

/** A refusal and a request that never left are safe to repeat; the rest only where doing it twice is as good as once. */
export function mayRetry(failure: Failure, { method, isRepeatable = REPEATABLE.has(method), tries }: Attempted): boolean {
  return tries[failure] <= AGAIN[failure] && (failure === 'refused' || failure === 'unsent' || isRepeatable)
}

/** ms before the next attempt: twice as long each time, and never in step with others. `chance` is from 0 to 1. A refusal names its own wait. */
export function pauseBefore(failure: Failure, tries: number, chance: number): number {
  if (failure === 'refused') return 0
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)) * (0.5 + chance / 2)
}

/** Whether an error, or what caused it, says that no connection was made. Browsers do not tell. */
export function neverLeft(error: unknown): boolean {
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined) {
    if ('code' in at && typeof at.code === 'string' && UNSENT.has(at.code)) return true
  }
  return false
}
