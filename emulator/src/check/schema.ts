/** Schemas say what a value must be, once: for the service's errors of a wrong value, and for the type of a right one. */
import { closestName, didYouMean } from '../foundation/closest-name.js'
import { variableOf } from '../foundation/former-names.js'
import { COMPONENT_TYPES, type NumberNames } from '../model/number-names.js'
import { fieldsOf, isObject, isSnowflake } from '../foundation/values.js'
import { problem, REPEATED, REQUIRED, type Path, type PlacedProblem, type Problem } from './problems.js'

export type Fields = Record<string, unknown>

/** Problems of one body. The number goes on when no more are kept. */
class Report {
  readonly problems: PlacedProblem[] = []
  count = 0
}

const MAX_PROBLEMS = 1000

/** A place in a body, and the problems found so far in that body. */
export class Place {
  readonly path: Path
  readonly #report: Report

  constructor(path: Path = [], report = new Report()) {
    this.path = path
    this.#report = report
  }

  get problems(): readonly PlacedProblem[] {
    return this.#report.problems
  }

  /** Number of problems, in the whole body. */
  get found(): number {
    return this.#report.count
  }

  at(...keys: Path): Place {
    return new Place([...this.path, ...keys], this.#report)
  }

  add(found: Problem): void {
    this.#report.count += 1
    if (this.problems.length < MAX_PROBLEMS) this.#report.problems.push({ ...found, path: this.path })
  }
}

export interface Schema<Value> {
  /** Adds the problems of a value. A field that is absent is not passed. */
  readonly check: (value: unknown, at: Place) => void
  /** Copies what the schema names of a value, and leaves out the rest. Without it, a value is taken as it is. */
  readonly pick?: (value: unknown) => unknown
  /** True if a field may be absent. */
  readonly isOptional?: boolean
  /** True if a field that is null counts as absent, for its object and for whoever reads it. */
  readonly isAbsentAsNull?: boolean
  /** For the type only: it has never a value. */
  readonly valid?: Value
}

export type ValueOf<Checked> = Checked extends Schema<infer Value> ? Value : never

/** A rule between the fields of an object. It sees the fields as they were sent, also those that are wrong. */
export type Rule = (fields: Fields, at: Place) => void

/** A copy of a right value, with only the fields that the schema names. `refuse` throws for a wrong one. */
export function read<Value>(
  schema: Schema<Value>,
  value: unknown,
  refuse: (problems: readonly PlacedProblem[]) => never,
): Value {
  const place = new Place()
  const own = pick(schema, value)
  return holds(schema, own, place) ? own : refuse(place.problems)
}

const pick = (schema: Schema<unknown>, value: unknown): unknown => schema.pick?.(value) ?? value

export function problemsOf(schema: Schema<unknown>, value: unknown, path?: Path): readonly PlacedProblem[] {
  const place = new Place(path)
  schema.check(value, place)
  return place.problems
}

/** True if a value is right; otherwise its problems are added. */
export function holds<Value>(schema: Schema<Value>, value: unknown, at = new Place()): value is Value {
  const before = at.found
  schema.check(value, at)
  return at.found === before
}

/** A further rule for values that are right so far. */
export function refine<Value>(schema: Schema<Value>, rule: (value: Value, at: Place) => void): Schema<Value> {
  return {
    ...schema,
    check(value, at) {
      if (holds(schema, value, at)) rule(value, at)
    },
  }
}

/** A rule that also sees values that are wrong. */
export function also<Value>(schema: Schema<Value>, rule: (value: unknown, at: Place) => void): Schema<Value> {
  return {
    ...schema,
    check(value, at) {
      schema.check(value, at)
      rule(value, at)
    },
  }
}

/** A further schema for values that are right so far, such as a pattern of a text. */
export function both<Value>(schema: Schema<unknown>, next: Schema<Value>): Schema<Value> {
  return { ...next, check: refine(schema, next.check).check }
}

export function optional<Value>({ check, pick: own }: Schema<Value>): Schema<Value | undefined> {
  return { check, ...(own && { pick: own }), isOptional: true }
}

export function nullable<Value>({
  check,
  pick: own,
  isOptional = false,
}: Schema<Value>): Schema<Value | null> {
  return {
    ...(own && { pick: own }),
    isOptional,
    check(value, at) {
      if (value !== null) check(value, at)
    },
  }
}

export function nullish<Value>(schema: Schema<Value>): Schema<Value | null | undefined> {
  return optional(nullable(schema))
}

/** A field that may be absent, or null, which is the same. */
export function omittable<Value>(schema: Schema<Value>): Schema<Value | undefined> {
  return { ...optional(schema), isAbsentAsNull: true }
}

const isAbsent = ({ isAbsentAsNull = false }: Schema<unknown>, value: unknown): boolean =>
  value === undefined || (isAbsentAsNull && value === null)

/** Every value: what a rule checks, or what nobody reads. */
export const anything: Schema<unknown> = { check: () => undefined, isOptional: true }

interface Size {
  least?: number
  most?: number
  /** The problem of an empty value, if it is not that of its length. */
  empty?: Problem
}

/** Counted in code points. `trims`: white space at both ends does not count. */
export function text({
  least = 0,
  most = Infinity,
  empty = badLength(least, most, 'characters'),
  trims = false,
}: Size & { trims?: boolean } = {}): Schema<string> {
  return {
    check(value, at) {
      if (typeof value !== 'string') return at.add(NOT_TEXT)
      const length = lengthOf(trims ? value.trim() : value)
      if (length === 0 && least > 0) at.add(empty)
      else if (length < least || length > most) at.add(badLength(least, most, 'characters'))
    },
  }
}

/** Length in code points. */
export function lengthOf(value: string): number {
  let count = 0
  for (let index = 0; index < value.length; index += (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)
    count += 1
  return count
}

export const flag: Schema<boolean> = {
  check(value, at) {
    if (typeof value !== 'boolean') at.add(NOT_BOOLEAN)
  },
}

export const snowflake: Schema<string> = {
  check(value, at) {
    if (!isSnowflake(value)) at.add(NOT_SNOWFLAKE)
  },
}

export function integer(least = -Infinity, most = Infinity): Schema<number> {
  return {
    check(value, at) {
      if (typeof value !== 'number' || !Number.isInteger(value)) at.add(NOT_INTEGER)
      else if (value < least || value > most) at.add(outside(least, most))
    },
  }
}

export function number(least = -Infinity, most = Infinity): Schema<number> {
  return {
    check(value, at) {
      if (typeof value !== 'number' || !Number.isFinite(value)) at.add(NOT_NUMBER)
      else if (value < least || value > most) at.add(outside(least, most))
    },
  }
}

/** `names`: of the numbers, for a message about a name in place of one. */
export function oneOf<const Values extends readonly unknown[]>(
  values: Values,
  names: NumberNames = {},
): Schema<Values[number]> {
  return {
    check(value, at) {
      if (!values.includes(value)) at.add(notOneOf(values, meantBy(value, values, names)))
    },
  }
}

/** The value to write instead of a text, with the question or the colon before it. */
function meantBy(given: unknown, values: readonly unknown[], names: NumberNames): string {
  if (typeof given !== 'string') return ''
  if (values.includes(Number(given))) return `: ${given}, without quotes`
  const name = closestName(given, Object.keys(names))
  if (name !== undefined) return `: ${name} is ${names[name]}`
  return didYouMean(given, values.map(String))
}

/** A text that a pattern describes. */
export function pattern(form: RegExp, wrong: Problem): Schema<string> {
  return {
    check(value, at) {
      if (typeof value !== 'string') at.add(NOT_TEXT)
      else if (!form.test(value)) at.add(wrong)
    },
  }
}

const MAX_ITEMS_READ = 200

/** `read`: a list that is longer is refused in any case, so that its further items need no look. */
export function list<Value>(
  item: Schema<Value>,
  {
    least = 0,
    most = Infinity,
    empty = REQUIRED,
    read: longest = Math.max(MAX_ITEMS_READ, most),
  }: Size & { read?: number } = {},
): Schema<Value[]> {
  return {
    pick: (value) => (Array.isArray(value) ? value.map((each) => pick(item, each)) : value),
    check(value, at) {
      if (!Array.isArray(value)) return at.add(NOT_LIST)
      if (value.length === 0 && least > 0) at.add(empty)
      else if (value.length < least || value.length > most) at.add(badLength(least, most, 'items'))
      for (const [index, each] of value.slice(0, longest).entries()) item.check(each, at.at(index))
    },
  }
}

/** A list without repeated items. */
export function set<Value>(item: Schema<Value>, size: Size = {}): Schema<Value[]> {
  return also(list(item, size), (value, at) => apart(value, at, (each) => each))
}

/** Adds a problem at each item of a list whose key an earlier one has. An item whose key is undefined has none. */
export function apart(
  items: unknown,
  at: Place,
  keyOf: (item: unknown) => unknown,
  { path = [], wrong = REPEATED }: { path?: Path; wrong?: Problem } = {},
): void {
  if (!Array.isArray(items)) return
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item)
    if (key !== undefined && seen.has(key)) at.at(index, ...path).add(wrong)
    seen.add(key)
  }
}

