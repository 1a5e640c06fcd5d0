/** Sends a request to which no rate limit applies: retries where that is safe, waits as the service asks, and ends by a deadline. */
import type { Clock } from '../foundation/clock'
import { NetworkError, RateLimitError } from '../foundation/errors'
import { parseRateLimitHeaders } from '../rate-limit/rate-limit-info'
import { type Failure, failureOf, isConnectionFailure, mayRetry, retryDelay } from './retry-policy'
import type { HttpResponse } from './http-client'

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
export async function sendRetried({ clock, chance = Math.random }: RetriedContext, request: RetriedRequest): Promise<RetriedResponse> {
  const attempts: Record<Failure, number> = { refused: 0, unsent: 0, lost: 0, broken: 0 }
  for (;;) {
    const attempt = await attemptOnce(clock, request)
    const { failure, wait } = attempt
    const mayBeApplied = attempts.lost + attempts.broken > 0
    if (!failure) return { ...attempt.response, mayBeApplied }
    attempts[failure]++
    const delay = Math.max(wait, retryDelay(failure, attempts[failure], chance()))
    const isRetried = mayRetry(failure, { ...request, attempts, isRepeatable: request.isRepeatable || isRefusedByEdge(attempt) })
    if (!isRetried || clock.now() + delay >= request.deadline) return finish(clock, request, { attempt, mayBeApplied })
    await new Promise<void>((resolve) => void clock.after(delay, resolve))
  }
}

type Attempt = { wait: number } & (
  { failure: 'refused' | 'broken' | undefined; response: HttpResponse } | { failure: 'unsent' | 'lost'; error: unknown }
)

/** A 502 or 503 comes from the service's edge, which could not hand the request over. A 504 says that it was handed over. */
const isRefusedByEdge = (attempt: Attempt): boolean => 'response' in attempt && attempt.response.status < 504

async function attemptOnce(clock: Clock, { send }: RetriedRequest): Promise<Attempt> {
  try {
    const response = await send()
    const failure = failureOf(response)
    const wait = failure ? (parseRateLimitHeaders(response, clock.now()).retryAfter ?? 0) : 0
    return { failure, response, wait }
  } catch (error) {
    if (!(error instanceof NetworkError && error.retryable)) throw error
    return { failure: isConnectionFailure(error) ? 'unsent' : 'lost', error, wait: 0 }
  }
}

function finish(
  clock: Clock,
  { route }: RetriedRequest,
  { attempt, mayBeApplied }: { attempt: Attempt; mayBeApplied: boolean },
): RetriedResponse {
  if ('error' in attempt) throw attempt.error
  if (attempt.failure !== 'refused') return { ...attempt.response, mayBeApplied }
  const { wait } = attempt
  throw new RateLimitError('rate_limited', { retryAfter: wait, resetAt: Math.ceil(clock.now() + wait), bucket: route, scope: 'user' })
}
