/** Buckets in use: their parts while a shared store is away, the quiet time after it went, and their deletion; and fair turns. */
import { describe, expect, it } from 'vitest'
import { type Bucket, BucketRegistry, type BucketSpec, monotonic, RateLimiter } from '../../support/internals'
import { ManualClock } from '../../support/manual-clock'
import { VirtualClock } from './support/virtual-clock'

const SECOND: BucketSpec = { name: 'global', limit: 40, per: 1000 }
const AWAY = { isAway: true, hasResponded: true }
const BACK = { isAway: false }

function openRegistry() {
  const clock = new ManualClock(0)
  const raised: Bucket[] = []
  const registry = new BucketRegistry(monotonic(clock), (bucket) => raised.push(bucket))
  return { clock, raised, registry, count: () => [...registry.buckets()].length }
}

describe('a bucket', () => {
  it('is one for each name and key', () => {
    const { registry, count } = openRegistry()
    const bucket = registry.bucket(SECOND)
    expect([registry.bucket(SECOND) === bucket, registry.bucket({ ...SECOND, key: '' }) === bucket]).toEqual([
      true,
      true,
    ])
    const [one, other] = ['1', '2'].map((key) => registry.bucket({ ...SECOND, key }))
    expect([one === other, one === bucket, one?.definition === bucket.definition, count()]).toEqual([
      false,
      false,
      true,
      3,
    ])
    expect(registry.bucket({ ...SECOND, name: 'join' }).definition).not.toBe(bucket.definition)
  })

  it('shares one timer with the others of its name', () => {
    const { clock, registry } = openRegistry()
    for (const key of ['1', '2', '3']) registry.bucket({ ...SECOND, key })
    expect(clock.waiting).toBe(1)
  })

  it('is deleted once it is idle, at most an eighth of a window later, and no timer is left', () => {
    const { clock, registry, count } = openRegistry()
    registry.bucket(SECOND)
    clock.advance(124)
    expect(count()).toBe(1)
    clock.advance(1)
    expect([count(), clock.waiting]).toEqual([0, 0])
  })

  it('of a very short window is deleted after 10 ms', () => {
    const { clock, registry, count } = openRegistry()
    registry.bucket({ ...SECOND, per: 8 })
    clock.advance(9)
    expect(count()).toBe(1)
    clock.advance(1)
    expect(count()).toBe(0)
  })

  it('stays while a request is in flight, and until its slots are released', () => {
    const { clock, registry, count } = openRegistry()
    const bucket = registry.bucket(SECOND)
    bucket.inFlight = 1
    registry.bucket({ ...SECOND, key: 'idle' })
    clock.advance(500)
    expect([count(), clock.waiting]).toEqual([1, 1])
    bucket.inFlight = 0
    bucket.occupyUntil(1502)
    clock.advance(1001)
    expect(count()).toBe(1)
    clock.advance(125)
    expect([count(), clock.waiting]).toEqual([0, 0])
    expect(registry.bucket(SECOND)).not.toBe(bucket)
    expect(clock.waiting).toBe(1)
  })

  it('is not kept after the limiter is closed, nor a timer', () => {
    const { clock, registry, count } = openRegistry()
    registry.bucket(SECOND)
    registry.splitAmong(2, AWAY)
    registry.splitAmong(2, BACK)
    expect(clock.waiting).toBe(2)
    registry.close()
    expect([count(), clock.waiting]).toEqual([0, 0])
  })
})

describe('while the shared store is away, a limit', () => {
  it('is divided, and nothing starts for a second or for a shorter window', () => {
    const { clock, registry } = openRegistry()
    clock.advance(5000)
    const [second, short, long] = [1000, 200, 9000].map((per) =>
      registry.bucket({ ...SECOND, name: String(per), per }),
    )
    registry.splitAmong(4, AWAY)
    expect([second, short, long].map((bucket) => [bucket?.rule.limit, bucket?.blockedUntil])).toEqual([
      [10, 6000],
      [10, 5200],
      [10, 6000],
    ])
  })

  it('is divided at once if the store has never responded', () => {
    const { registry } = openRegistry()
    const bucket = registry.bucket(SECOND)
    registry.splitAmong(4, { isAway: true, hasResponded: false })
    expect([bucket.rule.limit, bucket.blockedUntil]).toEqual([10, Number.NEGATIVE_INFINITY])
    expect(registry.bucket({ ...SECOND, key: 'later' }).blockedUntil).toBe(Number.NEGATIVE_INFINITY)
  })

  it('that is used for the first time is divided too, and quiet for the rest of the second', () => {
    const { clock, registry } = openRegistry()
    registry.splitAmong(4, AWAY)
    clock.advance(999)
    const early = registry.bucket(SECOND)
    clock.advance(1)
    const late = registry.bucket({ ...SECOND, name: 'join' })
    expect([early.rule.limit, early.blockedUntil, late.rule.limit, late.blockedUntil]).toEqual([
      10,
      1000,
      10,
      Number.NEGATIVE_INFINITY,
    ])
  })
})

