/** Makes text and errors of code that is not the SDK's fit to be shown: short, printable, and without what may be a secret. */
import { isRecord } from './encoding'

const UNPRINTABLE = /[^ -~\u00a0-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ufefe\uff00-\ufffd]/g
/** A query or fragment of an address, a named secret with its value, and anything as long as a token. */
const SECRETS: readonly RegExp[] = [
  /[?#][^\s"')]*(?=[\s"')]|$)/g,
  /(?:token|code|secret|verifier|password|authorization)["']?\s*[=:]\s*(?:["'][^"']*|(?:bearer |basic )?[^\s"',&}]+)/gi,
  /[\w~+=%-]{20,}/g,
]
const LONGEST_MESSAGE = 300
/** A line of a stack, as the engines write them. */
const FRAME = /^\s*at .+:\d+:\d+\)?$|@.+:\d+:\d+$/
const FRAMES = 12
/** How far the causes of a cause are followed. */
const DEPTH = 3

/** One line, of so many characters at most. */
export function cleanText(text: string, length: number): string {
  return text.slice(0, length).replace(UNPRINTABLE, '?')
}

/** A copy with name, code, message and stack alone: other fields may hold a whole request. */
export function cleanCause(cause: unknown, depth = 0): unknown {
  if (!isRecord(cause)) return typeof cause === 'string' ? cleanMessage(cause) : undefined
  const { name, message, stack, code, cause: beneath } = cause
  const copy = new Error(cleanMessage(message))
  copy.name = cleanText(textOf(name) || 'Error', 64)
  copy.stack = [`${copy.name}: ${copy.message}`, ...framesOf(textOf(stack))].join('\n')
  if (typeof code === 'string') Object.assign(copy, { code: cleanText(code, 64) })
  if (beneath !== undefined && depth < DEPTH) Object.defineProperty(copy, 'cause', { value: cleanCause(beneath, depth + 1) })
  return copy
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 10_000) : '')

function cleanMessage(message: unknown): string {
  return cleanText(
    SECRETS.reduce((text, secret) => text.replace(secret, '[…]'), textOf(message)),
    LONGEST_MESSAGE,
  )
}

/** Without queries: the address of a script may have one. */
function framesOf(stack: string): string[] {
  const lines = stack.split('\n').filter((line) => FRAME.test(line))
  return lines.slice(0, FRAMES).map((line) => cleanText(line.replace(/[?#][^:)]*/g, ''), 200))
}
