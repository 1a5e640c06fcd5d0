/** The stores over clients of node-redis for Sentinels and for a cluster, with real servers. */
import { redisLobbyBroker, redisRateLimitStore, redisSessionStore, redisStore } from 'foyer-sdk/redis'
import {
  testLobbyBroker,
  testRateLimitStore,
  testReplayStore,
  testSessionStore,
  testTicketStore,
} from 'foyer-sdk/store-tests'
import { createCluster, createSentinel } from 'redis'
import { createCluster as createCluster5, createSentinel as createSentinel5 } from 'redis-5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisGroup, startCluster, startSentinelGroup } from '../../../support/redis-groups'
import { missingRedis } from '../../../support/redis-server'
import { skipIfMissing } from '../../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())
const logger = () => undefined

const clusterOf = ({ nodes }: RedisGroup) => ({ rootNodes: nodes.map((socket) => ({ socket })) })
const sentinelsOf = ({ nodes }: RedisGroup) => ({ name: 'game', sentinelRootNodes: [...nodes] })

/** Clients, by their versions. */
const CLIENTS = {
  'node-redis 6 for Sentinels': (group: RedisGroup) => createSentinel(sentinelsOf(group)),
  'node-redis 5 for Sentinels': (group: RedisGroup) => createSentinel5(sentinelsOf(group)),
  'node-redis 6 for a cluster': (group: RedisGroup) => createCluster(clusterOf(group)),
  'node-redis 5 for a cluster': (group: RedisGroup) => createCluster5(clusterOf(group)),
}
type Name = keyof typeof CLIENTS
/** The broker refuses it. */
const REFUSED = 'node-redis 5 for Sentinels'
const GROUPS: [string, () => Promise<RedisGroup>, Name[]][] = [
  ['Sentinels', startSentinelGroup, ['node-redis 6 for Sentinels', REFUSED]],
  ['a cluster', startCluster, ['node-redis 6 for a cluster', 'node-redis 5 for a cluster']],
]

describe.each(GROUPS)('%s', needsRedis, (_, start, names) => {
  let group: RedisGroup
  beforeAll(async () => {
    if (!needsRedis.skip) group = await start()
  }, 60_000)
  afterAll(async () => group?.close())

  describe.each(names)('by %s', (name) => {
    let client: ReturnType<(typeof CLIENTS)[Name]>
    beforeAll(async () => {
      if (needsRedis.skip) return
      client = CLIENTS[name](group)
      client.on('error', () => undefined)
      await client.connect()
    })
    afterAll(async () => client?.destroy())
    const own = { test: it, expect, unit: 100 }

    describe('a store of sessions', () => {
      testSessionStore({ ...own, open: (prefix) => redisSessionStore(client, { prefix, logger }) })
    })
    describe('a store of tickets', () => {
      testTicketStore({ ...own, open: (prefix) => redisStore(client, { prefix, logger }) })
    })
    describe('a store of received requests', () => {
      testReplayStore({ ...own, open: (prefix) => redisStore(client, { prefix, logger }) })
    })
    describe('a store of limits', () => {
      testRateLimitStore({
        ...own,
        open: (prefix) => redisRateLimitStore(client, { prefix, logger }),
        now: () => performance.now(),
      })
    })
    const testBroker = name === REFUSED ? () => undefined : testLobbyBroker
    testBroker({ ...own, open: (prefix) => redisLobbyBroker(client, { prefix, logger }) })
  })
})

it(`a hub is refused ${REFUSED}, which has no second connection for notes, and told what to use`, () => {
  const client = createSentinel5({ name: 'game', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] })
  expect(() => redisLobbyBroker(client)).toThrow(
    expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('node-redis 6') }),
  )
})
