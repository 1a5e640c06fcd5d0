/** What a request may come to instead of an answer. */
// In one file, since every request can meet all of them: a game's bundler then makes no small file of each.
import { type ErrorDetails, FoyerError } from './base'
import type { Issue } from './validation'

export type NetworkErrorCode = 'offline' | 'timed_out' | 'aborted' | 'connection_failed'

/** No answer arrived: try again. */
export class NetworkError extends FoyerError<NetworkErrorCode> {
  override readonly name = 'NetworkError'

  /** `route` is a method and a path, never a full URL. */
  constructor(code: NetworkErrorCode, route: string, details?: ErrorDetails) {
    super(code, route, { retryable: code !== 'aborted', ...details })
  }
}

export type ProtocolErrorCode = 'malformed_response' | 'response_too_large' | 'invalid_id_token' | 'missing_id_token' | 'keys_unavailable'

/** The service broke its own contract: report it. `path` says where, `expected` what should have stood there. */
export class ProtocolError extends FoyerError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError'
  declare readonly path?: string
  declare readonly expected?: string
}

/** The service refused a request that is not part of signing in: read `status` and `apiCode`. */
export class ApiError extends FoyerError {
  override readonly name = 'ApiError'
  /** HTTP status of the answer; 0 for the word of an Activity's host window. */
  declare readonly status: number
  /** The service's own error number (supplement A.6.2), when its body held one. */
  declare readonly apiCode?: number
  /** What the service says is wrong with the body, in the same paths as the SDK's own checks. */
  declare readonly issues?: readonly Issue[]

  constructor(code: string, route: string, details: ErrorDetails & { status: number; apiCode?: number; issues?: readonly Issue[] }) {
    super(code, route, { retryable: details.status >= 500 || details.status === 429, ...details })
  }
}
