/** Outcome of a read for a lobby that cannot be read. */
import { ApiError } from '../../shared/foundation/errors'

/** Returns null for a lobby that has ended, and undefined for one that this application may not read. */
export function nullIfEnded(error: unknown): null | undefined {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'unknown_lobby' || error.status === 404) return null
  if (error.code === 'missing_access') return undefined
  throw error
}
