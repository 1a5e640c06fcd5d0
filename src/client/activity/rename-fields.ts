/** Converts field names between the host's `snake_case` and the SDK's `camelCase`, in nested data too. Pure. */
import { isRecord } from '../../shared/foundation/untrusted-values'

const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A copy of a host's data with `camelCase` names. */
export const camelFields = (value: unknown): unknown => rename(value, toCamel)

/** A copy of arguments with `snake_case` names; undefined fields are left out. */
export function snakeFields(value: object): object {
  const renamed = rename({ ...value }, toSnake)
  return isRecord(renamed) ? renamed : {}
}

/** `Object.fromEntries` defines own fields: a field called `__proto__` changes no prototype. */
function rename(value: unknown, to: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => rename(entry, to))
  if (!isRecord(value)) return value
  const given = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [to(name), rename(field, to)]))
}
