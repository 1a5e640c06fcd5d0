/** The error of the API: the service's status, code and message, and the rule for developers in the `X-Emulator-Rule` header. */
import type { Context } from 'hono'
import { headerText } from '../foundation/header-text.js'
import { errorTree, pathText, type Path, type PlacedProblem } from './problems.js'
import { problemsOf, type Schema } from './schema.js'

type Status = 400 | 401 | 403 | 404 | 405 | 413 | 423 | 429 | 501

interface ApiErrorFields {
  status: Status
  /** Error code of the service; 0 where it has none. */
  code: number
  message: string
  /** Names the rule that refused the request. */
  rule: string
  /** Field by field, the problems of an invalid body. */
  errors?: Record<string, unknown>
  /** Seconds. */
  retryAfter?: number
}

/** Thrown by handlers; the application answers it in one place. */
export class ApiError extends Error {
  readonly fields: ApiErrorFields

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.name = 'ApiError'
    this.fields = fields
  }
}

export function answerApiError(c: Context, { fields }: ApiError): Response {
  const { status, code, message, rule, errors, retryAfter } = fields
  c.header('X-Emulator-Rule', headerText(rule))
  if (retryAfter === undefined)
    return c.json({ message, code, ...(errors === undefined ? {} : { errors }) }, status)
  c.header('Retry-After', String(Math.ceil(retryAfter)))
  return c.json({ message, code, retry_after: retryAfter, global: false }, status)
}

/** Answers 404 for an address that has no route, and for a page or file that is gone. */
export function notFound(c: Context): Response {
  return answerApiError(
    c,
    new ApiError({ status: 404, code: 0, message: '404: Not Found', rule: 'no such route' }),
  )
}

/** @throws ApiError 400 with all problems, of which there is one at least. */
export function refuseInvalidBody(problems: readonly PlacedProblem[]): never {
  const [first] = problems
  const where = first === undefined || first.path.length === 0 ? 'the body' : pathText(first.path)
  const more = problems.length < 2 ? '' : ` (and ${problems.length - 1} more)`
  throw new ApiError({
    status: 400,
    code: 50035,
    message: 'Invalid Form Body',
    rule: `${where} ${first?.rule ?? 'is not valid'}${more}`,
    errors: errorTree(problems),
  })
}

/** Refuses a value of a query or a path, or a decoded body. @throws ApiError 400 with all problems, if there are any. */
export function requireValid(schema: Schema<unknown>, value: unknown, path: Path = []): void {
  const problems = problemsOf(schema, value, path)
  if (problems.length > 0) refuseInvalidBody(problems)
}

/** Refuses a message that would show nothing. */
export function emptyMessage(): ApiError {
  const rule = 'a message must hold something: content, embeds, components, files or a poll'
  return new ApiError({ status: 400, code: 50006, message: 'Cannot send an empty message', rule })
}

export function entityTooLarge(rule: string): ApiError {
  return new ApiError({ status: 413, code: 40005, message: 'Request entity too large', rule })
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
  return new ApiError({
    status: 404,
    code: 10063,
    message: 'Unknown application command',
    rule: 'no command of this place has this id',
  })
}

export function methodNotAllowed(rule: string): ApiError {
  return new ApiError({ status: 405, code: 0, message: '405: Method Not Allowed', rule })
}
