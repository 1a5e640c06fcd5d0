/** Type guards and readers for `unknown` values. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; an empty object for any other value. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const DECIMAL = /^(?:0|[1-9][0-9]*)$/

/** An id of the service: a 64-bit unsigned integer, written in decimal digits without leading zeros. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 20 && DECIMAL.test(value) && BigInt(value) < 2n ** 64n
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** A copy of plain data without fields that are undefined, at any depth. Functions and instances of classes stay as they are. */
export function dropUndefined<T extends object>(given: T): Defined<T> {
  const copy: Defined<T> = Object.create(Object.prototype)
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) Reflect.set(copy, name, dropInside(value))
  return copy
}

function dropInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropInside)
  return isObject(value) && isPlain(value) ? dropUndefined(value) : value
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Settings of which each may be left out. One that is undefined counts as left out, also under `exactOptionalPropertyTypes`. */
export type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }
