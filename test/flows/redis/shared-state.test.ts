/** Received interactions, which the processes of a backend share in Redis. */
import { keyOf } from '../../support/key-of'
import { redisStore } from 'foyer-sdk/redis'
import { defineCommand } from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sender, Signer, slash } from '../../unit/interactions/signed-sender'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

let server: RedisServer
let redis: Redis

beforeAll(async () => {
  if (needsRedis.skip) return
  server = await startRedis()
  redis = new Redis({ path: server.path, maxRetriesPerRequest: 1 })
  redis.on('error', () => undefined)
})
afterAll(async () => {
  if (needsRedis.skip) return
  redis.disconnect()
  await server.close()
})

describe('received interactions in Redis', needsRedis, () => {
  it('are found by one of two processes that receive the same request at once, and end', async () => {
    const other = new Redis({ path: server.path })
    const stores = [redisStore(redis, { prefix: 'seen' }), redisStore(other, { prefix: 'seen' })]
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => stores[index % 2]?.seen(keyOf('signature'), 60_000)),
    )
    expect(seen.filter((each) => each === false)).toHaveLength(1)
    expect(await stores[0]?.seen(keyOf('short'), 1)).toBe(false)
    await expect.poll(() => redis.exists('{seen:1}:seen:short')).toBe(0)
    other.disconnect()
  })

  it('let one of two processes handle an interaction that is signed twice', async () => {
    const other = new Redis({ path: server.path })
    const signer = await Signer.create()
    const ran: string[] = []
    const commands = [defineCommand({ name: 'x', description: 'd' }, ({ id }) => (ran.push(id), 'here'))]
    const processes = [redis, other].map(
      (each) => new Sender(signer, { commands, replays: redisStore(each, { prefix: 'interactions' }) }),
    )
    processes[1]?.clock.advance(1000)
    const payloads = Array.from({ length: 20 }, () => slash('x'))
    const statuses = await Promise.all(
      payloads.flatMap((each) => processes.map(async (one) => (await one.deliver(each)).status)),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(ran.toSorted()).toEqual(payloads.map(({ id }) => id).toSorted())
    other.disconnect()
  })

  it('reject while Redis is unavailable, instead of passing a replay', async () => {
    const away = new Redis({
      path: `${server.path}-none`,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    })
    away.on('error', () => undefined)
    await expect(redisStore(away).seen(keyOf('x'), 1000)).rejects.toThrow(/./)
    away.disconnect()
  })
})
