/** JSON codec with tags for values that are not plain data. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'

const TAG = '$foyer'
/** Maximum nesting depth, to protect the stack against malicious pages. */
const MAX_DEPTH = 32

/** Replacement of a secret, a signal or a function in a message. */
export interface Tag {
  kind: string
  [field: string]: string
}

/** Returns the tag of an object or a function; undefined for plain data. */
export type ToTag = (value: object) => Tag | undefined
/** Returns the value of a tag. */
export type FromTag = (tag: Tag) => unknown

/** @throws ConfigurationError `invalid_argument` for values that are nested too deeply or cannot be serialized. */
export function encode(value: unknown, toTag: ToTag): string {
  return JSON.stringify(pack(value, { toTag, depth: 0 }))
}

/** @throws ConfigurationError `invalid_argument` for malformed messages. */
export function decode(text: string, fromTag: FromTag): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ConfigurationError('invalid_argument', 'message')
  }
  return unpack(value, { fromTag, depth: 0 })
}

interface EncodeContext {
  toTag: ToTag
  depth: number
}

function pack(value: unknown, { toTag, depth }: EncodeContext): unknown {
  requireDepth(depth)
  const next = { toTag, depth: depth + 1 }
  if (value === undefined) return { [TAG]: { kind: 'undefined' } }
  if (typeof value === 'bigint') return { [TAG]: { kind: 'bigint', digits: String(value) } }
  if (typeof value !== 'object' && typeof value !== 'function') return value
  const tag = value && toTag(value)
  if (tag) return { [TAG]: tag }
  if (typeof value === 'function') throw new ConfigurationError('invalid_argument', 'a function')
  if (Array.isArray(value)) return value.map((item) => pack(item, next))
  if (!isRecord(value)) return null
  if (typeof value['toJSON'] === 'function') return pack(value['toJSON'](), next)
  const entries = Object.entries(value).map(([key, item]) => [key, pack(item, next)])
  // Escapes data of other players that look like a tag.
  return TAG in value ? { [TAG]: { kind: 'plain' }, entries } : Object.fromEntries(entries)
}

interface DecodeContext {
  fromTag: FromTag
  depth: number
}

function unpack(value: unknown, { fromTag, depth }: DecodeContext): unknown {
  requireDepth(depth)
  const next = { fromTag, depth: depth + 1 }
  if (Array.isArray(value)) return value.map((item) => unpack(item, next))
  if (!isRecord(value)) return value
  const tag = value[TAG]
  if (tag === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item, next)]))
  if (!isTag(tag)) throw new ConfigurationError('invalid_argument', 'message')
  if (tag.kind === 'undefined') return undefined
  if (tag.kind === 'bigint') return toBigInt(tag['digits'])
  return tag.kind === 'plain' ? unpackEntries(value['entries'], next) : fromTag(tag)
}

function unpackEntries(entries: unknown, next: DecodeContext): unknown {
  const pairs = (Array.isArray(entries) ? entries : []).filter(
    (pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string',
  )
  return Object.fromEntries(pairs.map(([key, item]) => [key, unpack(item, next)]))
}

function isTag(value: unknown): value is Tag {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    Object.values(value).every((field) => typeof field === 'string')
  )
}

function toBigInt(digits: string | undefined): bigint {
  if (!/^-?\d{1,40}$/.test(digits ?? '')) throw new ConfigurationError('invalid_argument', 'message')
  return BigInt(digits ?? '')
}

function requireDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new ConfigurationError('invalid_argument', 'depth')
}
