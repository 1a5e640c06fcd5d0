/** Leaves out settings that are undefined: they count as not given. */
import { isObject } from './type-guards.js'

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** A copy of plain data without fields that are undefined, at any depth. Functions and instances of classes stay as they are. */
export function dropUndefined<T extends object>(given: T): Defined<T> {
  const copy: Defined<T> = Object.create(Object.prototype)
  for (const [name, value] of Object.entries(given)) if (value !== undefined) Reflect.set(copy, name, dropInside(value))
  return copy
}

function dropInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropInside)
  return isObject(value) && isPlain(value) ? dropUndefined(value) : value
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))
