/** State that the processes of a backend share: the lobby broker in memory and in Redis, and received interactions in Redis. */
import { keyOf } from '../../support/key-of'
import { redisLobbyBroker, redisStore } from 'foyer-sdk/redis'
import { defineCommand, type LobbyBroker, memoryLobbyBroker } from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sender, Signer, slash } from '../../unit/interactions/signed-sender'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

let server: RedisServer
let redis: Redis
let count = 0

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

describe.each([
  { kind: 'memory', create: () => memoryLobbyBroker() },
  { kind: 'Redis', create: () => redisLobbyBroker(redis, { prefix: `broker-${count++}` }) },
])('a lobby broker in $kind', needsRedis, ({ kind, create }) => {
  it('delivers notes to all listeners, until they unsubscribe', async () => {
    const broker = create()
    const notes: string[] = []
    let ready = 0
    const listen = (name: string) =>
      broker.subscribe({ note: (text) => void notes.push(name + text), gap: () => (ready += 1) })
    const [one, two] = [listen('a'), listen('b')]
    // A connection reports when it is subscribed; memory has none.
    await expect.poll(() => ready).toBe(kind === 'Redis' ? 2 : 0)
    await broker.publish('x')
    await expect.poll(() => notes.filter((note) => note.endsWith('x')).sort()).toEqual(['ax', 'bx'])
    one()
    await broker.publish('y')
    await expect.poll(() => notes.includes('by')).toBe(true)
    expect(notes).not.toContain('ay')
    two()
  })

  it('counts versions up, above what the caller has, and stores the newest text only', async () => {
    const broker = create()
    const versions = await Promise.all(Array.from({ length: 50 }, () => broker.nextVersion(0)))
    expect(new Set(versions).size).toBe(50)
    const ahead = Math.max(...versions) + 1_000_000_000
    expect(await broker.nextVersion(ahead)).toBe(ahead + 1)
    expect(await broker.nextVersion(0)).toBeGreaterThan(ahead + 1)
    expect(await broker.putNewest('k', { version: 5, text: 'five' }, 60_000)).toBe(true)
    expect(await broker.putNewest('k', { version: 4, text: 'four' }, 60_000)).toBe(false)
    expect(await broker.getAll(['k', 'none'])).toEqual(['five', undefined])
    const big = versions[0] ?? 0
    await broker.putNewest('k', { version: big, text: 'big' }, 60_000)
    expect(await broker.putNewest('k', { version: big - 1, text: 'older' }, 60_000)).toBe(false)
  })

  it('gives a text to one of many that take it', async () => {
    const broker: LobbyBroker = create()
    await broker.put('ticket', 'ada', 60_000)
    const taken = await Promise.all(Array.from({ length: 20 }, () => broker.take('ticket')))
    expect(taken.filter((text) => text !== undefined)).toEqual(['ada'])
  })

  it('lets members of a set end on their own', async () => {
    const broker = create()
    await broker.addMember(['s'], 'short', 1)
    await broker.addMember(['s'], 'long', 60_000)
    await broker.addMember(['s'], 'gone', 60_000)
    await broker.removeMember('s', 'gone')
    await expect.poll(() => broker.membersOf(['s', 'empty'])).toEqual([['long'], []])
  })
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
