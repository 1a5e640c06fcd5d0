/** Keeps attempts in the tab's session storage while the page is away: it belongs to one tab and dies with it. */
import { decodeAttempt, encodeAttempt, isFresh, MAX_RECORDS } from '../authorization/attempt-record'
import type { Attempt } from '../authorization/request'
import type { Clock } from '../foundation/clock'
import { AuthorizationError, ConfigurationError } from '../foundation/errors'
import { PREFIX, readRecord } from './read-attempt'

/** @throws ConfigurationError `unsupported` where nothing can be kept. */
export function keepAttempt(attempt: Attempt): void {
  try {
    makeRoom()
    sessionStorage.setItem(PREFIX + attempt.state, JSON.stringify(encodeAttempt(attempt)))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'session storage', {
      cause: error,
      remedy: 'A redirect needs it: allow it for this page, or use a popup',
    })
  }
}

/** Finds an attempt of this owner and removes it. @throws AuthorizationError `timed_out` when its time is over. */
export async function takeAttempt(state: string, { owner, clock }: { owner: string; clock: Clock }): Promise<Attempt | undefined> {
  const attempt = decodeAttempt(readRecord(state))
  if (attempt && attempt.owner !== owner) return undefined
  dropAttempt(state)
  if (attempt && !isFresh(attempt, clock.now())) throw new AuthorizationError('timed_out')
  return attempt
}

export function dropAttempt(state: string): void {
  try {
    sessionStorage.removeItem(PREFIX + state)
  } catch {
    // Closed to this page: nothing can be in it.
  }
}

/** Drops the oldest until one more fits. */
function makeRoom(): void {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
  const byAge = keys.map((key) => ({ key, begun: begunAt(key) })).sort((a, b) => b.begun - a.begun)
  for (const { key } of byAge.slice(MAX_RECORDS - 1)) sessionStorage.removeItem(key)
}

function begunAt(key: string): number {
  return decodeAttempt(readRecord(key.slice(PREFIX.length)))?.begun ?? 0
}
