/** Sends one request through the rate limiter: acquires a permit, sends, reports the outcome, and retries where that is safe. */
import { NetworkError, RateLimitError, SessionError } from '../foundation/errors'
import { createDeferred, type AbortGroup } from '../foundation/async'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { type ResponseHead, type RateLimitInfo, parseRateLimitHeaders } from '../rate-limit/rate-limit-info'
import type { Permit } from '../rate-limit/permit'
import type { LimitRequest, RateLimiter } from '../rate-limit/rate-limiter'
import { blockFor } from '../rate-limit/store-port'
import { type Attempt, type Failure, failureOf, failureOfError, mayRetry, retryDelay } from './retry-policy'

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
type LimitedAttempt<A> = Attempt<A> & { info: RateLimitInfo }

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
