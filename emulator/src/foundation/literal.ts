/** Values as a programmer writes them in JavaScript. */
import { isObject } from './values.js'

/** For example `{ user: 'ada', action: 'expire' }`. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isObject(value)) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `${nameOf(name)}: ${literal(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))
