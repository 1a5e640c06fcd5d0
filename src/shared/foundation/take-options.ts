/** Reads the options of a constructor once: what the caller, or a polluted prototype, changes later has no effect. */
import { requireNames } from './options'
import { ownFields } from './untrusted-values'

/**
 * A copy with the object's own fields and no prototype. Lists are copied and frozen.
 * @param owner begins the names in messages, for example `on.`.
 * @throws ConfigurationError `invalid_argument` for an unknown name.
 */
export function takeOptions<T extends object>(options: T, names: readonly string[], owner = ''): T {
  const given = ownFields<T>({ ...options })
  for (const name in given)
    if (Array.isArray(given[name])) Object.assign(given, { [name]: Object.freeze([...given[name]]) })
  requireNames(given, names, owner)
  return given
}