/** Values by names that the sender chooses. `key` checks a name. */
export function dictionary<Value>(
  value: Schema<Value>,
  { most = Infinity, key }: { most?: number; key?: Schema<string> } = {},
): Schema<Record<string, Value>> {
  return {
    check(given, at) {
      if (!isObject(given)) return at.add(NOT_DICTIONARY)
      const names = Object.keys(given)
      if (names.length > most) at.add(badLength(0, most, 'entries'))
      for (const name of names.slice(0, Math.max(most, MAX_ITEMS_READ))) {
        key?.check(name, at.at(name))
        value.check(given[name], at.at(name))
      }
    },
  }
}

/** Any object: what is in it is checked where it is used. */
export const record: Schema<Fields> = {
  check(value, at) {
    if (!isObject(value)) at.add(NOT_OBJECT)
  },
}

type Shape = Readonly<Record<string, Schema<unknown>>>
export type ObjectOf<Given extends Shape> = { [Name in keyof Given]: ValueOf<Given[Name]> }

/** Own fields by name. Others are ignored. */
export function object<Given extends Shape>(shape: Given, rule?: Rule): Schema<ObjectOf<Given>> {
  const entries = Object.entries(shape)
  return {
    pick: (value) => (isObject(value) ? pickFields(value, entries) : value),
    check(value, at) {
      if (!isObject(value)) return at.add(NOT_OBJECT)
      const fields: Fields = Object.assign(Object.create(null), value)
      for (const [name, schema] of entries) {
        const field = fields[name]
        if (!isAbsent(schema, field)) schema.check(field, at.at(name))
        else if (schema.isOptional === true) delete fields[name]
        else at.at(name).add(REQUIRED)
      }
      rule?.(fields, at)
    },
  }
}

