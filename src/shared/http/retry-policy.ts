/** Retry policy: one attempt, failures worth a retry, and the delay before it. */
import { NetworkError } from '../foundation/errors'
import { isRecord } from '../foundation/untrusted-values'
import type { ResponseHead } from '../rate-limit/rate-limit-info'

/**
 * Kind of failure. `refused`: 429. `unsent`: no connection was made. `lost`: the service may or may not have processed the request.
 * `broken`: 502, 503 or 504.
 */
export type Failure = 'refused' | 'unsent' | 'lost' | 'broken'

export interface RetryState {
  readonly method: string
  /** True if sending twice has the same effect as sending once. Default: by the method (RFC 9110 section 9.2.2). */
  readonly isRepeatable?: boolean | undefined
  /** Number of attempts so far, by failure. */
  readonly attempts: Readonly<Record<Failure, number>>
}

/** Maximum number of retries for each kind of failure. */
const MAX_RETRIES: Readonly<Record<Failure, number>> = { refused: 4, unsent: 3, lost: 2, broken: 2 }
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
/** Error codes of connections that were never made. */
const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const INITIAL_DELAY = 200
const MAX_DELAY = 5000

/**
 * Daily quota of creates is exhausted (docs/interface/commands.md#daily-creates, docs/interface/errors.md#statuses): sent as a 429 with a
 * wait of hours.
 */
const DAILY_CREATES = 30_034

/** The failure that a response stands for; undefined for a final response. */
export function failureOf({
  status,
  body,
}: Pick<ResponseHead, 'status' | 'body'>): 'refused' | 'broken' | undefined {
  if (status === 429) return isRecord(body) && body['code'] === DAILY_CREATES ? undefined : 'refused'
  return status === 502 || status === 503 || status === 504 ? 'broken' : undefined
}

/** The failure that an error of a request stands for; undefined for one that is no failure of the network. */
export function failureOfError(error: unknown): 'unsent' | 'lost' | undefined {
  if (!(error instanceof NetworkError && error.retryable)) return undefined
  return isConnectionFailure(error) ? 'unsent' : 'lost'
}

/** An attempt that failed has an error or, if the service answered, a response. */
export type Attempt<Response> =
  | { failure: 'refused' | 'broken' | undefined; response: Response }
  | { failure: 'unsent' | 'lost'; error: unknown }

/** `refused` and `unsent` are always safe to retry, other failures only if the request is idempotent. */
export function mayRetry(
  failure: Failure,
  { method, isRepeatable = REPEATABLE.has(method), attempts }: RetryState,
): boolean {
  return (
    attempts[failure] <= MAX_RETRIES[failure] &&
    (failure === 'refused' || failure === 'unsent' || isRepeatable)
  )
}

/** Delay before the next attempt in ms: exponential backoff with jitter. `chance` is from 0 to 1. A 429 has its own wait. */
export function retryDelay(failure: Failure, attempts: number, chance: number): number {
  if (failure === 'refused') return 0
  return Math.min(MAX_DELAY, INITIAL_DELAY * 2 ** (attempts - 1)) * (0.5 + chance / 2)
}

/**
 * True if an error or one of its causes has a code for a connection that was never made. Browsers do not provide such codes. Errors of the
 * SDK have copies of three nested causes at most, so the search ends.
 */
export function isConnectionFailure(error: unknown): boolean {
  for (let current = error; isRecord(current); current = current['cause'])
    if (UNSENT.has(current['code'])) return true
  return false
}
