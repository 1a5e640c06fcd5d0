/** Decisions of a refresh as pure functions: when to send it, what its response means, and the session after it. */
import { TOKEN_TIMEOUT } from '../../shared/service/service-config'
import type { RefreshAttempt, SessionRecord } from './session-record'
import type { JsonResponse } from '../../shared/http/http-client'
import { ProtocolError } from '../../shared/foundation/errors'
import type { VerifiedTokens } from '../../shared/tokens/requests/token-endpoint'
import type { TokenSet } from '../../shared/tokens/token-set'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** ms in which a request that has timed out may still be processed: network delays. */
const NETWORK_DELAY = 2000
/** ms to wait after a request with an unknown outcome, and after a rejection that such a request may have caused. */
const IN_DOUBT = 30_000
/** Maximum delay in ms that a service may request. */
const MAX_REQUESTED_DELAY = 5 * MINUTE
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
export function nextAttempt(
  attempt: RefreshAttempt | undefined,
  { now, dead, alone, tokenTimeout }: RefreshSituation,
): number {
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

/** First delay in ms after a response of the service or of its proxy; doubles with each attempt. */
const INITIAL_DELAY = 2000

/** The next attempt, about to be sent. `chance`, from 0 to 1, distinguishes it from another tab's attempt at the same moment. */
export function markSent(attempt: RefreshAttempt | undefined, now: number, chance: number): RefreshAttempt {
  return {
    at: now,
    tries: (attempt?.tries ?? 0) + 1,
    outcome: 'sent',
    retryAt: now + IN_DOUBT + Math.floor(chance * 1000),
  }
}

/** No usable response arrived. `requestedDelay`: set if the service responded, with the wait in ms that it requested. */
export function markLost(
  attempt: RefreshAttempt,
  now: number,
  requestedDelay: number | undefined,
): RefreshAttempt {
  const delay =
    requestedDelay === undefined
      ? IN_DOUBT
      : Math.max(
          Math.min(INITIAL_DELAY * 2 ** (attempt.tries - 1), IN_DOUBT),
          Math.min(requestedDelay, MAX_REQUESTED_DELAY),
        )
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
export function evaluateInvalidGrant(
  previous: RefreshAttempt | undefined,
): 'rejected' | 'doubt' | 'answer_lost' {
  if (!previous) return 'rejected'
  return previous.outcome === 'sent' ? 'doubt' : 'answer_lost'
}

/**
 * The record after a refresh (OpenID Connect Core section 12.2, RFC 6749 section 6). Fields missing from the response stay as they were.
 * @throws ProtocolError `invalid_id_token` if it is for another player, or for an earlier sign-in.
 */
export function applyRefresh(before: SessionRecord, { tokens, obtainedAt }: VerifiedTokens): SessionRecord {
  requireSamePlayer(before, tokens)
  const { epoch, tokens: previous } = before
  const scopes = tokens.scopes.length > 0 ? tokens.scopes : previous.scopes
  // `idToken` and `claims` are always replaced together.
  return {
    ...before,
    epoch: epoch + 1,
    obtainedAt,
    idTokenAt: tokens.idToken ? undefined : (before.idTokenAt ?? before.obtainedAt),
    tokens: { ...previous, ...tokens, scopes },
    attempt: undefined,
  }
}

function requireSamePlayer({ userId, tokens }: SessionRecord, { claims }: TokenSet): void {
  if (!claims) return
  if (claims.sub !== userId) throw differentPlayer('sub')
  const [signedIn, again] = [tokens.claims?.['auth_time'], claims['auth_time']]
  if (typeof signedIn === 'number' && typeof again === 'number' && again !== signedIn)
    throw differentPlayer('auth_time')
}

function differentPlayer(path: string): ProtocolError {
  return new ProtocolError('invalid_id_token', path, { path, expected: 'as before' })
}
