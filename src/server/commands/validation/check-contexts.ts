/** Validates the availability of a command: installation types and contexts (docs/interface/commands.md#installation-and-contexts). */
import type { CommandBody, ValidationRules } from './validation-rules'
import type { ValidationContext } from './validation-context'

const USER_INSTALL = 1
const BOT_DM = 1
const PRIVATE_CHANNEL = 2
/** Maximum number of values, far more than exist. */
const VALUES = 100

/**
 * Checks against the application's installation types, if known (docs/interface/commands.md#installation-and-contexts). Values other than 0
 * and 1 are undocumented (docs/interface/commands.md#installation-and-contexts), so otherwise they cause a warning.
 */
export function checkIntegrationTypes(
  types: unknown,
  { application }: ValidationRules,
  context: ValidationContext,
): void {
  const supported = application?.integrationTypes
  for (const [value, at] of filled(types, 'integration_types', context)) {
    if (value < 0) context.oneOf(value, at, [0, USER_INSTALL])
    else if (supported && !supported.includes(value))
      context.error('not_installable', at, { allowed: supported })
    else if (value > USER_INSTALL) context.warn('unknown_integration_type', at)
  }
}

export function checkContexts(
  body: CommandBody,
  { scope, application }: ValidationRules,
  context: ValidationContext,
): void {
  const { contexts, dm_permission: inMessages } = body
  const types: unknown = body.integration_types ?? application?.integrationTypes
  const field = 'contexts'
  if (contexts === null) return
  const values = filled(contexts, field, context)
  for (const [value, at] of values) context.oneOf(value, at, [0, BOT_DM, PRIVATE_CHANNEL])
  // Contexts have no effect in a guild's list.
  if (scope === 'guild' || values.size === 0) return
  if (typeof inMessages === 'boolean' && inMessages !== values.has(BOT_DM))
    context.warn('contradicts_contexts', 'dm_permission')
  if (values.has(PRIVATE_CHANNEL) && Array.isArray(types) && !types.includes(USER_INSTALL))
    context.warn('needs_user_install', field)
}

/** Returns the integers of a list with their paths; adds an issue for other values and duplicates. */
export function numbers(
  list: unknown,
  field: string,
  context: ValidationContext,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const values = context.list(list, field, VALUES)
  for (const [index, value] of values.entries()) {
    const at = `${field}[${index}]`
    if (typeof value !== 'number' || !Number.isInteger(value)) context.wrongType('a whole number', at)
    else if (found.has(value)) context.error('duplicate', at, { first: values.indexOf(value) })
    else found.set(value, at)
  }
  return found
}

/** Like `numbers`, but also reports an empty list. */
function filled(list: unknown, field: string, context: ValidationContext): ReadonlyMap<number, string> {
  if (Array.isArray(list) && list.length === 0) context.error('empty', field)
  return numbers(list, field, context)
}
