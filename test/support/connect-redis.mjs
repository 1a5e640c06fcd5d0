/** Clients of several packages, to one server, to Sentinels or to a cluster: connected as a game's backend would do it. */
import { Cluster, Redis } from 'ioredis'
import * as nodeRedis from 'redis'
import * as nodeRedis5 from 'redis-5'

/**
 * @param {string | { sentinels: object[], name: string } | { cluster: object[], options?: object }} where The path of a server, or its group.
 * @param {{ by?: string, retry?: object }} options `by`: `ioredis` (the default), `node-redis 6` or `node-redis 5`. `retry`: options of ioredis.
 */
export async function connectRedis(where, { by = 'ioredis', retry = {} } = {}) {
  const client = by === 'ioredis' ? ioredisOf(where, retry) : nodeRedisOf(where, by)
  // While a server is down, every connection attempt emits one.
  client.on('error', () => undefined)
  if (by !== 'ioredis') await client.connect()
  return client
}

function ioredisOf(where, retry) {
  if (where.cluster) return new Cluster(where.cluster, where.options ?? { redisOptions: retry })
  return new Redis({ ...(typeof where === 'string' ? { path: where } : where), ...retry })
}

function nodeRedisOf(where, by) {
  const { createClient, createCluster, createSentinel } = by.endsWith('5') ? nodeRedis5 : nodeRedis
  if (typeof where === 'string') return createClient({ socket: { path: where, tls: false } })
  if (where.cluster) return createCluster({ rootNodes: where.cluster.map((socket) => ({ socket })) })
  return createSentinel({ name: where.name, sentinelRootNodes: where.sentinels })
}
