/** Times of a response, all in ms. Pure. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { requireNumber } from '../../shared/foundation/options'

/** Default time until automatic deferral, counted from the signed timestamp. */
const DEFER_AFTER = 2_000
/** Time that the service waits for the first response. */
export const FIRST_RESPONSE_TIME = 3_000
/** Lifetime of an interaction token. */
export const TOKEN_LIFETIME = 15 * 60_000
/** A signed timestamp has whole seconds: the request may have been sent up to a second later. */
const RESOLUTION = 1_000

/** Moments of one interaction in epoch ms. */
export interface InteractionTimes {
  /** Earliest time at which the service can have sent the request. */
  readonly since: number
  /** Latest time at which the service can have sent the request. */
  readonly latest: number
  /** Time at which the request arrived. */
  readonly received: number
}

/**
 * Counts from the signed timestamp, because a cold start or a queue in front of the handler takes part of the three seconds. Counts from
 * the arrival if the timestamp is impossible: one of the two clocks is wrong.
 */
export function timesOf(signedAt: number, received: number): InteractionTimes {
  const age = received - signedAt
  if (!(age >= 0 && age < FIRST_RESPONSE_TIME + RESOLUTION))
    return { since: received, latest: received, received }
  return { since: signedAt, latest: Math.min(received, signedAt + RESOLUTION), received }
}

/** @throws ConfigurationError `invalid_argument` unless the service still waits at that time. */
export function requireDeferAfter(deferAfter: number = DEFER_AFTER): number {
  requireNumber(deferAfter, 'deferAfter', { kind: 'ms', example: '2000' })
  if (typeof deferAfter === 'number' && deferAfter >= 0 && deferAfter < FIRST_RESPONSE_TIME) return deferAfter
  throw new ConfigurationError('invalid_argument', 'deferAfter: 0 to 2,999 ms', {
    remedy: 'The service waits 3,000 ms for the first response, including its way',
  })
}
