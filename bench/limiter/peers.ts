/** Other rate limiters, configured as documented for N requests per window. */
import { REST } from '@discordjs/rest'
import Bottleneck from 'bottleneck'
import PQueue from 'p-queue'
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible'
import { Response } from 'undici'
import type { Send } from './service'

export const PEERS: Readonly<Record<string, (limit: number, per: number) => Send>> = {
  'p-queue strict'(limit, per) {
    const queue = new PQueue({ intervalCap: limit, interval: per, strict: true })
    return (request) => queue.add(request)
  },
  bottleneck(limit, per) {
    const limiter = new Bottleneck({
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: Math.max(250, per),
    })
    return (request) => limiter.schedule(request)
  },
  'rate-limiter-flexible'(limit, per) {
    const queue = new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: per / 1000 }), {
      maxQueueSize: 10_000,
    })
    return async (request) => {
      await queue.removeTokens(1)
      return request()
    }
  },
  '@discordjs/rest, one route': (limit, per) => discord(limit, per, 1),
  '@discordjs/rest, 100 routes': (limit, per) => discord(limit, per, 100),
}

/** It retries refused requests itself. */
function discord(limit: number, per: number, routes: number): Send {
  // All requests of a cell are the same, so the first one represents all.
  let made: REST | undefined
  let next = 0
  return (request) => rest(request).get(`/routes/${next++ % routes}`)

  function rest(request: Parameters<Send>[0]): REST {
    made ??= new REST({
      globalRequestsPerSecond: Math.floor((limit * 1000) / per),
      hashSweepInterval: 0,
      handlerSweepInterval: 0,
      makeRequest: async () => {
        const { status, header } = await request()
        const headers = { 'content-type': 'application/json', 'retry-after': header('retry-after') ?? '' }
        return new Response('{}', { status, headers })
      },
    }).setToken('token')
    return made
  }
}
