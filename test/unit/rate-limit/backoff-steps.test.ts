/** A bucket after 429 responses, step by step, and the bucket that a response is about. */
import { describe, expect, it } from 'vitest'
import { applyResponse } from '../../../src/rate-limit/apply-response'
import { Backoff } from '../../../src/rate-limit/backoff'
import { Bucket, type BucketSpec, LimitDefinition } from '../../../src/rate-limit/bucket'
import { Permit } from '../../../src/rate-limit/permit'
import { parseRateLimitHeaders, type RateLimitInfo } from '../../../src/rate-limit/rate-limit-info'

const NEVER = Number.POSITIVE_INFINITY
const RULE = { limit: 50, per: 1000 }

/** A backoff after this many separate 429s, one every ten seconds from 0 on, each with a wait of one second. */
function backoffAfter(count: number): Backoff {
  const backoff = new Backoff()
  for (let i = 0; i < count; i++) backoff.onRefusal(i * 10_000, i * 10_000, 1000)
  return backoff
}

describe('the first 429', () => {
  it('blocks until its wait is over, and then allows one request at a time', () => {
    const backoff = backoffAfter(1)
    expect([backoff.blockedUntil, backoff.cap, backoff.free(RULE, 2000), backoff.isOver]).toEqual([1000, 1, 1, false])
    expect(backoff.earliest(RULE, 3, 2000)).toBe(2000)
  })

  it('is one with those of requests sent before its end', () => {
    const backoff = backoffAfter(1)
    expect(backoff.onRefusal(999, 1200, 2000)).toEqual({ isNew: false })
    expect(backoff.blockedUntil).toBe(3200)
    expect(backoff.onRefusal(1000, 1300, 100)).toEqual({ isNew: true })
    expect(backoff.blockedUntil).toBe(3200)
  })

  it('is followed by a slow start: one more request per response, and none after the limit', () => {
    const backoff = backoffAfter(1)
    backoff.onSuccess(999, 1100, RULE)
    expect(backoff.cap).toBe(1)
    for (let i = 0; i < 49; i++) backoff.onSuccess(1000, 1100, RULE)
    expect(backoff.cap).toBe(50)
    backoff.onSuccess(1000, 1100, RULE)
    expect(backoff.cap).toBe(NEVER)
    backoff.onSuccess(1000, 1100, RULE)
    expect([backoff.cap, backoff.isOver]).toEqual([NEVER, false])
  })

  it('is forgotten after sixteen windows', () => {
    const backoff = backoffAfter(1)
    for (let i = 0; i < 50; i++) backoff.onSuccess(1000, 1100, RULE)
    backoff.onSuccess(1000, 16_999, RULE)
    expect(backoff.isOver).toBe(false)
    backoff.onSuccess(1000, 17_000, RULE)
    expect(backoff.isOver).toBe(true)
  })

  it('is over with its block when that is ended by hand', () => {
    const backoff = backoffAfter(1)
    backoff.unblock(400)
    expect([backoff.blockedUntil, backoff.onRefusal(399, 500, 0).isNew, backoff.onRefusal(400, 500, 0).isNew]).toEqual([400, false, true])
    const late = backoffAfter(1)
    late.unblock(1500)
    expect([late.blockedUntil, late.onRefusal(999, 1500, 0).isNew]).toEqual([1000, false])
  })
})

describe('a second 429', () => {
  it('spreads the rate over eighths of a window', () => {
    const backoff = backoffAfter(2)
    backoff.cap = NEVER
    expect(backoff.free(RULE, 20_000)).toBe(5)
    for (let i = 0; i < 5; i++) backoff.onResponse(20_000, RULE)
    expect([backoff.free(RULE, 20_126), backoff.free(RULE, 20_127), backoff.earliest(RULE, 0, 20_127)]).toEqual([0, 5, 20_127])
    for (let i = 0; i < 5; i++) backoff.onResponse(20_200, RULE)
    expect([backoff.earliest(RULE, 0, 20_200), backoff.earliest(RULE, 5, 20_200)]).toEqual([20_327, 20_454])
    expect(backoff.free({ limit: NEVER, per: 1000 }, 20_200)).toBe(NEVER)
  })

  it('allows no more than its slow start', () => {
    const backoff = backoffAfter(2)
    expect(backoff.free(RULE, 20_000)).toBe(1)
  })

  it('is forgotten after twice as many windows of that rate', () => {
    const backoff = backoffAfter(2)
    const smoothed = 125
    for (let i = 0; i < 50; i++) backoff.onSuccess(11_000, 11_000, RULE)
    backoff.onSuccess(11_000, 11_000 + smoothed * 32 - 1, RULE)
    expect(backoff.free(RULE, 30_000)).toBe(5)
    backoff.onSuccess(11_000, 11_000 + smoothed * 32, RULE)
    expect([backoff.free(RULE, 30_000), backoff.isOver]).toEqual([NEVER, false])
  })
})

