/** Options of a command, and of its subcommands and groups. */
import { fieldsOf, isObject, textOf } from '../foundation/values.js'
import {
  ATTACHMENT_OPTION,
  CHANNEL_OPTION,
  GROUP,
  INTEGER_OPTION,
  NUMBER_OPTION,
  STRING_OPTION,
  SUBCOMMAND,
} from '../model/stored-command.js'
import { OPTION_TYPES } from '../model/number-names.js'
import { described, LIMITS, named, translationsOf, type LocaleRules } from './check-names.js'
import { fileTypes } from './file-types.js'
import { misplaced, problem, type Problem } from './problems.js'
import {
  also,
  anything,
  apart,
  flag,
  holds,
  integer,
  lengthOf,
  list,
  number,
  object,
  oneOf,
  optional,
  refine,
  set,
  text,
  type Fields,
  type Place,
  type Schema,
} from './schema.js'

/** The owner of the list, which determines the allowed types. */
type Owner = 'command' | 'group' | 'subcommand'

const notAmong = (rule: string) =>
  problem(
    'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
    'Sub-command and sub-command group option types are mutually exclusive to all other types',
    rule,
  )
const NOT_AMONG_OTHERS = notAmong('must not mix subcommands and groups with other options')
const NOT_IN_GROUP = notAmong('must be a subcommand: a group holds nothing else')
const NOT_IN_SUBCOMMAND = notAmong('must not be a subcommand or group: a subcommand holds parameters')
const REQUIRED_TOO_LATE = problem(
  'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  'Required options must be placed before non-required options',
  'must not follow an optional one: required options come first',
)

export function optionsOf(owner: Owner, rules: LocaleRules): Schema<unknown[]> {
  return also(list(optionOf(owner, rules), { most: LIMITS.options }), (value, at) => {
    if (!Array.isArray(value)) return
    const items: unknown[] = value
    checkOrder(items, at)
    checkNamesApart(items.map(fieldsOf), at)
    if (owner === 'command') checkKinds(items.map(fieldsOf), at)
  })
}

const NUMBERS_OF_TYPES = Object.values(OPTION_TYPES)

function optionOf(owner: Owner, rules: LocaleRules): Schema<unknown> {
  const type = refine(oneOf(NUMBERS_OF_TYPES, OPTION_TYPES), (value, at) => {
    if (owner === 'group' && value !== SUBCOMMAND) at.add(NOT_IN_GROUP)
    else if (owner === 'subcommand' && holdsOptions(value)) at.add(NOT_IN_SUBCOMMAND)
  })
  return object(
    {
      type,
      ...named('strict', rules),
      ...described(rules),
      required: optional(flag),
      autocomplete: optional(flag),
    },
    (option, at) => {
      // Without a type nothing else can be said.
      if (!holds(type, option['type'])) return
      checkFlags(option, at)
      checkByType(option, at, rules)
    },
  )
}

function checkFlags(option: Fields, at: Place): void {
  const { type, required, autocomplete } = option
  if (required === true && holdsOptions(type))
    at.at('required').add(misplaced('is not for subcommands and groups'))
  if (autocomplete !== true) return
  if (!suggests(type)) at.at('autocomplete').add(misplaced('belongs to STRING, INTEGER and NUMBER options'))
  else if (hasChoices(option)) at.at('autocomplete').add(misplaced('must not be true beside choices'))
}

/** Rule of a field that only some types of options have. */
interface FieldRule {
  of: readonly number[]
  names: string
  schema: (option: Fields, rules: LocaleRules) => Schema<unknown>
  /** True for lists: an empty one counts as absent. */
  isList?: true
}

const NUMBERS = [INTEGER_OPTION, NUMBER_OPTION]
const OUT_OF_ORDER = misplaced('must not be larger than the maximum beside it')
const LARGEST_NUMBER = 2 ** 53

const numberOf = ({ type }: Fields): Schema<number> =>
  type === INTEGER_OPTION
    ? integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    : number(-LARGEST_NUMBER, LARGEST_NUMBER)

const BOUND: FieldRule = { of: NUMBERS, names: 'INTEGER and NUMBER', schema: numberOf }
const lengthBound = ({ smallest, largest }: { smallest: number; largest: number }): FieldRule => ({
  of: [STRING_OPTION],
  names: 'STRING',
  schema: () => integer(smallest, largest),
})

const FIELDS: Readonly<Record<string, FieldRule>> = {
  choices: {
    of: [STRING_OPTION, ...NUMBERS],
    names: 'STRING, INTEGER and NUMBER',
    schema: choicesOf,
    isList: true,
  },
  min_value: BOUND,
  max_value: BOUND,
  min_length: lengthBound(LIMITS.minLength),
  max_length: lengthBound(LIMITS.maxLength),
  // The API does not restrict the types of channels.
  channel_types: { of: [CHANNEL_OPTION], names: 'CHANNEL', schema: () => set(integer()), isList: true },
  file_types: { of: [ATTACHMENT_OPTION], names: 'ATTACHMENT', schema: () => fileTypes, isList: true },
}

const anyList = list(anything)

