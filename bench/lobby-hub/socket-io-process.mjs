/** One process of a backend with socket.io and its Redis adapter: a room for each lobby. */
import { createServer } from 'node:http'
import process from 'node:process'
import { createAdapter } from '@socket.io/redis-adapter'
import { Redis } from 'ioredis'
import { Server } from 'socket.io'
import { lobbyAt } from './lobby-text.mjs'
import { measureProcess } from './measure-process.mjs'

function start({ redis }) {
  const publisher = new Redis({ path: redis })
  const server = createServer()
  const io = new Server(server, {
    adapter: createAdapter(publisher, publisher.duplicate()),
    transports: ['websocket'],
  })
  io.on('connection', (socket) => void socket.join(socket.handshake.auth.lobby))
  measureProcess({ message: (ids) => ids.forEach((id) => io.to(id).emit('lobby.updated', lobbyAt(id))) })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
    process.send({ port: server.address().port }),
  )
}

process.once('message', start)
process.on('disconnect', () => process.exit())
process.send({ ready: true })
