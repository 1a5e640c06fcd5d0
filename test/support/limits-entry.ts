/** Exports of the limiter for a page under test, for bundling. */
import { indexedDbRateLimitStore, RateLimiter, systemClock } from './internals'

export const joinBudget = (name: string) => indexedDbRateLimitStore({ name, clock: systemClock })

/** Registers a party with the store. It sends `count` requests as fast as the limits allow; `check` simulates the service. */
export async function enter(
  name: string,
): Promise<(count: number, check: () => Promise<void>) => Promise<void>> {
  const store = joinBudget(name)
  await store.acquire({ buckets: [], want: 0, hold: 0 })
  const limiter = new RateLimiter({ clock: systemClock, store, parties: 5, hold: 1500 })
  const send = async (check: () => Promise<void>) => {
    const lease = await limiter.acquire({ buckets: [{ name: 'join_lobby', limit: 10, per: 4000 }] })
    await check()
    lease.answered({ status: 200 })
  }
  return async (count, check) => {
    await Promise.all(Array.from({ length: count }, () => send(check)))
    limiter.close()
  }
}
