/** Takes a stored attempt when its callback arrives, in one tab only. Loaded with the first callback. */
import { decodeAttempt, isFresh } from '../authorization/attempt-record'
import type { Attempt } from '../authorization/begin-attempt'
import type { Clock } from '../foundation/clock'
import { AuthorizationError } from '../foundation/errors'
import { PREFIX, readRecord } from './attempt-record-storage'
import { deleteAttempt } from './stored-attempt'

/** Time in ms after which every tab sees that a record was removed: browsers copy local storage to other processes with a delay. */
const HOLD = 10_000

/**
 * Removes and returns an attempt of this owner, in whichever tab of the browser its callback arrived first. The tab remembers that it was
 * used, so that the same URL is recognized after a reload. @throws AuthorizationError `timed_out` if the attempt is too old.
 */
export async function takeAttempt(state: string, { owner, clock }: { owner: string; clock: Clock }): Promise<Attempt | undefined> {
  if (readRecord(state)['owner'] !== owner || !(await claim(PREFIX + state, clock))) return undefined
  const attempt = decodeAttempt(readRecord(state))
  deleteAttempt(state)
  if (!attempt) return undefined
  rememberUse(attempt)
  if (!isFresh(attempt, clock.now())) throw new AuthorizationError('timed_out')
  return attempt
}

/** Resolves with false if another tab is taking the same attempt. A lock is exact, local storage alone is not. */
function claim(name: string, clock: Clock): Promise<boolean> {
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      resolve(!!lock)
      return lock ? new Promise((release) => void clock.after(HOLD, release)) : undefined
    }
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(true))
  })
}

function rememberUse({ state, owner, begun }: Attempt): void {
  try {
    sessionStorage.setItem(PREFIX + state, JSON.stringify({ owner, begun, isUsed: true }))
  } catch {
    // Blocked or full: after a reload the URL belongs to nobody.
  }
}
