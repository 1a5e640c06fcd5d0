/** An answer that refuses: the service's status, code and words, and beside them the rule in ours. */
import type { Context } from 'hono'
import { headerText } from '../foundation/header-text.js'
import { pathText, errorTree, type ValidationError } from './validation-context.js'

type Status = 400 | 401 | 403 | 404 | 405 | 413 | 429

interface ApiErrorFields {
  status: Status
  code: number
  message: string
  rule: string
  errors?: Record<string, unknown>
  /** Seconds. */
  retryAfter?: number
}

/** Thrown where the request turns out to be wrong, answered in one place. */
export class ApiError extends Error {
  readonly words: ApiErrorFields

  constructor(words: ApiErrorFields) {
    super(words.message)
    this.name = 'Refusal'
    this.words = words
  }
}

export function answerApiError(c: Context, { words }: ApiError): Response {
  const { status, code, message, rule, errors, retryAfter } = words
  c.header('X-Emulator-Rule', headerText(rule))
  if (retryAfter === undefined) return c.json({ message, code, ...(errors === undefined ? {} : { errors }) }, status)
  c.header('Retry-After', String(Math.ceil(retryAfter)))
  return c.json({ message, code, retry_after: retryAfter, global: false }, status)
}

/** @throws Refusal that tells all of the faults, when there are any. */
export function refuseInvalidBody(faults: readonly ValidationError[]): void {
  const [first] = faults
  if (first === undefined) return
  const where = first.path.length === 0 ? 'the body' : pathText(first.path)
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`
  throw new ApiError({
    status: 400,
    code: 50035,
    message: 'Invalid Form Body',
    rule: `${where} ${first.rule}${more}`,
    errors: errorTree(faults),
  })
}

export function unauthorized(rule: string): ApiError {
  return new ApiError({ status: 401, code: 0, message: '401: Unauthorized', rule })
}

export function missingScope(rule: string): ApiError {
  return new ApiError({ status: 403, code: 50026, message: 'Missing required OAuth2 scope', rule })
}

export function missingPermissions(rule: string): ApiError {
  return new ApiError({ status: 403, code: 50013, message: 'Missing Permissions', rule })
}

export function missingAccess(rule: string): ApiError {
  return new ApiError({ status: 403, code: 50001, message: 'Missing Access', rule })
}

export function unknownGuild(): ApiError {
  return new ApiError({ status: 404, code: 10004, message: 'Unknown Guild', rule: 'no guild has this id' })
}

export function unknownCommand(): ApiError {
  return new ApiError({ status: 404, code: 10063, message: 'Unknown application command', rule: 'no command of this place has this id' })
}

export function methodNotAllowed(rule: string): ApiError {
  return new ApiError({ status: 405, code: 0, message: '405: Method Not Allowed', rule })
}
