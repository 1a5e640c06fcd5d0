/** Sends a request to which no rate limit applies: retries where that is safe, waits as the service asks, and ends by a deadline. */
import type { Clock } from '../foundation/clock'
import { RateLimitError } from '../foundation/errors'
import { parseRateLimitHeaders } from '../rate-limit/rate-limit-info'
import { type Attempt, type Failure, failureOf, failureOfError, mayRetry, retryDelay } from './retry-policy'
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
async function attempt({ send }: RetriedRequest): Promise<Attempt<HttpResponse>> {
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
const isRefusedByEdge = (attempted: Attempt<HttpResponse>): boolean =>
  'response' in attempted && attempted.response.status < 504

function refusal({ route }: RetriedRequest, retryAfter: number, clock: Clock): RateLimitError {
  return new RateLimitError('rate_limited', {
    retryAfter,
    resetAt: Math.ceil(clock.now() + retryAfter),
    bucket: route,
    scope: 'user',
  })
}
