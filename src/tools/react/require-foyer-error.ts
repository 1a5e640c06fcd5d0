/** Separates errors that a component shows from faults of the calling code. */
import { FoyerError } from 'foyer-sdk'

/** @throws any other error: it is a fault of the calling code, not a state to show. */
export function requireFoyerError(error: unknown): FoyerError {
  if (error instanceof FoyerError) return error
  throw error
}
