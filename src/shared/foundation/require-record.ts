/** Checks of arguments that the compiler makes for TypeScript and plain JavaScript lacks. */
import { isRecord } from './values/guard-untrusted-values'
import { ConfigurationError } from './errors'

/** Requires an object. The message names the argument and never quotes its value. @throws ConfigurationError `invalid_argument`. */
export function requireRecord(value: unknown, name: string): void {
  if (!isRecord(value)) throw new ConfigurationError('invalid_argument', name)
}
