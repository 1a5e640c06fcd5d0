/** Sanitizes foreign text and errors for display: short, printable, and without possible secrets. */
import { isRecord } from './guard-untrusted-values'

const UNPRINTABLE = /[^ -~\u00a0-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ufefe\uff00-\ufffd]/g
/** A query or fragment of an address, a named secret with its value, and any string as long as a token. */
const SECRETS: readonly RegExp[] = [
  /[?#][^\s"')]*(?=[\s"')]|$)/g,
  /(?:token|code|secret|verifier|password|authorization)["']?\s*[=:]\s*(?:["'][^"']*|(?:bearer |basic )?[^\s"',&}]+)/gi,
  /[\w~+=%-]{20,}/g,
]
const MAX_MESSAGE = 300
/** A line of a stack trace, in the formats of the engines. */
const FRAME = /^\s*at .+:\d+:\d+\)?$|@.+:\d+:\d+$/
const FRAMES = 12
/** Maximum depth of a chain of causes. */
const DEPTH = 3

/** Replaces unprintable characters and cuts the text to `length` characters. */
export function cleanText(text: string, length: number): string {
  return text.slice(0, length).replace(UNPRINTABLE, '?')
}

/** A copy with name, code, message and stack only: other fields may hold a whole request. */
export function cleanCause(cause: unknown, depth = 0): unknown {
  try {
    return copyCause(cause, depth)
  } catch {
    return new Error('This cause throws when it is read')
  }
}

function copyCause(cause: unknown, depth: number): unknown {
  if (!isRecord(cause)) return typeof cause === 'string' ? cleanMessage(cause) : undefined
  const { name, message, stack, code, cause: nested } = cause
  const copy = new Error(cleanMessage(message))
  copy.name = cleanText(stringOf(name) || 'Error', 64)
  copy.stack = [`${copy.name}: ${copy.message}`, ...framesOf(stringOf(stack))].join('\n')
  if (typeof code === 'string') Object.assign(copy, { code: cleanText(code, 64) })
  if (nested !== undefined && depth < DEPTH) Object.defineProperty(copy, 'cause', { value: cleanCause(nested, depth + 1) })
  return copy
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 10_000) : '')

function cleanMessage(message: unknown): string {
  return cleanText(
    SECRETS.reduce((text, secret) => text.replace(secret, '[…]'), stringOf(message)),
    MAX_MESSAGE,
  )
}

/** Stack lines without queries, which the address of a script may have. */
function framesOf(stack: string): string[] {
  const lines = stack.split('\n').filter((line) => FRAME.test(line))
  return lines.slice(0, FRAMES).map((line) => cleanText(line.replace(/[?#][^:)]*/g, ''), 200))
}
