/** Reads and writes the record of a pending sign-in, which decides whose a response is. */
import { isRecord, ownFields } from '../foundation/values/guard-untrusted-values'

export const PREFIX = 'foyer:attempt:'

/**
 * The first one that works has the record: every tab of the browser reaches the local storage, since a response may arrive in another tab.
 * They are functions because naming a blocked storage throws.
 */
export const STORAGES = [() => localStorage, () => sessionStorage] as const

/** Returns the unvalidated fields of a record; empty if there is none. */
export function readRecord(state: string): Readonly<Record<string, unknown>> {
  for (const storage of STORAGES) {
    try {
      const value: unknown = JSON.parse(storage().getItem(PREFIX + state) ?? '')
      if (isRecord(value)) return ownFields(value)
    } catch {
      // Blocked, or not there.
    }
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
