/** A bucket: when requests may start, when that changes, and when it can be deleted. */
import { describe, expect, it } from 'vitest'
import { Backoff, Bucket, LimitDefinition } from '../../support/internals'

const NEVER = Number.POSITIVE_INFINITY

const bucketOf = (limit = 50) => new Bucket(new LimitDefinition({ name: 'join', limit, per: 1000 }), '7')

describe('a bucket', () => {
  it.each<[string, (bucket: Bucket) => unknown, boolean[]]>([
    ['with nothing to remember', () => undefined, [true, true]],
    ['with a request in flight', (bucket) => (bucket.inFlight = 1), [false, false]],
    ['with a waiting request', (bucket) => (bucket.waiting = 1), [false, false]],
    ['with a releasing slot', (bucket) => bucket.occupyUntil(100), [false, true]],
    ['that is blocked', (bucket) => bucket.hold(100), [false, true]],
  ])('%s can be deleted at 99 ms and at 100 ms: %j', (...[, change, expected]) => {
    const bucket = bucketOf()
    change(bucket)
    expect([bucket.isIdle(99), bucket.isIdle(100)]).toEqual(expected)
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
    const bucket = bucketOf(2)
    expect(bucket.nextChange(5)).toBe(5)
    bucket.occupyUntil(100)
    bucket.inFlight = 1
    expect([bucket.nextChange(5), bucket.earliestStart(0, 5), bucket.available(5)]).toEqual([100, 100, 0])
    bucket.inFlight = 2
    expect(bucket.nextChange(100)).toBe(NEVER)
  })

  it('is divided among parties, and each has its turns if there are too many', () => {
    const bucket = bucketOf(2)
    bucket.definition.splitAmong(4, 0.5)
    expect([bucket.rule.limit, bucket.available(0), bucket.nextChange(0), bucket.earliestStart(0, 0)]).toEqual([1, 0, 1000, 1000])
    expect([bucket.available(1000), bucket.available(1125)]).toEqual([1, 0])
    bucket.definition.restoreFullLimit()
    expect([bucket.rule.limit, bucket.available(0)]).toEqual([2, 2])
    bucket.definition.splitAmong(1, 0.5)
    expect(bucket.rule).toBe(bucket.definition.full)
  })

  it('of an unknown limit starts with ten requests at a time, and one more for each response', () => {
    const bucket = bucketOf(NEVER)
    expect(bucket.available(0)).toBe(10)
    bucket.backoff?.onSuccess(0, 0, bucket.rule)
    expect(bucket.available(0)).toBe(11)
  })
})
