/** Keeps attempts in the tab's session storage while the page is away: it belongs to one tab and dies with it. */
import type { Attempt } from '../authorization/request'
import type { Clock } from '../foundation/clock'
import { isRecord } from '../foundation/encoding'
import { AuthorizationError, ConfigurationError } from '../foundation/errors'
import { isApplicationId } from '../foundation/ids'
import { Secret } from '../foundation/secret'

/** How long a redirect may take, in ms. After that its record is worthless. */
const LIFETIME = 600_000
const PREFIX = 'foyer:attempt:'
const MAX_RECORDS = 8

/** @throws ConfigurationError `unsupported` where nothing can be kept. */
export function keepAttempt({ verifier, ...attempt }: Attempt): void {
  try {
    makeRoom()
    sessionStorage.setItem(PREFIX + attempt.state, JSON.stringify({ ...attempt, verifier: verifier?.reveal() }))
  } catch (error) {
    throw new ConfigurationError('unsupported', 'session storage', {
      cause: error,
    })
  }
}

/** Finds an attempt and removes it. @throws AuthorizationError `timed_out` when its time is over. */
export async function takeAttempt(state: string, clock: Clock): Promise<Attempt | undefined> {
  const attempt = parseAttempt(readRecord(PREFIX + state))
  dropAttempt(state)
  if (attempt && clock.now() - attempt.begun > LIFETIME) throw new AuthorizationError('timed_out')
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
  const byAge = keys.map((key) => ({ key, begun: parseAttempt(readRecord(key))?.begun ?? 0 })).sort((a, b) => b.begun - a.begun)
  for (const { key } of byAge.slice(MAX_RECORDS - 1)) sessionStorage.removeItem(key)
}

function readRecord(key: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? '')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Undefined for what is no attempt, whatever else it may be. */
function parseAttempt({
  state,
  nonce,
  clientId,
  scopes,
  redirectUri,
  verifier,
  begun,
}: Readonly<Record<string, unknown>>): Attempt | undefined {
  if (!isText(state) || !isText(nonce) || !isText(scopes) || !isText(redirectUri)) return undefined
  if (!isApplicationId(clientId) || typeof begun !== 'number') return undefined
  return { state, nonce, clientId, scopes, redirectUri, begun, verifier: isText(verifier) ? new Secret(verifier) : undefined }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
