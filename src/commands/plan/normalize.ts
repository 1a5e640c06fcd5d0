/** Two spellings of one command are one command: fills in what the interface says is the default, and orders what has no order. */
import { isRecord } from '../../foundation/encoding'
import type { ApplicationCommandOption, ApplicationCommandOptionChoice, CommandOverwriteBody } from '../../wire/command'

/** A command as it is wanted, or as the service returned it. */
export type Comparable = Omit<CommandOverwriteBody, 'integration_types' | 'contexts'> & {
  integration_types?: readonly number[] | undefined
  contexts?: readonly number[] | null | undefined
}

/** What can be changed, in the order in which a plan names it. */
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

/** They have no effect in a guild (S:246). */
const GLOBAL_ONLY: ReadonlySet<Field> = new Set(['dm_permission', 'integration_types', 'contexts', 'handler'])

const ATTACHMENT = 11

/** Contexts that together mean what null means: all of them. */
const ALL_CONTEXTS = '0,1,2'

/** The fields in which an existing command is not as it is wanted. */
export function differingFields(wanted: Comparable, existing: Comparable, scope: 'global' | 'guild'): Field[] {
  return FIELDS.filter((field) => isCompared(field, wanted, scope) && canonical(field, wanted) !== canonical(field, existing))
}

/** What a wanted command says of a field, or the value that leaving it out means. */
export function wantedValue(field: Field, wanted: Comparable): unknown {
  return wanted[field] === undefined ? DEFAULTS[field] : wanted[field]
}

/** What the service fills in by itself when nothing is said is not the plan's to judge: how to install, and what contexts imply. */
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

/** Equal texts for values that mean the same. */
function canonical(field: Field, command: Comparable): string {
  const value = command[field] ?? DEFAULTS[field]
  return JSON.stringify(simplified(field, value))
}

function simplified(field: Field, value: unknown): unknown {
  if (field === 'options') return Array.isArray(value) ? value.map(option) : []
  if (field.endsWith('_localizations')) return dictionary(value)
  if (field === 'default_member_permissions' && typeof value === 'string') return value.replace(/^0+(?=\d)/, '')
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
    // Of other types it says nothing, and is not kept.
    files: type === ATTACHMENT && Array.isArray(given.file_types) ? [...given.file_types].sort(byText) : [],
    choices: (given.choices ?? []).map(choice),
    options: (given.options ?? []).map(option),
  }
}

function choice({ name, value, name_localizations }: ApplicationCommandOptionChoice): unknown {
  return { name, value, names: dictionary(name_localizations) }
}

/** Sorted entries; none for null. */
function dictionary(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => byText(a, b)) : []
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const numbers = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b)
