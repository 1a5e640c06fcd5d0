/** Listeners that cancel, request or close during an event of the limiter, in virtual time. */
import { expect, it } from 'vitest'
import { type LimiterEvents, type LimitRequest, RateLimiter } from '../../support/internals'
import { VirtualClock } from './support/virtual-clock'

const BUCKETS = [{ name: 'join_lobby', limit: 1, per: 1000 }]

/** A limiter whose one slot is taken until the result's `free` is called. */
async function setUp(
  events: (world: { limiter: RateLimiter; controller: AbortController }) => LimiterEvents,
) {
  const clock = new VirtualClock()
  const controller = new AbortController()
  const listeners: LimiterEvents = {}
  const limiter = new RateLimiter({ clock, events: listeners })
  Object.assign(listeners, events({ limiter, controller }))
  const lease = await limiter.acquire({ buckets: BUCKETS })
  const outcomes: string[] = []
  const ask = async (request: Partial<LimitRequest> = {}) => {
    const place = outcomes.push('waits') - 1
    try {
      const granted = await limiter.acquire({ buckets: BUCKETS, ...request })
      outcomes[place] = 'granted'
      granted.answered({ status: 200 })
    } catch (error) {
      outcomes[place] = (error as { code: string }).code
    }
  }
  return { clock, limiter, controller, lease, outcomes, ask }
}

it('a request that is cancelled by the listener of its wait is cancelled', async () => {
  const { clock, controller, limiter, outcomes, ask } = await setUp(({ controller: own }) => ({
    delayed: () => own.abort(),
  }))
  void ask({ signal: controller.signal })
  await clock.run(0)
  expect(outcomes).toEqual(['aborted'])
  limiter.close()
})

it('a limiter that is closed by the listener of a wait leaves no request pending', async () => {
  const { clock, lease, outcomes, ask } = await setUp(({ limiter }) => ({ delayed: () => limiter.close() }))
  void ask()
  await clock.run(0)
  expect(outcomes).toEqual(['closed'])
  lease.unused()
  await clock.run(5000)
  expect(clock.waiting).toBe(0)
})

it('a request that is cancelled by the listener of its rejection is rejected once, and those behind it are served', async () => {
  const { clock, controller, lease, limiter, outcomes, ask } = await setUp(({ controller: own }) => ({
    limited: () => own.abort(),
  }))
  void ask({ signal: controller.signal, maxWait: 1100 })
  void ask()
  void ask({ signal: controller.signal })
  void ask()
  clock.at(500, () => lease.answered({ status: 200 }))
  await clock.run(10_000)
  expect(outcomes).toEqual(['rate_limited', 'granted', 'aborted', 'granted'])
  expect(limiter.limits()).toEqual([])
  limiter.close()
})

it('all waiting requests can be cancelled by the listener of one that cannot be served in time', async () => {
  const { clock, controller, lease, limiter, outcomes, ask } = await setUp(({ controller: own }) => ({
    limited: () => own.abort(),
  }))
  for (let i = 0; i < 3; i++) void ask({ signal: controller.signal, maxWait: 30_000 })
  void ask()
  lease.answered({ status: 429, retryAfter: 60_000 })
  await clock.run(100_000)
  expect(outcomes).toEqual(['rate_limited', 'aborted', 'aborted', 'granted'])
  limiter.close()
})
