/** Maps failures of the platform's `fetch` to errors of the SDK. */
import { type ErrorDetails, FoyerError, NetworkError } from './errors'

const REMEDY = 'Is the service running, and do the Content Security Policy (connect-src) and CORS allow it?'

/**
 * Wraps an unknown failure in NetworkError `connection_failed`. Errors of the SDK are returned as they are. `route` is a method and a path,
 * never a full URL.
 */
export function toNetworkError(error: unknown, route: string, details?: Pick<ErrorDetails, 'remedy'>): FoyerError {
  return error instanceof FoyerError ? error : new NetworkError('connection_failed', route, { cause: error, remedy: REMEDY, ...details })
}
