/** Converts a valid body into the stored definition: fills in defaults, and drops empty fields. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import {
  ATTACHMENT_OPTION,
  CHAT_INPUT,
  ENTRY_POINT,
  isCommandType,
  type Choice,
  type Command,
  type Definition,
  type Dictionary,
  type Option,
} from '../../model/stored-command.js'
import type { Rules } from '../../check/check-command.js'

type Fields = Record<string, unknown>

const APP_HANDLER = 1

/** @param body must be valid. */
export function define(
  body: unknown,
  { scope, application }: Pick<Rules, 'scope' | 'application'>,
): Definition {
  const fields = fieldsOf(body)
  const type = isCommandType(fields['type']) ? fields['type'] : CHAT_INPUT
  const options = type === CHAT_INPUT ? optionsOf(fields['options']) : undefined
  const bits = textOf(fields['default_member_permissions'])
  return {
    type,
    name: textOf(fields['name']) ?? '',
    name_localizations: dictionaryOf(fields['name_localizations']) ?? null,
    description: textOf(fields['description']) ?? '',
    description_localizations: dictionaryOf(fields['description_localizations']) ?? null,
    ...(options === undefined ? {} : { options }),
    default_member_permissions: bits === undefined ? null : String(BigInt(bits)),
    default_permission: fields['default_permission'] !== false,
    nsfw: fields['nsfw'] === true,
    ...(scope === 'global' ? globalFields(fields, application) : {}),
    ...(type === ENTRY_POINT
      ? { handler: fields['handler'] === undefined ? APP_HANDLER : Number(fields['handler']) }
      : {}),
  }
}

function globalFields(fields: Fields, application: Rules['application']) {
  return {
    dm_permission: fields['dm_permission'] !== false,
    integration_types: numbersOf(fields['integration_types']) ?? [...application.integrationTypes],
    contexts: numbersOf(fields['contexts']) ?? null,
  }
}

/** Converts the stored command back to a body, on which an edit is based. */
export function bodyOf({ definition }: Command): Fields {
  return { ...definition }
}

function optionsOf(value: unknown): Option[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map((item) => optionOf(fieldsOf(item))) : undefined
}

function optionOf(fields: Fields): Option {
  const choices = choicesOf(fields['choices'])
  const options = optionsOf(fields['options'])
  const channelTypes = numbersOf(fields['channel_types'], { sorted: 'no' })
  return {
    type: Number(fields['type']),
    name: textOf(fields['name']) ?? '',
    ...translations('name_localizations', fields),
    description: textOf(fields['description']) ?? '',
    ...translations('description_localizations', fields),
    ...(fields['required'] === true ? { required: true } : {}),
    ...(fields['autocomplete'] === true ? { autocomplete: true } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(options === undefined ? {} : { options }),
    ...(channelTypes === undefined ? {} : { channel_types: channelTypes }),
    ...bounds(fields),
    ...fileTypes(fields),
  }
}

function bounds(fields: Fields): Partial<Option> {
  const names = ['min_value', 'max_value', 'min_length', 'max_length'] as const
  return Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === 'number' ? [[name, fields[name]]] : [])),
  )
}

/** An extension of the public service, stored unchanged. */
function fileTypes(fields: Fields): { file_types?: string[] } {
  const { type, file_types: types } = fields
  if (type !== ATTACHMENT_OPTION || !Array.isArray(types)) return {}
  return { file_types: types.flatMap((name) => (typeof name === 'string' ? [name] : [])) }
}

function choicesOf(value: unknown): Choice[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return value.map((item) => {
    const choice = fieldsOf(item)
    const content = choice['value']
    return {
      name: textOf(choice['name']) ?? '',
      ...translations('name_localizations', choice),
      value: typeof content === 'number' ? content : String(content),
    }
  })
}

function translations(
  name: 'name_localizations' | 'description_localizations',
  fields: Fields,
): Record<string, Dictionary> {
  const dictionary = dictionaryOf(fields[name])
  return dictionary === undefined ? {} : { [name]: dictionary }
}

/** Sorted by locale, so that equal dictionaries serialize equally. */
function dictionaryOf(value: unknown): Dictionary | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).flatMap(([locale, text]) =>
    typeof text === 'string' ? [[locale, text] as const] : [],
  )
  return entries.length === 0
    ? undefined
    : Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function numbersOf(
  value: unknown,
  { sorted }: { sorted: 'yes' | 'no' } = { sorted: 'yes' },
): number[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const numbers = value.map(Number)
  return sorted === 'yes' ? numbers.sort((left, right) => left - right) : numbers
}
