/** Reads the route and the option values of a command, with resolved entities. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Parameter } from './define-command'
import { InteractionError } from './interaction-error'

/** Numbers as a player types them; not `0x10`, which `Number` reads too. */
const INTEGER = /^\s*[+-]?\d+\s*$/
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

export type Fields = Readonly<Record<string, unknown>>

/** Subcommand path and the option entries below it. */
export interface OptionPath {
  /** Space-separated path: `''`, `add`, `group add`. */
  readonly path: string
  readonly entries: readonly unknown[]
}

export interface Lookup {
  readonly entries: readonly unknown[]
  readonly resolved: Fields
}

/** Descends into subcommands, at most two levels. */
export function findOptionPath(options: unknown): OptionPath {
  let entries: readonly unknown[] = Array.isArray(options) ? options : []
  const path: string[] = []
  for (let level = 0; level < 2; level++) {
    const [first] = entries
    if (!isRecord(first) || (first['type'] !== 1 && first['type'] !== 2)) break
    path.push(String(first['name']))
    entries = Array.isArray(first['options']) ? first['options'] : []
    if (first['type'] === 1) break
  }
  return { path: path.join(' '), entries }
}

/** Reads every defined option. @throws InteractionError `missing_option`, `invalid_option`. */
export function readOptions(parameters: readonly Parameter[], lookup: Lookup): Fields {
  const entries = byName(lookup.entries)
  const options = emptyRecord()
  for (const parameter of parameters) {
    const entry = entries.get(parameter.name)
    if (entry === undefined && parameter.required)
      throw new InteractionError('missing_option', parameter.name)
    if (entry !== undefined) options[parameter.name] = requireValue(parameter, entry, lookup.resolved)
  }
  return options
}

/** Reads options during autocomplete, and the focused one. Invalid values are left out. */
export function readPartialOptions(
  parameters: readonly Parameter[],
  entries: readonly unknown[],
): { options: Fields; focused: Focused | undefined } {
  const options = emptyRecord()
  let focused: Focused | undefined
  const given = byName(entries)
  for (const { name, type } of parameters) {
    const entry = given.get(name)
    if (!entry) continue
    const value = partialValue(type, entry['value'])
    if (value !== undefined) options[name] = value
    if (entry['focused'] === true) focused ??= { name, value: type === 3 ? (value ?? '') : value }
  }
  return { options, focused }
}

export interface Focused {
  readonly name: string
  readonly value: unknown
}

/** Returns the input of an option as it was typed. */
export function typedText(entries: readonly unknown[], name: string): string {
  const value = byName(entries).get(name)?.['value']
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Has no prototype, so that an option may be named `__proto__`. */
export function emptyRecord(): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  return record
}

function byName(entries: readonly unknown[]): Map<unknown, Fields> {
  const found = new Map<unknown, Fields>()
  for (const entry of entries)
    if (isRecord(entry) && !found.has(entry['name'])) found.set(entry['name'], entry)
  return found
}

function requireValue({ type, name, choices }: Parameter, entry: Fields, resolved: Fields): unknown {
  const value = entry['type'] === type ? joinValue(type, entry['value'], resolved) : undefined
  if (value === undefined || choices?.has(value) === false) throw new InteractionError('invalid_option', name)
  return value
}

/** Returns undefined if the value does not match the type (docs/interface/commands.md#option-types). */
export function joinValue(type: number, value: unknown, resolved: Fields): unknown {
  switch (type) {
    case 3:
      return typeof value === 'string' ? value : undefined
    case 4:
      return Number.isSafeInteger(value) ? value : undefined
    case 5:
      return typeof value === 'boolean' ? value : undefined
    case 6:
      return chosenUser(value, resolved)
    case 7:
      return lookUp(resolved, 'channels', value)
    case 8:
      return lookUp(resolved, 'roles', value)
    case 9:
      return chosenUser(value, resolved) ?? chosenRole(value, resolved)
    case 10:
      return Number.isFinite(value) ? value : undefined
    case 11:
      return lookUp(resolved, 'attachments', value)
    default:
      return undefined
  }
}

export function chosenUser(id: unknown, resolved: Fields): unknown {
  const user = lookUp(resolved, 'users', id)
  const member = lookUp(resolved, 'members', id)
  return user && { id, user, ...(member && { member }) }
}

function chosenRole(id: unknown, resolved: Fields): unknown {
  const role = lookUp(resolved, 'roles', id)
  return role && { id, role }
}

/** Own properties only: an id may be `__proto__`. */
export function lookUp(resolved: Fields, kind: string, id: unknown): Fields | undefined {
  const all = resolved[kind]
  if (typeof id !== 'string' || !isRecord(all) || !Object.hasOwn(all, id)) return undefined
  const found = all[id]
  return isRecord(found) ? found : undefined
}

/** During autocomplete, entities have only an id, and numbers may still be strings. */
function partialValue(type: number, value: unknown): unknown {
  if (type === 3 || type === 5)
    return typeof value === (type === 3 ? 'string' : 'boolean') ? value : undefined
  if (type !== 4 && type !== 10) return typeof value === 'string' ? { id: value } : undefined
  if (typeof value !== 'string') return Number.isFinite(value) ? value : undefined
  const number = (type === 4 ? INTEGER : NUMBER).test(value) ? Number(value) : Number.NaN
  // A number that cannot be held exactly is another one: the handler reads the text.
  return Number.isFinite(number) && (type === 10 || Number.isSafeInteger(number)) ? number : undefined
}
