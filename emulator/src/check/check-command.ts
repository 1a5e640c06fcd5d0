/** The body of a command. */
import { COMMAND_TYPES, CONTEXTS, INSTALL_TYPES } from '../model/number-names.js'
import { fieldsOf, isObject, isSnowflake, textOf } from '../foundation/values.js'
import {
  CHAT_INPUT,
  ENTRY_POINT,
  isCommandType,
  MESSAGE_COMMAND,
  USER_COMMAND,
  type CommandType,
} from '../model/stored-command.js'
import { described, LIMITS, named, type LocaleRules } from './check-names.js'
import { optionsOf } from './check-options.js'
import { misplaced, problem, type Problem } from './problems.js'
import {
  also,
  anything,
  apart,
  flag,
  lengthOf,
  list,
  nullish,
  object,
  oneOf,
  optional,
  pattern,
  set,
  snowflake,
  text,
  type Place,
  type Schema,
} from './schema.js'

export interface Rules extends LocaleRules {
  scope: 'global' | 'guild'
  operation: 'create' | 'edit' | 'overwrite'
  application: { activities: boolean; integrationTypes: readonly number[]; discoverable: boolean }
}

const BAD_PERMISSIONS = problem(
  'PERMISSIONS_TYPE_CONVERT',
  'Value is not a permission bit set.',
  'must be a bit set: a number in decimal digits, written as a string',
)
const EMPTY = problem('BASE_TYPE_MIN_LENGTH', 'Must be 1 or more in length.', 'must not be an empty list')
const TOO_LARGE = problem(
  'APPLICATION_COMMAND_TOO_LARGE',
  `Command exceeds maximum size (${LIMITS.size})`,
  `names, descriptions and values together must have at most ${LIMITS.size} characters`,
)

/** The schema of a command. Its fields depend on its type. */
export function commandBody(rules: Rules): Schema<unknown> {
  return {
    check(body, at) {
      const { type: given = CHAT_INPUT } = fieldsOf(body)
      const type = isCommandType(given) ? given : undefined
      object(fieldsFor(type, rules), (fields, place) => {
        if (type === CHAT_INPUT && sizeOf(fields) > LIMITS.size) place.add(TOO_LARGE)
      }).check(body, at)
    },
  }
}

/** Of an invalid type, what depends on it is not checked. */
function fieldsFor(type: CommandType | undefined, rules: Rules): Record<string, Schema<unknown>> {
  return {
    type: optional(typeOf(rules)),
    id: rules.operation === 'overwrite' ? optional(snowflake) : anything,
    ...named(type === CHAT_INPUT ? 'strict' : 'free', rules),
    ...descriptionOf(type, rules),
    options: type === CHAT_INPUT ? optional(optionsOf('command', rules)) : noOptions(type),
    default_member_permissions: nullish(pattern(/^[0-9]+$/, BAD_PERMISSIONS)),
    default_permission: nullish(flag),
    nsfw: optional(rules.application.discoverable ? also(flag, refuseTrue) : flag),
    ...globalFields(rules),
    handler: optional(handlerOf(type, rules)),
  }
}

function typeOf({ scope }: Rules): Schema<unknown> {
  const types = oneOf([CHAT_INPUT, USER_COMMAND, MESSAGE_COMMAND, ENTRY_POINT], COMMAND_TYPES)
  return also(types, (value, at) => {
    if (scope === 'guild' && value === ENTRY_POINT)
      at.add(misplaced('must not be PRIMARY_ENTRY_POINT: an entry point is global'))
  })
}

/**
 * Fetched USER and MESSAGE commands contain an empty description, so an edit or a bulk overwrite may send it back
 * (docs/interface/commands.md#command, docs/interface/commands.md#names).
 */
function descriptionOf(type: CommandType | undefined, rules: Rules): Record<string, Schema<unknown>> {
  if (type === CHAT_INPUT) return described(rules)
  if (type === undefined) return { ...described(rules), description: anything }
  if (type === ENTRY_POINT)
    return { ...described(rules), description: optional(text({ most: LIMITS.descriptionLength })) }
  const mayBeEmpty = rules.operation !== 'create'
  return {
    description: optional(
      also(text(), (value, at) => {
        if (typeof value === 'string' && (value !== '' || !mayBeEmpty)) at.add(NOT_FOR_MENUS)
      }),
    ),
    description_localizations: nullish(
      also(object({}), (value, at) => {
        if (Object.keys(fieldsOf(value)).length > 0) at.add(NOT_FOR_MENUS)
      }),
    ),
  }
}

