/** Values that break a schema in one place: its type, a bound, its enumeration, a field too many, a field too few. Pure. */
import { fieldsOf, isObject } from '../../foundation/values.js'
import {
  leastValue,
  plainSchema,
  requiredOf,
  typeOf,
  type Generation,
  type Variant,
} from './generate-value.js'
import type { Schema } from './drift-types.js'

const DEEPEST = 3
const OTHERS: readonly unknown[] = ['a text', 7.5, true, ['x'], { x: { y: 1 } }]

/** Mutations of the least value; `breaks` keeps those that the schema refuses. */
export function mutationsOf(
  schema: unknown,
  generation: Generation,
  breaks: (value: unknown) => boolean,
): Variant[] {
  return mutate(schema, generation, { name: '', at: '', depth: 0 }).filter(({ value }) => breaks(value))
}

interface Place {
  name: string
  at: string
  depth: number
}

function mutate(given: unknown, generation: Generation, { name, at, depth }: Place): Variant[] {
  const schema = plainSchema(given, generation)
  const self = (what: string, value: unknown): Variant => ({ at, what, value })
  const own = [
    ...OTHERS.filter((value) => isOtherType(schema, value))
      .slice(0, 1)
      .map((value) => self(`type: ${JSON.stringify(value)}`, value)),
    ...beyond(schema, generation, name).map(([what, value]) => self(what, value)),
  ]
  if (depth >= DEEPEST) return own
  const least = leastValue(schema, generation, name)
  if (typeOf(schema) === 'array') {
    const inner = mutate(schema['items'], generation, { name, at: `${at}[0]`, depth: depth + 1 })
    return [...own, ...inner.map((variant) => ({ ...variant, value: [variant.value] }))]
  }
  if (!isObject(least) || typeOf(schema) !== 'object') return own
  const missing = requiredOf(schema).map((key) => {
    const { [key]: _, ...rest } = least
    return { at: join(at, key), what: 'missing', value: rest }
  })
  const extra =
    schema['additionalProperties'] === false
      ? [{ at: join(at, 'unexpected'), what: 'extra', value: { ...least, unexpected: 1 } }]
      : []
  const fields = Object.entries(fieldsOf(schema['properties'])).flatMap(([key, field]) =>
    mutate(field, generation, { name: key, at: join(at, key), depth: depth + 1 }).map((variant) => ({
      ...variant,
      value: { ...least, [key]: variant.value },
    })),
  )
  return [...own, ...missing, ...extra, ...fields]
}

function isOtherType(schema: Schema, value: unknown): boolean {
  const type = typeOf(schema)
  if (type === undefined) return false
  const own = Array.isArray(value) ? 'array' : typeof value
  return (
    own !== type &&
    !(own === 'number' && type === 'integer') &&
    (!Array.isArray(schema['type']) || !schema['type'].includes(own))
  )
}

const most = (bound: unknown, limit: number): bound is number => typeof bound === 'number' && bound <= limit

/** Values outside the bounds and the enumeration of a schema. */
function beyond(schema: Schema, generation: Generation, name: string): [what: string, value: unknown][] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, items, format } = schema
  const item = () => leastValue(items, generation, name)
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  return [
    ...(choices.length > 0 ? [pair('enum', typeOf(schema) === 'string' ? 'NONE_OF_THESE' : 987_654)] : []),
    ...(most(minLength, 1000) && minLength > 0 ? [pair('bound: too short', 'a'.repeat(minLength - 1))] : []),
    ...(most(maxLength, 50_000) ? [pair('bound: too long', 'a'.repeat(maxLength + 1))] : []),
    ...(typeof minimum === 'number' ? [pair('bound: too small', minimum - 1)] : []),
    ...(typeof maximum === 'number' ? [pair('bound: too great', maximum + 1)] : []),
    ...(most(minItems, 100) && minItems > 0
      ? [pair('bound: too few', Array.from({ length: minItems - 1 }, item))]
      : []),
    ...(most(maxItems, 1000) ? [pair('bound: too many', Array.from({ length: maxItems + 1 }, item))] : []),
    ...(format === 'snowflake' ? [pair('bound: no snowflake', '-1')] : []),
  ]
}

const pair = (what: string, value: unknown): [string, unknown] => [what, value]

const join = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)
