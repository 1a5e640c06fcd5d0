/** Reads JSON bodies, forms, and ids and flags in the URL of a request. */
import { ApiError, entityTooLarge, requireValid } from '../../check/api-error.js'
import { flag, integer, object, optional, snowflake } from '../../check/schema.js'
import { fieldsOf } from '../../foundation/values.js'
import type { Context, MiddlewareHandler } from 'hono'

const LARGEST_BODY = 16 * 1024 * 1024

/** `absent`: what a request without a body counts as. @throws ApiError 400 or 413 */
export async function readJson(c: Context, { absent }: { absent?: unknown } = {}): Promise<unknown> {
  const text = await readText(c)
  if (text === '' && absent !== undefined) return absent
  if (!hasJsonType(c)) throw wrongType()
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

/** Reads no more than the largest body: a length that says more is refused before. @throws ApiError 413 */
export async function readText(c: Context): Promise<string> {
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > LARGEST_BODY) throw tooLarge()
  // Node reads no more than the length that was named. Streams need the globals of the machine, which a test environment may replace.
  if (length !== undefined) return Buffer.from(await c.req.raw.arrayBuffer()).toString()
  const reader = c.req.raw.body?.getReader()
  if (reader === undefined) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length
    if (size > LARGEST_BODY) throw tooLarge()
    chunks.push(part.value)
  }
  return Buffer.concat(chunks).toString()
}

/** @throws ApiError 400 */
export function checkId(value: string, name: string): string {
  requireValid(snowflake, value, [name])
  return value
}

const FLAGS: Readonly<Record<string, boolean>> = {
  True: true,
  true: true,
  1: true,
  False: false,
  false: false,
  0: false,
}

/** @throws ApiError 400 */
export function readFlag(c: Context, name: string, absent: 'true' | 'false' = 'false'): boolean {
  const text = c.req.query(name) ?? absent
  const value = Object.hasOwn(FLAGS, text) ? FLAGS[text] : text
  requireValid(flag, value, [name])
  return value === true
}

/** A whole number as a query writes it. */
export function readWhole(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
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

/** Reads a body that nobody needs. @throws ApiError 413 */
export async function drain(c: Context): Promise<void> {
  if (c.req.raw.body !== null) await readText(c)
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
  const { before, after, limit: text } = c.req.query()
  const id = optional(snowflake)
  const limit = readWhole(text) ?? most
  requireValid(object({ before: id, after: id, limit: integer(1, most) }), { before, after, limit })
  return { limit: Number(limit), before, after }
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
