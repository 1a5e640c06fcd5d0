/** Validates the body of a command, and collects all of its problems. */
import { fieldsOf, isObject, isSnowflake, textOf } from '../foundation/values.js'
import {
  CHAT_INPUT,
  ENTRY_POINT,
  MESSAGE_COMMAND,
  USER_COMMAND,
  isCommandType,
  type CommandType,
} from '../model/stored-command.js'
import { LIMITS, checkName, checkNames, checkText, checkTexts, lengthOf, type Naming } from './check-names.js'
import { checkOptions } from './check-options.js'
import {
  EMPTY,
  NOT_BOOLEAN,
  NOT_DICTIONARY,
  NOT_LIST,
  NOT_OBJECT,
  NOT_SNOWFLAKE,
  NOT_TEXT,
  REPEATED,
  TOO_LARGE,
  misplaced,
  oneOf,
  type ValidationContext,
  type ValidationProblem,
} from './validation-context.js'

export interface Rules {
  scope: 'global' | 'guild'
  operation: 'create' | 'edit' | 'overwrite'
  application: { activities: boolean; integrationTypes: readonly number[]; discoverable: boolean }
}

type Fields = Record<string, unknown>

const CONTEXT_TYPES = [0, 1, 2]
const DIGITS = /^[0-9]+$/
const BAD_PERMISSIONS: ValidationProblem = {
  code: 'PERMISSIONS_TYPE_CONVERT',
  message: 'Value is not a permission bit set.',
  rule: 'must be a bit set: a number in decimal digits, written as a string',
}

export function checkCommand(body: unknown, validation: ValidationContext, rules: Rules): void {
  if (!isObject(body)) return validation.addError(NOT_OBJECT)
  const type = checkType(body['type'], validation.at('type'), rules)
  if (rules.operation === 'overwrite' && body['id'] !== undefined && !isSnowflake(body['id']))
    validation.at('id').addError(NOT_SNOWFLAKE)
  const naming: Naming = type === CHAT_INPUT ? 'strict' : 'free'
  checkName(body['name'], validation.at('name'), naming)
  checkNames(body['name_localizations'], validation.at('name_localizations'), naming)
  checkDescription(body, validation, { type, rules })
  if (type === CHAT_INPUT) checkOptions(body['options'], validation.at('options'), 'command')
  else if (!isNothing(body['options']) && type !== undefined)
    validation.at('options').addError(misplaced('belongs to CHAT_INPUT commands'))
  checkPermissions(body, validation, rules)
  checkGlobalFields(body, validation, rules)
  checkHandler(body['handler'], validation.at('handler'), { type, rules })
  if (type === CHAT_INPUT && sizeOf(body) > LIMITS.size) validation.addError(TOO_LARGE)
}

function checkType(value: unknown, validation: ValidationContext, { scope }: Rules): CommandType | undefined {
  const type = value === undefined ? CHAT_INPUT : value
  if (!isCommandType(type))
    validation.addError(oneOf([CHAT_INPUT, USER_COMMAND, MESSAGE_COMMAND, ENTRY_POINT]))
  else if (scope === 'guild' && type === ENTRY_POINT)
    validation.addError(misplaced('must not be PRIMARY_ENTRY_POINT: an entry point is global'))
  else return type
  return undefined
}

interface Checked {
  type: CommandType | undefined
  rules: Rules
}

/**
 * Fetched USER and MESSAGE commands contain an empty description, so an edit or a bulk overwrite may send it back
 * (docs/interface/commands.md#command, docs/interface/commands.md#names).
 */
function checkDescription(body: Fields, validation: ValidationContext, { type, rules }: Checked): void {
  const [at, translations] = [validation.at('description'), validation.at('description_localizations')]
  const { description, description_localizations: dictionary } = body
  if (type === CHAT_INPUT) checkText(description, at, { largest: LIMITS.descriptionLength })
  else if (type === ENTRY_POINT) {
    if (description !== undefined)
      checkText(description, at, { smallest: 0, largest: LIMITS.descriptionLength })
  } else if (type !== undefined) {
    if (description !== undefined && (description !== '' || rules.operation === 'create'))
      at.addError(
        typeof description === 'string' ? misplaced('is not for USER and MESSAGE commands') : NOT_TEXT,
      )
    if (isObject(dictionary) && Object.keys(dictionary).length > 0)
      translations.addError(misplaced('is not for USER and MESSAGE commands'))
    else if (dictionary !== undefined && dictionary !== null && !isObject(dictionary))
      translations.addError(NOT_DICTIONARY)
    return
  }
  checkTexts(dictionary, translations, LIMITS.descriptionLength)
}

