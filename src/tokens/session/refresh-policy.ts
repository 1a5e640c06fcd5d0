/** When a session is renewed, and when it is asked again: decisions only, no clock and no network. */
import type { RefreshAttempt, SessionRecord } from './record'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long an unanswered request may still be worked on: its deadline, and what the network adds. */
const IN_FLIGHT = 12_000
/** After a request whose end is unknown, and after one that was refused for what may be that reason. */
export const IN_DOUBT = 30_000
/** The longest pause that a service may ask for. */
export const LONGEST = 5 * MINUTE
/** A token that ends sooner than this is not worth using. */
const LAST_SECONDS = 5000

/** Epoch ms from which a session is renewed when nothing speaks against it: early enough that days of failure do no harm. */
export function refreshDueAt({ id, obtainedAt, tokens }: SessionRecord): number {
  const life = Math.max(tokens.expiresAt - obtainedAt, 0)
  const share = life > 2 * DAY ? Math.min(life / 2, life - DAY) : life * 0.75
  // Players who came together do not come back together.
  return obtainedAt + share * (1 - jitter(id))
}

/** From 0 to 0.1, by the session's own random name. */
function jitter(id: string): number {
  return ((id.charCodeAt(0) * 31 + id.charCodeAt(1)) % 100) / 1000
}

/** Epoch ms from which the game is told that the token is about to end, if it was not renewed by then. */
export function expiryNotice({ obtainedAt, tokens }: SessionRecord): number {
  return tokens.expiresAt - Math.min(5 * MINUTE, (tokens.expiresAt - obtainedAt) / 10)
}

/** By this machine's clock; one that was set back below the hour the token came tells nothing, so the token counts as good. */
export function isExpired({ tokens }: SessionRecord, now: number): boolean {
  return now >= tokens.expiresAt - LAST_SECONDS
}

export interface Situation {
  now: number
  /** The access token does not work: it has expired, or was refused. */
  dead: boolean
  /** Whoever sent the last request is gone: this tab holds the lock that it held. */
  alone: boolean
}

/** Epoch ms until which nothing is sent; 0 to send now. */
export function nextAttempt(attempt: RefreshAttempt | undefined, { now, dead, alone }: Situation): number {
  if (!attempt) return 0
  const { at, outcome, retryAt } = attempt
  if (outcome !== 'sent') return waitUntil(retryAt, now, LONGEST)
  if (!alone) return waitUntil(at + IN_FLIGHT, now, IN_FLIGHT)
  // Its sender is gone and told nothing. A token that still works is used meanwhile; without one there is nothing to lose.
  return dead ? 0 : waitUntil(at + IN_DOUBT, now, IN_DOUBT)
}

/** A clock that was set back must not make a wait longer than it was meant to be. */
function waitUntil(time: number, now: number, longest: number): number {
  return time > now && time - now <= longest ? time : 0
}
