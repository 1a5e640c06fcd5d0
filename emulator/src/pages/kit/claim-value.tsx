/** Value of a claim: a moment as the time that is left or has passed, and as a date. */
import { exact, relative } from './format-time.js'

/** Claims that are moments, in seconds. */
const MOMENTS = new Set(['exp', 'iat', 'auth_time', 'nbf', 'updated_at'])

/** Seconds that a date can hold. */
const MAX_MOMENT = 8_640_000_000_000

interface ClaimValueProps {
  name: string
  value: unknown
  /** Epoch ms; relative times refer to it. */
  now: number
}

export function ClaimValue({ name, value, now }: ClaimValueProps) {
  if (MOMENTS.has(name) && typeof value === 'number' && Math.abs(value) <= MAX_MOMENT) {
    const moment = value * 1000
    return (
      <time datetime={new Date(moment).toISOString()}>{`${relative(moment, now)}, ${exact(moment)}`}</time>
    )
  }
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
}
