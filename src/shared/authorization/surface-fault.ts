/** The error of something of the game's that showed a page or a code. */
import { AuthorizationError, FoyerError } from '../foundation/errors'
import { cleanCause } from '../foundation/error-text'

/** Returns the error of something of the game's that showed a page or a code. Its message tells the cause, since logs show nothing else. */
export function surfaceFault(error: unknown): FoyerError {
  if (error instanceof FoyerError) return error
  const cause = cleanCause(error)
  return new AuthorizationError('surface_failed', { cause, subject: String(cause ?? '') })
}
