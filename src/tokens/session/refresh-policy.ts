/** Refresh policy as pure functions: when to refresh a session, and when to retry. */
import { TOKEN_TIMEOUT } from '../../service/service-config'
import type { RefreshAttempt, SessionRecord } from './session-record'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** ms in which a request that has timed out may still be processed: network delays. */
const NETWORK_DELAY = 2000
/** ms to wait after a request with an unknown outcome, and after a rejection that such a request may have caused. */
export const IN_DOUBT = 30_000
/** Maximum delay in ms that a service may request. */
export const MAX_REQUESTED_DELAY = 5 * MINUTE
/** Remaining lifetime in ms below which a token is not used. */
const MIN_REMAINING = 5000

/** Epoch ms from which the session is refreshed under normal conditions: early enough to survive days of failures. */
export function refreshDueAt({ id, obtainedAt, tokens }: SessionRecord): number {
  const lifetime = Math.max(tokens.expiresAt - obtainedAt, 0)
  const fraction = lifetime > 2 * DAY ? lifetime / 2 : lifetime * 0.75
  // Spreads the refreshes of players who signed in at the same time.
  return obtainedAt + fraction * (1 - jitter(id))
}

/** From 0 to 0.1, derived from the session's random id. */
function jitter(id: string): number {
  return ((id.charCodeAt(0) * 31 + id.charCodeAt(1)) % 100) / 1000
}

/** Epoch ms from which the game is notified of the token's end, if it was not refreshed by then. */
export function expiryNotice({ obtainedAt, tokens }: SessionRecord): number {
  return tokens.expiresAt - Math.min(5 * MINUTE, (tokens.expiresAt - obtainedAt) / 10)
}

/** Compares with this machine's clock. After the clock was set back, the token counts as valid. */
export function isExpired({ tokens }: SessionRecord, now: number): boolean {
  return now >= tokens.expiresAt - MIN_REMAINING
}

export interface RefreshSituation {
  now: number
  /** True if the access token has expired or was rejected. */
  dead: boolean
  /** True if this tab holds the lock, so that the sender of the last request is gone. */
  alone: boolean
  /** Time-out of the request in ms. Default: `TOKEN_TIMEOUT`. */
  tokenTimeout?: number | undefined
}

/** ms for which a request without a response may still be processed. */
export const inFlightTime = (tokenTimeout = TOKEN_TIMEOUT): number => tokenTimeout + NETWORK_DELAY

/** Epoch ms until which nothing is sent; 0 to send now. */
export function nextAttempt(attempt: RefreshAttempt | undefined, { now, dead, alone, tokenTimeout }: RefreshSituation): number {
  if (!attempt) return 0
  const { at, outcome, retryAt } = attempt
  if (outcome !== 'sent') return waitUntil(retryAt, now, MAX_REQUESTED_DELAY)
  const inFlight = inFlightTime(tokenTimeout)
  if (!alone) return waitUntil(at + inFlight, now, inFlight)
  // The sender is gone without storing an outcome. A valid token is used meanwhile; without one there is nothing to lose.
  return dead ? 0 : waitUntil(at + IN_DOUBT, now, IN_DOUBT)
}

/** Caps a wait, which would otherwise grow after the clock was set back. */
function waitUntil(time: number, now: number, maximum: number): number {
  return time > now && time - now <= maximum ? time : 0
}
