/** The texts of errors: remedies, links to the manual, and foreign text made short, printable and free of secrets. */
import { isRecord } from './untrusted-values'

/**
 * Remedies for errors that can occur before anything else is loaded, and therefore short: all others are next to the code that creates the
 * error. `ErrorDetails.remedy` overrides them.
 */
export const REMEDIES: Readonly<Record<string, string>> = {
  missing_service_host:
    "Name the service: { service: { host: 'https://…' } }: is its variable set, such as VITE_FOYER_HOST by the plugin foyer()? In a test: is createEmulator() awaited?",
  missing_application_id:
    'Give applicationId to the client, or clientId to the call: is its variable set, such as VITE_FOYER_APPLICATION_ID?',
  insecure_endpoint:
    'It needs https:// (http:// on localhost and 127.0.0.1 only), no credentials and no fragment',
  closed: 'It was closed: create a new one',
  popup_blocked: 'Call signIn() in the click handler, before any await, or use redirectSurface()',
  state_mismatch: 'It was used, has expired, or began elsewhere: sign in again',
  surface_failed: 'Is the surface made by a call?',
  player_unknown: 'The tokens are kept: call resume() to ask again, without another consent',
  signed_out: 'Call signIn() first, or resume() when the page starts, and wait for it',
}

/** A path in the package. Put an absolute address here once there is a site. */
const ERRORS = 'docs/errors.md'

/** The address of an error's entry. Codes that only repeat an HTTP status share one. */
export function docsLink(code: string): string {
  return `${ERRORS}#${code.replace(/^http_\d+$/, 'http_status')}`
}

const UNPRINTABLE = /[^ -~\u00a0-\u200a\u2010-\u2027\u202f-\u205f\u2070-\ufefe\uff00-\ufffd]/g
/** A query or fragment of an address, a named secret with its value, and any string as long as a token. */
const SECRETS: readonly RegExp[] = [
  // User and password of an address.
  /\/\/[^\s/@]*@/g,
  /[?#][^\s"')]*/g,
  /(?:token|code|secret|verifier|password|authorization)["']?\s*[=:]\s*(?:["'][^"']*|(?:bearer |basic )?[^\s"',&}]+)/gi,
  /[\w~+=%-]{20,}/g,
]
const MAX_MESSAGE = 300
/** A line of a stack trace, in the formats of the engines. */
const FRAME = /^(?:\s*at |[^@]*@).+:\d+:\d+\)?$/
const FRAMES = 12
/** Maximum depth of a chain of causes. */
const DEPTH = 3

/** Replaces unprintable characters and cuts the text to `length` characters. */
export function cleanText(text: string, length: number): string {
  return text.slice(0, length).replace(UNPRINTABLE, '?')
}

/** A copy with name, code, message and stack only: other fields may hold a whole request. */
export function cleanCause(cause: unknown, depth = 0): Error | string | undefined {
  try {
    return copyCause(cause, depth)
  } catch {
    return new Error('This cause throws when it is read')
  }
}

function copyCause(cause: unknown, depth: number): Error | string | undefined {
  if (!isRecord(cause)) return typeof cause === 'string' ? cleanMessage(cause) : undefined
  const { name, message, stack, code, cause: nested } = cause
  const copy = new Error(cleanMessage(message))
  copy.name = cleanText(stringOf(name) || 'Error', 64)
  copy.stack = [`${copy.name}: ${copy.message}`, ...framesOf(stringOf(stack))].join('\n')
  if (typeof code === 'string') Object.assign(copy, { code: cleanText(code, 64) })
  if (nested !== undefined && depth < DEPTH)
    Object.defineProperty(copy, 'cause', { value: cleanCause(nested, depth + 1) })
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
