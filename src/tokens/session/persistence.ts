/** Port to the token store, and its absence: a session that lives in memory. */
import type { PersistenceOptions, SessionPersistence } from './session-persistence'

/** The part of `SessionPersistence` that a session uses. */
export type Persistence = Pick<SessionPersistence, 'lastWritten' | 'read' | 'write' | 'writeEnd' | 'isOlder'>

/** Connects a session to its token store. */
export type Persist = (options: Omit<PersistenceOptions, 'store'>) => Persistence

/** A session that lives in memory. */
export const IN_MEMORY: Persistence = {
  lastWritten: false,
  read: async () => undefined,
  write: async () => undefined,
  writeEnd: async () => undefined,
  isOlder: async () => false,
}
