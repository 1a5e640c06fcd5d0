/** Sends a request again where that is safe: which failures are worth a retry, and two loops, one without rate limits and one through the limiter. */
import { createDeferred, type AbortGroup } from '../foundation/async'
import type { Clock } from '../foundation/clock'
import { NetworkError, RateLimitError, SessionError } from '../foundation/errors'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { isRecord } from '../foundation/untrusted-values'
import type { Permit } from '../rate-limit/permit'
import { type ResponseHead, parseRateLimitHeaders, type RateLimitInfo } from '../rate-limit/rate-limit-info'
import type { LimitRequest, RateLimiter } from '../rate-limit/rate-limiter'
import { blockFor } from '../rate-limit/store-port'
import type { HttpResponse } from './http-client'

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

// A request to which no rate limit applies: it waits as the service asks, and ends by a deadline.

export interface RetriedContext {
  clock: Clock
  /** Random number from 0 to 1 for jitter. Default: `Math.random`. */
  chance?: () => number
}

export interface RetriedRequest {
  method: string
  /** Route for use in errors: `PATCH /webhooks/{application.id}/{interaction.token}`. */
  route: string
  /** True if sending twice has the same effect as sending once. */
  isRepeatable: boolean
  /** Epoch ms after which nothing is sent. */
  deadline: number
  /** Sends the request once. Resolves with every response, error responses included. */
  send: () => Promise<HttpResponse>
}

export interface RetriedResponse extends HttpResponse {
  /** True if an earlier attempt may have been applied, because its response was lost. */
  readonly mayBeApplied: boolean
}

/**
 * Resolves with the final response, whatever its status.
 * @throws RateLimitError `rate_limited` if the service asks for a wait beyond the deadline, or refuses repeatedly.
 * @throws the error that `send` rejects with, once a retry would be unsafe or useless.
 */
export async function sendRetried(
  { clock, chance = Math.random }: RetriedContext,
  request: RetriedRequest,
): Promise<RetriedResponse> {
  const attempts: Record<Failure, number> = { refused: 0, unsent: 0, lost: 0, broken: 0 }
  for (;;) {
    const attempted = await attempt(request)
    const { failure } = attempted
    const mayBeApplied = attempts.lost + attempts.broken > 0
    if (!failure) return { ...attempted.response, mayBeApplied }
    attempts[failure]++
    const asked =
      'response' in attempted ? (parseRateLimitHeaders(attempted.response, clock.now()).retryAfter ?? 0) : 0
    const delay = Math.max(asked, retryDelay(failure, attempts[failure], chance()))
    const isRetried = mayRetry(failure, {
      ...request,
      attempts,
      isRepeatable: request.isRepeatable || isRefusedByEdge(attempted),
    })
    if (!isRetried || clock.now() + delay >= request.deadline) {
      if ('error' in attempted) throw attempted.error
      if (failure === 'refused') throw refusal(request, asked, clock)
      return { ...attempted.response, mayBeApplied }
    }
    await new Promise<void>((resolve) => void clock.after(delay, resolve))
  }
}

/** Sends once and names the failure, if there was one. @throws what `send` rejects with, unless it is a failure of the network. */
async function attempt({ send }: RetriedRequest): Promise<SendAttempt<HttpResponse>> {
  try {
    const response = await send()
    return { failure: failureOf(response), response }
  } catch (error) {
    const failure = failureOfError(error)
    if (failure === undefined) throw error
    return { failure, error }
  }
}

/** A 502 or 503 comes from the service's edge, which could not hand the request over. A 504 says that it was handed over. */
const isRefusedByEdge = (attempted: SendAttempt<HttpResponse>): boolean =>
  'response' in attempted && attempted.response.status < 504

function refusal({ route }: RetriedRequest, retryAfter: number, clock: Clock): RateLimitError {
  return new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: Math.ceil(clock.now() + retryAfter),
    bucket: route,
    scope: 'user',
  })
}

// A request through the rate limiter: it acquires a permit, sends, and reports the outcome.

export interface LimitedContext {
  limiter: Pick<RateLimiter, 'acquire'>
  clock: MonotonicClock
  /** Cancels every request and pause when the client is closed. */
  abortGroup: AbortGroup
  /** Random number from 0 to 1 for jitter. Default: `Math.random`. */
  chance?: () => number
}

