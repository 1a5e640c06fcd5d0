/** Reads the string of a secret, and detects one that was printed instead. */
import { ConfigurationError } from './errors'
import type { Secret } from './secret'

/** What a secret prints as, for example in `${session.tokens.accessToken}`, also in an address. */
const SHOWN = /(\[|%5B)secret(]|%5D)/i

/**
 * The string of a secret, or the string itself. Any other value is returned as it is, for the caller to check. Secrets are recognized by
 * shape, since a page may load the SDK twice.
 * @throws ConfigurationError `invalid_argument` for a secret that was printed.
 */
export function reveal(value: Secret | string): string {
  requireRevealed(value, 'token', 'Pass the secret itself, or its reveal()')
  return value instanceof Object && 'reveal' in value ? value.reveal() : value
}

/** @throws ConfigurationError `invalid_argument` for a text that holds a secret which was printed. */
export function requireRevealed(text: unknown, name: string, remedy: string): void {
  if (typeof text === 'string' && SHOWN.test(text))
    throw new ConfigurationError('invalid_argument', `${name}: a secret that was not revealed`, { remedy })
}
