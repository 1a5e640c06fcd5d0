/** Error for a call that a rate limit prevents. */
import type { RateLimitErrorCode } from './error-code'
import { FoyerError } from './error-classes'

/** Details of a `RateLimitError`. */
export interface RateLimitErrorDetails {
  /** ms until the call may be tried again. */
  retryAfter: number
  /** The same moment in epoch ms. */
  resetAt: number
  /** Name of the limit. */
  bucket: string
  /** Scope of the limit: the player, the whole application, the resource, or this IP address. */
  scope: 'user' | 'global' | 'shared' | 'address'
}

/** A rate limit prevents the call: wait until `resetAt`. */
export class RateLimitError extends FoyerError<RateLimitErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'RateLimitError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'RateLimitError'
  /** ms until the call may be tried again. */
  declare readonly retryAfter: number
  /** The same moment in epoch ms. */
  declare readonly resetAt: number
  /** Name of the limit, for example `join_lobby`. */
  declare readonly bucket: string
  /** Scope of the limit: the player, the whole application, the resource, or this IP address. */
  declare readonly scope: RateLimitErrorDetails['scope']

  constructor(code: RateLimitErrorCode, details: RateLimitErrorDetails) {
    super(code, details.bucket, { retryable: true, ...details })
  }
}
