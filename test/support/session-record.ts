/** Records of a session and of an attempt to refresh it, an hour long unless a test says otherwise. */
import { Secret } from 'foyer-sdk'
import type { RefreshAttempt, SessionRecord } from './internals'
import { CLIENT_ID, HOST, USER_ID } from './token-service'

export const NOW = 1_700_000_000_000
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function createRecord(changes: Partial<SessionRecord> = {}, lifetime = HOUR): SessionRecord {
  const tokens = {
    accessToken: new Secret('access-1'),
    tokenType: 'Bearer',
    expiresAt: NOW + lifetime,
    scopes: ['openid'],
  } as const
  // The id's first two characters give a jitter of 0: (68 * 31 + 92) % 100.
  const base = {
    id: 'D\\'.padEnd(43, 'A'),
    epoch: 1,
    issuer: HOST,
    clientId: CLIENT_ID,
    userId: USER_ID,
    asked: ['openid'],
  }
  return { ...base, obtainedAt: NOW, tokens, ...changes } as SessionRecord
}

export const createAttempt = (changes: Partial<RefreshAttempt> = {}): RefreshAttempt => ({
  at: NOW,
  tries: 1,
  outcome: 'sent',
  retryAt: NOW,
  ...changes,
})
