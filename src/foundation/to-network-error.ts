/** Maps failures of the platform's `fetch` to errors of the SDK. */
import { type ErrorDetails, FoyerError, NetworkError } from './errors'

/**
 * Wraps an unknown failure in NetworkError `connection_failed`. Errors of the SDK are returned as they are. `route` is a method and a path,
 * never a full URL.
 */
export function toNetworkError(error: unknown, route: string, details?: Pick<ErrorDetails, 'remedy'>): FoyerError {
  return error instanceof FoyerError ? error : new NetworkError('connection_failed', route, { cause: error, ...details })
}
