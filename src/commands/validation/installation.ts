/** Checks where a command is available: ways to install and contexts (S:121-136). */
import type { CommandBody, ValidateCommandOptions } from './command-rules'
import type { ValidationContext } from './validation-context'

const USER_INSTALL = 1
const BOT_DM = 1
const PRIVATE_CHANNEL = 2
/** Far more values than there are. */
const VALUES = 100

/** An application that is known must support every value (S:136). Values other than 0 and 1 are not shown (S:128): without it they are a warning. */
export function checkIntegrationTypes(types: unknown, { application }: ValidateCommandOptions, context: ValidationContext): void {
  const supported = application?.integrationTypes
  for (const [value, at] of filled(types, 'integration_types', context)) {
    if (value < 0) context.oneOf(value, at, [0, USER_INSTALL])
    else if (supported && !supported.includes(value)) context.error('not_installable', at, { allowed: supported })
    else if (value > USER_INSTALL) context.warn('unknown_integration_type', at)
  }
}

export function checkContexts(body: CommandBody, { scope, application }: ValidateCommandOptions, context: ValidationContext): void {
  const { contexts, dm_permission: inMessages } = body
  const types: unknown = body.integration_types ?? application?.integrationTypes
  const field = 'contexts'
  if (contexts === null) return
  const values = filled(contexts, field, context)
  for (const [value, at] of values) context.oneOf(value, at, [0, BOT_DM, PRIVATE_CHANNEL])
  // In a guild's list they have no effect anyway.
  if (scope === 'guild' || values.size === 0) return
  if (typeof inMessages === 'boolean' && inMessages !== values.has(BOT_DM)) context.warn('contradicts_contexts', 'dm_permission')
  if (values.has(PRIVATE_CHANNEL) && Array.isArray(types) && !types.includes(USER_INSTALL)) context.warn('needs_user_install', field)
}

/** The whole numbers of a list and where each stands; everything that is none, and everything that stands there twice, is noted. */
export function numbers(list: unknown, field: string, context: ValidationContext): ReadonlyMap<number, string> {
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

/** As above, and an empty list is noted as well. */
function filled(list: unknown, field: string, context: ValidationContext): ReadonlyMap<number, string> {
  if (Array.isArray(list) && list.length === 0) context.error('empty', field)
  return numbers(list, field, context)
}
