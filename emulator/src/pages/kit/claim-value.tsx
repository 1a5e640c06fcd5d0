/** Value of a claim: a moment as the time that is left or has passed, and as a date. A long value is folded. */
import { exact, relative } from './format-time.js'

/** Claims that are moments, in seconds. */
const MOMENTS = new Set(['exp', 'iat', 'auth_time', 'nbf', 'updated_at'])

/** Seconds that a date can hold. */
const MAX_MOMENT = 8_640_000_000_000

/** Characters of a value that is shown whole, and of the beginning of a longer one. */
const MAX_WHOLE = 400
const START = 60

/** Characters that change the direction of the text around them: a value with them reads as another one. */
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

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
  const text = withoutDirection(typeof value === 'string' ? value : JSON.stringify(value))
  if (text.length <= MAX_WHOLE) return <code>{text}</code>
  return (
    <details>
      <summary>
        <code>{text.slice(0, START)}…</code> {text.length.toLocaleString('en-GB')} characters
      </summary>
      <code>{text}</code>
    </details>
  )
}

const withoutDirection = (text: string): string =>
  text.replaceAll(DIRECTION, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
