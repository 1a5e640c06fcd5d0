/** Detects a secret that was printed: a template such as `${session.tokens.accessToken}` gives `[secret]`. */
import { ConfigurationError } from './errors'

/** @throws ConfigurationError `invalid_argument`. */
export function requireRevealed(text: unknown, name: string): void {
  if (typeof text === 'string' && text.includes('[secret]'))
    throw new ConfigurationError('invalid_argument', name, { remedy: 'It prints as [secret]: pass its reveal()' })
}
