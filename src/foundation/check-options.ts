/** Options of a call: an unknown name is an error, since plain JavaScript would ignore it silently. */
import { ConfigurationError } from './errors'
import { isEvent } from './is-event'
import { requireNames } from './require-names'
import { withoutUndefined } from './values/guard-untrusted-values'

/**
 * The event of a click counts as no options: `button.onclick = lobby.leave` passes one.
 *
 * Returns the options without inherited fields and without those that are undefined.
 * @throws ConfigurationError `invalid_argument` for an unknown name, with the one that was probably meant.
 */
export function checkOptions<T extends object>(
  options: T | null | undefined,
  names: readonly (keyof T & string)[],
): ReturnType<typeof withoutUndefined<T>> {
  if (options === undefined || options === null || isEvent(options)) return withoutUndefined<T>(undefined)
  if (typeof options !== 'object' || Array.isArray(options))
    throw new ConfigurationError('invalid_argument', 'options', { remedy: `Give an object with ${names.join(', ')}` })
  requireNames(options, names)
  return withoutUndefined(options)
}
