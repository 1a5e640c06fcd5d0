/** Validates the fields of a command, except its options (docs/interface/commands.md#command). */
import { checkList, flag, id } from '../../../shared/foundation/rules'
import type { CommandOverwriteBody } from '../../../shared/wire/command'
import { CommandType, EntryPointHandler } from '../../../shared/wire/api-constants'
import { addUnknownNumber, checkContexts, checkIntegrationTypes } from './check-contexts'
import { checkCommandOptions, OPTION_LIST } from './check-command-options'
import { checkText, DESCRIPTION_TEXT, MENU_NAME, SLASH_NAME, SOME_NAME } from './check-text'
import type { CommandPlace } from './command-issues'
import { COMMAND_SIZE, PERMISSION_BITS } from './command-limits'
import { type CommandBody, isObject, type ValidationRules } from './validation-rules'

const CHAT_INPUT = 1
const ENTRY_POINT = 4
const TYPES = [CHAT_INPUT, 2, 3, ENTRY_POINT]
const HANDLERS = { allowed: [1, 2], owner: 'EntryPointHandler', of: EntryPointHandler }

/** Adds every issue of one command. */
export function checkCommand(body: unknown, rules: ValidationRules, at: CommandPlace): void {
  if (!isObject<keyof CommandOverwriteBody>(body)) return at.add('wrong_type', { expected: 'an object' })
  const overwrite = rules.operation === 'overwrite'
  const type = checkType(body, rules, at)
  if (overwrite && body.id !== undefined) id(body.id, at.field('id'), { expected: ID })
  const actual = checkTexts(body, type, { rules, at }) + checkTopOptions(body.options, type, at)
  // An edit may contain fewer texts than the whole command, but they may exceed the limit already.
  if (actual > COMMAND_SIZE && (type ?? CHAT_INPUT) === CHAT_INPUT)
    at.add('too_large', { actual, max: COMMAND_SIZE })
  checkFlags(body, rules, at)
  if (body.handler !== undefined) checkHandler(body.handler, type, { rules, at: at.field('handler') })
  if (rules.scope === 'guild' && !overwrite) rejectGlobalOnly(body, at)
  else {
    if (body.integration_types !== undefined) checkIntegrationTypes(body.integration_types, rules, at)
    if (body.contexts !== undefined) checkContexts(body, rules, at)
    if (body.dm_permission !== undefined) at.field('dm_permission').add('deprecated', { instead: 'contexts' })
  }
}

/** An id of a command or of who may use it, in words. */
const ID = 'an id: a string of decimal digits'

/** Returns the type for the other rules; undefined if unknown. An edit ignores it, except that it may make an entry point. */
function checkType(
  { type = CHAT_INPUT }: CommandBody,
  rules: ValidationRules,
  at: CommandPlace,
): number | undefined {
  if (rules.operation === 'edit' && type !== ENTRY_POINT) return rules.knownType
  if (typeof type !== 'number' || !TYPES.includes(type)) {
    addUnknownNumber(at.field('type'), type, { allowed: TYPES, owner: 'CommandType', of: CommandType })
    return undefined
  }
  if (type === ENTRY_POINT && rules.scope === 'guild') at.field('type').add('not_in_guild')
  return type
}

interface Checking {
  readonly rules: ValidationRules
  readonly at: CommandPlace
}

function checkTexts(body: CommandBody, type: number | undefined, { rules, at }: Checking): number {
  const { name, name_localizations, description, description_localizations: descriptions } = body
  const optional = rules.operation === 'edit'
  const rule = type === CHAT_INPUT ? SLASH_NAME : type === undefined ? SOME_NAME : MENU_NAME
  const size = checkText({ text: name, dictionary: name_localizations, optional }, rule, at)
  if (type === 2 || type === 3) {
    // The service returns an empty description (docs/interface/commands.md#command): a list and an edit may repeat it, a create may not
    // (docs/interface/commands.md#names).
    if (description !== undefined && (description !== '' || rules.operation === 'create'))
      at.field('description').add('not_for_type', { type })
    if (
      isObject(descriptions)
        ? Object.keys(descriptions).length
        : descriptions !== undefined && descriptions !== null
    )
      at.field('description_localizations').add('not_for_type', { type })
    return size
  }
  const text = type !== CHAT_INPUT && description === '' ? undefined : description
  return (
    size +
    checkText(
      { text, dictionary: descriptions, optional: optional || type !== CHAT_INPUT },
      DESCRIPTION_TEXT,
      at,
    )
  )
}

/** Only slash commands have options; an empty list is allowed. */
function checkTopOptions(options: unknown, type: number | undefined, at: CommandPlace): number {
  if (options === undefined) return 0
  if (type === CHAT_INPUT || type === undefined)
    return checkCommandOptions(options, 'command', at.field('options'))
  if (checkList(options, at.field('options'), OPTION_LIST).length > 0)
    at.field('options').add('not_for_type', { type })
  return 0
}

/** Fields of every command. Most commands have none of them, and a loop over a table that looks for each takes a quarter of the check. */
function checkFlags(body: CommandBody, { application }: ValidationRules, at: CommandPlace): void {
  const {
    nsfw,
    default_member_permissions: bits,
    default_permission: byDefault,
    dm_permission: inMessages,
  } = body
  if (nsfw !== undefined) flag(nsfw, at.field('nsfw'))
  if (byDefault !== undefined && byDefault !== null) flag(byDefault, at.field('default_permission'))
  if (inMessages !== undefined && inMessages !== null) flag(inMessages, at.field('dm_permission'))
  if (nsfw === true && application?.discoverable === true) at.field('nsfw').add('not_discoverable')
  if (bits !== undefined && bits !== null) permissionBits(bits, at.field('default_member_permissions'))
  if (byDefault !== undefined)
    at.field('default_permission').add('deprecated', { instead: 'default_member_permissions' })
}

/** A set of permissions, as the service writes it. */
function permissionBits(value: unknown, at: CommandPlace): void {
  if (typeof value !== 'string' || !/^\d+$/.test(value))
    at.add('wrong_type', { expected: 'a string of decimal digits' })
  // Skips parsing of very long numbers, which are too large anyway.
  else if (value.length > 99 || BigInt(value) > PERMISSION_BITS) at.add('unknown_permission_bits')
}

/** Entry points only (docs/interface/commands.md#command); an edit without `knownType` may concern one. */
function checkHandler(
  handler: unknown,
  type: number | undefined,
  { rules: { scope, application }, at }: Checking,
): void {
  if (type === undefined ? scope === 'guild' : type !== ENTRY_POINT)
    return at.add('not_for_type', { type: type ?? null })
  if (handler !== 1 && handler !== 2) addUnknownNumber(at, handler, HANDLERS)
  if (application?.embedded === false) at.add('not_embedded')
}

/**
 * An overwrite list of a guild may contain these fields without effect (docs/interface/commands.md#request-bodies); other guild bodies may
 * not.
 */
function rejectGlobalOnly(body: CommandBody, at: CommandPlace): void {
  for (const field of ['dm_permission', 'integration_types', 'contexts'] as const) {
    if (body[field] !== undefined) at.field(field).add('not_in_guild')
  }
}
