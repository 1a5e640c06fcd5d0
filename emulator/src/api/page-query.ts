/** Pages of a list by id: the query parameters `limit`, `before` and `after`. */
import type { Context } from 'hono'
import { isSnowflake } from '../foundation/type-guards.js'
import { refuseInvalidBody } from './api-error.js'
import { NOT_SNOWFLAKE, outside, ValidationContext } from './validation-context.js'

export interface PageQuery {
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
export function pageOf<Item extends { id: string }>(items: readonly Item[], { limit, before, after }: PageQuery): Item[] {
  const sorted = items.toSorted((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1))
  const within = sorted.filter(
    ({ id }) => (before === undefined || BigInt(id) < BigInt(before)) && (after === undefined || BigInt(id) > BigInt(after)),
  )
  return before !== undefined && after === undefined ? within.slice(-limit) : within.slice(0, limit)
}
