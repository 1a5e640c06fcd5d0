/** Checks options that are numbers: plain JavaScript may give a text, and a calculation may give NaN. */
import { ConfigurationError } from './errors'

/** Condition that a number must meet. */
export interface NumberRule {
  /** Its unit and bounds, for the message: `ms`, `a number above 0`. */
  readonly kind: string
  /** Default 0. */
  readonly min?: number
  /** Default: none. `Infinity` itself is accepted then. */
  readonly max?: number
  /** A valid value, for the message. */
  readonly example: string
}

/** Accepts undefined: the option has a default. @throws ConfigurationError `invalid_argument`. */
export function requireNumber(value: unknown, name: string, { kind, min = 0, max = Number.POSITIVE_INFINITY, example }: NumberRule): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return
  throw new ConfigurationError('invalid_argument', `${name}: ${kind}`, { remedy: `Pass a number, for example ${example}` })
}
