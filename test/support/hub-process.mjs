/** One process of a game's backend with a lobby hub, controlled by messages of its parent. Uses the built package, as a game would. */
import { createServer } from 'node:http'
import process from 'node:process'
import { redisLobbyBroker } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  createPlayerVerifier,
  toNodeListener,
} from 'foyer-sdk/server'
import { Cluster, Redis } from 'ioredis'

/** Connects to the server at a path, or as the options of ioredis say; with `cluster`, to a cluster with these nodes. */
function connectRedis(where) {
  const retry = { maxRetriesPerRequest: 1, retryStrategy: () => 100 }
  if (where.cluster) return new Cluster(where.cluster, { redisOptions: retry })
  return new Redis({ ...(typeof where === 'string' ? { path: where } : where), ...retry })
}

function start({ host, applicationId, token, redis: where }) {
  const redis = connectRedis(where)
  // While the server is down, every connection attempt emits one.
  redis.on('error', () => undefined)
  const service = { host }
  const client = new ApplicationClient({ applicationId, service, credentials: botToken(token) })
  const verify = createPlayerVerifier({ applicationId, service })
  const hub = createLobbyHub({
    client,
    verify,
    broker: redisLobbyBroker(redis, { prefix: 'hub-test' }),
    awayAfter: 200,
  })
  const listener = toNodeListener(hub)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send('ready')
