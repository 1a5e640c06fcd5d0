/**
 * One process of a game's backend: a lobby hub and sessions within one budget, with Redis if there are several processes. Tokens of members are
 * plain ids; all others are looked up at the service.
 */
import { createServer } from 'node:http'
import process from 'node:process'
import { redisLobbyBroker, redisRateLimitStore, redisSessionStore } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createLobbyHub,
  createPlayerVerifier,
  createSessionHandler,
  MemoryRateLimitStores,
  memorySessionStore,
  toNodeListener,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'

const HOUR = 3_600_000
const PLAIN = /^Bearer (\d+)$/

/** Parts that the processes share, or those of the only one. */
function createStores({ redis: path, processes }) {
  if (path === undefined) {
    const stores = new MemoryRateLimitStores()
    return { limits: () => stores.store(), sessions: memorySessionStore() }
  }
  const connection = new Redis({ path })
  return {
    limits: () => redisRateLimitStore(connection, { processes }),
    sessions: redisSessionStore(connection),
    broker: redisLobbyBroker(connection),
  }
}

function start({ host, applicationId, token, secret, origin, ...rest }) {
  const { limits, sessions, broker } = createStores(rest)
  const application = { applicationId, service: { host } }
  const client = new ApplicationClient({
    ...application,
    credentials: botToken(token),
    rateLimitStore: limits(),
  })
  const lookUp = createPlayerVerifier({ ...application, accessTokens: true, rateLimitStore: limits() })
  const verify = async (request) => {
    const id = PLAIN.exec(request.headers.get('authorization') ?? '')?.[1]
    return id === undefined
      ? lookUp(request)
      : { id, username: `player-${id}`, expiresAt: Date.now() + HOUR, claims: {} }
  }
  const session = createSessionHandler({
    ...application,
    credentials: clientSecret(secret),
    origins: [origin],
    store: sessions,
    tokens: 'none',
    rateLimitStore: limits(),
  })
  /** Lobbies of which only a player's report tells the hub that they have changed. */
  const silent = new Set()
  const lobbies = {
    get: (id, options) => client.lobbies.get(id, options),
    removeMember: (id, player) => client.lobbies.removeMember(id, player),
    onChanged: (listener) => client.lobbies.onChanged((id) => silent.delete(id) || listener(id)),
  }
  const hub = createLobbyHub({
    client: { applicationId, lobbies, users: client.users, limits: () => client.limits() },
    verify,
    ...(broker && { broker }),
  })
  const [answerHub, answerSession] = [toNodeListener(hub), toNodeListener(session)]
  const server = createServer(
    (incoming, outgoing) =>
      void (incoming.url.startsWith('/session/') ? answerSession : answerHub)(incoming, outgoing),
  )
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
    process.send({ port: server.address().port }),
  )
  process.on('message', ({ lobby, at, isSilent }) => {
    if (isSilent) silent.add(lobby)
    void change(client, lobby, at)
  })
}

/** A call of the bot, timed in ms. */
async function change(client, lobby, at) {
  const from = performance.now()
  await client.lobbies.edit(lobby, { metadata: { at } })
  process.send({ took: performance.now() - from })
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send({ ready: true })
