/** A rate limit stands in the way. */
import type { RateLimitErrorCode } from './codes'
import { FoyerError } from './common'

export interface RateLimitErrorDetails {
  retryAfter: number
  resetAt: number
  bucket: string
  scope: 'user' | 'global' | 'shared' | 'address'
}

/** A rate limit stands in the way: wait until `resetAt`. */
export class RateLimitError extends FoyerError<RateLimitErrorCode> {
  override readonly name = 'RateLimitError'
  /** ms until the call may be tried again. */
  declare readonly retryAfter: number
  /** The same as an instant, in epoch ms. */
  declare readonly resetAt: number
  /** Which limit it is, for example `join_lobby`. */
  declare readonly bucket: string
  /** Whose limit it is: the player's, the whole application's, the resource's, or this address's. */
  declare readonly scope: RateLimitErrorDetails['scope']

  constructor(code: RateLimitErrorCode, details: RateLimitErrorDetails) {
    super(code, details.bucket, { retryable: true, ...details })
  }
}
