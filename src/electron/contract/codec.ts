/** Values as text: plain data as JSON, and a mark where something stands that is no plain data. */
import { isRecord } from '../../foundation/encoding'
import { ConfigurationError } from '../../foundation/errors'

const TAG = '$foyer'
/** How deep a value may be. What comes from a page may be built to exhaust the stack. */
const MAX_DEPTH = 32

/** Stands for what is no plain data: a secret, a signal, a function. */
export interface Tag {
  kind: string
  [field: string]: string
}

/** Gives the mark of an object or a function; undefined for plain data. */
export type ToMark = (value: object) => Tag | undefined
/** Gives what a mark stands for. */
export type FromMark = (mark: Tag) => unknown

/** @throws ConfigurationError `invalid_argument` for a value that is too deep or is none that can cross. */
export function encode(value: unknown, toMark: ToMark): string {
  return JSON.stringify(pack(value, { toMark, depth: 0 }))
}

/** @throws ConfigurationError `invalid_argument` for text that `encode` does not write. */
export function decode(text: string, fromMark: FromMark): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ConfigurationError('invalid_argument', 'message')
  }
  return unpack(value, { fromMark, depth: 0 })
}

interface Packing {
  toMark: ToMark
  depth: number
}

function pack(value: unknown, { toMark, depth }: Packing): unknown {
  requireDepth(depth)
  const next = { toMark, depth: depth + 1 }
  if (value === undefined) return { [TAG]: { kind: 'undefined' } }
  if (typeof value === 'bigint') return { [TAG]: { kind: 'bigint', digits: String(value) } }
  if (typeof value !== 'object' && typeof value !== 'function') return value
  const mark = value && toMark(value)
  if (mark) return { [TAG]: mark }
  if (typeof value === 'function') throw new ConfigurationError('invalid_argument', 'a function')
  if (Array.isArray(value)) return value.map((item) => pack(item, next))
  if (!isRecord(value)) return null
  if (typeof value['toJSON'] === 'function') return pack(value['toJSON'](), next)
  const entries = Object.entries(value).map(([key, item]) => [key, pack(item, next)])
  // Data of other players may look like a mark of ours, and must not be one.
  return TAG in value ? { [TAG]: { kind: 'plain' }, entries } : Object.fromEntries(entries)
}

interface Unpacking {
  fromMark: FromMark
  depth: number
}

function unpack(value: unknown, { fromMark, depth }: Unpacking): unknown {
  requireDepth(depth)
  const next = { fromMark, depth: depth + 1 }
  if (Array.isArray(value)) return value.map((item) => unpack(item, next))
  if (!isRecord(value)) return value
  const mark = value[TAG]
  if (mark === undefined) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item, next)]))
  if (!isTag(mark)) throw new ConfigurationError('invalid_argument', 'message')
  if (mark.kind === 'undefined') return undefined
  if (mark.kind === 'bigint') return toBigInt(mark['digits'])
  return mark.kind === 'plain' ? unpackEntries(value['entries'], next) : fromMark(mark)
}

function unpackEntries(entries: unknown, next: Unpacking): unknown {
  const pairs = (Array.isArray(entries) ? entries : []).filter(
    (pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string',
  )
  return Object.fromEntries(pairs.map(([key, item]) => [key, unpack(item, next)]))
}

function isTag(value: unknown): value is Tag {
  return isRecord(value) && typeof value['kind'] === 'string' && Object.values(value).every((field) => typeof field === 'string')
}

function toBigInt(digits: string | undefined): bigint {
  if (!/^-?\d{1,40}$/.test(digits ?? '')) throw new ConfigurationError('invalid_argument', 'message')
  return BigInt(digits ?? '')
}

function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new ConfigurationError('invalid_argument', 'depth')
}
