/** A place in a body that is read, and the list that its faults are noted in. */
import { isRecord } from '../foundation/encoding'
import type { Issue } from '../foundation/errors'
import { type CommandIssueCode, isWarning, words } from './issue'

/** An object of which nothing is known but which fields it should have. */
export type Unread<Field extends PropertyKey> = Readonly<Partial<Record<Field, unknown>>>

export function isObject<Field extends PropertyKey>(value: unknown): value is Unread<Field> {
  return isRecord(value)
}

/** One is made for every option: paths are spelled out only when there is something to say. */
export class Place {
  readonly issues: Issue[]
  /** In the list that it stands in; -1 for what stands in none. */
  readonly index: number
  readonly #parent: Place | undefined
  readonly #field: string

  constructor(parent?: Place, field = '', index = -1) {
    this.issues = parent ? parent.issues : []
    this.index = index
    this.#parent = parent
    this.#field = field
  }

  /** Notes a fault, or something to think about, of one of the fields here; of the place itself without a field. */
  note(code: CommandIssueCode, field = '', params: Record<string, unknown> = {}): void {
    const path = join(this.path, field)
    this.issues.push({ path, code, message: words(code, params), params, level: isWarning(code) ? 'warning' : 'error' })
  }

  /** Notes that a field is of another kind than `expected`. */
  wrong(expected: string, field = ''): void {
    this.note('wrong_type', field, { expected })
  }

  /** Notes what is neither true nor false nor absent. */
  flag(value: unknown, field: string): void {
    if (value !== undefined && typeof value !== 'boolean') this.wrong('true or false', field)
  }

  /** The elements of a list, as many as it may have; none of what is no list. */
  list(value: unknown, field: string, max: number): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.wrong('a list', field)
      return []
    }
    if (value.length > max) this.note('too_many', field, { max, actual: value.length })
    return value.slice(0, max)
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
  return path && field && !field.startsWith('[') ? `${path}.${field}` : path + field
}