describe('a third 429', () => {
  it('lowers the rate to 80 %, which is restored in steps of 5 %', () => {
    const backoff = backoffAfter(3)
    const free = () => {
      backoff.cap = NEVER
      return backoff.free(RULE, 90_000)
    }
    expect(free()).toBe(4)
    let now = 21_000
    const step = (ms: number) => {
      now += ms
      backoff.onSuccess(21_000, now, RULE)
      return free()
    }
    // 85, 90 and 95 % after an eighth of a window each, 100 % too, since the last 429 came at 100 %.
    expect([step(124), step(1), step(125), step(125), step(125)]).toEqual([4, 4, 5, 5, 5])
  })

  it('makes the steps from the rate of the last 429 on take full windows', () => {
    const backoff = backoffAfter(4)
    backoff.cap = NEVER
    // 0.64, refused at 0.8: 0.69, 0.74, 0.79 quickly, then a window each.
    let now = 31_000
    const freeAfter = (ms: number) => {
      now += ms
      backoff.onSuccess(31_000, now, { limit: 100, per: 1000 })
      backoff.cap = NEVER
      return backoff.free({ limit: 100, per: 1000 }, 90_000)
    }
    expect([freeAfter(0), freeAfter(125), freeAfter(125), freeAfter(125), freeAfter(125), freeAfter(874), freeAfter(1)]).toEqual([
      7, 7, 8, 8, 8, 8, 9,
    ])
  })
})

describe('a bucket with an unknown limit', () => {
  it('starts with ten requests at a time', () => {
    const bucket = new Bucket(new LimitDefinition({ name: 'GET /x', limit: NEVER, per: 1000 }), '')
    expect(bucket.available(0)).toBe(10)
    bucket.backoff?.onSuccess(0, 0, bucket.rule)
    expect(bucket.available(0)).toBe(11)
  })
})

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

const foreign = (info: Partial<RateLimitInfo>, { inFlight = 0, releasing = 0, lease = '' } = {}) => {
  const bucket = bucketOf()
  bucket.inFlight = inFlight
  if (releasing > 0) bucket.occupyUntil(5000, releasing)
  respond([bucket], { status: 200, ...info }, lease || undefined)
  return bucket.releasing - releasing
}