describe('when the shared store is back, a limit', () => {
  it.each([
    [1000, 5000],
    [10_000, 10_002],
  ])('of a window of %i ms is whole again after %i ms', (per, delay) => {
    const { clock, raised, registry } = openRegistry()
    const bucket = registry.bucket({ ...SECOND, per })
    bucket.inFlight = 1
    registry.splitAmong(4, AWAY)
    clock.advance(20_000)
    registry.splitAmong(4, BACK)
    clock.advance(delay - 1)
    expect([bucket.rule.limit, raised]).toEqual([10, []])
    clock.advance(1)
    expect([bucket.rule.limit, raised]).toEqual([40, [bucket]])
  })

  it('that is used for the first time five seconds later is whole at once', () => {
    const { clock, registry } = openRegistry()
    registry.splitAmong(4, AWAY)
    registry.splitAmong(4, BACK)
    clock.advance(4999)
    const early = registry.bucket(SECOND)
    clock.advance(1)
    const late = registry.bucket({ ...SECOND, name: 'join' })
    expect([early.rule.limit, late.rule.limit]).toEqual([10, 40])
  })

  it('is not quiet again, old or new', () => {
    const { clock, registry } = openRegistry()
    const bucket = registry.bucket(SECOND)
    bucket.inFlight = 1
    registry.splitAmong(4, AWAY)
    clock.advance(20_000)
    registry.splitAmong(4, BACK)
    const later = registry.bucket({ ...SECOND, name: 'join' })
    expect([bucket.blockedUntil, later.blockedUntil]).toEqual([1000, Number.NEGATIVE_INFINITY])
  })

  it('stays divided if the store goes away again', () => {
    const { clock, raised, registry } = openRegistry()
    const bucket = registry.bucket(SECOND)
    bucket.inFlight = 1
    registry.splitAmong(4, AWAY)
    registry.splitAmong(4, BACK)
    clock.advance(4000)
    registry.splitAmong(2, AWAY)
    clock.advance(60_000)
    expect([bucket.rule.limit, raised]).toEqual([20, []])
  })

  it('that is used for the first time is divided for five seconds', () => {
    const { clock, raised, registry } = openRegistry()
    registry.splitAmong(4, AWAY)
    clock.advance(60_000)
    registry.splitAmong(4, BACK)
    clock.advance(4999)
    const early = registry.bucket(SECOND)
    early.inFlight = 1
    clock.advance(1)
    const late = registry.bucket({ ...SECOND, name: 'join' })
    expect([early.rule.limit, late.rule.limit, early.blockedUntil]).toEqual([
      10,
      40,
      Number.NEGATIVE_INFINITY,
    ])
    clock.advance(4998)
    expect(early.rule.limit).toBe(10)
    clock.advance(1)
    expect([early.rule.limit, raised]).toEqual([40, [early]])
  })
})

describe('requests of several lobbies that wait for one limit', () => {
  it('take turns, also when several slots are free at once', async () => {
    const clock = new VirtualClock()
    const limiter = new RateLimiter({ clock })
    const buckets = [{ name: 'send', limit: 4, per: 1000 }]
    const started: string[] = []
    const send = async (fairnessKey: string) => {
      const permit = await limiter.acquire({ buckets, fairnessKey })
      started.push(fairnessKey)
      permit.answered({ status: 200 })
    }
    for (let i = 0; i < 4; i++) await send('first')
    for (const key of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void send(key)
    await clock.run(1001)
    expect(started).toHaveLength(4)
    await clock.run(1002)
    expect(started.slice(4)).toEqual(['a', 'b', 'c', 'a'])
    await clock.run(2100)
    expect(started.slice(8)).toEqual(['b', 'a', 'a'])
    limiter.close()
  })
})
