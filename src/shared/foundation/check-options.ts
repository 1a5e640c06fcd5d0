/** Options of a call: an unknown name is an error, since plain JavaScript would ignore it silently. */
import { ConfigurationError } from './errors'
import { isEvent } from './is-event'
import { requireNames } from './require-names'
import { withoutUndefined } from './values/guard-untrusted-values'
import { createTyped } from './with-typed-errors'

/**
 * The event of a click counts as no options: `button.onclick = lobby.leave` passes one.
 *
 * Returns the options without inherited fields and without those that are undefined.
 * @throws ConfigurationError `invalid_argument` for an unknown name, with the one that was probably meant, and for options that cannot be read.
 */
export function checkOptions<T extends object>(
  options: T | null | undefined,
  names: readonly (keyof T & string)[],
): ReturnType<typeof withoutUndefined<T>> {
  return createTyped('options', () => {
    if (options === undefined || options === null || isEvent(options)) return withoutUndefined<T>(undefined)
    const remedy = `Give an object with ${names.join(', ')}`
    // The fields of a signal are inherited: it would be no option at all.
    if (typeof options !== 'object' || Array.isArray(options) || 'aborted' in options)
      throw new ConfigurationError('invalid_argument', 'options', { remedy })
    requireNames(options, names)
    return withoutUndefined(options)
  })
}
