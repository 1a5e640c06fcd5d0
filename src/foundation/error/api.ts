/** The service refused a request. */
import { type ErrorDetails, FoyerError } from './base'
import type { Issue } from './validation'

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
