/** When a session is renewed, when it is asked again, and what an answer means for it: decisions only, no clock and no network. */
import type { JsonAnswer } from '../http/request'
import type { RefreshAttempt, SessionRecord } from './session-record'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long an unanswered request may still be worked on: its deadline, and what the network adds. */
const IN_THE_AIR = 12_000
/** After a request whose end is unknown, and after one that was refused for what may be that reason. */
const DOUBT = 30_000
/** After an answer that was the service's own, or its proxy's: the first pause and the longest. */
const PAUSE = 2000
/** The longest pause that a service may ask for. */
const LONGEST = 5 * MINUTE
/** A token that ends sooner than this is not worth using. */
const LAST_SECONDS = 5000

/** Epoch ms from which a session is renewed when nothing speaks against it: early enough that days of failure do no harm. */
export function renewalDue({ id, obtainedAt, tokens }: SessionRecord): number {
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
  if (!alone) return waitUntil(at + IN_THE_AIR, now, IN_THE_AIR)
  // Its sender is gone and told nothing. A token that still works is used meanwhile; without one there is nothing to lose.
  return dead ? 0 : waitUntil(at + DOUBT, now, DOUBT)
}

/** A clock that was set back must not make a wait longer than it was meant to be. */
function waitUntil(time: number, now: number, longest: number): number {
  return time > now && time - now <= longest ? time : 0
}

/** The next attempt, about to be sent. `chance`, from 0 to 1, tells it from another tab's of the same moment. */
export function sending(attempt: RefreshAttempt | undefined, now: number, chance: number): RefreshAttempt {
  return { at: now, tries: (attempt?.tries ?? 0) + 1, outcome: 'sent', retryAt: now + DOUBT + Math.floor(chance * 1000) }
}

/** Nothing that could be used came back. `asked`: the service is there, in trouble, and wants to be left alone for so many ms. */
export function lost(attempt: RefreshAttempt, now: number, asked: number | undefined): RefreshAttempt {
  const pause = asked === undefined ? DOUBT : Math.max(Math.min(PAUSE * 2 ** (attempt.tries - 1), DOUBT), Math.min(asked, LONGEST))
  return { ...attempt, outcome: 'lost', retryAt: now + pause }
}

/** Refused, perhaps for the sake of a request that another tab sent and died of. If it lives after all, its answer comes in the meantime. */
export function doubted(attempt: RefreshAttempt, now: number): RefreshAttempt {
  return { ...attempt, outcome: 'refused', retryAt: now + DOUBT }
}

/**
 * `invalid`: the one answer that ends a session, in the one form that can be believed. `unusable`: a refusal for any other reason, or a
 * service in trouble.
 */
export type Verdict = 'renewed' | 'invalid' | 'unusable'

export function judgeAnswer({ status, body }: JsonAnswer): Verdict {
  const { error } = body
  if (status === 200 && error === undefined) return 'renewed'
  return error === 'invalid_grant' && (status === 400 || status === 401) ? 'invalid' : 'unusable'
}

/** What `invalid_grant` means after what was sent before. */
export function judgeInvalid(before: RefreshAttempt | undefined): 'rejected' | 'doubt' | 'answer_lost' {
  if (!before) return 'rejected'
  return before.outcome === 'sent' ? 'doubt' : 'answer_lost'
}
