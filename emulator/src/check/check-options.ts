/** Validates the options of a command, and of its subcommands and groups. */
import { fieldsOf, isObject, textOf } from '../foundation/values.js'
import {
  CHANNEL_OPTION,
  GROUP,
  INTEGER_OPTION,
  LAST_OPTION_TYPE,
  NUMBER_OPTION,
  STRING_OPTION,
  SUBCOMMAND,
} from '../model/stored-command.js'
import { LIMITS, checkName, checkNames, checkText, checkTexts, lengthOf } from './check-names.js'
import {
  NOT_BOOLEAN,
  NOT_INTEGER,
  NOT_LIST,
  NOT_NUMBER,
  NOT_OBJECT,
  NOT_TEXT,
  REPEATED,
  REQUIRED,
  misplaced,
  nameTaken,
  oneOf,
  outside,
  tooMany,
  type ValidationContext,
  type ValidationProblem,
} from './validation-context.js'

/** The owner of the list, which determines the allowed types. */
type Owner = 'command' | 'group' | 'subcommand'

const optionTypes = Array.from({ length: LAST_OPTION_TYPE }, (_, index) => index + 1)
const NOT_AMONG_OTHERS: ValidationProblem = {
  code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
  rule: 'must not mix subcommands and groups with other options',
}
const NOT_IN_GROUP: ValidationProblem = {
  ...NOT_AMONG_OTHERS,
  rule: 'must be a subcommand: a group holds nothing else',
}
const NOT_IN_SUBCOMMAND: ValidationProblem = {
  ...NOT_AMONG_OTHERS,
  rule: 'must not be a subcommand or group: a subcommand holds parameters',
}
const REQUIRED_TOO_LATE: ValidationProblem = {
  code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  message: 'Required options must be placed before non-required options',
  rule: 'must not follow an optional one: required options come first',
}

export function checkOptions(value: unknown, validation: ValidationContext, owner: Owner): void {
  if (value === undefined) return
  if (!Array.isArray(value)) return validation.addError(NOT_LIST)
  if (value.length > LIMITS.options) validation.addError(tooMany(LIMITS.options))
  const items: unknown[] = value
  for (const [index, item] of items.entries()) checkOption(item, validation.at(index), owner)
  const options = items.map((item) => fieldsOf(item))
  checkOrder(items, validation)
  checkNamesApart(options, validation)
  if (owner === 'command') checkKinds(options, validation)
}

function checkOption(value: unknown, validation: ValidationContext, owner: Owner): void {
  if (!isObject(value)) return validation.addError(NOT_OBJECT)
  checkName(value['name'], validation.at('name'), 'strict')
  checkNames(value['name_localizations'], validation.at('name_localizations'), 'strict')
  checkText(value['description'], validation.at('description'), { largest: LIMITS.descriptionLength })
  checkTexts(
    value['description_localizations'],
    validation.at('description_localizations'),
    LIMITS.descriptionLength,
  )
  for (const flag of ['required', 'autocomplete'])
    if (value[flag] !== undefined && typeof value[flag] !== 'boolean')
      validation.at(flag).addError(NOT_BOOLEAN)
  const type = checkType(value['type'], validation.at('type'), owner)
  if (type !== undefined) checkByType(value, validation, type)
}

/** Returns the type, or undefined if an option of this type cannot be checked further. */
function checkType(type: unknown, validation: ValidationContext, owner: Owner): number | undefined {
  if (type === undefined) validation.addError(REQUIRED)
  else if (typeof type !== 'number' || !optionTypes.includes(type)) validation.addError(oneOf(optionTypes))
  else if (owner === 'group' && type !== SUBCOMMAND) validation.addError(NOT_IN_GROUP)
  else if (owner === 'subcommand' && holdsOptions(type)) validation.addError(NOT_IN_SUBCOMMAND)
  else return type
  return undefined
}

