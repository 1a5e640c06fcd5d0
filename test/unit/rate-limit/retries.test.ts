/** Retries of one request through the limiter, and its total wait. Each test reproduces a defect of other clients. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NetworkError } from 'foyer-sdk'
import { DEVELOPMENT_LIMITS, LIMITS } from 'foyer-sdk/server'
import {
  AbortGroup,
  type RetriedRequest,
  MAX_GLOBAL_LIMIT,
  monotonic,
  RateLimiter,
  type ResponseHead,
  sendRetried,
} from '../../support/internals'
import { VirtualClock } from './support/virtual-clock'

type Reaction = ResponseHead | Error

let clock: VirtualClock
let limiter: RateLimiter
let sent: number[]

beforeEach(() => {
  clock = new VirtualClock()
  limiter = new RateLimiter({ clock })
  sent = []
})
afterEach(() => limiter.close())

const response = (
  status: number,
  headers: Record<string, string> = {},
  body: unknown = {},
): ResponseHead => ({
  status,
  header: (name) => headers[name] ?? null,
  body,
})
const lost = new NetworkError('timed_out', 'POST /lobbies')
const unsent = new NetworkError('connection_failed', 'POST /lobbies', {
  cause: { cause: { code: 'ECONNREFUSED' } },
})

/** A call that gets these responses in sequence; the last one repeats forever. */
function call(
  reactions: readonly Reaction[],
  request: Partial<RetriedRequest<ResponseHead>> = {},
  life: AbortGroup = new AbortGroup(),
): Promise<ResponseHead> {
  const send = () =>
    new Promise<ResponseHead>((resolve, reject) => {
      const reaction = reactions[Math.min(sent.length, reactions.length - 1)]
      sent.push(clock.time)
      clock.at(clock.time + 10, () =>
        reaction instanceof Error ? reject(reaction) : reaction && resolve(reaction),
      )
    })
  const buckets = [{ name: 'join_lobby', key: 'ada', ...LIMITS.join_lobby }]
  return sendRetried(
    { limiter, clock: monotonic(clock), abortGroup: life, chance: () => 1 },
    { method: 'POST', route: 'POST /lobbies', buckets, send, ...request },
  )
}

/** The state of a call after `time`. */
async function outcome(work: Promise<unknown>, time = 600_000): Promise<unknown> {
  const settled = work.catch((error: unknown) => error)
  await clock.run(clock.time + time)
  return settled
}

describe('an unavailable service', () => {
  it('gets no request for the requested wait, and never waits less than usual', async () => {
    const away = response(503, { 'retry-after': '3' })
    expect(await outcome(call([away, response(200)], { method: 'GET' }))).toMatchObject({ status: 200 })
    expect(sent).toEqual([0, 3010])
    sent = []
    const begin = clock.time
    expect(
      await outcome(call([response(503, { 'retry-after': '0' }), response(200)], { method: 'GET' })),
    ).toMatchObject({ status: 200 })
    expect(sent).toEqual([begin, begin + 210])
  })

  it("with a wait beyond the call's maximum ends the call at once", async () => {
    const away = response(503, { 'retry-after': '6' })
    expect(await outcome(call([away, response(200)], { method: 'GET', maxWait: 5000 }), 100)).toMatchObject({
      status: 503,
    })
    expect(sent).toEqual([0])
  })

  it("with a wait of exactly the call's maximum is retried, however late the call begins", async () => {
    await clock.run(60_000)
    const away = response(503, { 'retry-after': '5' })
    expect(await outcome(call([away, response(200)], { method: 'GET', maxWait: 5000 }))).toMatchObject({
      status: 200,
    })
    expect(sent).toEqual([60_000, 65_010])
  })

  it("counts a wait for a limit towards the call's maximum", async () => {
    const buckets = [{ name: 'b', limit: 1, per: 3000 }]
    const reactions = [
      response(503, { 'retry-after': '1' }),
      response(503, { 'retry-after': '3' }),
      response(200),
    ]
    expect(await outcome(call(reactions, { method: 'GET', maxWait: 5000, buckets }))).toMatchObject({
      status: 503,
    })
    expect(sent).toHaveLength(2)
  })

  it("is retried after two waits within the call's total maximum", async () => {
    const away = response(503, { 'retry-after': '3' })
    expect(await outcome(call([away, away, response(200)], { method: 'GET', maxWait: 5000 }))).toMatchObject({
      status: 503,
    })
    expect(sent).toEqual([0, 3010])
  })

  it('never gets a non-idempotent request twice', async () => {
    expect(await outcome(call([response(503, { 'retry-after': '1' }), response(200)]))).toMatchObject({
      status: 503,
    })
    expect(sent).toEqual([0])
  })
})

