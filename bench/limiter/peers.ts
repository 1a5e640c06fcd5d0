/** Other limiters, set up as their documentation says for N requests in W. */
import Bottleneck from 'bottleneck'
import PQueue from 'p-queue'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import type { Send } from './service'

export const PEERS: Readonly<Record<string, (limit: number, per: number) => Send>> = {
  'p-queue strict'(limit, per) {
    const queue = new PQueue({ intervalCap: limit, interval: per, strict: true })
    return (request) => queue.add(request)
  },
  bottleneck(limit, per) {
    const limiter = new Bottleneck({ reservoir: limit, reservoirRefreshAmount: limit, reservoirRefreshInterval: Math.max(250, per) })
    return (request) => limiter.schedule(request)
  },
  'rate-limiter-flexible'(limit, per) {
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: per / 1000 }), { maxQueueSize: 10_000 })
    return async (request) => {
      await queue.removeTokens(1)
      await request()
    }
  },
}
