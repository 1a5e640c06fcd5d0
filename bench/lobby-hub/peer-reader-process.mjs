/** Players of the peers in a process of their own, with the peers' own clients. */
import process from 'node:process'
import { Client } from 'colyseus.js'
import { io } from 'socket.io-client'
import { now } from './measure-process.mjs'

let times = []
let expected = Number.POSITIVE_INFINITY

function receive({ metadata }) {
  times.push(now() - Number(metadata.at))
  if (times.length === expected) process.send({ times, closed: 0 })
}

const open = {
  'socket.io': ({ port, lobbies: [lobby] }) =>
    new Promise((resolve, reject) => {
      const socket = io(`http://127.0.0.1:${port}`, {
        auth: { lobby },
        transports: ['websocket'],
        forceNew: true,
      })
      socket.on('lobby.updated', receive)
      socket.on('connect', resolve)
      socket.on('connect_error', reject)
    }),
  async colyseus({ port, lobbies: [lobby] }) {
    const room = await new Client(`http://127.0.0.1:${port}`).joinOrCreate('lobby', { lobby })
    room.onMessage('lobby.updated', receive)
  },
}

process.on('message', ({ peer, players, round }) => {
  if (players) void Promise.all(players.map(open[peer])).then(() => process.send({ opened: players.length }))
  if (!round) return
  expected = round.expected
  times = []
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
