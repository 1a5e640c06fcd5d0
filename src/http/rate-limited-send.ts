/** One request through the limiter: waits for its turn, sends, tells the limiter how it went, and tries again where that is safe. */
import { NetworkError, RateLimitError } from '../foundation/errors'
import { createDeferred } from '../foundation/deferred'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { type ResponseHead, type RateLimitInfo, parseRateLimitHeaders } from '../rate-limit/response-headers'
import type { Permit } from '../rate-limit/permit'
import type { LimitRequest, RateLimiter } from '../rate-limit/limiter'
import { blockFor } from '../rate-limit/shared/store'
import type { AbortGroup } from '../foundation/abort-group'
import { type Attempted, type Failure, failureOf, mayRetry, neverLeft, pauseBefore } from './retry'

export interface LimitedContext {
  limiter: RateLimiter
  clock: MonotonicClock
  /** Ends when the client is closed, and every pause with it. */
  abortGroup?: AbortGroup | undefined
  /** From 0 to 1; `Math.random` by default. */
  chance?: () => number
}

export interface LimitedRequest<A extends ResponseHead> extends Omit<LimitRequest, 'again'> {
  method: string
  /** The route as it may stand in an error: `PUT /lobbies`. */
  route: string
  /** Whether doing it twice is as good as once. Default: by the method. */
  isRepeatable?: boolean
  /** Sends it once. Every answer resolves, refusals too. Only a NetworkError that may be retried lets it be sent again. */
  send: (signal: AbortSignal | undefined) => Promise<A>
}

/**
 * Resolves with the service's last word, whatever its status; with a 429 only where no wait would help.
 * @throws RateLimitError when the limits ask for a longer wait than `maxWait`, or the service refuses again and again.
 * @throws whatever `send` rejects with, once trying again would be unsafe or useless.
 */
export async function sendRateLimited<A extends ResponseHead>(context: LimitedContext, request: LimitedRequest<A>): Promise<A> {
  const { method, isRepeatable, buckets, party, priority, signal, maxWait = Number.POSITIVE_INFINITY } = request
  const attempted = { method, isRepeatable, tries: { refused: 0, unsent: 0, lost: 0, broken: 0 } }
  let again: Permit | undefined
  // How much of it is left: time spent waiting for a turn counts, and what the service asks for.
  let patience = maxWait
  for (;;) {
    const begin = context.clock.elapsed()
    const permit = await context.limiter.acquire({ buckets, party, priority, signal, maxWait: patience, again })
    patience = Math.max(0, patience - (context.clock.elapsed() - begin))
    const attempt = await attemptOnce(context, request, permit)
    if (!attempt.failure) return attempt.answer
    attempted.tries[attempt.failure]++
    if (attempt.failure === 'refused') again ??= permit
    const asked = attempt.failure === 'broken' ? (attempt.news.retryAfter ?? 0) : 0
    if (asked > patience || !shouldRetry(attempt.failure, attempted, signal)) return finalOutcome(context, request, attempt)
    patience -= asked
    const pause = Math.max(asked, pauseBefore(attempt.failure, attempted.tries[attempt.failure], (context.chance ?? Math.random)()))
    if (pause > 0) await sleep(context, pause, request)
  }
}

type Attempt<A> =
  { failure: 'refused' | 'broken' | undefined; answer: A; news: RateLimitInfo } | { failure: 'unsent' | 'lost'; error: unknown }

async function attemptOnce<A extends ResponseHead>(
  { clock }: LimitedContext,
  { send, signal }: LimitedRequest<A>,
  permit: Permit,
): Promise<Attempt<A>> {
  let answer: A
  try {
    answer = await send(signal)
  } catch (error) {
    if (!(error instanceof NetworkError && error.retryable)) {
      permit.lost()
      throw error
    }
    const failure = neverLeft(error) ? 'unsent' : 'lost'
    permit[failure === 'unsent' ? 'unused' : 'lost']()
    return { failure, error }
  }
  const news = parseRateLimitHeaders(answer, clock.now())
  const failure = failureOf(answer)
  // A quota of the service is no limit that a wait would mend: it counts as a refusal, and blocks nothing.
  permit.answered(news.status === 429 && !failure ? { status: 403 } : news)
  return { failure, answer, news }
}

const shouldRetry = (failure: Failure, attempted: Attempted, signal: AbortSignal | undefined): boolean =>
  !signal?.aborted && mayRetry(failure, attempted)

function finalOutcome<A extends ResponseHead>({ clock }: LimitedContext, { route, buckets }: LimitedRequest<A>, attempt: Attempt<A>): A {
  if ('error' in attempt) throw attempt.error
  if (attempt.failure !== 'refused') return attempt.answer
  const { scope = 'user', ...told } = attempt.news
  const retryAfter = blockFor(told.retryAfter ?? 0, buckets[0]?.per ?? 0)
  const bucket = buckets[0]?.name ?? route
  throw new RateLimitError('rate_limited', { retryAfter, resetAt: Math.ceil(clock.now() + retryAfter), bucket, scope })
}

/** Ends early, as `aborted`, with the caller's signal and with the client. */
async function sleep({ clock, abortGroup }: LimitedContext, ms: number, { signal, route }: Sleeper): Promise<void> {
  const pending = createDeferred<undefined>(clock, { signals: [signal], makeError: (code) => new NetworkError(code, route) })
  pending.signal.addEventListener(
    'abort',
    clock.after(ms, () => pending.resolve(undefined)),
  )
  const place = abortGroup?.add(() => pending.reject(new NetworkError('aborted', route)))
  await pending.promise.finally(() => place !== undefined && abortGroup?.remove(place))
}

type Sleeper = Pick<LimitRequest, 'signal'> & { route: string }