describe('a request with a 429', () => {
  it('keeps its place before the requests that came later', async () => {
    const order: string[] = []
    const labelled = (name: string, reactions: readonly ResponseHead[], maxWait?: number) => {
      const left = [...reactions]
      const send = () => {
        order.push(name)
        return new Promise<ResponseHead>((resolve) =>
          clock.at(clock.time + 10, () => resolve(left.shift() ?? response(201))),
        )
      }
      return call([], { send, maxWait, buckets: [{ name: 'b', limit: 1, per: 1000 }] })
    }
    const calls = [
      labelled('first', [response(429, { 'retry-after': '1' })], 2500),
      labelled('second', []),
      labelled('third', []),
    ]
    await outcome(Promise.all(calls))
    expect(order).toEqual(['first', 'first', 'second', 'third'])
  })

  it('is sent again after the wait in the body, whatever the method', async () => {
    const rejection = response(429, { 'retry-after': '1' }, { retry_after: 1.25, global: false })
    expect(await outcome(call([rejection, response(201)]))).toMatchObject({ status: 201 })
    expect(sent).toEqual([0, 1260])
  })

  it('obeys Retry-After as seconds and as a date', async () => {
    expect(await outcome(call([response(429, { 'retry-after': '3' }), response(201)]))).toMatchObject({
      status: 201,
    })
    expect(sent).toEqual([0, 3010])
    clock.offset = Date.UTC(2026, 0, 1) - clock.time
    const date = new Date(clock.now() + 5000).toUTCString()
    sent = []
    const begin = clock.time
    await outcome(call([response(429, { 'retry-after': date }), response(201)]), begin + 100_000)
    expect((sent[1] ?? 0) - begin).toBeGreaterThanOrEqual(5000)
    expect((sent[1] ?? 0) - begin).toBeLessThanOrEqual(6100)
  })

  it('waits for a moment if the date is in the past by the local clock', async () => {
    clock.offset = Date.UTC(2026, 0, 1)
    const date = new Date(clock.now() - 60_000).toUTCString()
    expect(await outcome(call([response(429, { 'retry-after': date }), response(201)]))).toMatchObject({
      status: 201,
    })
    expect(sent).toEqual([0, 1010])
  })

  it('fails at once if the wait is longer than the call may wait', async () => {
    const error = await outcome(call([response(429, { 'retry-after': '3600' })], { maxWait: 5000 }), 100)
    expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 300_000, bucket: 'join_lobby' })
    expect(sent).toHaveLength(1)
  })

  it('fails with a wait of more than five minutes if its limit has a longer window', async () => {
    const away = response(429, { 'retry-after': '7000' })
    const buckets = [{ name: 'message', limit: 5, per: 7_200_000 }]
    expect(await outcome(call([away], { buckets }), 40_000_000)).toMatchObject({
      code: 'rate_limited',
      retryAfter: 7_000_000,
    })
  })

  it("is not retried forever: after a few attempts it fails with the service's wait", async () => {
    clock.offset = Date.UTC(2026, 0, 1)
    const error = await outcome(call([response(429, { 'retry-after': '1' })]))
    const resetAt = clock.offset + (sent[4] ?? 0) + 1010
    expect(error).toMatchObject({ code: 'rate_limited', retryAfter: 1000, resetAt, bucket: 'join_lobby' })
    expect(sent).toHaveLength(5)
  })

  it('goes through the limiter each time', async () => {
    const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
    await outcome(call([response(429, { 'retry-after': '1' }), response(201)], { buckets }))
    expect(sent[1]).toBeGreaterThan(60_000)
  })
})

describe('a request without a response', () => {
  it('is not sent again if it may have been processed', async () => {
    expect(await outcome(call([lost]))).toBe(lost)
    expect(sent).toHaveLength(1)
  })

  it('is sent again if it is idempotent', async () => {
    expect(await outcome(call([lost, response(200)], { method: 'PUT' }))).toMatchObject({ status: 200 })
    expect(await outcome(call([lost, response(200)], { isRepeatable: true }))).toMatchObject({ status: 200 })
  })

  it('keeps its slot for a whole window, since the service may have counted it', async () => {
    const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
    expect(await outcome(call([lost, response(200)], { method: 'PUT', buckets }))).toMatchObject({
      status: 200,
    })
    expect(sent[1]).toBeGreaterThan(60_000)
  })

  it('takes no slot if it was never sent', async () => {
    const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
    expect(await outcome(call([unsent, response(201)], { buckets }))).toMatchObject({ status: 201 })
    expect(sent[1]).toBeLessThan(1000)
  })

  it('is sent again if it was never sent', async () => {
    expect(await outcome(call([unsent, response(201)]))).toMatchObject({ status: 201 })
    expect(limiter.limits()).toEqual([])
  })

  it.each(['text', null, 7])('rejects with its own error if the cause is %j', async (cause) => {
    const error = new NetworkError('connection_failed', 'POST /lobbies', { cause })
    expect(await outcome(call([error]))).toBe(error)
  })

  it('does not block later requests', async () => {
    const buckets = [{ name: 'b', limit: 1, per: 1000 }]
    const first = call([lost], { buckets }).catch(() => {})
    const second = call([response(200)], { buckets })
    expect(await outcome(second)).toMatchObject({ status: 200 })
    await first
  })
})

