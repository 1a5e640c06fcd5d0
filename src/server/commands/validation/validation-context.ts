/** Validation context: a path in the body, with the list of issues. */
import { isRecord } from '../../../shared/foundation/untrusted-values'
import type { Issue } from '../../../shared/foundation/errors'
import { countCharacters } from '../../../shared/foundation/count-characters'
import { type CommandErrorCode, type CommandWarningCode, messageOf } from './command-issue-code'

/** Object with unvalidated fields. */
export type Unread<Field extends PropertyKey> = Readonly<Partial<Record<Field, unknown>>>

export function isObject<Field extends PropertyKey>(value: unknown): value is Unread<Field> {
  return isRecord(value)
}

/** Allowed range. */
export interface Limits {
  readonly min: number
  readonly max: number
  readonly fractions?: boolean
}

type Params = Record<string, unknown>

/** Created for every option, so paths are formatted only for issues. */
export class ValidationContext {
  readonly issues: Issue[]
  /** Known locales of the previous dictionary, in order: mostly equal to the next one's, which saves look-ups. */
  readonly locales: string[]
  /** Index in the containing list; -1 outside a list. */
  readonly index: number
  readonly #parent: ValidationContext | undefined
  readonly #field: string

  constructor(parent?: ValidationContext, field = '', index = -1) {
    this.issues = parent ? parent.issues : []
    this.locales = parent ? parent.locales : []
    this.index = index
    this.#parent = parent
    this.#field = field
  }

  /** Adds an error for a field, or for the object itself if `field` is empty. */
  error(code: CommandErrorCode, field = '', params: Params = {}): void {
    this.#add(code, params, { field, level: 'error' })
  }

  /** Adds a warning. */
  warn(code: CommandWarningCode, field: string, params: Params = {}): void {
    this.#add(code, params, { field, level: 'warning' })
  }

  #add(
    code: CommandErrorCode | CommandWarningCode,
    params: Params,
    { field, level }: { field: string; level: Issue['level'] },
  ): void {
    this.issues.push({ path: join(this.path, field), code, message: messageOf(code, params), params, level })
  }

  /** Adds an error for a value of another type than `expected`. */
  wrongType(expected: string, field = ''): void {
    this.error('wrong_type', field, { expected })
  }

  /** Adds an error for a field that this type of command or option does not have. */
  notForType(field: string, type: number | null): void {
    this.error('not_for_type', field, { type })
  }

  /** Adds an error unless the value is a boolean or absent. */
  flag(value: unknown, field: string): void {
    if (value !== undefined && typeof value !== 'boolean') this.wrongType('true or false', field)
  }

  /** Returns true for an allowed value; otherwise adds an error. */
  oneOf<T>(value: unknown, field: string, allowed: readonly T[]): value is T {
    const values: readonly unknown[] = allowed
    if (values.includes(value)) return true
    this.error('unknown_value', field, { allowed })
    return false
  }

  /** Returns the length of a string in characters; adds an error outside the limits. */
  length(text: string, { min, max }: Limits, field: string): number {
    const actual = countCharacters(text)
    if (actual < min || actual > max) this.error('length', field, { min, max, actual })
    return actual
  }

  /** Adds an error unless the value is a number within the limits. */
  number(value: unknown, { min, max, fractions }: Limits, field: string): void {
    if (!(fractions ? Number.isFinite(value) : Number.isInteger(value))) {
      this.wrongType(fractions ? 'a number' : 'a whole number', field)
    } else if (Number(value) < min || Number(value) > max) this.error('out_of_range', field, { min, max })
  }

  /** Returns the elements of a list, up to twice the maximum; adds an error for other values and for too many. */
  list(value: unknown, field: string, max: number): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.wrongType('a list', field)
      return []
    }
    if (value.length > max) this.error('too_many', field, { max, actual: value.length })
    return value.slice(0, 2 * max)
  }

  get path(): string {
    const own = this.index < 0 ? this.#field : `${this.#field}[${this.index}]`
    return this.#parent ? join(this.#parent.path, own) : own
  }
}

/** Formats a dictionary key for a path: `name_localizations['de']`. */
export function keyed(dictionary: string, key: string): string {
  return `${dictionary}['${key.replace(/['\\]/g, '\\$&')}']`
}

function join(path: string, field: string): string {
  return path && field ? `${path}.${field}` : path + field
}
