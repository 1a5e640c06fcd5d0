/** Attempts in the browser's storage while the player is on the authorize page. The record decides whose a response is. */
import { JOIN } from '../lobbies/invitation'
import { listenToAbort } from '../../shared/foundation/async'
import { encodeAttempt, LIFETIME, MAX_RECORDS } from '../../shared/authorization/attempt-record'
import { type Attempt } from '../../shared/authorization/attempt'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError, AuthorizationError } from '../../shared/foundation/errors'

export const PREFIX = 'foyer:attempt:'

/**
 * The first one that works has the record: every tab of the browser reaches the local storage, since a response may arrive in another tab.
 * They are functions because naming a blocked storage throws.
 */
const STORAGES = [() => localStorage, () => sessionStorage] as const

/** `returnTo`: page of the game that the callback page must open, because no window waits for it. */
export interface StoredAttempt extends Attempt {
  returnTo?: string | undefined
}

/** @throws ConfigurationError `unsupported` if storage is unavailable. */
function storeAttempt(attempt: StoredAttempt): void {
  for (const storage of STORAGES) evictOldest(storage, attempt)
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

/** Deletes expired records, and the oldest ones of this client until one more fits. Another game of the origin keeps its own. */
function evictOldest(storage: () => Storage, { begun: now, owner }: Attempt): void {
  attemptTo(() => {
    const store = storage()
    const found = Object.keys(store)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => {
        const record = recordOf(store.getItem(key)) ?? {}
        const { owner: of, begun } = record
        return { key, owner: of, age: now - (typeof begun === 'number' ? begun : 0) }
      })
    let kept = 0
    for (const each of found.sort((a, b) => a.age - b.age))
      if (each.age > LIFETIME || (each.owner === owner && ++kept >= MAX_RECORDS)) store.removeItem(each.key)
  })
}

/** A copy of the record's fields, unvalidated. */
function recordOf(text: string | null): Readonly<Record<string, unknown>> | undefined {
  return attemptTo(() => {
    const value: unknown = JSON.parse(text ?? '')
    return isRecord(value) ? ownFields(value) : undefined
  })
}

/** Undefined if it fails: storage that is blocked holds nothing, and neither does a text that is no JSON. */
function attemptTo<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Returns the unvalidated fields of a record; empty if there is none. */
export function readRecord(state: string): Readonly<Record<string, unknown>> {
  for (const storage of STORAGES) {
    const record = recordOf(attemptTo(() => storage().getItem(PREFIX + state)) ?? null)
    if (record) return record
  }
  return {}
}

/** Returns the reason if no storage accepts the record. */
export function writeRecord(state: string, record: object): { cause: unknown } | undefined {
  let fault: { cause: unknown } | undefined
  for (const storage of STORAGES) {
    try {
      storage().setItem(PREFIX + state, JSON.stringify(record))
      return undefined
    } catch (cause) {
      fault = { cause }
    }
  }
  return fault
}

/** Stores the attempt for the page that will complete it. @throws ConfigurationError `unsupported` if storage is unavailable. */
export function keepAttempt(
  attempt: Attempt,
  place: Pick<StoredAttempt, 'page' | 'returnTo'>,
  signal: AbortSignal,
): void {
  const { invitation } = attempt
  storeAttempt({
    ...attempt,
    ...place,
    ...(invitation && { page: (place.page ?? '') + JOIN + encodeURIComponent(invitation) }),
  })
  listenToAbort(signal, () => deleteAttempt(attempt.state))
}

/** Rejects with `stale` if the back button restores this page from the back/forward cache. */
export function untilRestored(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reject(new AuthorizationError('stale'))
    }
    window.addEventListener('pageshow', onPageShow, { signal })
  })
}