/** Names of the calls in the order in which they were sent: one retries, and another comes before that retry. */
async function orderOf(first: Reaction): Promise<string[]> {
  const order: string[] = []
  const buckets = [{ name: 'b', limit: 1, per: 60_000 }]
  const begin = (name: string, reactions: Reaction[]) => {
    let sends = 0
    const send = async () => {
      order.push(name)
      const reaction = reactions[sends++]
      if (reaction instanceof Error || !reaction) throw reaction ?? new Error('sent too often')
      return reaction
    }
    return call([], { method: 'GET', buckets, send })
  }
  const retried = begin('retried', [first, response(200)])
  await clock.run(clock.time + 50)
  const other = begin('other', [response(200)])
  await outcome(Promise.all([retried, other]))
  return order
}

describe('a retry that waits for its limit', () => {
  it('goes first after a 429, and otherwise behind the calls that came before it', async () => {
    expect(await orderOf(response(429, { 'retry-after': '1' }))).toEqual(['retried', 'retried', 'other'])
    expect(await orderOf(lost)).toEqual(['retried', 'other', 'retried'])
  })
})

describe('a failing server', () => {
  it('gets idempotent requests again, and its final response is returned', async () => {
    expect(await outcome(call([response(503)], { method: 'GET' }))).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(3)
    sent = []
    expect(await outcome(call([response(503)]), 1_200_000)).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(1)
  })

  it.each([400, 401, 403, 404, 500])('with status %i is not retried', async (status) => {
    expect(await outcome(call([response(status)], { method: 'GET' }))).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })
})

it('a call that is cancelled during a delay ends at once', async () => {
  const controller = new AbortController()
  const work = call([unsent], { signal: controller.signal })
  const settled = work.catch((error: unknown) => error)
  await clock.run(20)
  controller.abort()
  expect(await settled).toMatchObject({ code: 'aborted' })
})

it('a call whose client is closed during a delay ends at once, and leaves no timer', async () => {
  const life = new AbortGroup()
  const settled = call([unsent], {}, life).catch((error: unknown) => error)
  await clock.run(20)
  life.end()
  expect(await settled).toMatchObject({ code: 'aborted' })
  limiter.close()
  expect(clock.waiting).toBe(0)
})

describe('the documented limits', () => {
  it.each([
    ['create_lobby', 500, 10_000],
    ['delete_lobby', 500, 10_000],
    ['get_lobby', 500, 10_000],
    ['add_lobby_member', 5000, 10_000],
    ['remove_lobby_member', 5000, 10_000],
    ['global', 50, 1000],
    ['send_message', 3000, 7_200_000],
    ['join_lobby', 10, 60_000],
  ] as const)('%s: %i in %i ms', (name, limit, per) => {
    expect(LIMITS[name]).toEqual({ limit, per })
  })

  it('the global limit can be raised to 1200; in development 100 lobby calls fit into two hours', () => {
    expect(MAX_GLOBAL_LIMIT).toBe(1200)
    expect(DEVELOPMENT_LIMITS.create_lobby).toEqual({ limit: 100, per: 7_200_000 })
  })

  it('in development reading and deleting lobbies, and the limits of one player, stay as they are', () => {
    for (const name of ['get_lobby', 'delete_lobby', 'join_lobby', 'send_message', 'global'] as const)
      expect(DEVELOPMENT_LIMITS[name]).toEqual(LIMITS[name])
  })
})

describe('the delays between attempts', () => {
  it('double each time', async () => {
    await outcome(call([unsent]))
    const pauses = sent.slice(1).map((at, index) => at - (sent[index] ?? 0) - 10)
    expect(pauses).toEqual([200, 400, 800])
  })

  it('leave nothing in the abort group of a client', async () => {
    let added = 0
    let waiting = 0
    class CountingGroup extends AbortGroup {
      override onEnd(end: () => void): () => void {
        const remove = super.onEnd(end)
        added += 1
        waiting += 1
        return () => {
          waiting -= 1
          remove()
        }
      }
    }
    await outcome(call([unsent, response(200)], {}, new CountingGroup()))
    expect(sent).toHaveLength(2)
    expect([added, waiting]).toEqual([1, 0])
  })
})
