/** Stores attempts in the browser while the player is on the authorize page. */
import { encodeAttempt, LIFETIME, MAX_RECORDS } from '../authorization/attempt-record'
import type { Attempt } from '../authorization/begin-attempt'
import { isRecord } from '../foundation/values/guard-untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import { PREFIX, STORAGES, writeRecord } from './attempt-record-storage'

/** `returnTo`: page of the game that the callback page must open, because no window waits for it. */
export interface StoredAttempt extends Attempt {
  returnTo?: string | undefined
}

/** @throws ConfigurationError `unsupported` if storage is unavailable. */
export function storeAttempt(attempt: StoredAttempt): void {
  for (const storage of STORAGES) evictOldest(storage, attempt.begun)
  const fault = writeRecord(attempt.state, encodeAttempt(attempt))
  if (fault)
    throw new ConfigurationError('unsupported', 'storage', {
      ...fault,
      remedy: 'A redirect requires local or session storage: allow it for this page, or use a popup',
    })
}

export function deleteAttempt(state: string): void {
  for (const storage of STORAGES) attemptTo(() => storage().removeItem(PREFIX + state))
}

/** Deletes expired records, and the oldest ones until one more fits. */
function evictOldest(storage: () => Storage, now: number): void {
  attemptTo(() => {
    const store = storage()
    const keys = Object.keys(store).filter((key) => key.startsWith(PREFIX))
    const byAge = keys.map((key) => ({ key, begun: begunAt(store.getItem(key)) })).sort((a, b) => b.begun - a.begun)
    for (const [index, { key, begun }] of byAge.entries()) if (index >= MAX_RECORDS - 1 || now - begun > LIFETIME) store.removeItem(key)
  })
}

function begunAt(text: string | null): number {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) && typeof value['begun'] === 'number' ? value['begun'] : 0
  } catch {
    return 0
  }
}

/** Storage that is blocked holds nothing to delete. */
function attemptTo(work: () => void): void {
  try {
    work()
  } catch {
    // See above.
  }
}
