/** No answer arrived. */
import { type ErrorDetails, FoyerError } from './base'

export type NetworkErrorCode = 'offline' | 'timed_out' | 'aborted' | 'connection_failed'

/** No answer arrived: try again. */
export class NetworkError extends FoyerError<NetworkErrorCode> {
  override readonly name = 'NetworkError'

  /** `route` is a method and a path, never a full URL. */
  constructor(code: NetworkErrorCode, route: string, details?: ErrorDetails) {
    super(code, route, { retryable: code !== 'aborted', ...details })
  }
}