describe('the remaining requests in a response', () => {
  it('are fewer if other clients used some: those slots are occupied for a window', () => {
    expect(foreign({ limit: 50, remaining: 40 }, { inFlight: 2, releasing: 3 })).toBe(5)
    expect(foreign({ limit: 50, remaining: 45 }, { inFlight: 2, releasing: 3 })).toBe(0)
    expect(foreign({ limit: 50, remaining: 50 }, { inFlight: 2, releasing: 3 })).toBe(0)
    const bucket = bucketOf()
    respond([bucket], { status: 200, limit: 50, remaining: 49 })
    expect(bucket.nextRelease).toBe(2002)
  })

  it('are ignored if they are unknown, in a 429, and if a shared store counts', () => {
    expect(foreign({ limit: 50 })).toBe(0)
    expect(foreign({ limit: 50, remaining: 0, status: 429, retryAfter: 100 })).toBe(0)
    expect(foreign({ limit: 50, remaining: 40 }, { lease: 'p:1' })).toBe(0)
    expect(foreign({ limit: 20, remaining: 10 }, { lease: 'p:1' })).toBe(10)
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

const idle = (change: (bucket: Bucket) => void) => {
  const bucket = bucketOf()
  change(bucket)
  return [bucket.isIdle(99), bucket.isIdle(100)]
}

describe('the state of a bucket', () => {
  it('can be deleted when nothing is in flight, releasing, waiting or blocked', () => {
    expect(idle(() => undefined)).toEqual([true, true])
    expect(idle((bucket) => (bucket.inFlight = 1))).toEqual([false, false])
    expect(idle((bucket) => (bucket.waiting = 1))).toEqual([false, false])
    expect(idle((bucket) => bucket.occupyUntil(100))).toEqual([false, true])
    expect(idle((bucket) => bucket.hold(100))).toEqual([false, true])
  })

  it('is blocked by the shared store and by a 429, until the later one ends', () => {
    const bucket = bucketOf()
    bucket.hold(100)
    bucket.hold(50)
    expect([bucket.available(99), bucket.available(100), bucket.opening(0), bucket.nextChange(0)]).toEqual([0, 50, 100, 100])
    bucket.backoff = new Backoff()
    bucket.backoff.onRefusal(0, 0, 300)
    expect([bucket.blockedUntil, bucket.available(299), bucket.available(300), bucket.earliestStart(0, 0)]).toEqual([300, 0, 1, 300])
    bucket.unblock(40)
    expect([bucket.blockedUntil, bucket.available(40)]).toEqual([40, 1])
  })

  it('changes at the next release, or with a response', () => {
    const bucket = bucketOf({ limit: 2 })
    expect(bucket.nextChange(5)).toBe(5)
    bucket.occupyUntil(100)
    bucket.inFlight = 1
    expect([bucket.nextChange(5), bucket.earliestStart(0, 5), bucket.available(5)]).toEqual([100, 100, 0])
    bucket.inFlight = 2
    expect(bucket.nextChange(100)).toBe(NEVER)
  })

  it('is divided among parties, and each has its turns if there are too many', () => {
    const bucket = bucketOf({ limit: 2 })
    bucket.definition.splitAmong(4, 0.5)
    expect([bucket.rule.limit, bucket.available(0), bucket.nextChange(0), bucket.earliestStart(0, 0)]).toEqual([1, 0, 1000, 1000])
    expect([bucket.available(1000), bucket.available(1125)]).toEqual([1, 0])
    bucket.definition.restoreFullLimit()
    expect([bucket.rule.limit, bucket.available(0)]).toEqual([2, 2])
    bucket.definition.splitAmong(1, 0.5)
    expect(bucket.rule).toBe(bucket.definition.full)
  })
})

const read = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  parseRateLimitHeaders({ status, header: (name) => headers[name] ?? null, body }, Date.UTC(2026, 0, 1))

describe('the headers of a response', () => {
  it.each([
    ['none', 200, {}, { status: 200 }],
    [
      'all',
      200,
      { 'x-ratelimit-limit': ' 5 ', 'x-ratelimit-remaining': '5', 'x-ratelimit-reset-after': '1.5' },
      { status: 200, limit: 5, remaining: 5, resetAfter: 1500 },
    ],
    ['more remaining than the limit', 200, { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '6' }, { status: 200, limit: 5 }],
    ['a limit of 0', 200, { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }, { status: 200 }],
    ['no limit', 200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset-after': '1' }, { status: 200 }],
    ['a limit that is no number', 200, { 'x-ratelimit-limit': '5x', 'x-ratelimit-reset-after': '1' }, { status: 200 }],
    ['a negative limit', 200, { 'x-ratelimit-limit': '-5' }, { status: 200 }],
    ['a limit of ten digits', 200, { 'x-ratelimit-limit': '1234567890' }, { status: 200 }],
    ['a limit of nine digits', 200, { 'x-ratelimit-limit': '123456789' }, { status: 200, limit: 123_456_789 }],
    ['a wait after a 503', 503, { 'retry-after': '2' }, { status: 503, retryAfter: 2000 }],
    ['no wait after a 500', 500, { 'retry-after': '2' }, { status: 500 }],
  ])('may be %s', (...[, status, headers, expected]) => {
    expect(read(status, headers)).toEqual(expected)
  })

  it.each([
    ['in the body, rounded up', {}, { retry_after: 0.0001 }, 1],
    ['in the body, a day at most', {}, { retry_after: 90_000 }, 86_400_000],
    ['of 0', { 'retry-after': '3' }, { retry_after: 0 }, 0],
    ['in the header, if the body has none', { 'retry-after': '3' }, { retry_after: -1 }, 3000],
    ['in the header, if that of the body is no number', { 'retry-after': '3' }, { retry_after: '9' }, 3000],
    ['as a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, {}, 10_000],
    ['as a date, a day at most', { 'retry-after': 'Thu, 01 Jan 2027 00:00:09 GMT' }, {}, 86_400_000],
    [
      'until the reset, if the date has passed',
      { 'retry-after': 'Wed, 31 Dec 2025 23:59:59 GMT', 'x-ratelimit-reset-after': '4' },
      {},
      4000,
    ],
    ['of a second, if the header is odd', { 'retry-after': '2026-01-02' }, {}, 1000],
    ['of a second, if there is none', {}, {}, 1000],
    ['of a second, if the body is null', {}, null, 1000],
  ])('of a 429 may have a wait %s', (...[, headers, body, expected]) => {
    expect(read(429, headers, body).retryAfter).toBe(expected)
  })

  it.each([
    [{ global: true }, {}, 'global'],
    [{ global: false }, {}, 'user'],
    [{ global: false }, { 'x-ratelimit-scope': 'shared' }, 'shared'],
    [{ global: true }, { 'x-ratelimit-scope': 'shared' }, 'global'],
    [{}, { 'x-ratelimit-global': 'true' }, 'global'],
    [{}, { 'x-ratelimit-global': 'false' }, undefined],
    [{}, { 'x-ratelimit-scope': 'user' }, 'user'],
    [{}, { 'x-ratelimit-scope': 'global' }, 'global'],
    [{}, { 'x-ratelimit-scope': 'else' }, undefined],
  ])('of a 429 with %o and %o have the scope %s', (body, headers, scope) => {
    expect(read(429, headers, body).scope).toBe(scope)
  })

  it('of a 429 without a JSON body come from the edge', () => {
    expect(parseRateLimitHeaders({ status: 429, header: () => null }, 0)).toEqual({ status: 429, retryAfter: 1000, isEdge: true })
    expect(read(429).isEdge).toBe(false)
  })
})
