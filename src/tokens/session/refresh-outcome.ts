/** What is written down before a renewal and after it, and what an answer means: decisions only, no clock and no network. */
import type { JsonAnswer } from '../../http/request'
import { IN_DOUBT, LONGEST } from './refresh-policy'
import type { RefreshAttempt } from './record'

/** After an answer that was the service's own, or its proxy's: the first pause and the longest. */
const PAUSE = 2000

/** The next attempt, about to be sent. `chance`, from 0 to 1, tells it from another tab's of the same moment. */
export function markSent(attempt: RefreshAttempt | undefined, now: number, chance: number): RefreshAttempt {
  return { at: now, tries: (attempt?.tries ?? 0) + 1, outcome: 'sent', retryAt: now + IN_DOUBT + Math.floor(chance * 1000) }
}

/** Nothing that could be used came back. `asked`: the service is there, in trouble, and wants to be left alone for so many ms. */
export function markLost(attempt: RefreshAttempt, now: number, asked: number | undefined): RefreshAttempt {
  const pause = asked === undefined ? IN_DOUBT : Math.max(Math.min(PAUSE * 2 ** (attempt.tries - 1), IN_DOUBT), Math.min(asked, LONGEST))
  return { ...attempt, outcome: 'lost', retryAt: now + pause }
}

/** Refused, perhaps for the sake of a request that another tab sent and died of. If it lives after all, its answer comes in the meantime. */
export function markInDoubt(attempt: RefreshAttempt, now: number): RefreshAttempt {
  return { ...attempt, outcome: 'refused', retryAt: now + IN_DOUBT }
}

/**
 * `invalid`: the one answer that ends a session, in the one form that can be believed. `unusable`: a refusal for any other reason, or a
 * service in trouble.
 */
export type RefreshVerdict = 'renewed' | 'invalid' | 'unusable'

export function judgeAnswer({ status, body }: JsonAnswer): RefreshVerdict {
  const { error } = body
  if (status === 200 && error === undefined) return 'renewed'
  return error === 'invalid_grant' && (status === 400 || status === 401) ? 'invalid' : 'unusable'
}

/** What `invalid_grant` means after what was sent before. */
export function judgeInvalid(before: RefreshAttempt | undefined): 'rejected' | 'doubt' | 'answer_lost' {
  if (!before) return 'rejected'
  return before.outcome === 'sent' ? 'doubt' : 'answer_lost'
}
