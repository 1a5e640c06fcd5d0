/** attack/190 tickets that several processes share in a real Redis server: issued by one, redeemed by all at once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { redisLobbyBroker, redisStore } from 'foyer-sdk/redis'
import { createPlayerTickets, type Player, type TicketStore } from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { codeOf } from '../../support/settle'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())
const GAME = '1082700000000000001'
const ADA: Player = { id: '11' as Player['id'], expiresAt: 9e12, claims: {} }
const PROCESSES = 4
const TICKETS = 50

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

const create = (store: TicketStore, applicationId = GAME) =>
  createPlayerTickets({ applicationId, store, purposes: ['match', 'chat'], verify: async () => ADA })

async function start(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('../../support/ticket-process.mjs', import.meta.url)), {
    execArgv: [],
  })
  await once(child, 'message')
  return child
}

it('of processes that redeem the same tickets at once, one wins each', needsRedis, async () => {
  const own = create(redisStore(redis))
  const tickets = await Promise.all(Array.from({ length: TICKETS }, async () => own.issue(ADA, 'match')))
  const children = await Promise.all(Array.from({ length: PROCESSES }, start))
  const ends = children.map(async (child): Promise<string[]> => {
    const [message] = await once(child, 'message')
    return message
  })
  for (const child of children) child.send({ redis: server.path, applicationId: GAME, tickets })
  const outcomes = await Promise.all(ends)
  const winners = tickets.map((_, index) => outcomes.filter((list) => list[index] === ADA.id).length)
  expect(winners).toEqual(tickets.map(() => 1))
  expect(outcomes.flat().filter((end) => end === 'ticket_rejected')).toHaveLength((PROCESSES - 1) * TICKETS)
})

describe.each([
  { kind: 'redisStore', open: () => redisStore(redis, { prefix: 'one' }) },
  { kind: 'redisLobbyBroker', open: () => redisLobbyBroker(redis, { prefix: 'two' }) },
])('a ticket in $kind', needsRedis, ({ open }) => {
  it('is bound to application and purpose, ends by itself, and is not stored as it is', async () => {
    const [tickets, other] = [create(open()), create(open(), '1082700000000000002')]
    const ticket = await tickets.issue(ADA, 'match')
    expect(await codeOf(() => other.redeem(ticket, { purpose: 'match' }))).toBe('ticket_rejected')
    expect(await codeOf(() => tickets.redeem(ticket, { purpose: 'chat' }))).toBe('ticket_rejected')
    const keys = (await redis.keys('*ticket*')).filter((key) => key.includes(GAME))
    expect(keys).toHaveLength(1)
    expect(keys.join()).not.toContain(ticket)
    const life = await redis.pttl(keys[0] ?? '')
    expect(life).toBeGreaterThan(0)
    expect(life).toBeLessThanOrEqual(30_000)
    expect((await tickets.redeem(ticket, { purpose: 'match' })).id).toBe(ADA.id)
    expect(await redis.exists(keys)).toBe(0)
  })
})

it('without Redis a ticket is refused with an error that allows another attempt', needsRedis, async () => {
  const away = new Redis({ path: `${server.path}-none`, maxRetriesPerRequest: 0, retryStrategy: () => null })
  away.on('error', () => undefined)
  expect(await codeOf(() => create(redisStore(away)).redeem('x'.repeat(43), { purpose: 'match' }))).toBe(
    'connection_failed',
  )
  expect(await codeOf(() => create(redisStore(away)).issue(ADA, 'match'))).toBe('connection_failed')
  away.disconnect()
})
