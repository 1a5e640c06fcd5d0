/** Time in which a purchase is valid. Pure. */
import type { Entitlement } from '../../shared/wire/purchase'

/** ms by which the clocks of the service and of a backend may differ: a purchase must not wait for that. */
const SKEW = 300_000

/** True if it has begun, has not ended, and was not withdrawn. @param now epoch ms. */
export function isValidAt({ deleted, starts_at, ends_at }: Entitlement, now: number): boolean {
  const hasBegun = typeof starts_at !== 'string' || Date.parse(starts_at) <= now + SKEW
  const hasEnded = typeof ends_at === 'string' && Date.parse(ends_at) <= now
  return deleted !== true && hasBegun && !hasEnded
}
