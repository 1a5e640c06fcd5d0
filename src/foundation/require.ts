/** What the compiler would have refused: plain JavaScript leaves out a whole argument, or gives something else. */
import { isRecord } from './encoding'
import { ConfigurationError } from './errors'

/** The message names the argument, and never what was given for it. @throws ConfigurationError `invalid_argument`. */
export function requireRecord(value: unknown, name: string): void {
  if (!isRecord(value)) throw new ConfigurationError('invalid_argument', name)
}
