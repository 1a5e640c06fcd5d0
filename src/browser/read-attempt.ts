/** Looks at the record of a pending sign-in without taking it. */
import { isRecord, ownFields } from '../foundation/encoding'

export const PREFIX = 'foyer:attempt:'

/** The fields of a record, unchecked; none where there is no record. */
export function readRecord(state: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + state) ?? '')
    return ownFields(isRecord(value) ? value : {})
  } catch {
    return {}
  }
}
