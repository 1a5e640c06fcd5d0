/** One process of a game's backend with a lobby hub, as a game would write it; only the players' tokens are plain ids. */
import { createServer } from 'node:http'
import process from 'node:process'
import { ApplicationClient, botToken, createLobbyHub, toNodeListener } from 'foyer-sdk/server'

const HOUR = 3_600_000

async function verify(request) {
  const id = String(request.headers.get('authorization')).slice('Bearer '.length)
  return { id, username: `player-${id}`, expiresAt: Date.now() + HOUR, claims: {} }
}

function start({ host, applicationId }) {
  const client = new ApplicationClient({ applicationId, service: { host }, credentials: botToken('bench') })
  const hub = createLobbyHub({ client, verify })
  const listener = toNodeListener(hub)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send({ port: server.address().port }))
  process.on('message', ({ changed, memory }) => {
    for (const id of changed ?? []) void hub.changed(id)
    if (memory) process.send({ rss: process.memoryUsage().rss })
  })
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send({ ready: true })
