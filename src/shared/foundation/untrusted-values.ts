/** Reads untrusted data: type guards, copies without inherited fields, and JSON that may be anything. */

export function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Type guard for objects that are not arrays. Read fields by name only: the object may hold `__proto__`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The prototype of copies: it is empty, and has none itself. Engines keep an object whose own prototype is null as a slow dictionary. */
const NOTHING: object = Object.freeze({ __proto__: null })

/** A copy with the object's own fields, which inherits nothing, so that a polluted `Object.prototype` cannot supply missing options. */
export function ownFields<T extends object>(options: T): T {
  return Object.assign<T, T>(Object.create(NOTHING), options)
}

/** Longest list that a call takes: a sparse one would else cost its length. */
const MAX_LIST = 100_000

/**
 * A copy of data with all that it holds, own fields only, so that later changes have no effect and each field is read once. An instance of a
 * class stays itself.
 * @throws RangeError for a list that is too long, or too deep. @throws what a getter throws.
 */
export const ownCopy = <T>(value: T): T => copyOf(value, () => false)

/** As `ownCopy`, for the arguments of a call: what an option holds and has methods, such as a signal or a surface, stays itself. It has a state. */
export const ownArguments = <T>(value: T): T => copyOf(value, hasMethod)

function copyOf<T>(value: T, isLive: (held: object) => boolean): T
function copyOf(value: unknown, isLive: (held: object) => boolean): unknown {
  if (Array.isArray(value)) {
    const { length } = value
    if (length > MAX_LIST) throw new RangeError('a list is too long')
    return Array.from({ length }, (_, index): unknown => copyOf(value[index], isLive))
  }
  if (!isPlain(value)) return value
  const copy = ownFields<Record<string, unknown>>(value)
  for (const name in copy) {
    const held = copy[name]
    if (!isPlain(held) || !isLive(held)) copy[name] = copyOf(held, isLive)
  }
  return copy
}

const hasMethod = (held: object): boolean => Object.values(held).some((each) => typeof each === 'function')

/** Of any realm. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return !prototype || Object.getPrototypeOf(prototype) === null
}

/** Fields that may be missing, and are not undefined. */
type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** A copy without fields that are undefined, which count as missing. It has no prototype; see `ownFields`. */
export function withoutUndefined<T extends object>(options: T | null | undefined): Defined<T> {
  const given: Defined<T> = ownFields<Defined<T>>(options ?? {})
  for (const name in given) if (given[name] === undefined) delete given[name]
  return given
}

/** The address, or undefined for a text that is none. (`URL.canParse` and `URL.parse` are missing in older browsers.) */
export function readUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Undefined for a text that is not JSON. The parser's own error is dropped, since it quotes the text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
