/** Checks bodies of responses against rules, and names the field that does not fit. */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ProtocolError } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'

/** A field that does not fit its rule. */
export interface Fault {
  /** Like `members[0].id`; empty for the body itself. */
  readonly path: string
  /** Expected content, in words. */
  readonly expected: string
  readonly value: unknown
}

/** Returns the first field that does not fit. A value without one has the type `T`. */
export type Rule<T = unknown> = ((value: unknown) => Fault | undefined) & { readonly accepts?: T }

export const matches =
  (expected: string, fits: (value: unknown) => boolean): Rule =>
  (value) =>
    fits(value) ? undefined : { path: '', expected, value }

/** Null and undefined fit. */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null ? undefined : rule(value)

export function listOf<T>(rule: Rule<T>): Rule<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return { path: '', expected: 'a list', value }
    for (let index = 0; index < value.length; index++) {
      const fault = rule(value[index])
      if (fault) return { ...fault, path: join(`[${index}]`, fault.path) }
    }
    return undefined
  }
}

/** Fields without a rule are not checked. */
export function objectOf<T>(rules: Readonly<Record<string, Rule>>): Rule<T> {
  const entries = Object.entries(rules)
  return (value) => {
    if (!isRecord(value)) return { path: '', expected: 'an object', value }
    for (const [name, rule] of entries) {
      const fault = rule(value[name])
      if (fault) return { ...fault, path: join(name, fault.path) }
    }
    return undefined
  }
}

export const ID = matches('an id as a string of digits', isSnowflake)
export const TEXT = matches('a string', (value) => typeof value === 'string')
export const NUMBER = matches('a number', (value) => typeof value === 'number')

export const fits = <T>(value: unknown, rule: Rule<T>): value is T => rule(value) === undefined

/** @throws ProtocolError `malformed_response`, with the id of what the body is about, if that can be read. */
export function checkResponse<T>(body: unknown, route: string, rule: Rule<T>): T {
  if (fits(body, rule)) return body
  throw malformedResponse(route, rule(body), body)
}

function malformedResponse(route: string, fault: Fault | undefined, body: unknown): ProtocolError {
  const { path = '', expected = '', value } = fault ?? {}
  const id = isRecord(body) ? body['id'] : undefined
  const got = kindOf(value)
  const remedy = `${path || 'The body'} must be ${expected}, and the service sent ${got}`
  return new ProtocolError('malformed_response', route, { path, expected, got, remedy, ...(isSnowflake(id) && { resourceId: id }) })
}

/** Never the value itself, which may be a secret. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const join = (path: string, rest: string): string => (rest && !rest.startsWith('[') ? `${path}.${rest}` : path + rest)
