/** Reads JSON bodies, forms, and ids and flags in the URL of a request. */
import { ApiError, entityTooLarge, refuseInvalidBody } from '../../check/api-error.js'
import { NOT_BOOLEAN, NOT_SNOWFLAKE, ValidationContext, outside } from '../../check/validation-context.js'
import { fieldsOf, isSnowflake } from '../../foundation/values.js'
import type { Context, MiddlewareHandler } from 'hono'

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
  const isEmpty =
    c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) === 0
  if (!['GET', 'HEAD'].includes(c.req.method) && isEmpty && hasJsonType(c))
    throw invalidJson(
      'the body is empty, and its Content-Type is application/json: send the header only with a body',
    )
  await next()
}

const hasJsonType = (c: Context): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')

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

/** Undefined for a body that is not JSON. */
export async function readAnyJson(c: Context): Promise<unknown> {
  return c.req.json().catch(refuseBrokenOff)
}

/** Nothing is done for a request that its client broke off: what it would have said is not known. */
function refuseBrokenOff(error: unknown): undefined {
  if (isBrokenOff(error)) throw error
}

/** True for an error of Node that says so: a reset connection, or a request without its end. */
export function isBrokenOff(error: unknown): boolean {
  const { code } = fieldsOf(error)
  return code === 'ECONNRESET' || (typeof code === 'string' && code.startsWith('HPE_'))
}

interface PageQuery {
  limit: number
  before: string | undefined
  after: string | undefined
}

/** @param most the greatest `limit`, and the default. @throws ApiError 400 */
export function readPageQuery(c: Context, most: number): PageQuery {
  const validation = new ValidationContext([])
  const [before, after] = (['before', 'after'] as const).map((name) => {
    const id = c.req.query(name)
    if (id !== undefined && !isSnowflake(id)) validation.at(name).addError(NOT_SNOWFLAKE)
    return id
  })
  const limit = Number(c.req.query('limit') ?? most)
  if (!Number.isInteger(limit) || limit < 1 || limit > most) validation.at('limit').addError(outside(1, most))
  refuseInvalidBody(validation.errors)
  return { limit, before, after }
}

/** By ascending id: those nearest to `before` or `after`, otherwise the first. */
export function pageOf<Item extends { id: string }>(
  items: readonly Item[],
  { limit, before, after }: PageQuery,
): Item[] {
  const sorted = items.toSorted((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1))
  const within = sorted.filter(
    ({ id }) =>
      (before === undefined || BigInt(id) < BigInt(before)) &&
      (after === undefined || BigInt(id) > BigInt(after)),
  )
  return before !== undefined && after === undefined ? within.slice(-limit) : within.slice(0, limit)
}