function checkByType(option: Record<string, unknown>, validation: ValidationContext, type: number): void {
  const suggests = type === STRING_OPTION || type === INTEGER_OPTION || type === NUMBER_OPTION
  if (option['required'] === true && holdsOptions(type))
    validation.at('required').addError(misplaced('is not for subcommands and groups'))
  if (option['autocomplete'] === true) {
    if (!suggests)
      validation.at('autocomplete').addError(misplaced('belongs to STRING, INTEGER and NUMBER options'))
    else if (hasChoices(option))
      validation.at('autocomplete').addError(misplaced('must not be true beside choices'))
  }
  checkChoices(option, validation.at('choices'), type)
  checkBounds(option, validation, type)
  checkChannelTypes(option['channel_types'], validation.at('channel_types'), type)
  const inner = option['options']
  if (holdsOptions(type))
    checkOptions(inner, validation.at('options'), type === GROUP ? 'group' : 'subcommand')
  else if (inner !== undefined && !(Array.isArray(inner) && inner.length === 0))
    validation
      .at('options')
      .addError(Array.isArray(inner) ? misplaced('belongs to subcommands and groups') : NOT_LIST)
}

/** The API does not restrict channel types: any integer is accepted. */
function checkChannelTypes(value: unknown, validation: ValidationContext, type: number): void {
  if (value === undefined) return
  if (!Array.isArray(value)) return validation.addError(NOT_LIST)
  if (value.length === 0) return
  if (type !== CHANNEL_OPTION) return validation.addError(misplaced('belongs to CHANNEL options'))
  const seen = new Set<unknown>()
  for (const [index, item] of value.entries()) {
    if (!Number.isInteger(item)) validation.at(index).addError(NOT_INTEGER)
    else if (seen.has(item)) validation.at(index).addError(REPEATED)
    seen.add(item)
  }
}

/** Invalid items count neither as required nor as optional. */
function checkOrder(items: unknown[], validation: ValidationContext): void {
  const parameters = items.map((item) => {
    const { type, required: needed } = fieldsOf(item)
    return { counts: isObject(item) && !holdsOptions(type), needed: needed === true }
  })
  const firstOptional = parameters.findIndex(({ counts, needed }) => counts && !needed)
  if (firstOptional === -1) return
  for (const [index, { counts, needed }] of parameters.entries())
    if (index > firstOptional && counts && needed)
      validation.at(index).at('required').addError(REQUIRED_TOO_LATE)
}

function checkKinds(options: Record<string, unknown>[], validation: ValidationContext): void {
  const kinds = options.map(({ type }) =>
    optionTypes.some((known) => known === type) ? holdsOptions(type) : undefined,
  )
  const first = kinds.find((kind) => kind !== undefined)
  for (const [index, kind] of kinds.entries())
    if (kind !== undefined && kind !== first) validation.at(index).at('type').addError(NOT_AMONG_OTHERS)
}

/** Default names must be unique. A translation must differ from other defaults, and from other translations into its language. */
function checkNamesApart(options: Record<string, unknown>[], validation: ValidationContext): void {
  const defaults = new Map<unknown, number>()
  for (const [index, { name }] of options.entries()) {
    if (typeof name !== 'string') continue
    if (defaults.has(name)) validation.at(index).at('name').addError(nameTaken(name))
    else defaults.set(name, index)
  }
  const taken = new Set<string>()
  for (const [index, { name, name_localizations: dictionary }] of options.entries()) {
    for (const [locale, value] of Object.entries(fieldsOf(dictionary))) {
      const text = textOf(value)
      // A translation equal to its own default is ignored, so it cannot be a duplicate.
      if (text === undefined || text === name) continue
      const key = JSON.stringify([locale, text])
      if (defaults.has(text) || taken.has(key))
        validation.at(index).at('name_localizations').at(locale).addError(nameTaken(text))
      taken.add(key)
    }
  }
}

function holdsOptions(type: unknown): boolean {
  return type === SUBCOMMAND || type === GROUP
}

type Fields = Record<string, unknown>

const LARGEST_NUMBER = 2 ** 53
const TURNED_ROUND: ValidationProblem = misplaced('must not be larger than the maximum beside it')
const OUT_OF_BOUNDS: ValidationProblem = misplaced('must lie within the minimum and maximum of its option')
const SAME_NAME: ValidationProblem = {
  code: 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS',
  message: 'Option choice name already exists',
  rule: 'must differ from the names of the other choices',
}