function checkByType(option: Fields, at: Place, rules: LocaleRules): void {
  for (const [name, { of, names, schema, isList = false }] of Object.entries(FIELDS)) {
    const value = option[name]
    if (value === undefined || (isList && isEmptyList(value))) continue
    if (of.some((type) => type === option['type'])) schema(option, rules).check(value, at.at(name))
    else if (!isList || holds(anyList, value, at.at(name)))
      at.at(name).add(misplaced(`belongs to ${names} options`))
  }
  for (const [low, high] of [
    ['min_value', 'max_value'],
    ['min_length', 'max_length'],
  ] as const) {
    const [smallest, largest] = [option[low], option[high]]
    if (typeof smallest === 'number' && typeof largest === 'number' && smallest > largest)
      at.at(low).add(OUT_OF_ORDER)
  }
  checkInner(option, at.at('options'), rules)
}

function checkInner({ type, options }: Fields, at: Place, rules: LocaleRules): void {
  if (options === undefined) return
  if (holdsOptions(type)) optionsOf(type === GROUP ? 'group' : 'subcommand', rules).check(options, at)
  else if (!isEmptyList(options) && holds(anyList, options, at))
    at.add(misplaced('belongs to subcommands and groups'))
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Invalid items count neither as required nor as optional. */
function checkOrder(items: unknown[], at: Place): void {
  const parameters = items.map((item) => {
    const { type, required: needed } = fieldsOf(item)
    return { counts: isObject(item) && !holdsOptions(type), needed: needed === true }
  })
  const firstOptional = parameters.findIndex(({ counts, needed }) => counts && !needed)
  if (firstOptional === -1) return
  for (const [index, { counts, needed }] of parameters.entries())
    if (index > firstOptional && counts && needed) at.at(index, 'required').add(REQUIRED_TOO_LATE)
}

function checkKinds(options: Fields[], at: Place): void {
  const kinds = options.map(({ type }) =>
    NUMBERS_OF_TYPES.some((known) => known === type) ? holdsOptions(type) : undefined,
  )
  const first = kinds.find((kind) => kind !== undefined)
  for (const [index, kind] of kinds.entries())
    if (kind !== undefined && kind !== first) at.at(index, 'type').add(NOT_AMONG_OTHERS)
}

/** Default names must be unique. A translation must differ from other defaults, and from other translations into its language. */
function checkNamesApart(options: Fields[], at: Place): void {
  const defaults = new Set<unknown>()
  for (const [index, { name }] of options.entries()) {
    if (typeof name !== 'string') continue
    if (defaults.has(name)) at.at(index, 'name').add(nameTaken(name))
    defaults.add(name)
  }
  const taken = new Set<string>()
  for (const [index, { name, name_localizations: dictionary }] of options.entries()) {
    for (const [locale, value] of Object.entries(fieldsOf(dictionary))) {
      const translation = textOf(value)
      // A translation equal to its own default is ignored, so it cannot be a duplicate.
      if (translation === undefined || translation === name) continue
      const key = JSON.stringify([locale, translation])
      if (defaults.has(translation) || taken.has(key))
        at.at(index, 'name_localizations', locale).add(nameTaken(translation))
      taken.add(key)
    }
  }
}

function nameTaken(name: string): Problem {
  return problem(
    'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    `Option name ${name} is already used in these options`,
    'must differ from the other option names beside it',
  )
}

function holdsOptions(type: unknown): boolean {
  return type === SUBCOMMAND || type === GROUP
}

const suggests = (type: unknown): boolean => [STRING_OPTION, ...NUMBERS].some((each) => each === type)

const OUT_OF_BOUNDS = misplaced('must lie within the minimum and maximum of its option')
const SAME_NAME = problem(
  'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS',
  'Option choice name already exists',
  'must differ from the names of the other choices',
)

const choiceName = text({ least: 1, most: LIMITS.choiceNameLength })

const choiceOf = (value: Schema<unknown>, rules: LocaleRules) =>
  object({ name: choiceName, name_localizations: translationsOf(choiceName, rules), value })

function choicesOf(option: Fields, rules: LocaleRules): Schema<unknown> {
  const all = list(choiceOf(valueOf(option), rules), { most: LIMITS.choices })
  return also(all, (value, at) =>
    apart(value, at, (item) => fieldsOf(item)['name'], { path: ['name'], wrong: SAME_NAME }),
  )
}

function valueOf(option: Fields): Schema<unknown> {
  const { type, min_value, max_value, min_length, max_length } = option
  if (type === STRING_OPTION)
    return refine(text({ most: LIMITS.choiceValueLength }), (value, at) =>
      checkWithin(lengthOf(value), at, [min_length, max_length]),
    )
  return refine(numberOf(option), (value, at) => checkWithin(value, at, [min_value, max_value]))
}

function checkWithin(value: number, at: Place, [smallest, largest]: readonly [unknown, unknown]): void {
  const below = typeof smallest === 'number' && value < smallest
  const above = typeof largest === 'number' && value > largest
  if (below || above) at.add(OUT_OF_BOUNDS)
}

function hasChoices({ choices }: Fields): boolean {
  return Array.isArray(choices) && choices.length > 0
}