export interface LimitedRequest<A extends ResponseHead> extends Omit<LimitRequest, 'retryOf'> {
  method: string
  /** Route for use in errors: `PUT /lobbies`. */
  route: string
  /** True if sending twice has the same effect as sending once. Default: by the method. */
  isRepeatable?: boolean
  /** False: a 429 rejects at once, and the caller decides when to try again. Default: it is repeated within `maxWait`. */
  repeatsRefused?: boolean | undefined
  /** Sends the request once. Resolves with every response, error responses included. Only a retryable NetworkError allows a retry. */
  send: (signal: AbortSignal | undefined) => Promise<A>
}

/**
 * Resolves with the final response, whatever its status; with a 429 only if waiting would not help.
 * @throws RateLimitError when the limits need a longer wait than `maxWait`, or the service rejects repeatedly.
 * @throws the error that `send` rejects with, once a retry would be unsafe or useless.
 */
export async function sendRateLimited<A extends ResponseHead>(
  context: LimitedContext,
  request: LimitedRequest<A>,
): Promise<A> {
  const {
    method,
    isRepeatable,
    buckets,
    fairnessKey,
    priority,
    signal,
    maxWait = Number.POSITIVE_INFINITY,
  } = request
  const attempts: Record<Failure, number> = { refused: 0, unsent: 0, lost: 0, broken: 0 }
  let firstPermit: Permit | undefined
  // Remaining wait in ms: time spent waiting for permits and for `Retry-After` counts.
  let remainingWait = maxWait
  for (;;) {
    const acquired = context.limiter.acquire({
      buckets,
      fairnessKey,
      priority,
      signal,
      maxWait: remainingWait,
      retryOf: firstPermit,
    })
    let permit: Permit
    if (acquired instanceof Promise) {
      const startedAt = context.clock.elapsed()
      permit = await acquired
      remainingWait = Math.max(0, remainingWait - (context.clock.elapsed() - startedAt))
    } else permit = acquired
    let attempted: LimitedAttempt<A>
    try {
      attempted = readAnswer(permit, await request.send(signal), context)
    } catch (error) {
      attempted = readError(permit, error)
    }
    const { failure } = attempted
    if (!failure) return attempted.response
    attempts[failure]++
    if (failure === 'refused' && request.repeatsRefused === false)
      return finalOutcome(context, request, attempted)
    if (failure === 'refused') firstPermit ??= permit
    const requestedDelay = failure === 'broken' ? (attempted.info.retryAfter ?? 0) : 0
    const isRetried = !signal?.aborted && mayRetry(failure, { method, isRepeatable, attempts })
    if (requestedDelay > remainingWait || !isRetried) return finalOutcome(context, request, attempted)
    remainingWait -= requestedDelay
    const delay = Math.max(
      requestedDelay,
      retryDelay(failure, attempts[failure], (context.chance ?? Math.random)()),
    )
    if (delay > 0) await sleep(context, delay, request)
  }
}

/** An attempt, with what the headers of its response say about the limits. */
type LimitedAttempt<A> = SendAttempt<A> & { info: RateLimitInfo }

/** Tells the limiter that no response arrives. @throws the error, unless it is a failure of the network. */
function readError<A>(permit: Permit, error: unknown): LimitedAttempt<A> {
  const failure = failureOfError(error)
  // The session of the call may have ended before it was sent.
  permit[failure === 'unsent' || error instanceof SessionError ? 'unused' : 'lost']()
  if (failure === undefined) throw error
  return { failure, error, info: { status: 0 } }
}

/** Tells the limiter what a response says. */
function readAnswer<A extends ResponseHead>(
  permit: Permit,
  response: A,
  { clock }: LimitedContext,
): LimitedAttempt<A> {
  const failure = failureOf(response)
  const info = parseRateLimitHeaders(response, clock.now())
  // An exhausted daily quota cannot be waited out: it counts as an error response and blocks no bucket.
  permit.answered(info.status === 429 && !failure ? { status: 403 } : info)
  return { failure, response, info }
}

function finalOutcome<A extends ResponseHead>(
  { clock }: LimitedContext,
  { route, buckets }: LimitedRequest<A>,
  attempted: LimitedAttempt<A>,
): A {
  if ('error' in attempted) throw attempted.error
  if (attempted.failure !== 'refused') return attempted.response
  const { scope = 'user', ...info } = attempted.info
  const retryAfter = blockFor(info.retryAfter ?? 0, buckets[0]?.per ?? 0)
  const bucket = buckets[0]?.name ?? route
  throw new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: Math.ceil(clock.now() + retryAfter),
    bucket,
    scope,
  })
}

/** Waits. Rejects with `aborted` when the caller's signal aborts or the client is closed. */
async function sleep(
  { clock, abortGroup }: LimitedContext,
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
