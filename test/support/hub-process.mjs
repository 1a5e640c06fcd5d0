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
import { connectRedis } from './connect-redis.mjs'

async function start({ host, applicationId, token, redis: where, by }) {
  const redis = await connectRedis(where, {
    by,
    retry: { maxRetriesPerRequest: 1, retryStrategy: () => 100 },
  })
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

process.once('message', (order) => void start(order))
process.on('disconnect', () => process.exit())
process.send('ready')
