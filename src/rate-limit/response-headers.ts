/** What an answer tells about limits: read where it can be read, and never believed beyond reason. */

/** `undefined` where an answer is silent, a page may not read it, or it makes no sense. */
export interface RateLimitInfo {
  /** HTTP status. */
  readonly status: number
  readonly limit?: number
  readonly remaining?: number
  /** ms from now until the service's window ends. */
  readonly resetAfter?: number
  /** ms to wait, of a refusal and of a service that is away. */
  readonly retryAfter?: number | undefined
  readonly scope?: 'user' | 'global' | 'shared'
  /** A refusal that the edge wrote and not the service: the address is about to be blocked, or is. */
  readonly isEdge?: boolean
}

/** An answer as this reader needs it. */
export interface ResponseHead {
  readonly status: number
  /** A header by its name in lower case; null when it is absent or hidden. */
  readonly header: (name: string) => string | null
  /** The JSON body; undefined when it was none. */
  readonly body?: unknown
}

/** Longer waits are not believed: a day. */
const LONGEST = 86_400_000
/** After a refusal that names no wait. */
const SILENT_WAIT = 1000
const WHOLE = /^\d{1,9}$/
const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/

/** `now` is the hour in epoch ms, for a `Retry-After` that names a date; only such a date ever meets the local clock. */
export function parseRateLimitHeaders({ status, header, body }: ResponseHead, now: number): RateLimitInfo {
  const limit = whole(header('x-ratelimit-limit'))
  // Most answers are silent: then nothing more is read.
  const isTold = limit !== undefined
  const remaining = isTold ? whole(header('x-ratelimit-remaining')) : undefined
  const resetAfter = isTold || status === 429 ? seconds(header('x-ratelimit-reset-after')) : undefined
  return {
    status,
    ...(limit ? { limit } : {}),
    ...(limit && remaining !== undefined && remaining <= limit ? { remaining } : {}),
    ...(resetAfter === undefined ? {} : { resetAfter }),
    ...(status === 429 ? refusal({ header, body, resetAfter, now }) : {}),
    ...(status === 503 ? { retryAfter: retryAfterHeader(header('retry-after'), now) } : {}),
  }
}

interface Refusal extends Omit<ResponseHead, 'status'> {
  resetAfter: number | undefined
  now: number
}

function refusal({ header, body, resetAfter, now }: Refusal): Partial<RateLimitInfo> {
  const fields: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
  const told = fields['retry_after']
  const inBody = typeof told === 'number' && told >= 0 ? bounded(told * 1000) : undefined
  const retryAfter = inBody ?? retryAfterHeader(header('retry-after'), now) ?? resetAfter ?? SILENT_WAIT
  const isGlobal = fields['global'] === true || header('x-ratelimit-global') === 'true'
  const scope = isGlobal ? 'global' : (scopeOf(header('x-ratelimit-scope')) ?? (fields['global'] === false ? 'user' : undefined))
  return { retryAfter, isEdge: body === undefined, ...(scope ? { scope } : {}) }
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfterHeader(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const plain = seconds(text)
  if (plain !== undefined) return plain
  // Dates have whole seconds; the one that is named may not have begun. One that is over says nothing: the clocks disagree.
  const wait = (/[a-z]/i.test(text) ? Date.parse(text) : Number.NaN) + 1000 - now
  return wait > 0 ? bounded(wait) : undefined
}

function scopeOf(text: string | null): RateLimitInfo['scope'] {
  return text === 'user' || text === 'global' || text === 'shared' ? text : undefined
}

const whole = (text: string | null): number | undefined => (text !== null && WHOLE.test(text.trim()) ? Number(text) : undefined)

function seconds(text: string | null): number | undefined {
  return text !== null && DECIMAL.test(text.trim()) ? bounded(Number(text) * 1000) : undefined
}

const bounded = (ms: number): number => (ms <= LONGEST ? Math.ceil(ms) : LONGEST)
