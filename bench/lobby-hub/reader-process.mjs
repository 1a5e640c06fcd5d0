/** Players' ends of streams: bare connections in a process of their own, so that receiving costs the server's process nothing. */
import { connect } from 'node:net'
import process from 'node:process'
import { now } from './measure-process.mjs'

const MARK = Buffer.from('"at":"')
/** Times at which the changes of the current round arrived, in ms after the change. */
let times = []
let expected = Number.POSITIVE_INFINITY
/** Time of the changes of this round, as text; or the time after which each of them happens. */
let current = ''
let since = Number.POSITIVE_INFINITY
/** Streams that have ended. */
let closed = 0

/** Connects, and resolves when the state of each of the player's lobbies has arrived. */
function open({ port, player, lobbies }) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let missing = lobbies.length
    let tail = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(
        `GET /lobbies?lobbies=${lobbies.join(',')} HTTP/1.1\r\nHost: game.test\r\nAuthorization: Bearer ${player}\r\n\r\n`,
      )
    })
    socket.on('close', () => (closed += 1))
    socket.on('data', (chunk) => {
      const text = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
      let from = 0
      for (;;) {
        const at = text.indexOf(MARK, from)
        const end = at < 0 ? -1 : text.indexOf(0x22, at + MARK.length)
        if (end < 0) break
        from = end
        if (--missing === 0) resolve()
        receive(text.toString('latin1', at + MARK.length, end))
      }
      tail = Buffer.from(text.subarray(Math.max(from, text.length - 64)))
    })
  })
}

function receive(at) {
  if (at !== current && Number(at) < since) return
  times.push(now() - Number(at))
  if (times.length === expected) report()
}

function report() {
  process.send({ times, closed })
  times = []
}

process.on('message', ({ players, round }) => {
  if (players) void Promise.all(players.map(open)).then(() => process.send({ opened: players.length }))
  if (!round) return
  ;({ current = '', expected, since = Number.POSITIVE_INFINITY } = round)
  times = []
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })
