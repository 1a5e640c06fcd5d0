/** Checks of arguments that the compiler makes for TypeScript and plain JavaScript lacks. */
import { isRecord } from './values/guard-untrusted-values'
import { ConfigurationError } from './errors'

/** Requires an object. The message names the argument and never quotes its value. @throws ConfigurationError `invalid_argument`. */
export function requireRecord(value: unknown, name: string): void {
  if (!isRecord(value)) throw new ConfigurationError('invalid_argument', name)
}

/**
 * The options of a call. Undefined and null count as none.
 * @param example how they are written. @throws ConfigurationError `invalid_argument` for another value, such as a number of ms or a signal itself.
 */
export function optionsOf<T extends object>(given: T | null | undefined, example = '{ signal }'): Partial<T> {
  const none: Partial<T> = {}
  if (given === undefined || given === null) return none
  if (isRecord(given) && !('aborted' in given)) return { ...given }
  throw new ConfigurationError('invalid_argument', 'options', { remedy: `Give an object, for example ${example}` })
}
