/** What a response changes: the limit of its bucket, slots that others use, and the bucket that a 429 blocks. */
import { describe, expect, it } from 'vitest'
import { applyResponse, Bucket, type BucketSpec, LimitDefinition, Permit, type RateLimitInfo } from '../../support/internals'

const NEVER = Number.POSITIVE_INFINITY
const RULE = { limit: 50, per: 1000 }

const bucketOf = (spec: Partial<BucketSpec> = {}) => new Bucket(new LimitDefinition({ name: 'join', ...RULE, ...spec }), '7')

/** Applies a response at 1,000 ms to a request sent at 500 ms. */
const respond = (buckets: Bucket[], info: RateLimitInfo, storeLease?: string) => {
  const permit = new Permit({ buckets, sequence: 0, sentAt: 500 }, () => undefined)
  permit.storeLease = storeLease
  return applyResponse(permit, info, 1000)
}

describe('a limit in a response', () => {
  it('lowers the known one, with its window, until a response no longer does', () => {
    const bucket = bucketOf()
    respond([bucket], { status: 200, limit: 20 })
    expect(bucket.rule).toEqual({ limit: 20, per: 1000 })
    respond([bucket], { status: 200 })
    expect(bucket.rule).toEqual({ limit: 20, per: 1000 })
    respond([bucket], { status: 200, limit: 50 })
    expect([bucket.rule, bucket.backoff]).toEqual([RULE, undefined])
  })

  it('does not raise the known one', () => {
    const bucket = bucketOf()
    respond([bucket], { status: 200, limit: 90 })
    expect([bucket.rule, bucket.backoff]).toEqual([RULE, undefined])
  })

  it('is taken from the first response if it was unknown, with the longest window that was seen', () => {
    const bucket = bucketOf({ limit: NEVER })
    respond([bucket], { status: 200, limit: 20 })
    expect(bucket.rule).toEqual({ limit: 20, per: 1000 })
    respond([bucket], { status: 200, limit: 20, resetAfter: 3000 })
    expect(bucket.rule).toEqual({ limit: 20, per: 3000 })
    respond([bucket], { status: 200, limit: 20, resetAfter: 900_000 })
    expect(bucket.rule).toEqual({ limit: 20, per: 300_000 })
    respond([bucket], { status: 200, limit: 20, resetAfter: 10 })
    expect(bucket.rule).toEqual({ limit: 20, per: 300_000 })
  })

  it('is that of the first bucket alone', () => {
    const [first, second] = [bucketOf(), bucketOf({ name: 'global' })]
    respond([first, second], { status: 200, limit: 20 })
    expect([first.rule.limit, second.rule.limit]).toEqual([20, 50])
  })
})

const used = (info: Partial<RateLimitInfo>) => ({ info: { status: 200, limit: 50, ...info } })

describe('the remaining requests in a response', () => {
  it.each([
    ['40 of 50', used({ remaining: 40 }), 5],
    ['45 of 50', used({ remaining: 45 }), 0],
    ['50 of 50', used({ remaining: 50 }), 0],
    ['unknown', used({}), 0],
    ['none of 50, in a 429', used({ remaining: 0, status: 429, retryAfter: 100 }), 0],
    ['40 of 50, with a shared store that counts', { ...used({ remaining: 40 }), lease: 'p:1' }, 0],
    ['10 of 20, of which the shared store does not know', { ...used({ limit: 20, remaining: 10 }), lease: 'p:1' }, 5],
  ])('are %s: others use so many besides the five of this client', (_, given: { info: RateLimitInfo; lease?: string }, others) => {
    const bucket = bucketOf()
    bucket.inFlight = 2
    bucket.occupyUntil(5000, 3)
    respond([bucket], given.info, given.lease)
    expect(bucket.releasing - 3).toBe(others)
  })

  it('occupy the slots that others use for a window', () => {
    const bucket = bucketOf()
    respond([bucket], { status: 200, limit: 50, remaining: 49 })
    expect(bucket.nextRelease).toBe(2002)
  })
})

const [join, global] = [() => bucketOf({ limit: 10 }), () => bucketOf({ name: 'global' })]

const refused = (buckets: Bucket[], info: Partial<RateLimitInfo>) => respond(buckets, { status: 429, retryAfter: 100, ...info })

describe('a 429', () => {
  it('blocks the bucket that its scope names', () => {
    const [first, second] = [join(), global()]
    expect(refused([first, second], { scope: 'global' })).toEqual({ bucket: second, retryAfter: 100, isNew: true })
    expect(refused([first, second], { scope: 'user' })?.bucket).toBe(first)
    expect(refused([first, second], { scope: 'shared' })?.bucket).toBe(first)
    const plain = bucketOf({ name: 'other' })
    expect(refused([first, plain], { scope: 'global' })?.bucket).toBe(plain)
    expect(refused([second, first], { scope: 'global' })?.bucket).toBe(second)
    expect(refused([], {})).toBeUndefined()
  })

  it('of the edge blocks the bucket of the route, for five minutes at most', () => {
    const [first, second] = [bucketOf({ per: 600_000 }), global()]
    second.occupyUntil(5000, 50)
    expect(refused([first, second], { isEdge: true, retryAfter: 900_000 })).toMatchObject({ bucket: first, retryAfter: 300_000 })
    expect(refused([first, second], { scope: 'user', retryAfter: 900_000 })).toMatchObject({ retryAfter: 600_000 })
  })

  it('without a scope blocks the bucket closest to its limit, whose window is long enough', () => {
    const [first, second] = [join(), global()]
    expect(refused([first, second], {})?.bucket).toBe(first)
    first.occupyUntil(5000, 2)
    second.occupyUntil(5000, 11)
    expect(refused([first, second], {})?.bucket).toBe(second)
    expect(refused([first, second], { retryAfter: 1002 })?.bucket).toBe(second)
    expect(refused([first, second], { retryAfter: 1003 })?.bucket).toBe(first)
    second.occupyUntil(5000, -1)
    expect(refused([first, second], {})?.bucket).toBe(first)
  })

  it('without a scope does not block a bucket whose limit is unknown, if another is in use', () => {
    const [unknown, second] = [bucketOf({ name: 'GET /x', limit: NEVER }), global()]
    second.occupyUntil(5000, 1)
    expect(refused([unknown, second], {})?.bucket).toBe(second)
  })

  it('without a wait blocks nothing for long', () => {
    const bucket = join()
    expect(respond([bucket], { status: 429 })).toEqual({ bucket, retryAfter: 0, isNew: true })
  })
})
