/** Reads the record of a pending sign-in without removing it. */
import { isRecord, ownFields } from '../foundation/guard-untrusted-values'

export const PREFIX = 'foyer:attempt:'

/** Returns the unvalidated fields of a record; empty if there is none. */
export function readRecord(state: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + state) ?? '')
    return ownFields(isRecord(value) ? value : {})
  } catch {
    return {}
  }
}
