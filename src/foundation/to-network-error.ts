/** What the platform says of an exchange that came to nothing, in the words of this SDK. */
import { type ErrorDetails, FoyerError, NetworkError } from './errors'

/** Our own errors stay what they are. `route` is a method and a path, never a full URL. */
export function toNetworkError(error: unknown, route: string, details?: Pick<ErrorDetails, 'remedy'>): FoyerError {
  return error instanceof FoyerError ? error : new NetworkError('connection_failed', route, { cause: error, ...details })
}