const NOT_FOR_MENUS = misplaced('is not for USER and MESSAGE commands')

/** An empty list counts as absent. */
function noOptions(type: CommandType | undefined): Schema<unknown> {
  return {
    isOptional: true,
    check(value, at) {
      const isNothing = type === undefined || (Array.isArray(value) && value.length === 0)
      if (!isNothing) at.add(misplaced('belongs to CHAT_INPUT commands'))
    },
  }
}

function refuseTrue(value: unknown, at: Place): void {
  if (value === true)
    at.add(misplaced('must not be true: an application in the directory holds nothing age-restricted'))
}

/** A guild's bulk overwrite may contain these fields, without effect. */
function globalFields({ scope, operation, application }: Rules): Record<string, Schema<unknown>> {
  const isRefused = scope === 'guild' && operation !== 'overwrite'
  const refused: Schema<unknown> = {
    isOptional: true,
    check: (_value, at) => at.add(misplaced('belongs to global commands')),
  }
  const one = { least: 1, empty: EMPTY }
  return {
    dm_permission: isRefused ? refused : nullish(flag),
    integration_types: isRefused
      ? refused
      : optional(set(oneOf(application.integrationTypes, INSTALL_TYPES), one)),
    contexts: isRefused ? refused : nullish(set(oneOf([0, 1, 2], CONTEXTS), one)),
  }
}

function handlerOf(type: CommandType | undefined, { application }: Rules): Schema<unknown> {
  if (type === undefined) return anything
  if (type === ENTRY_POINT && application.activities) return oneOf([1, 2])
  const rule =
    type === ENTRY_POINT ? 'needs an application with an Activity' : 'belongs to PRIMARY_ENTRY_POINT commands'
  return { check: (_value, at) => at.add(misplaced(rule)) }
}

const DUPLICATE_NAME = problem(
  'APPLICATION_COMMANDS_DUPLICATE_NAME',
  'Application command names must be unique',
  'must differ from the names of the other commands of its type',
)

/** A list of commands, in which names and ids do not repeat. */
export function commandList(rules: Rules): Schema<unknown[]> {
  return also(list(commandBody(rules), { read: MAX_READ }), (value, at) => {
    apart(value, at, nameKey, { path: ['name'], wrong: DUPLICATE_NAME })
    apart(value, at, idKey, { path: ['id'] })
    const over = crowdedTypes(value, rules.scope)
    // Alone it has an error of its own; among others it is one of them.
    if (over.length > 0 && at.found > 0) at.add(tooManyOf(over))
  })
}

/** More than any place can have, so that a longer list is refused in any case. */
const MAX_READ = 200

/** Types of which a list has too many. Entry points in a guild are invalid individually, so they are not counted. */
export function crowdedTypes(items: unknown, scope: Rules['scope']): CommandType[] {
  const types = (Array.isArray(items) ? items : [])
    .filter(isObject)
    .map(({ type = CHAT_INPUT }) => type)
    .filter(isCommandType)
  const counted = [...new Set(types)].filter((type) => scope === 'global' || type !== ENTRY_POINT)
  return counted.filter((type) => types.filter((other) => other === type).length > LIMITS.perType[type])
}

export function tooManyOf(types: CommandType[]): Problem {
  const counts = types.map((type) => LIMITS.perType[type])
  return problem(
    'APPLICATION_COMMANDS_MAX_REACHED',
    `Maximum number of application commands reached (${counts.join(', ')}).`,
    `one place has at most ${types.map((type) => `${LIMITS.perType[type]} of type ${type}`).join(', ')}`,
  )
}

function nameKey(item: unknown): string | undefined {
  const { type = CHAT_INPUT, name } = fieldsOf(item)
  return typeof name === 'string' && isCommandType(type) ? `${String(type)} ${name}` : undefined
}

function idKey(item: unknown): string | undefined {
  const { id } = fieldsOf(item)
  return isSnowflake(id) ? id : undefined
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
    description: shown,
    description_localizations: descriptions,
  } = fieldsOf(item)
  return longest(name, names) + longest(shown, descriptions)
}

function longest(value: unknown, translations: unknown): number {
  const variants = [value, ...Object.values(fieldsOf(translations))]
  return variants.reduce<number>((most, each) => Math.max(most, lengthOf(textOf(each) ?? '')), 0)
}

function total(items: unknown, measure: (item: unknown) => number): number {
  return Array.isArray(items) ? items.reduce<number>((sum, item) => sum + measure(item), 0) : 0
}
