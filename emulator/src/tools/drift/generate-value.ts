/** Values that fit a schema: the least one, and one for each optional field and bound. Pure. */
import { fieldsOf, isObject, isSnowflake } from '../../foundation/values.js'
import type { Schema } from './drift-types.js'
import { notReadable } from './read-description.js'

/** Value at a place of a body. */
export interface Variant {
  at: string
  what: string
  value: unknown
}

export interface Generation {
  resolve: (schema: unknown) => Schema
  /** Values that the service knows, by field name. */
  known: Readonly<Record<string, unknown>>
  /** Optional fields that the least value has too. */
  needed?: ReadonlySet<string>
  /** Choices beside the first that are still compared: choices that hold each other have no end. Default: no limit. */
  budget?: { choices: number }
}

const DEEPEST = 5
/** Levels of a least value: a schema with more requires itself. */
const MAX_LEVELS = 40
/** What a least value may have of items and characters. */
const [MAX_ITEMS, MAX_CHARACTERS] = [1000, 100_000]

/** Texts by format. */
export const SAMPLES: Readonly<Record<string, string>> = {
  snowflake: '1',
  uri: 'https://game.example/',
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ada@game.example',
  hostname: 'game.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
}

/** The first type that is not null; objects and arrays may leave it out. */
export function typeOf({ type, properties, items }: Schema): string | undefined {
  if (Array.isArray(type))
    return type.find((each): each is string => typeof each === 'string' && each !== 'null')
  if (typeof type === 'string') return type
  if (isObject(properties)) return 'object'
  return items === undefined ? undefined : 'array'
}

export const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

/** Follows references and the first choice that is not null. */
export function plainSchema(schema: unknown, { resolve }: Generation, level = 0): Schema {
  if (level > MAX_LEVELS) throw notReadable('a schema is a choice that leads to itself')
  const found = resolve(schema)
  for (const choices of [found['oneOf'], found['anyOf']]) {
    const choice = Array.isArray(choices)
      ? choices.map((each) => resolve(each)).find(({ type }) => type !== 'null')
      : undefined
    if (choice !== undefined)
      return plainSchema(
        { ...found, oneOf: undefined, anyOf: undefined, ...choice },
        { resolve, known: {} },
        level + 1,
      )
  }
  const [first] = Array.isArray(found['allOf']) ? found['allOf'] : []
  if (first === undefined) return found
  const inherited = plainSchema(first, { resolve, known: {} }, level + 1)
  // The own list of values is the narrower one: the first of the inherited ones may not be in it.
  const { const: _, ...others } = inherited
  return { ...('enum' in found ? others : inherited), ...found, allOf: undefined }
}

/**
 * Every choice of a schema, as one without references. A schema without choices is its only one. A choice that is one of those around it is
 * left out, so that a list of components inside of a component ends.
 */
export function choicesOf(
  schema: unknown,
  generation: Generation,
  around: readonly unknown[],
): { origin: unknown; plain: Schema }[] {
  const origin = generation.resolve(schema)
  const { oneOf, anyOf, ...rest } = origin
  const all = [oneOf, anyOf].find((each): each is unknown[] => Array.isArray(each)) ?? []
  const choices = all.map((each) => generation.resolve(each)).filter(({ type }) => type !== 'null')
  const [only = origin] = choices
  if (choices.length < 2) return [{ origin: only, plain: plainSchema(schema, generation) }]
  const others = choices.filter((own) => !around.includes(own))
  const { budget = { choices: Infinity } } = generation
  budget.choices -= others.length - 1
  return others
    .slice(0, budget.choices < 0 ? 1 : undefined)
    .map((own) => ({ origin: own, plain: plainSchema({ ...rest, ...own }, generation) }))
}

/** The least valid value: required fields only. `name`: the field that holds it. */
export function leastValue(given: unknown, generation: Generation, name = '', level = 0): unknown {
  if (level > MAX_LEVELS) throw notReadable(`the schema of ${name} requires itself`)
  const schema = plainSchema(given, generation)
  const { known } = generation
  if (Object.hasOwn(known, name) && canHold(schema, known[name])) return known[name]
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'].find((each) => each !== null)
  const [example] = Array.isArray(schema['examples']) ? schema['examples'] : [schema['example']]
  if (example !== undefined) return example
  return byType(schema, generation, name, level + 1)
}

function byType(schema: Schema, generation: Generation, name: string, level: number): unknown {
  const { minLength = 0, minimum = 0, minItems = 0, items, properties } = schema
  switch (typeOf(schema)) {
    case 'string':
      return (
        SAMPLES[String(schema['format'])] ??
        text(bounded(Math.max(1, Number(minLength)), MAX_CHARACTERS, name))
      )
    case 'integer':
    case 'number':
      return Number(minimum)
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: bounded(Number(minItems), MAX_ITEMS, name) }, () =>
        leastValue(items, generation, name, level),
      )
    case undefined:
    default: {
      const fields = fieldsOf(properties)
      const needed = Object.keys(fields).filter((key) => generation.needed?.has(key) === true)
      const names = [...new Set([...requiredOf(schema), ...needed])]
      return Object.fromEntries(names.map((key) => [key, leastValue(fields[key], generation, key, level)]))
    }
  }
}