function pickFields(given: Fields, entries: readonly [string, Schema<unknown>][]): Fields {
  const named = entries.filter(
    ([name, schema]) => Object.hasOwn(given, name) && !isAbsent(schema, given[name]),
  )
  return Object.fromEntries(named.map(([name, schema]) => [name, pick(schema, given[name])]))
}

/** As `object`; a field that it does not have is a problem. For what developers write. */
export function strictObject<Given extends Shape>(shape: Given, rule?: Rule): Schema<ObjectOf<Given>> {
  const names = Object.keys(shape)
  const { check } = object(shape, (fields, at) => {
    for (const name of Object.keys(fields)) if (!Object.hasOwn(shape, name)) at.add(unknownField(name, names))
    rule?.(fields, at)
  })
  return { check }
}

/** Objects of several types, which their field `type` tells apart. Types without a schema are not allowed here. */
export function byType(schemas: Readonly<Record<number, Schema<unknown>>>): Schema<unknown> {
  const types = Object.keys(schemas).map(Number)
  const schemaOf = ({ type }: Fields): Schema<unknown> | undefined =>
    types.some((each) => each === type) ? schemas[Number(type)] : undefined
  return {
    pick: (value) => pick(schemaOf(fieldsOf(value)) ?? anything, value),
    check(value, at) {
      if (!isObject(value)) return at.add(NOT_OBJECT)
      const schema = schemaOf(value)
      if (schema !== undefined) schema.check(value, at)
      else at.at('type').add(value['type'] === undefined ? REQUIRED : unknownType(types, value['type']))
    },
  }
}

