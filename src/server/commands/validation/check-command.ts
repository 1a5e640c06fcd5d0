/** Validates the fields of a command, except its options (docs/interface/commands.md#command). */
import { isSnowflake } from '../../../shared/foundation/ids'
import type { CommandOverwriteBody } from '../../../shared/wire/command'
import type { CommandBody, ValidationRules } from './validation-rules'
import { checkContexts, checkIntegrationTypes } from './check-contexts'
import { COMMAND_SIZE, OPTIONS, PERMISSION_BITS } from './command-limits'
import { DESCRIPTION_TEXT, MENU_NAME, SLASH_NAME, SOME_NAME } from './text-rule'
import { checkOptions } from './check-options'
import { isObject, type ValidationContext } from './validation-context'
import { checkText } from './check-text'

const CHAT_INPUT = 1
const ENTRY_POINT = 4
const TYPES = [CHAT_INPUT, 2, 3, ENTRY_POINT]

/** Adds every issue of one command. */
export function checkCommand(body: unknown, rules: ValidationRules, context: ValidationContext): void {
  if (!isObject<keyof CommandOverwriteBody>(body)) return context.wrongType('an object')
  const overwrite = rules.operation === 'overwrite'
  const type = checkType(body, rules, context)
  if (overwrite && body.id !== undefined && !isSnowflake(body.id))
    context.wrongType('an id: a string of decimal digits', 'id')
  const actual = checkTexts(body, type, { rules, context }) + checkTopOptions(body.options, type, context)
  // An edit may contain fewer texts than the whole command, but they may exceed the limit already.
  if (actual > COMMAND_SIZE && (type ?? CHAT_INPUT) === CHAT_INPUT)
    context.error('too_large', '', { actual, max: COMMAND_SIZE })
  checkFlags(body, rules, context)
  if (body.handler !== undefined) checkHandler(body.handler, type, { rules, context })
  if (rules.scope === 'guild' && !overwrite) rejectGlobalOnly(body, context)
  else {
    if (body.integration_types !== undefined) checkIntegrationTypes(body.integration_types, rules, context)
    if (body.contexts !== undefined) checkContexts(body, rules, context)
    if (body.dm_permission !== undefined) context.warn('deprecated', 'dm_permission', { instead: 'contexts' })
  }
}

/** Returns the type for the other rules; undefined if unknown. An edit ignores it, except that it may make an entry point. */
function checkType(
  { type = CHAT_INPUT }: CommandBody,
  rules: ValidationRules,
  context: ValidationContext,
): number | undefined {
  if (rules.operation === 'edit' && type !== ENTRY_POINT) return rules.knownType
  if (!context.oneOf(type, 'type', TYPES)) return undefined
  if (type === ENTRY_POINT && rules.scope === 'guild') context.error('not_in_guild', 'type')
  return type
}

interface Checking {
  readonly rules: ValidationRules
  readonly context: ValidationContext
}

function checkTexts(body: CommandBody, type: number | undefined, { rules, context }: Checking): number {
  const { name, name_localizations, description, description_localizations: descriptions } = body
  const optional = rules.operation === 'edit'
  const rule = type === CHAT_INPUT ? SLASH_NAME : type === undefined ? SOME_NAME : MENU_NAME
  const size = checkText({ text: name, dictionary: name_localizations, optional }, rule, context)
  if (type === 2 || type === 3) {
    // The service returns an empty description (docs/interface/commands.md#command): a list and an edit may repeat it, a create may not
    // (docs/interface/commands.md#names).
    if (description !== undefined && (description !== '' || rules.operation === 'create'))
      context.notForType('description', type)
    if (
      isObject(descriptions)
        ? Object.keys(descriptions).length
        : descriptions !== undefined && descriptions !== null
    )
      context.notForType('description_localizations', type)
    return size
  }
  const text = type !== CHAT_INPUT && description === '' ? undefined : description
  return (
    size +
    checkText(
      { text, dictionary: descriptions, optional: optional || type !== CHAT_INPUT },
      DESCRIPTION_TEXT,
      context,
    )
  )
}

/** Only slash commands have options; an empty list is allowed. */
function checkTopOptions(options: unknown, type: number | undefined, context: ValidationContext): number {
  if (options === undefined) return 0
  if (type === CHAT_INPUT || type === undefined) return checkOptions(options, 'command', context)
  if (context.list(options, 'options', OPTIONS).length > 0) context.notForType('options', type)
  return 0
}

function checkFlags(body: CommandBody, { application }: ValidationRules, context: ValidationContext): void {
  const {
    nsfw,
    default_member_permissions: bits,
    default_permission: byDefault,
    dm_permission: inMessages,
  } = body
  context.flag(nsfw, 'nsfw')
  context.flag(byDefault ?? undefined, 'default_permission')
  context.flag(inMessages ?? undefined, 'dm_permission')
  if (nsfw === true && application?.discoverable === true) context.error('not_discoverable', 'nsfw')
  if (bits !== undefined && bits !== null) checkBits(bits, context)
  if (byDefault !== undefined)
    context.warn('deprecated', 'default_permission', { instead: 'default_member_permissions' })
}

function checkBits(bits: unknown, context: ValidationContext): void {
  const field = 'default_member_permissions'
  if (typeof bits !== 'string' || !/^\d+$/.test(bits)) context.wrongType('a string of decimal digits', field)
  // Skips parsing of very long numbers, which are too large anyway.
  else if (bits.length > 99 || BigInt(bits) > PERMISSION_BITS) context.warn('unknown_permission_bits', field)
}

/** Entry points only (docs/interface/commands.md#command); an edit without `knownType` may concern one. */
function checkHandler(
  handler: unknown,
  type: number | undefined,
  { rules: { scope, application }, context }: Checking,
): void {
  if (type === undefined ? scope === 'guild' : type !== ENTRY_POINT)
    return context.notForType('handler', type ?? null)
  context.oneOf(handler, 'handler', [1, 2])
  if (application?.embedded === false) context.error('not_embedded', 'handler')
}

/**
 * An overwrite list of a guild may contain these fields without effect (docs/interface/commands.md#request-bodies); other guild bodies may
 * not.
 */
function rejectGlobalOnly(body: CommandBody, context: ValidationContext): void {
  for (const field of ['dm_permission', 'integration_types', 'contexts'] as const) {
    if (body[field] !== undefined) context.error('not_in_guild', field)
  }
}
