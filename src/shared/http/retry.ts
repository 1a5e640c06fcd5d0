/** Sends a request again where that is safe: which failures are worth a retry, and one loop for requests with rate limits and without. */
import { createDeferred, type AbortGroup } from '../foundation/async'
import { NetworkError, RateLimitError, SessionError } from '../foundation/errors'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { isRecord } from '../foundation/untrusted-values'
import type { BucketSpec } from '../rate-limit/bucket'
import type { Permit } from '../rate-limit/permit'
import { type ResponseHead, parseRateLimitHeaders, type RateLimitInfo } from '../rate-limit/rate-limit-info'
import type { LimitRequest, RateLimiter } from '../rate-limit/rate-limiter'
import { blockFor } from '../rate-limit/store-port'

// The policy: failures, how often each is retried, and the delay before it.

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
type SendAttempt<Response> =
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

// The loop. With a limiter, each attempt needs a permit, and the limiter learns its outcome.

export interface RetryContext {
  /** Undefined: no rate limit applies, and a 429 is waited out here. Never left out, since a prototype might have one. */
  limiter: Pick<RateLimiter, 'acquire'> | undefined
  clock: MonotonicClock
  /** Cancels every request and pause when the client is closed. */
  abortGroup?: AbortGroup | undefined
  /** Random number from 0 to 1 for jitter. Default: `Math.random`. */
  chance?: () => number
}

export interface RetriedRequest<A extends ResponseHead> extends Omit<LimitRequest, 'retryOf' | 'buckets'> {
  method: string
  /** Route for use in errors: `PUT /lobbies`. */
  route: string
  /** Limits that count the request. Default: none. */
  buckets?: readonly BucketSpec[]
  /** Epoch ms after which nothing is sent again. Default: none. */
  deadline?: number
  /** True if sending twice has the same effect as sending once. Default: by the method. */
  isRepeatable?: boolean
  /** False: a 429 rejects at once, and the caller decides when to try again. Default: it is repeated within `maxWait`. */
  repeatsRefused?: boolean | undefined
  /** True if a 502 or 503 says that the service's edge could not hand the request over. A 504 says that it was handed over. */
  isUnsentByEdge?: boolean
  /** Called before the request is sent again. */
  onRetry?: (failure: Failure) => void
  /** Sends the request once. Resolves with every response, error responses included. Only a retryable NetworkError allows a retry. */
  send: (signal: AbortSignal | undefined) => Promise<A>
}

/**
 * Resolves with the final response, whatever its status; with a 429 only if waiting would not help.
 * @throws RateLimitError when the limits need a longer wait than `maxWait` or `deadline`, or the service rejects repeatedly.
 * @throws the error that `send` rejects with, once a retry would be unsafe or useless.
 */
export async function sendRetried<A extends ResponseHead>(
  context: RetryContext,
  request: RetriedRequest<A>,
): Promise<A> {
  const { limiter, clock, chance = Math.random } = context
  const { buckets = [], fairnessKey, priority, signal, repeatsRefused } = request
  const { maxWait = Number.POSITIVE_INFINITY, deadline = Number.POSITIVE_INFINITY } = request
  const attempts: Record<Failure, number> = { refused: 0, unsent: 0, lost: 0, broken: 0 }
  let permit: Permit | undefined
  let firstPermit: Permit | undefined
  // Remaining wait in ms: time spent waiting for permits and for `Retry-After` counts.
  let remainingWait = maxWait
  for (;;) {
    const acquired = limiter?.acquire({
      buckets,
      fairnessKey,
      priority,
      signal,
      maxWait: remainingWait,
      retryOf: firstPermit,
    })
    if (acquired instanceof Promise) {
      const startedAt = clock.elapsed()
      permit = await acquired
      remainingWait = Math.max(0, remainingWait - (clock.elapsed() - startedAt))
    } else permit = acquired
    let attempted: ReportedAttempt<A>
    try {
      attempted = readAnswer(permit, await request.send(signal), clock)
    } catch (error) {
      attempted = readError(permit, error)
    }
    const { failure, info } = attempted
    if (!failure) return attempted.response
    attempts[failure]++
    if (failure === 'refused') firstPermit ??= permit
    // The limiter itself waits as a 429 asks.
    const requestedDelay = failure === 'refused' && permit ? 0 : (info.retryAfter ?? 0)
    const isFinal =
      signal?.aborted ||
      (failure === 'refused' && repeatsRefused === false) ||
      requestedDelay > remainingWait ||
      !mayRetry(failure, { ...request, isRepeatable: isRepeatableAfter(request, info), attempts })
    const delay = isFinal ? 0 : Math.max(requestedDelay, retryDelay(failure, attempts[failure], chance()))
    if (isFinal || clock.now() + delay >= deadline) return finalOutcome(clock, request, attempted)
    remainingWait -= requestedDelay
    request.onRetry?.(failure)
    if (delay > 0) await sleep(context, delay, request)
  }
}

/** An attempt, with what the headers of its response say about the limits. */
type ReportedAttempt<A> = SendAttempt<A> & { info: RateLimitInfo }

/** Tells the limiter that no response arrives. @throws the error, unless it is a failure of the network. */
function readError<A>(permit: Permit | undefined, error: unknown): ReportedAttempt<A> {
  const failure = failureOfError(error)
  // The session of the call may have ended before it was sent.
  permit?.[failure === 'unsent' || error instanceof SessionError ? 'unused' : 'lost']()
  if (failure === undefined) throw error
  return { failure, error, info: { status: 0 } }
}

/** Tells the limiter what a response says. */
function readAnswer<A extends ResponseHead>(
  permit: Permit | undefined,
  response: A,
  clock: MonotonicClock,
): ReportedAttempt<A> {
  const failure = failureOf(response)
  const info = parseRateLimitHeaders(response, clock.now())
  // An exhausted daily quota cannot be waited out: it counts as an error response and blocks no bucket.
  permit?.answered(info.status === 429 && !failure ? { status: 403 } : info)
  return { failure, response, info }
}

const isRepeatableAfter = <A extends ResponseHead>(
  { isRepeatable, isUnsentByEdge }: RetriedRequest<A>,
  { status }: RateLimitInfo,
): boolean | undefined => (isUnsentByEdge && (status === 502 || status === 503)) || isRepeatable

function finalOutcome<A extends ResponseHead>(
  clock: MonotonicClock,
  { route, buckets: [bucket] = [] }: RetriedRequest<A>,
  attempted: ReportedAttempt<A>,
): A {
  if ('error' in attempted) throw attempted.error
  if (attempted.failure !== 'refused') return attempted.response
  const { scope = 'user', retryAfter: asked = 0 } = attempted.info
  const retryAfter = bucket ? blockFor(asked, bucket.per) : asked
  throw new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: Math.ceil(clock.now() + retryAfter),
    bucket: bucket?.name ?? route,
    scope,
  })
}

/** Waits. Rejects with `aborted` when the caller's signal aborts or the client is closed. */
async function sleep(
  { clock, abortGroup }: RetryContext,
  ms: number,
  { signal, route }: SleepOptions,
): Promise<void> {
  const makeError = (code: 'timed_out' | 'aborted') => new NetworkError(code, route)
  const pending = createDeferred<undefined>(clock, { signals: [signal], group: abortGroup, makeError })
  pending.signal.addEventListener(
    'abort',
    clock.after(ms, () => pending.resolve(undefined)),
  )
  await pending.promise
}

type SleepOptions = Pick<LimitRequest, 'signal'> & { route: string }
