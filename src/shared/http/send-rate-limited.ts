/** Sends one request through the rate limiter: acquires a permit, sends, reports the outcome, and retries where that is safe. */
import { NetworkError, RateLimitError, SessionError } from '../foundation/errors'
import { createDeferred } from '../foundation/deferred'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { type ResponseHead, type RateLimitInfo, parseRateLimitHeaders } from '../rate-limit/rate-limit-info'
import type { Permit } from '../rate-limit/permit'
import type { LimitRequest, RateLimiter } from '../rate-limit/rate-limiter'
import { blockFor } from '../rate-limit/store-port'
import type { AbortGroup } from '../foundation/abort-group'
import { type RetryState, type Failure, failureOf, mayRetry, isConnectionFailure, retryDelay } from './retry-policy'

export interface LimitedContext {
  limiter: RateLimiter
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
export async function sendRateLimited<A extends ResponseHead>(context: LimitedContext, request: LimitedRequest<A>): Promise<A> {
  const { method, isRepeatable, buckets, fairnessKey, priority, signal, maxWait = Number.POSITIVE_INFINITY } = request
  const retryState = { method, isRepeatable, attempts: { refused: 0, unsent: 0, lost: 0, broken: 0 } }
  let firstPermit: Permit | undefined
  // Remaining wait in ms: time spent waiting for permits and for `Retry-After` counts.
  let remainingWait = maxWait
  for (;;) {
    const startedAt = context.clock.elapsed()
    const permit = await context.limiter.acquire({ buckets, fairnessKey, priority, signal, maxWait: remainingWait, retryOf: firstPermit })
    remainingWait = Math.max(0, remainingWait - (context.clock.elapsed() - startedAt))
    const attempt = await attemptOnce(context, request, permit)
    if (!attempt.failure) return attempt.response
    retryState.attempts[attempt.failure]++
    if (attempt.failure === 'refused' && request.repeatsRefused === false) return finalOutcome(context, request, attempt)
    if (attempt.failure === 'refused') firstPermit ??= permit
    const requestedDelay = attempt.failure === 'broken' ? (attempt.info.retryAfter ?? 0) : 0
    if (requestedDelay > remainingWait || !shouldRetry(attempt.failure, retryState, signal)) return finalOutcome(context, request, attempt)
    remainingWait -= requestedDelay
    const delay = Math.max(
      requestedDelay,
      retryDelay(attempt.failure, retryState.attempts[attempt.failure], (context.chance ?? Math.random)()),
    )
    if (delay > 0) await sleep(context, delay, request)
  }
}

type Attempt<A> =
  { failure: 'refused' | 'broken' | undefined; response: A; info: RateLimitInfo } | { failure: 'unsent' | 'lost'; error: unknown }

async function attemptOnce<A extends ResponseHead>(
  { clock }: LimitedContext,
  { send, signal }: LimitedRequest<A>,
  permit: Permit,
): Promise<Attempt<A>> {
  let response: A
  try {
    response = await send(signal)
  } catch (error) {
    if (!(error instanceof NetworkError && error.retryable)) {
      // The session of the call ended before it was sent.
      permit[error instanceof SessionError ? 'unused' : 'lost']()
      throw error
    }
    const failure = isConnectionFailure(error) ? 'unsent' : 'lost'
    permit[failure === 'unsent' ? 'unused' : 'lost']()
    return { failure, error }
  }
  const info = parseRateLimitHeaders(response, clock.now())
  const failure = failureOf(response)
  // An exhausted daily quota cannot be waited out: it counts as an error response and blocks no bucket.
  permit.answered(info.status === 429 && !failure ? { status: 403 } : info)
  return { failure, response, info }
}

const shouldRetry = (failure: Failure, retryState: RetryState, signal: AbortSignal | undefined): boolean =>
  !signal?.aborted && mayRetry(failure, retryState)

function finalOutcome<A extends ResponseHead>({ clock }: LimitedContext, { route, buckets }: LimitedRequest<A>, attempt: Attempt<A>): A {
  if ('error' in attempt) throw attempt.error
  if (attempt.failure !== 'refused') return attempt.response
  const { scope = 'user', ...info } = attempt.info
  const retryAfter = blockFor(info.retryAfter ?? 0, buckets[0]?.per ?? 0)
  const bucket = buckets[0]?.name ?? route
  throw new RateLimitError('rate_limited', { retryAfter, resetAt: Math.ceil(clock.now() + retryAfter), bucket, scope })
}

/** Waits. Rejects with `aborted` when the caller's signal aborts or the client is closed. */
async function sleep({ clock, abortGroup }: LimitedContext, ms: number, { signal, route }: SleepOptions): Promise<void> {
  const makeError = (code: 'timed_out' | 'aborted') => new NetworkError(code, route)
  const pending = createDeferred<undefined>(clock, { signals: [signal], group: abortGroup, makeError })
  pending.signal.addEventListener(
    'abort',
    clock.after(ms, () => pending.resolve(undefined)),
  )
  await pending.promise
}

type SleepOptions = Pick<LimitRequest, 'signal'> & { route: string }