function bounded(least: number, most: number, name: string): number {
  if (least <= most) return least
  throw notReadable(`${name || 'a body'} must have at least ${least} parts, which is more than can be sent`)
}

interface Place {
  /** The field. */
  name?: string
  at?: string
  depth?: number
  /** Choices around this one. */
  around?: readonly unknown[]
}

/** Valid values that differ from the least one in one place each. Of several choices, each has a least value, and its own places. */
export function variantsOf(given: unknown, generation: Generation, place: Place = {}): Variant[] {
  const { name = '', at = '', depth = 0, around = [] } = place
  if (depth >= DEEPEST) return variantsOfChoice(plainSchema(given, generation), generation, place)
  return choicesOf(given, generation, around).flatMap(({ origin, plain }, index) => {
    const own = variantsOfChoice(plain, generation, { ...place, around: [...around, origin] })
    return index === 0
      ? own
      : [{ at, what: `choice ${index + 1}`, value: leastValue(plain, generation, name) }, ...own]
  })
}

function variantsOfChoice(
  schema: Schema,
  generation: Generation,
  { name = '', at = '', depth = 0, around = [] }: Place,
): Variant[] {
  const least = leastValue(schema, generation, name)
  const self = (what: string, value: unknown): Variant => ({ at, what, value })
  const ends = boundsOf(schema, generation, name).map(([what, value]) => self(what, value))
  const nothing = isNullable(schema) ? [self('null', null)] : []
  if (depth >= DEEPEST) return [...nothing, ...ends]
  if (typeOf(schema) === 'array') {
    const inner = variantsOf(schema['items'], generation, {
      name,
      at: `${at}[0]`,
      depth: depth + 1,
      around,
    })
    const wrap = ({ value, ...rest }: Variant) => ({
      ...rest,
      value: [value, ...(Array.isArray(least) ? least.slice(1) : [])],
    })
    return [...nothing, ...ends, ...(isFree(schema) ? inner.map(wrap) : [])]
  }
  if (!isObject(least)) return [...nothing, ...ends]
  const fields = Object.entries(fieldsOf(schema['properties'])).flatMap(([key, field]) => {
    const place = at === '' ? key : `${at}.${key}`
    const value = leastValue(field, generation, key)
    const rest = variantsOf(field, generation, { name: key, at: place, depth: depth + 1, around })
    return [...(Object.hasOwn(least, key) ? [] : [{ at: place, what: 'given', value }]), ...rest].map(
      (variant) => ({
        ...variant,
        value: { ...least, [key]: variant.value },
      }),
    )
  })
  return [...nothing, ...fields]
}

/** Values at the bounds of a schema, except those of known values. */
function boundsOf(schema: Schema, generation: Generation, name: string): [what: string, value: unknown][] {
  const { known } = generation
  if (Object.hasOwn(known, name) && canHold(schema, known[name])) return []
  const { maxLength, minimum, maximum, maxItems, pattern, format } = schema
  const options = Array.isArray(schema['enum'])
    ? schema['enum'].filter((each) => each !== null).map((each): [string, unknown] => [`${each}`, each])
    : []
  const isText =
    typeOf(schema) === 'string' && pattern === undefined && format === undefined && options.length === 0
  const few = typeof maxItems === 'number' && maxItems <= 30 && typeOf(schema) === 'array' && isFree(schema)
  const item = few ? leastValue(schema['items'], generation, name) : undefined
  const bounds: [what: string, value: unknown][] = [minimum, maximum]
    .filter((bound) => typeof bound === 'number')
    .map((bound) => [`${bound}`, bound])
  if (isText && typeof maxLength === 'number' && maxLength <= 20_000)
    bounds.unshift([`${maxLength} characters`, text(maxLength)])
  if (few && !isObject(item)) bounds.push([`${maxItems} items`, Array.from({ length: maxItems }, () => item)])
  return [...options, ...bounds]
}

/** Items may repeat, so that a list can be filled with one. */
const isFree = ({ uniqueItems }: Schema): boolean => uniqueItems !== true

/** A known value is used where its type fits. */
function canHold(schema: Schema, value: unknown): boolean {
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value)
  const type = typeOf(schema)
  if (type === 'string')
    return typeof value === 'string' && (schema['format'] !== 'snowflake' || isSnowflake(value))
  return type === undefined || type === (Array.isArray(value) ? 'array' : typeof value)
}

export const requiredOf = ({ required }: Schema): string[] =>
  Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : []

const text = (length: number): string => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length)
