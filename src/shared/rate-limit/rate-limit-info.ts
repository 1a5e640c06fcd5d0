/** Parses the rate limit headers and the body of a response, and ignores implausible values. */
import { isRecord } from '../foundation/untrusted-values'

/** Fields are `undefined` if the response does not have them, they are not readable from a page, or invalid. */
export interface RateLimitInfo {
  /** HTTP status. */
  readonly status: number
  readonly limit?: number
  readonly remaining?: number
  /** ms from now until the service's window ends. */
  readonly resetAfter?: number
  /** ms to wait, for a 429 and a 503. */
  readonly retryAfter?: number | undefined
  readonly scope?: 'user' | 'global' | 'shared'
  /** True for a 429 that the edge sent instead of the service: the address is blocked, or will be soon. */
  readonly isEdge?: boolean
}

/** The parts of a response that the parser needs. */
export interface ResponseHead {
  readonly status: number
  /** Returns a header by its lower-case name; null if it is absent or not readable. */
  readonly header: (name: string) => string | null
  /** The decoded JSON body; undefined if it is not JSON. */
  readonly body?: unknown
}

/** Maximum wait in ms: a day. */
const MAX_WAIT = 86_400_000
/** Wait in ms after a 429 that names none. */
const DEFAULT_WAIT = 1000
const INTEGER = /^\d{1,9}$/
const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/

/** `now` is the wall-clock time in epoch ms; it is used only for a `Retry-After` that contains a date. */
export function parseRateLimitHeaders({ status, header, body }: ResponseHead, now: number): RateLimitInfo {
  const limit = parseInteger(header('x-ratelimit-limit'))
  const hasLimit = limit !== undefined
  // Most responses have nothing else to tell.
  if (!hasLimit && status !== 429 && status !== 503) return { status }
  const remaining = hasLimit ? parseInteger(header('x-ratelimit-remaining')) : undefined
  const resetAfter = hasLimit || status === 429 ? parseSeconds(header('x-ratelimit-reset-after')) : undefined
  return {
    status,
    ...(limit ? { limit } : {}),
    ...(limit && remaining !== undefined && remaining <= limit ? { remaining } : {}),
    ...(resetAfter === undefined ? {} : { resetAfter }),
    ...(status === 429 ? parseRejection({ header, body, resetAfter, now }) : {}),
    ...(status === 503 ? { retryAfter: retryAfterHeader(header('retry-after') ?? '', now) } : {}),
  }
}

interface RejectionContext extends Omit<ResponseHead, 'status'> {
  resetAfter: number | undefined
  now: number
}

function parseRejection({ header, body, resetAfter, now }: RejectionContext): Partial<RateLimitInfo> {
  const fields = isRecord(body) ? body : {}
  const bodySeconds = fields['retry_after']
  const inBody =
    typeof bodySeconds === 'number' && bodySeconds >= 0 ? clampWait(bodySeconds * 1000) : undefined
  const retryAfter =
    inBody ?? retryAfterHeader(header('retry-after') ?? '', now) ?? resetAfter ?? DEFAULT_WAIT
  const isGlobal = fields['global'] === true || header('x-ratelimit-global') === 'true'
  const scope = isGlobal
    ? 'global'
    : (scopeOf(header('x-ratelimit-scope')) ?? (fields['global'] === false ? 'user' : undefined))
  return { retryAfter, isEdge: body === undefined, ...(scope ? { scope } : {}) }
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterHeader(text: string, now: number): number | undefined {
  const plain = parseSeconds(text)
  if (plain !== undefined) return plain
  // Dates have whole seconds, so the server's second may end up to 1 s later. A date in the past is ignored: the clocks disagree.
  const wait = (/[a-z]/i.test(text) ? Date.parse(text) : Number.NaN) + 1000 - now
  return wait > 0 ? clampWait(wait) : undefined
}

function scopeOf(text: string | null): RateLimitInfo['scope'] {
  return text === 'user' || text === 'global' || text === 'shared' ? text : undefined
}

const parseInteger = (text: string | null): number | undefined =>
  text !== null && INTEGER.test(text.trim()) ? Number(text) : undefined

function parseSeconds(text: string | null): number | undefined {
  return text !== null && DECIMAL.test(text.trim()) ? clampWait(Number(text) * 1000) : undefined
}

const clampWait = (ms: number): number => (ms <= MAX_WAIT ? Math.ceil(ms) : MAX_WAIT)
