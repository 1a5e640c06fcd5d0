/** Player's end of a stream: a bare connection, so that thousands of them cost the measuring process little. */
import { connect, type Socket } from 'node:net'

export interface ReaderOptions {
  port: number
  player: string
  lobby: string
  /** Called with the time of the change that an event of the lobby carries. */
  onState: (changedAt: number) => void
}

/** Connects and resolves with the socket when the first state has arrived. */
export function openReader({ port, player, lobby, onState }: ReaderOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(`GET /lobbies?lobbies=${lobby} HTTP/1.1\r\nHost: game.test\r\nAuthorization: Bearer ${player}\r\n\r\n`)
    })
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.lastIndexOf('\n\n')
      if (end < 0) return
      for (const [, at] of text.slice(0, end).matchAll(/"at":"([\d.]+)"/g)) {
        onState(Number(at))
        resolve(socket)
      }
      text = text.slice(end)
    })
  })
}
