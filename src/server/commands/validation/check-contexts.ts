/** Validates the availability of a command: installation types and contexts (docs/interface/commands.md#installation-and-contexts). */
import { checkList, one } from '../../../shared/foundation/rules'
import { numberFor, type NumberNames } from '../../../shared/foundation/number-names'
import { InstallContext, InteractionContext } from '../../../shared/wire/api-constants'
import type { CommandPlace } from './command-issues'
import type { CommandBody, ValidationRules } from './validation-rules'

const USER_INSTALL = 1
const BOT_DM = 1
const PRIVATE_CHANNEL = 2
const INSTALL_TYPES = [0, USER_INSTALL]
const CONTEXTS = { values: [0, BOT_DM, PRIVATE_CHANNEL] }
const INSTALL_NAMES = { owner: 'InstallContext', of: InstallContext }
const CONTEXT_NAMES = { owner: 'InteractionContext', of: InteractionContext }
/** Maximum number of values, far more than exist. */
const VALUES = { max: 100, read: 200 }

/**
 * Checks against the application's installation types, if known (docs/interface/commands.md#installation-and-contexts). Values other than 0
 * and 1 are undocumented (docs/interface/commands.md#installation-and-contexts), so otherwise they cause a warning.
 */
export function checkIntegrationTypes(
  types: unknown,
  { application }: ValidationRules,
  at: CommandPlace,
): void {
  const supported = application?.integrationTypes
  for (const [value, place] of filled(types, at.field('integration_types'), INSTALL_NAMES)) {
    if (value < 0) place.add('unknown_value', { allowed: INSTALL_TYPES })
    else if (supported && !supported.includes(value)) place.add('not_installable', { allowed: supported })
    else if (value > USER_INSTALL) place.add('unknown_integration_type')
  }
}

export function checkContexts(
  body: CommandBody,
  { scope, application }: ValidationRules,
  at: CommandPlace,
): void {
  const { contexts, dm_permission: inMessages } = body
  const types: unknown = body.integration_types ?? application?.integrationTypes
  if (contexts === null) return
  const values = filled(contexts, at.field('contexts'), CONTEXT_NAMES)
  for (const [value, place] of values) one(value, place, CONTEXTS)
  // Contexts have no effect in a guild's list.
  if (scope === 'guild' || values.size === 0) return
  if (typeof inMessages === 'boolean' && inMessages !== values.has(BOT_DM))
    at.field('dm_permission').add('contradicts_contexts')
  if (values.has(PRIVATE_CHANNEL) && Array.isArray(types) && !types.includes(USER_INSTALL))
    at.field('contexts').add('needs_user_install')
}

/** Returns the integers of a list with their places; adds an issue for other values and duplicates. */
export function numbers(
  list: unknown,
  at: CommandPlace,
  names: NumberNames,
): ReadonlyMap<number, CommandPlace> {
  const found = new Map<number, CommandPlace>()
  const values = checkList(list, at, VALUES)
  for (const [index, value] of values.entries()) {
    const place = at.element(index)
    if (typeof value !== 'number' || !Number.isInteger(value))
      place.add('wrong_type', { expected: NUMBER }, { expected: NUMBER + numberFor(value, names) })
    else if (found.has(value)) place.add('duplicate', { first: values.indexOf(value) })
    else found.set(value, place)
  }
  return found
}

const NUMBER = 'a whole number'

/** Adds the issue of a number that must be one of a few. A name in its place is answered with its number. */
export function addUnknownNumber(
  at: CommandPlace,
  given: unknown,
  { allowed, ...names }: NumberNames & { readonly allowed: readonly number[] },
): void {
  at.add('unknown_value', { allowed }, { allowed: allowed.join(', ') + numberFor(given, names) })
}

/** Like `numbers`, but also reports an empty list. */
function filled(list: unknown, at: CommandPlace, names: NumberNames): ReadonlyMap<number, CommandPlace> {
  if (Array.isArray(list) && list.length === 0) at.add('empty')
  return numbers(list, at, names)
}