function checkPermissions(body: Fields, validation: ValidationContext, { application }: Rules): void {
  const { default_member_permissions: bits, default_permission: open, nsfw } = body
  if (bits !== undefined && bits !== null && !(typeof bits === 'string' && DIGITS.test(bits)))
    validation.at('default_member_permissions').addError(BAD_PERMISSIONS)
  if (open !== undefined && open !== null && typeof open !== 'boolean')
    validation.at('default_permission').addError(NOT_BOOLEAN)
  if (nsfw !== undefined && typeof nsfw !== 'boolean') validation.at('nsfw').addError(NOT_BOOLEAN)
  if (nsfw === true && application.discoverable)
    validation
      .at('nsfw')
      .addError(misplaced('must not be true: an application in the directory holds nothing age-restricted'))
}

/** A guild's bulk overwrite may contain these fields, without effect. */
function checkGlobalFields(
  body: Fields,
  validation: ValidationContext,
  { scope, operation, application }: Rules,
): void {
  const { dm_permission: direct, integration_types: types, contexts } = body
  if (scope === 'guild' && operation !== 'overwrite') {
    for (const name of ['dm_permission', 'integration_types', 'contexts'])
      if (body[name] !== undefined) validation.at(name).addError(misplaced('belongs to global commands'))
    return
  }
  if (direct !== undefined && direct !== null && typeof direct !== 'boolean')
    validation.at('dm_permission').addError(NOT_BOOLEAN)
  if (types !== undefined) checkSet(types, validation.at('integration_types'), application.integrationTypes)
  if (contexts !== undefined && contexts !== null)
    checkSet(contexts, validation.at('contexts'), CONTEXT_TYPES)
}

function checkSet(value: unknown, validation: ValidationContext, known: readonly number[]): void {
  if (!Array.isArray(value)) return validation.addError(NOT_LIST)
  if (value.length === 0) return validation.addError(EMPTY)
  const seen = new Set<unknown>()
  for (const [index, item] of value.entries()) {
    if (!known.some((one) => one === item)) validation.at(index).addError(oneOf(known))
    else if (seen.has(item)) validation.at(index).addError(REPEATED)
    seen.add(item)
  }
}

function checkHandler(value: unknown, validation: ValidationContext, { type, rules }: Checked): void {
  if (value === undefined || type === undefined) return
  if (type !== ENTRY_POINT) validation.addError(misplaced('belongs to PRIMARY_ENTRY_POINT commands'))
  else if (!rules.application.activities)
    validation.addError(misplaced('needs an application with an Activity'))
  else if (value !== 1 && value !== 2) validation.addError(oneOf([1, 2]))
}

/** True if absent; an empty list counts as absent. */
function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Checks names and ids for duplicates within a list. */
export function checkApart(list: unknown[], validation: ValidationContext): void {
  const [names, ids] = [new Set<string>(), new Set<unknown>()]
  for (const [index, item] of list.entries()) {
    const { type = CHAT_INPUT, name, id } = fieldsOf(item)
    const key = `${String(type)} ${String(name)}`
    if (typeof name === 'string' && isCommandType(type) && names.has(key))
      validation.at(index).at('name').addError(DUPLICATE_NAME)
    if (isSnowflake(id) && ids.has(id)) validation.at(index).at('id').addError(REPEATED)
    if (typeof name === 'string' && isCommandType(type)) names.add(key)
    ids.add(id)
  }
}

const DUPLICATE_NAME: ValidationProblem = {
  code: 'APPLICATION_COMMANDS_DUPLICATE_NAME',
  message: 'Application command names must be unique',
  rule: 'must differ from the names of the other commands of its type',
}

/** Levels: groups, subcommands, parameters. */
const LEVELS = 3

function sizeOf(command: unknown): number {
  return textsOf(command) + sizeOfOptions(command, LEVELS)
}

/** Stops here: deeper levels are invalid in any case. */
function sizeOfOptions(owner: unknown, left: number): number {
  if (left === 0) return 0
  return total(fieldsOf(owner)['options'], (option) => {
    return (
      textsOf(option) + total(fieldsOf(option)['choices'], sizeOfChoice) + sizeOfOptions(option, left - 1)
    )
  })
}

/** Numbers do not count. */
function sizeOfChoice(choice: unknown): number {
  return textsOf(choice) + lengthOf(textOf(fieldsOf(choice)['value']) ?? '')
}

function textsOf(item: unknown): number {
  const {
    name,
    name_localizations: names,
    description,
    description_localizations: descriptions,
  } = fieldsOf(item)
  return longest(name, names) + longest(description, descriptions)
}

function longest(text: unknown, dictionary: unknown): number {
  return Math.max(
    ...[text, ...Object.values(fieldsOf(dictionary))].map((variant) => lengthOf(textOf(variant) ?? '')),
  )
}

function total(list: unknown, measure: (item: unknown) => number): number {
  return Array.isArray(list) ? list.reduce<number>((sum, item) => sum + measure(item), 0) : 0
}
