/** One process of a game's backend with a lobby hub, as a game would write it; only the players' tokens are plain ids. */
import { createServer } from 'node:http'
import process from 'node:process'
import { redisLobbyBroker } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  toNodeListener,
  undiciTransport,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { Pool } from 'undici'
import { lobbyAt } from './lobby-text.mjs'
import { measureProcess } from './measure-process.mjs'

const HOUR = 3_600_000
/** Bytes below which a part of a stream is a heartbeat. */
const SMALLEST = 64

async function verify(request) {
  const id = String(request.headers.get('authorization')).slice('Bearer '.length)
  return { id, username: `player-${id}`, expiresAt: Date.now() + HOUR, claims: {} }
}

function start({ host, applicationId, redis }) {
  const transport = undiciTransport(new Pool(host, { connections: 16 }))
  const client = new ApplicationClient({
    applicationId,
    service: { host },
    transport,
    credentials: botToken('bench'),
  })
  const broker = redis === undefined ? undefined : redisLobbyBroker(new Redis({ path: redis }))
  const hub = createLobbyHub({ client, verify, maxConnectsPerSecond: Infinity, ...(broker && { broker }) })
  const listener = toNodeListener(hub)
  const record = measureProcess({
    changed: (ids) => ids.forEach((id) => void hub.changed(id)),
    message: (ids) => ids.forEach((id) => void hub.deliverMessage({ lobby_id: id, ...lobbyAt(id) })),
  })
  const server = createServer((incoming, outgoing) => {
    const write = outgoing.write.bind(outgoing)
    outgoing.write = (part) => {
      const isFree = write(part)
      if (part.length > SMALLEST) record()
      return isFree
    }
    void listener(incoming, outgoing)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
    process.send({ port: server.address().port }),
  )
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send({ ready: true })
