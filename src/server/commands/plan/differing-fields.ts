/** Normalizes commands for comparison: fills in documented defaults and sorts unordered lists. */
import { isRecord } from '../../../shared/foundation/untrusted-values'
import type {
  ApplicationCommandOption,
  ApplicationCommandOptionChoice,
  CommandOverwriteBody,
} from '../../../shared/wire/command'

/** Desired command, or one returned by the service. */
export type Comparable = Omit<CommandOverwriteBody, 'integration_types' | 'contexts'> & {
  integration_types?: readonly number[] | undefined
  contexts?: readonly number[] | null | undefined
}

/** Comparable fields, in the order shown in a plan. */
export const FIELDS = [
  'name',
  'name_localizations',
  'description',
  'description_localizations',
  'options',
  'default_member_permissions',
  'default_permission',
  'nsfw',
  'dm_permission',
  'integration_types',
  'contexts',
  'handler',
] as const

export type Field = (typeof FIELDS)[number]

/** Fields without effect in a guild (docs/interface/commands.md#request-bodies). */
const GLOBAL_ONLY: ReadonlySet<Field> = new Set(['dm_permission', 'integration_types', 'contexts', 'handler'])

const ATTACHMENT = 11

/** Contexts that together equal null: all of them. */
const ALL_CONTEXTS = '0,1,2'

/** Returns the fields in which the existing command differs from the desired one. */
export function differingFields(
  wanted: Comparable,
  existing: Comparable,
  scope: 'global' | 'guild',
): Field[] {
  return FIELDS.filter(
    (field) => isCompared(field, wanted, scope) && canonical(field, wanted) !== canonical(field, existing),
  )
}

/** Returns the desired value of a field, or its default. */
export function wantedValue(field: Field, wanted: Comparable): unknown {
  return wanted[field] === undefined ? DEFAULTS[field] : wanted[field]
}

/** Returns false for absent fields that the service fills in itself: installation types, and values implied by contexts. */
export function isCompared(field: Field, wanted: Comparable, scope: 'global' | 'guild'): boolean {
  if (scope === 'guild' && GLOBAL_ONLY.has(field)) return false
  if (wanted[field] !== undefined) return true
  if (field === 'dm_permission') return wanted.contexts === undefined
  return field !== 'integration_types' && field !== 'handler'
}

const DEFAULTS: Readonly<Record<Field, unknown>> = {
  name: '',
  name_localizations: null,
  description: '',
  description_localizations: null,
  options: [],
  default_member_permissions: null,
  default_permission: true,
  nsfw: false,
  dm_permission: true,
  integration_types: [],
  contexts: null,
  handler: null,
}

/** Serializes equivalent values to equal strings. */
function canonical(field: Field, command: Comparable): string {
  const value = command[field] ?? DEFAULTS[field]
  return JSON.stringify(simplified(field, value))
}

function simplified(field: Field, value: unknown): unknown {
  if (field === 'options') return Array.isArray(value) ? value.map(option) : []
  if (field.endsWith('_localizations')) return dictionary(value)
  if (field === 'default_member_permissions' && typeof value === 'string')
    return value.replace(/^0+(?=\d)/, '')
  if (!Array.isArray(value)) return value
  const sorted = numbers(value)
  return field === 'contexts' && sorted.join() === ALL_CONTEXTS ? null : sorted
}

function option(given: ApplicationCommandOption): unknown {
  const { type, name, description, min_value, max_value, min_length, max_length } = given
  return {
    type,
    name,
    description,
    required: given.required ?? false,
    autocomplete: given.autocomplete ?? false,
    bounds: [min_value, max_value, min_length, max_length],
    names: dictionary(given.name_localizations),
    descriptions: dictionary(given.description_localizations),
    channels: numbers(given.channel_types ?? []),
    // Other types ignore this field and do not store it.
    files: type === ATTACHMENT && Array.isArray(given.file_types) ? [...given.file_types].sort(byText) : [],
    choices: (given.choices ?? []).map(choice),
    options: (given.options ?? []).map(option),
  }
}

function choice({ name, value, name_localizations }: ApplicationCommandOptionChoice): unknown {
  return { name, value, names: dictionary(name_localizations) }
}

/** Returns sorted entries; empty for null. */
function dictionary(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => byText(a, b)) : []
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const numbers = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b)
