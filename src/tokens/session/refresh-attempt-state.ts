/** State of a refresh attempt before and after its request, as pure functions. */
import type { JsonResponse } from '../../http/request-json'
import { IN_DOUBT, MAX_REQUESTED_DELAY } from './refresh-policy'
import type { RefreshAttempt } from './session-record'

/** First delay in ms after a response of the service or of its proxy; doubles with each attempt. */
const INITIAL_DELAY = 2000

/** The next attempt, about to be sent. `chance`, from 0 to 1, distinguishes it from another tab's attempt at the same moment. */
export function markSent(attempt: RefreshAttempt | undefined, now: number, chance: number): RefreshAttempt {
  return { at: now, tries: (attempt?.tries ?? 0) + 1, outcome: 'sent', retryAt: now + IN_DOUBT + Math.floor(chance * 1000) }
}

/** No usable response arrived. `requestedDelay`: set if the service responded, with the wait in ms that it requested. */
export function markLost(attempt: RefreshAttempt, now: number, requestedDelay: number | undefined): RefreshAttempt {
  const delay =
    requestedDelay === undefined
      ? IN_DOUBT
      : Math.max(Math.min(INITIAL_DELAY * 2 ** (attempt.tries - 1), IN_DOUBT), Math.min(requestedDelay, MAX_REQUESTED_DELAY))
  return { ...attempt, outcome: 'lost', retryAt: now + delay }
}

/** Rejected, perhaps because another tab sent the token before and died. If that tab is alive, it stores its response in the meantime. */
export function markInDoubt(attempt: RefreshAttempt, now: number): RefreshAttempt {
  return { ...attempt, outcome: 'refused', retryAt: now + IN_DOUBT }
}

/** `invalid`: the only response that ends a session. `unusable`: any other error response. */
export type RefreshVerdict = 'refreshed' | 'invalid' | 'unusable'

export function evaluateResponse({ status, body }: JsonResponse): RefreshVerdict {
  const { error } = body
  if (status === 200 && error === undefined) return 'refreshed'
  return error === 'invalid_grant' && (status === 400 || status === 401) ? 'invalid' : 'unusable'
}

/** Meaning of `invalid_grant`, given the attempt before. */
export function evaluateInvalidGrant(previous: RefreshAttempt | undefined): 'rejected' | 'doubt' | 'answer_lost' {
  if (!previous) return 'rejected'
  return previous.outcome === 'sent' ? 'doubt' : 'answer_lost'
}
