/** Requests that no client should send, from a seed: the same seed gives the same requests. */
import { createRandom } from '../../support/hostile-values'
import {
  authorizations,
  damaged,
  extras,
  methods,
  names,
  queries,
  segments,
  types,
  values,
} from './hostile-texts'
import type { RawRequest } from './send-raw'

export interface Target {
  /** `ALL` for any method. */
  method: string
  /** With `:placeholders`. */
  path: string
  /** Names of query parameters. */
  query: readonly string[]
  /** Bodies that fit, or undefined for one of the vocabulary. */
  bodies?: readonly unknown[] | undefined
  form: boolean
  /** Origin whose pages may send it. */
  origin?: string
  /** `Authorization` headers that may be accepted. */
  credentials: readonly string[]
}

export interface Vocabulary {
  /** Ids that a placeholder after a segment may have. */
  ids: Readonly<Record<string, readonly string[]>>
  /** Values of fields by their name. */
  known: Readonly<Record<string, unknown>>
}

const formText = (body: unknown): string => {
  const entries = Object.entries(Object(body) as object)
  return entries.map(([name, value]) => `${encodeForm(name)}=${encodeForm(textOf(value))}`).join('&')
}

/** Creates a generator of requests. */
export function createHostileRequests(seed: number, { ids: known, known: fields }: Vocabulary) {
  const random = createRandom(seed)
  const chance = (share: number): boolean => random() < share
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

  const fieldValue = (name: string): unknown =>
    chance(0.5) && Object.hasOwn(fields, name) ? fields[name] : pick(values)

  /** A body that does not fit in one to three places. */
  const mutate = (value: unknown, depth = 0): unknown => {
    if (typeof value !== 'object' || value === null || depth > 4 || chance(0.15)) return pick(values)
    const entries = Object.entries(value)
    if (entries.length === 0 || chance(0.1))
      return Array.isArray(value) ? [pick(values)] : { ...value, [pick(names)]: pick(values) }
    const [key] = pick(entries)
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (String(index) === key ? mutate(item, depth + 1) : item))
    return Object.fromEntries(
      entries.map(([name, item]) => [name, name === key ? mutate(item, depth + 1) : item]),
    )
  }

  const plainBody = (bodies: readonly unknown[] | undefined): unknown => {
    if (bodies !== undefined && bodies.length > 0) return pick(bodies)
    const own = Object.keys(fields)
    return Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(own)).map((name) => [
        name,
        fieldValue(name),
      ]),
    )
  }

  const bodyText = ({ bodies, form }: Target): string => {
    if (chance(0.15)) return pick(damaged)
    const plain = plainBody(bodies)
    const body = chance(0.8) ? mutate(plain) : plain
    const text = (form ? chance(0.9) : chance(0.03)) ? formText(body) : JSON.stringify(body)
    return chance(0.08) ? text.slice(0, Math.floor(random() * text.length)) : text
  }

  const bodyBytes = (target: Target): Uint8Array => {
    const bytes = Buffer.from(bodyText(target))
    if (bytes.length > 0 && chance(0.05)) bytes[Math.floor(random() * bytes.length)] = 0xff
    return bytes
  }

  const pathOf = (path: string): string =>
    path
      .split('/')
      .map((segment, index, all) => {
        if (!segment.startsWith(':') && !segment.startsWith('{'))
          return chance(0.01) ? pick(segments) : segment
        const own = known[all[index - 1] ?? ''] ?? []
        return own.length > 0 && chance(0.75) ? encodeURIComponent(pick(own)) : pick(segments)
      })
      .join('/')

  const queryOf = ({ query }: Target): string => {
    const given = query.flatMap((name) =>
      chance(0.5) ? [`${name}=${encodeForm(textOf(fieldValue(name)))}`] : [],
    )
    const doubled = given.length > 0 && chance(0.1) ? [given[0] ?? ''] : []
    const all = [...given, ...doubled, ...(chance(0.1) ? [pick(queries)] : [])]
    return all.length === 0 ? '' : `?${all.join('&')}`
  }

  const headersOf = (target: Target, body: Uint8Array): [string, string][] => {
    const authorization =
      chance(0.85) && target.credentials.length > 0 ? pick(target.credentials) : pick([...authorizations, ''])
    const natural = target.form ? 'application/x-www-form-urlencoded' : 'application/json'
    const announced = chance(0.02) ? body.length + 7 : body.length
    const extra = chance(0.15) ? [pick(extras)] : []
    return [
      ...(authorization === '' ? [] : [['authorization', authorization] as [string, string]]),
      ...(target.origin !== undefined && chance(0.8) ? [['origin', target.origin] as [string, string]] : []),
      ...(body.length === 0 && chance(0.5)
        ? []
        : [['content-type', chance(0.9) ? natural : pick(types)] as [string, string]]),
      ...(extra.some(([name]) => /^content-length|^transfer/.test(name)) || body.length === 0
        ? []
        : [['content-length', String(announced)] as [string, string]]),
      ...extra.map(([name, value]): [string, string] => [name, value]),
    ]
  }

  return {
    pick,
    request(target: Target): RawRequest {
      const method = target.method === 'ALL' || chance(0.03) ? pick(methods) : target.method
      const body = ['GET', 'HEAD'].includes(method) && chance(0.95) ? new Uint8Array() : bodyBytes(target)
      return { method, target: pathOf(target.path) + queryOf(target), headers: headersOf(target, body), body }
    },
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A lone surrogate becomes its replacement. */
const encodeForm = (value: string): string => encodeURIComponent(Buffer.from(value).toString())
