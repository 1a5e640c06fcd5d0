/** Stores attempts in the tab's session storage while the player is on the authorize page. */
import { decodeAttempt, encodeAttempt, MAX_RECORDS } from '../authorization/attempt-record'
import type { Attempt } from '../authorization/authorize-url'
import { ConfigurationError } from '../foundation/errors'
import { PREFIX, readRecord } from './get-attempt-from-session-storage'

/** @throws ConfigurationError `unsupported` if session storage is unavailable. */
export function storeAttempt(attempt: Attempt): void {
  try {
    evictOldest()
    sessionStorage.setItem(PREFIX + attempt.state, JSON.stringify(encodeAttempt(attempt)))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'session storage', {
      cause: error,
      remedy: 'A redirect requires it: allow it for this page, or use a popup',
    })
  }
}

export function deleteAttempt(state: string): void {
  try {
    sessionStorage.removeItem(PREFIX + state)
  } catch {
    // Storage is blocked for this page, so nothing was stored.
  }
}

/** Deletes the oldest records until one more fits. */
function evictOldest(): void {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
  const byAge = keys.map((key) => ({ key, begun: begunAt(key) })).sort((a, b) => b.begun - a.begun)
  for (const { key } of byAge.slice(MAX_RECORDS - 1)) sessionStorage.removeItem(key)
}

function begunAt(key: string): number {
  return decodeAttempt(readRecord(key.slice(PREFIX.length)))?.begun ?? 0
}
