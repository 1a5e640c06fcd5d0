/** A place in a body that is read, and the list that its faults are noted in. */
import { isRecord } from '../../foundation/encoding'
import type { Issue } from '../../foundation/errors'
import { countCharacters } from './characters'
import { type CommandErrorCode, type CommandWarningCode, words } from '../issue'

/** An object of which nothing is known but which fields it should have. */
export type Unread<Field extends PropertyKey> = Readonly<Partial<Record<Field, unknown>>>

export function isObject<Field extends PropertyKey>(value: unknown): value is Unread<Field> {
  return isRecord(value)
}

/** How much of something there may be. */
export interface Limits {
  readonly min: number
  readonly max: number
  readonly fractions?: boolean
}

type Params = Record<string, unknown>

/** One is made for every option: paths are spelled out only when there is something to say. */
export class ValidationContext {
  readonly issues: Issue[]
  /** The known ones of the dictionary that was read last, in its order: the next one's are mostly the same, and need not be looked up. */
  readonly locales: string[]
  /** In the list that it stands in; -1 for what stands in none. */
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

  /** Notes a fault of one of the fields here; of the place itself without a field. */
  error(code: CommandErrorCode, field = '', params: Params = {}): void {
    this.#add(code, params, { field, level: 'error' })
  }

  /** Notes what to think about. */
  warn(code: CommandWarningCode, field: string, params: Params = {}): void {
    this.#add(code, params, { field, level: 'warning' })
  }

  #add(code: CommandErrorCode | CommandWarningCode, params: Params, { field, level }: { field: string; level: Issue['level'] }): void {
    this.issues.push({ path: join(this.path, field), code, message: words(code, params), params, level })
  }

  /** Notes that a field is of another kind than `expected`. */
  wrongType(expected: string, field = ''): void {
    this.error('wrong_type', field, { expected })
  }

  /** Notes a field that a command or option of this type does not have. */
  notForType(field: string, type: number | null): void {
    this.error('not_for_type', field, { type })
  }

  /** Notes what is neither true nor false nor absent. */
  flag(value: unknown, field: string): void {
    if (value !== undefined && typeof value !== 'boolean') this.wrongType('true or false', field)
  }

  /** Whether it is one of the values that are allowed; notes what is none of them. */
  oneOf<T>(value: unknown, field: string, allowed: readonly T[]): value is T {
    const values: readonly unknown[] = allowed
    if (values.includes(value)) return true
    this.error('unknown_value', field, { allowed })
    return false
  }

  /** Gives the characters of a text; notes too few and too many. */
  length(text: string, { min, max }: Limits, field: string): number {
    const actual = countCharacters(text)
    if (actual < min || actual > max) this.error('length', field, { min, max, actual })
    return actual
  }

  /** Notes what is no number, or not within the limits. */
  number(value: unknown, { min, max, fractions }: Limits, field: string): void {
    if (typeof value !== 'number' || !(fractions ? Number.isFinite(value) : Number.isInteger(value))) {
      this.wrongType(fractions ? 'a number' : 'a whole number', field)
    } else if (value < min || value > max) this.error('out_of_range', field, { min, max })
  }

  /** The elements of a list, to twice as many as it may have; none of what is no list. */
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

/** A key of a dictionary as it stands in a path: `name_localizations['de']`. */
export function keyed(dictionary: string, key: string): string {
  return `${dictionary}['${key.replace(/['\\]/g, '\\$&')}']`
}

function join(path: string, field: string): string {
  return path && field ? `${path}.${field}` : path + field
}
