/** Checks bodies of responses against rules, and names the field that does not fit. */
import { isRecord } from '../foundation/untrusted-values'
import { ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'

/** A field that does not fit its rule. */
export interface FieldFault {
  /** Like `members[0].id`; empty for the body itself. */
  readonly path: string
  /** Expected content, in words. */
  readonly expected: string
  readonly value: unknown
}

/** Rule of a value, as data: a value that fits has the type `T`. Null and undefined fit if `isOptional`. */
export interface FieldRule<T = unknown> {
  readonly isOptional?: boolean
  /** Expected content, in words, and its check. */
  readonly expected?: string
  readonly fits?: (value: unknown) => boolean
  /** Rule of every element of a list. */
  readonly list?: FieldRule
  /** Rules of an object's fields; fields without one are not checked. */
  readonly fields?: Readonly<Record<string, FieldRule>>
  readonly accepts?: T
}

export const ID: FieldRule = { expected: 'an id as a string of digits', fits: isSnowflake }
export const TEXT: FieldRule = { expected: 'a string', fits: (value) => typeof value === 'string' }
export const NUMBER: FieldRule = { expected: 'a number', fits: (value) => typeof value === 'number' }
/** Metadata may be absent everywhere. */
export const METADATA: FieldRule = {
  isOptional: true,
  expected: 'an object of strings',
  fits: areTexts,
}

function areTexts(value: unknown): boolean {
  if (!isRecord(value)) return false
  for (const name in value) if (Object.hasOwn(value, name) && typeof value[name] !== 'string') return false
  return true
}

/** Not one that a polluted prototype has. */
const ownField = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** The first field that does not fit. */
function findFault(value: unknown, rule: FieldRule): FieldFault | undefined {
  const { isOptional, expected = '', fits: isFitting, list, fields } = rule
  if (isOptional && (value === undefined || value === null)) return undefined
  if (list)
    return Array.isArray(value)
      ? findIn(value.entries(), () => list)
      : { path: '', expected: 'a list', value }
  if (!fields) return isFitting?.(value) === false ? { path: '', expected, value } : undefined
  if (!isRecord(value)) return { path: '', expected: 'an object', value }
  return findIn(
    Object.keys(fields).map((name) => [name, ownField(value, name)] as const),
    (name) => fields[name],
  )
}

function findIn<Key extends string | number>(
  values: Iterable<readonly [Key, unknown]>,
  ruleOf: (key: Key) => FieldRule | undefined,
): FieldFault | undefined {
  for (const [key, value] of values) {
    const fault = findFault(value, ruleOf(key) ?? {})
    if (fault) return { ...fault, path: join(typeof key === 'number' ? `[${key}]` : key, fault.path) }
  }
  return undefined
}

/** Of its own, since nearly every value fits: `findFault` makes lists and paths, which take a notable part of a call's time. */
export function fits<T>(value: unknown, rule: FieldRule<T>): value is T {
  const { isOptional, list, fields } = rule
  if (isOptional && (value === undefined || value === null)) return true
  if (list) return Array.isArray(value) && allFit(value, list)
  if (!fields) return rule.fits?.(value) ?? true
  if (!isRecord(value)) return false
  for (const name in fields) {
    const field = ownRule(fields, name)
    if (field && !fits(ownField(value, name), field)) return false
  }
  return true
}

const ownRule = (fields: NonNullable<FieldRule['fields']>, name: string): FieldRule | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

function allFit(values: readonly unknown[], rule: FieldRule): boolean {
  for (const value of values) if (!fits(value, rule)) return false
  return true
}

/** @throws ProtocolError `malformed_response`, with the id of what the body is about, if that can be read. */
export function checkResponse<T>(body: unknown, route: string, rule: FieldRule<T>): T {
  if (fits(body, rule)) return body
  throw malformedResponse(route, findFault(body, rule), body)
}

function malformedResponse(route: string, fault: FieldFault | undefined, body: unknown): ProtocolError {
  const { path = '', expected = '', value } = fault ?? {}
  const id = isRecord(body) ? body['id'] : undefined
  const got = kindOf(value)
  const remedy = `${path || 'The body'} must be ${expected}, and the service sent ${got}`
  return new ProtocolError('malformed_response', route, {
    path,
    expected,
    got,
    remedy,
    ...(isSnowflake(id) && { resourceId: id }),
  })
}

/** Never the value itself, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const join = (path: string, rest: string): string =>
  rest && !rest.startsWith('[') ? `${path}.${rest}` : path + rest
