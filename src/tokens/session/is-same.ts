/** Compares states of sessions. */
import type { SessionRecord } from './session-record'

type RecordAge = Pick<SessionRecord, 'id' | 'epoch'>

/** True if both are the same state of the same session. */
export function isSame(one: RecordAge | null | undefined, other: RecordAge): boolean {
  return one?.id === other.id && one.epoch === other.epoch
}