/** True if options of this type can have the value. */
function checkNumber(value: unknown, validation: ValidationContext, type: number): value is number {
  if (type === INTEGER_OPTION) {
    if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
    else if (!Number.isSafeInteger(value))
      validation.addError(outside(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
    else return true
  } else if (typeof value !== 'number') validation.addError(NOT_NUMBER)
  else if (Math.abs(value) > LARGEST_NUMBER) validation.addError(outside(-LARGEST_NUMBER, LARGEST_NUMBER))
  else return true
  return false
}

function checkBounds(option: Fields, validation: ValidationContext, type: number): void {
  const numeric = type === INTEGER_OPTION || type === NUMBER_OPTION
  for (const name of ['min_value', 'max_value']) {
    if (option[name] === undefined) continue
    if (numeric) checkNumber(option[name], validation.at(name), type)
    else validation.at(name).addError(misplaced('belongs to INTEGER and NUMBER options'))
  }
  checkLengthBound(option['min_length'], validation.at('min_length'), { type, ...LIMITS.minLength })
  checkLengthBound(option['max_length'], validation.at('max_length'), { type, ...LIMITS.maxLength })
  for (const [low, high] of [
    ['min_value', 'max_value'],
    ['min_length', 'max_length'],
  ] as const) {
    const [smallest, largest] = [option[low], option[high]]
    if (typeof smallest === 'number' && typeof largest === 'number' && smallest > largest)
      validation.at(low).addError(TURNED_ROUND)
  }
}

function checkLengthBound(
  value: unknown,
  validation: ValidationContext,
  { type, smallest, largest }: { type: number; smallest: number; largest: number },
) {
  if (value === undefined) return
  if (type !== STRING_OPTION) validation.addError(misplaced('belongs to STRING options'))
  else if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
  else if (value < smallest || value > largest) validation.addError(outside(smallest, largest))
}

function checkChoices(option: Fields, validation: ValidationContext, type: number): void {
  const choices = option['choices']
  if (choices === undefined) return
  if (!Array.isArray(choices)) return validation.addError(NOT_LIST)
  if (choices.length === 0) return
  if (type !== STRING_OPTION && type !== INTEGER_OPTION && type !== NUMBER_OPTION)
    return validation.addError(misplaced('belongs to STRING, INTEGER and NUMBER options'))
  if (choices.length > LIMITS.choices) validation.addError(tooMany(LIMITS.choices))
  const names = new Set<unknown>()
  for (const [index, item] of choices.entries()) {
    const at = validation.at(index)
    const choice: unknown = item
    if (!isObject(choice)) {
      at.addError(NOT_OBJECT)
      continue
    }
    const { name } = choice
    if (checkText(name, at.at('name'), { largest: LIMITS.choiceNameLength }) && names.has(name))
      at.at('name').addError(SAME_NAME)
    names.add(name)
    checkTexts(choice['name_localizations'], at.at('name_localizations'), LIMITS.choiceNameLength)
    checkValue(choice['value'], at.at('value'), { option, type })
  }
}

function checkValue(
  value: unknown,
  validation: ValidationContext,
  { option, type }: { option: Fields; type: number },
): void {
  if (value === undefined) return validation.addError(REQUIRED)
  if (type === STRING_OPTION) {
    if (typeof value !== 'string') validation.addError(NOT_TEXT)
    else if (checkText(value, validation, { smallest: 0, largest: LIMITS.choiceValueLength }))
      checkWithin(lengthOf(value), validation, [option['min_length'], option['max_length']])
  } else if (checkNumber(value, validation, type))
    checkWithin(value, validation, [option['min_value'], option['max_value']])
}

function checkWithin(
  value: number,
  validation: ValidationContext,
  [smallest, largest]: [unknown, unknown],
): void {
  const below = typeof smallest === 'number' && value < smallest
  const above = typeof largest === 'number' && value > largest
  if (below || above) validation.addError(OUT_OF_BOUNDS)
}

function hasChoices(option: unknown): boolean {
  const { choices } = fieldsOf(option)
  return Array.isArray(choices) && choices.length > 0
}
