/** A limiter in virtual time whose calls record their start and get a response a moment later. */
import type { RateLimitDelayedEvent, RateLimitedEvent } from 'foyer-sdk'
import { type LimitRequest, RateLimiter, type RateLimitInfo } from '../../../support/internals'
import { VirtualClock } from './virtual-clock'

export const OK: RateLimitInfo = { status: 200 }
export const JOIN = { name: 'join_lobby', key: 'ada', limit: 2, per: 1000 }

export type OpenLimiter = ReturnType<typeof openLimiter>

export function openLimiter() {
  const clock = new VirtualClock()
  clock.offset = 1_000_000
  const delayed: RateLimitDelayedEvent[] = []
  const limited: RateLimitedEvent[] = []
  /** Name and time of each started call. */
  const order: string[] = []
  const limiter = new RateLimiter({
    clock,
    events: { delayed: (event) => delayed.push(event), limited: (event) => limited.push(event) },
  })
  /** Requests a permit, records the grant, and settles it after `time`. */
  const send = async (
    name: string,
    request: Partial<LimitRequest> & { time?: number; news?: RateLimitInfo } = {},
  ): Promise<void> => {
    const { time = 10, news = OK, ...rest } = request
    const lease = await Promise.resolve(limiter.acquire({ buckets: [JOIN], ...rest })).catch(
      (error: { code: string }) => {
        // Names of calls that still wait at the end of a test.
        if (error.code !== 'closed') throw error
      },
    )
    if (!lease) return
    order.push(`${name} ${clock.time}`)
    clock.at(clock.time + time, () => lease.answered(news))
  }
  return { clock, limiter, delayed, limited, order, send }
}

export async function closeLimiter({
  limiter,
  clock,
}: Pick<OpenLimiter, 'limiter' | 'clock'>): Promise<void> {
  limiter.close()
  await clock.run(clock.time + 5000)
  if (clock.waiting > 0) throw new Error('A timer is left.')
}
