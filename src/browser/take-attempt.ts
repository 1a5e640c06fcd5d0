/** Takes a stored attempt when its callback arrives. Loaded with the first callback. */
import { decodeAttempt, isFresh } from '../authorization/attempt-record'
import type { Attempt } from '../authorization/authorize-url'
import type { Clock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { deleteAttempt } from './attempt-store'
import { readRecord } from './get-attempt-from-session-storage'

/** Removes and returns an attempt of this owner. @throws AuthorizationError `timed_out` if the attempt is too old. */
export async function takeAttempt(state: string, { owner, clock }: { owner: string; clock: Clock }): Promise<Attempt | undefined> {
  const attempt = decodeAttempt(readRecord(state))
  if (attempt && attempt.owner !== owner) return undefined
  deleteAttempt(state)
  if (attempt && !isFresh(attempt, clock.now())) throw new AuthorizationError('timed_out')
  return attempt
}
