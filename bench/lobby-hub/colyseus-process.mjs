/** One Colyseus process: a room for each lobby, which sends its state as a message. */
import process from 'node:process'
import { Room, Server } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { lobbyAt } from './lobby-text.mjs'
import { measureProcess } from './measure-process.mjs'

const rooms = new Map()

class LobbyRoom extends Room {
  onCreate({ lobby }) {
    rooms.set(lobby, this)
  }
}

async function start({ port }) {
  const server = new Server({ transport: new WebSocketTransport(), greet: false })
  server.define('lobby', LobbyRoom).filterBy(['lobby'])
  measureProcess({
    message: (ids) => ids.forEach((id) => rooms.get(id)?.broadcast('lobby.updated', lobbyAt(id))),
  })
  await server.listen(port, '127.0.0.1')
  process.send({ port })
}

process.once('message', (options) => void start(options))
process.on('disconnect', () => process.exit())
process.send({ ready: true })
