/** Finds the first difference between two responses to the same request. Pure. */
import { isObject, textOf } from '../../foundation/values.js'
import type { Difference, Step, StepAnswer } from './scenario.js'

interface Pair {
  here: unknown
  there: unknown
}

/** `here` is the emulator's response, `there` that of the service. */
export function firstDifference(
  step: Step,
  { here, there }: { here: StepAnswer; there: StepAnswer },
): Difference | undefined {
  if (here.status !== there.status)
    return {
      kind: 'status_differs',
      at: '',
      detail: `the service answers ${there.status}, the emulator ${here.status}`,
    }
  if (step.method === 'OPTIONS')
    return differenceOfPreflight(step, { here: here.headers, there: there.headers })
  const bodies = { here: here.body, there: there.body }
  return step.statusOnly === true
    ? undefined
    : (differenceOfErrors(bodies, here.status) ?? differenceOfBodies(bodies, ''))
}

/** Numbers of API errors, codes of their fields, names of OAuth errors. */
function differenceOfErrors({ here, there }: Pair, status: number): Difference | undefined {
  const others = status < 400 ? new Map<string, unknown>() : codesIn(there)
  for (const [at, own] of codesIn(here)) {
    const other = others.get(at)
    if (other !== undefined && own !== other)
      return {
        kind: 'error_differs',
        at,
        detail: `the service has ${show(other)}, the emulator ${show(own)}`,
      }
  }
  return undefined
}

function codesIn(value: unknown, at = ''): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [key, each] of Object.entries(isObject(value) || Array.isArray(value) ? value : {})) {
    const place = at === '' ? key : `${at}.${key}`
    if ((key === 'code' || key === 'error') && !isObject(each)) found.set(place, each)
    for (const [inner, code] of codesIn(each, place)) found.set(inner, code)
  }
  return found
}

/** Fields and types at every depth. Values, ids and the number of items belong to each service. */
function differenceOfBodies({ here, there }: Pair, at: string): Difference | undefined {
  const [own, other] = [typeOf(here), typeOf(there)]
  if (own === 'null' || other === 'null') return undefined
  if (own !== other)
    return {
      kind: 'type_differs',
      at,
      detail: `the service sends ${article(other)}, the emulator ${article(own)}`,
    }
  if (Array.isArray(here) && Array.isArray(there))
    return here.length === 0 || there.length === 0
      ? undefined
      : differenceOfBodies({ here: here[0], there: there[0] }, `${at}[0]`)
  if (!isObject(here) || !isObject(there)) return undefined
  return differenceOfFields({ here, there }, at)
}

function differenceOfFields(
  { here, there }: Record<'here' | 'there', Record<string, unknown>>,
  at: string,
): Difference | undefined {
  const place = (key: string) => (at === '' ? key : `${at}.${key}`)
  const absent = Object.keys(here).find((key) => !Object.hasOwn(there, key))
  if (absent !== undefined)
    return { kind: 'field_absent', at: place(absent), detail: 'only the emulator sends it' }
  for (const key of Object.keys(here)) {
    const inner = differenceOfBodies({ here: here[key], there: there[key] }, place(key))
    if (inner !== undefined) return inner
  }
  const unknown = Object.keys(there).find((key) => !Object.hasOwn(here, key))
  return unknown === undefined
    ? undefined
    : { kind: 'field_unknown', at: place(unknown), detail: 'only the service sends it' }
}

/** Compares the permissions of a page after its preflight: for its origin, the method, and each header. */
function differenceOfPreflight(
  { headers = {} }: Step,
  { here, there }: { here: Headers; there: Headers },
): Difference | undefined {
  const asked: [at: string, values: string][] = [
    ['access-control-allow-origin', headers['origin'] ?? ''],
    ['access-control-allow-methods', headers['access-control-request-method'] ?? ''],
    ['access-control-allow-headers', headers['access-control-request-headers'] ?? ''],
  ]
  for (const [at, values] of asked)
    for (const value of values.split(',')) {
      const [own, other] = [here, there].map((given) => allows(given.get(at) ?? '', value))
      if (own !== other)
        return {
          kind: 'header_differs',
          at,
          detail: `${value} is allowed by the ${other === true ? 'service' : 'emulator'} only`,
        }
    }
  return undefined
}

/** `*` allows every header except `Authorization` (Fetch standard, section 3.2.3). */
function allows(list: string, value: string): boolean {
  const names = new Set(list.split(',').map((name) => name.trim().toLowerCase()))
  return names.has(value.toLowerCase()) || (names.has('*') && value !== 'authorization')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'no body'
  if (Array.isArray(value)) return 'list'
  return typeof value
}

const article = (type: string): string =>
  type === 'no body' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const show = (value: unknown): string => JSON.stringify(textOf(value)?.slice(0, 60) ?? value)
