/** Values that break a schema in one place: its type, null, a bound, its enumeration, pattern or format, a field too many or too few. Pure. */
import { fieldsOf, isObject } from '../../foundation/values.js'
import {
  choicesOf,
  isNullable,
  leastValue,
  requiredOf,
  SAMPLES,
  typeOf,
  type Generation,
  type Variant,
} from './generate-value.js'
import type { Schema } from './drift-types.js'

/** Levels of a body that are mutated. A schema inside itself is mutated once. */
const DEEPEST = 8
const OTHERS: readonly unknown[] = ['a text', 7.5, true, ['x'], { x: { y: 1 } }]

/** Mutations of the least value; `breaks` keeps those that the schema refuses. */
export function mutationsOf(
  schema: unknown,
  generation: Generation,
  breaks: (value: unknown) => boolean,
): Variant[] {
  const all = mutate(schema, generation, { name: '', at: '', depth: 0, around: [] })
  const different = new Map(all.map((each) => [JSON.stringify(each), each]))
  const broken = [...different.values()].filter(({ value }) => breaks(value))
  // One text that a pattern refuses is enough.
  const isFirst = ({ at, what }: Variant, index: number): boolean =>
    what !== PATTERN || index === broken.findIndex((each) => each.what === PATTERN && each.at === at)
  return broken.filter(isFirst)
}

const PATTERN = 'pattern'

interface Place {
  name: string
  at: string
  depth: number
  /** Schemas around this one. */
  around: readonly unknown[]
}

function mutate(given: unknown, generation: Generation, place: Place): Variant[] {
  const origin = generation.resolve(given)
  if (place.around.includes(origin)) return []
  const around = [...place.around, origin]
  return choicesOf(given, generation, around).flatMap((choice) =>
    mutateChoice(choice.plain, generation, { ...place, around: [...around, choice.origin] }),
  )
}

function mutateChoice(schema: Schema, generation: Generation, { name, at, depth, around }: Place): Variant[] {
  const inside = { depth: depth + 1, around }
  const self = (what: string, value: unknown): Variant => ({ at, what, value })
  const own = [
    ...OTHERS.filter((value) => isOtherType(schema, value))
      .slice(0, 1)
      .map((value) => self(`type: ${JSON.stringify(value)}`, value)),
    ...(isNullable(schema) ? [] : [self('null', null)]),
    ...beyond(schema, generation, name).map(([what, value]) => self(what, value)),
  ]
  if (depth >= DEEPEST) return own
  const least = leastValue(schema, generation, name)
  if (typeOf(schema) === 'array') {
    const inner = mutate(schema['items'], generation, { name, at: `${at}[0]`, ...inside })
    const others = Array.isArray(least) ? least.slice(1) : []
    return [...own, ...inner.map((variant) => ({ ...variant, value: [variant.value, ...others] }))]
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
    mutate(field, generation, { name: key, at: join(at, key), ...inside }).map((variant) => ({
      ...variant,
      value: { ...least, [key]: variant.value },
    })),
  )
  const { additionalProperties } = schema
  const entries = !isObject(additionalProperties)
    ? []
    : mutate(additionalProperties, generation, { name: KEY, at: join(at, KEY), ...inside }).map(
        (variant) => ({ ...variant, value: { ...least, [KEY]: variant.value } }),
      )
  return [...own, ...missing, ...extra, ...fields, ...entries]
}

/** Name of an entry of a map. */
const KEY = 'drift'

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
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, maxProperties, items } = schema
  const item = () => leastValue(items, generation, name)
  const entry = () => leastValue(schema['additionalProperties'], generation, KEY)
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
    ...(most(maxItems, 1000)
      ? [pair('bound: too many', itemsOf(maxItems + 1, item(), generation.resolve(items)))]
      : []),
    ...(most(maxProperties, 1000)
      ? [
          pair(
            'bound: too many',
            fromCount(maxProperties + 1, (index) => [`${KEY}${index}`, entry()]),
          ),
        ]
      : []),
    ...textsBeyond(schema),
    ...(typeof schema['pattern'] === 'string' ? ODD_TEXTS.map((odd) => pair(PATTERN, odd)) : []),
  ]
}

/** Items that differ in their texts: names may have to. */
function itemsOf(length: number, item: unknown, schema: Schema): unknown[] {
  const isFree = (name: string): boolean => {
    const { type, format, pattern, enum: choices } = fieldsOf(fieldsOf(schema['properties'])[name])
    return type === 'string' && format === undefined && pattern === undefined && choices === undefined
  }
  const differing = (index: number): unknown =>
    isObject(item)
      ? Object.fromEntries(
          Object.entries(item).map(([name, value]) => [
            name,
            isFree(name) ? `${String(value)}${index}` : value,
          ]),
        )
      : item
  return Array.from({ length }, (_, index) => differing(index))
}

const fromCount = (length: number, entryAt: (index: number) => [string, unknown]): object =>
  Object.fromEntries(Array.from({ length }, (_, index) => entryAt(index)))

/** Texts that fit no pattern of names or numbers. */
const ODD_TEXTS = ['not this!', '-', ' ', '0', 'ä', 'A']

/** Texts outside the format of a schema. */
export function textsBeyond({ format }: Schema): [what: string, value: string][] {
  if (format === 'snowflake') return [['bound: no snowflake', '-1']]
  return typeof format === 'string' && format in SAMPLES ? [[`format: no ${format}`, 'none of these']] : []
}

const pair = (what: string, value: unknown): [string, unknown] => [what, value]

const join = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)
