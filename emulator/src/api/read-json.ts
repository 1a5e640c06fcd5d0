/** Reads JSON bodies, forms, and ids and flags in the URL of a request. */
import { refuseBrokenOff } from '../foundation/read-any-json.js'
import { isSnowflake } from '../foundation/type-guards.js'
import type { Context, MiddlewareHandler } from 'hono'
import { NOT_BOOLEAN, NOT_SNOWFLAKE, ValidationContext } from './validation-context.js'
import { entityTooLarge, refuseInvalidBody, ApiError } from './api-error.js'

const LARGEST_BODY = 16 * 1024 * 1024

/** Treats a missing body as an empty object. @throws ApiError 400 or 413 */
export async function readOptionalJson(c: Context): Promise<unknown> {
  return (await readText(c)) === '' ? {} : readJson(c)
}

/** @throws ApiError 400 or 413 */
export async function readJson(c: Context): Promise<unknown> {
  if (!hasJsonType(c)) throw wrongType()
  const text = await readText(c)
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson('the body is not JSON')
  }
}

/** Treats a body that is no form as an empty one. A name that repeats has a list. */
export async function readForm(c: Context): Promise<Record<string, unknown>> {
  return (await c.req.parseBody({ all: true }).catch(refuseBrokenOff)) ?? {}
}

/** Refuses a request without a body that claims to have JSON: the content type goes with a body only. */
export const refuseEmptyJson: MiddlewareHandler = async (c, next) => {
  const isEmpty = c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) === 0
  if (!['GET', 'HEAD'].includes(c.req.method) && isEmpty && hasJsonType(c))
    throw invalidJson('the body is empty, and its Content-Type is application/json: send the header only with a body')
  await next()
}

const hasJsonType = (c: Context): boolean => /^\s*application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')

/** @throws ApiError 413 */
async function readText(c: Context): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_BODY) throw tooLarge()
  const text = await c.req.text()
  if (text.length > LARGEST_BODY) throw tooLarge()
  return text
}

/** @throws ApiError 400 */
export function checkId(value: string, name: string): string {
  const validation = new ValidationContext([], [name])
  if (!isSnowflake(value)) validation.addError(NOT_SNOWFLAKE)
  refuseInvalidBody(validation.errors)
  return value
}

/** @throws ApiError 400 */
export function readFlag(c: Context, name: string): boolean {
  const value = c.req.query(name) ?? 'false'
  const validation = new ValidationContext([], [name])
  if (!['True', 'true', '1', 'False', 'false', '0'].includes(value)) validation.addError(NOT_BOOLEAN)
  refuseInvalidBody(validation.errors)
  return ['True', 'true', '1'].includes(value)
}

function invalidJson(rule: string): ApiError {
  return new ApiError({ status: 400, code: 50109, message: 'The request body contains invalid JSON.', rule })
}

function wrongType(): ApiError {
  const message = 'Expected "Content-Type" header to be one of {"application/json"}.'
  return new ApiError({
    status: 400,
    code: 50035,
    message: 'Invalid Form Body',
    rule: 'the Content-Type header must be application/json',
    errors: { _errors: [{ code: 'CONTENT_TYPE_INVALID', message }] },
  })
}

function tooLarge(): ApiError {
  return entityTooLarge('the body has more than 16 MiB')
}