const NOT_TEXT = problem('STRING_TYPE_CONVERT', 'Could not interpret value as string.', 'must be a string')
const NOT_BOOLEAN = problem('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.', 'must be true or false')
const NOT_INTEGER = problem('NUMBER_TYPE_COERCE', 'Value is not int.', 'must be a whole number')
const NOT_NUMBER = problem('NUMBER_TYPE_COERCE', 'Value is not float.', 'must be a number')
const NOT_SNOWFLAKE = problem(
  'NUMBER_TYPE_COERCE',
  'Value is not snowflake.',
  'must be a snowflake: a 64-bit number in decimal digits, written as a string',
)
const NOT_LIST = problem('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType', 'must be a list')
const NOT_DICTIONARY = problem(
  'DICT_TYPE_CONVERT',
  'Only dictionaries may be used in a DictType',
  'must be an object of texts',
)
const NOT_OBJECT = problem(
  'MODEL_TYPE_CONVERT',
  'Only dictionaries may be used in a ModelType',
  'must be an object',
)

function badLength(least: number, most: number, unit: string): Problem {
  if (least === 0)
    return problem(
      'BASE_TYPE_MAX_LENGTH',
      `Must be ${most} or fewer in length.`,
      `must have at most ${most} ${unit}`,
    )
  if (most === Infinity)
    return problem(
      'BASE_TYPE_MIN_LENGTH',
      `Must be ${least} or more in length.`,
      `must have at least ${least} ${unit}`,
    )
  return problem(
    'BASE_TYPE_BAD_LENGTH',
    `Must be between ${least} and ${most} in length.`,
    `must have ${least} to ${most} ${unit}`,
  )
}

function outside(least: number, most: number): Problem {
  return problem(
    'NUMBER_TYPE_RANGE',
    `Value should be between ${least} and ${most}.`,
    `must be from ${least} to ${most}`,
  )
}

function notOneOf(values: readonly unknown[], meant: string): Problem {
  return problem(
    'BASE_TYPE_CHOICES',
    `Value must be one of {${values.join(', ')}}.`,
    `must be one of ${values.join(', ')}${meant}`,
  )
}

function unknownType(types: readonly number[], given: unknown): Problem {
  const all = types.join(', ')
  const meant = meantBy(given, types, COMPONENT_TYPES)
  return problem(
    'UNION_TYPE_CHOICES',
    `Value of field "type" must be one of (${all}).`,
    `must be one of ${all} here${meant}`,
  )
}

function unknownField(name: string, names: readonly string[]): Problem {
  const variable = variableOf(name)
  const hint =
    variable === undefined || closestName(name, names) !== undefined
      ? didYouMean(name, names)
      : ` (it is ${variable} in the file of --credentials)`
  const rule = `has no field ${JSON.stringify(name)}${hint}; it has ${names.join(', ')}`
  return problem('MODEL_TYPE_UNKNOWN_FIELD', `This object ${rule}.`, rule)
}
