/** Stored form of a pending sign-in, with its limits. Pure. A file of its own: what reads it on a later page needs nothing else of an attempt. */
import type { Attempt } from './attempt'

/** Maximum number of stored records; the oldest one is replaced. */
export const MAX_RECORDS = 8
/** Lifetime of a record in ms. */
export const LIFETIME = 600_000

/** Plain data with the verifier in clear text. */
export function encodeAttempt({ verifier, ...attempt }: Attempt): object {
  return { ...attempt, verifier: verifier?.reveal() }
}
