/** Second address of the dev server, for a second player: browsers keep the sessions of `localhost` and `127.0.0.1` apart. */
import { connect, createServer } from 'node:net'

/** What it uses of the dev server. */
interface DevServer {
  address(): { address: string; port: number } | string | null
  once(event: 'close', listener: () => void): unknown
}

/**
 * Makes a server that has `::1` only, as `localhost` may mean, answer at `127.0.0.1` too. Every other server does so by itself. If another
 * program has that port, the second address stays without an answer.
 */
export function serveSecondName(server: DevServer): void {
  const own = server.address()
  if (own === null || typeof own === 'string' || own.address !== '::1') return
  const second = createServer((socket) => {
    const target = connect(own.port, own.address)
    socket.on('error', () => target.destroy())
    target.on('error', () => socket.destroy())
    socket.pipe(target).pipe(socket)
  })
  second.on('error', () => undefined)
  second.listen(own.port, '127.0.0.1')
  second.unref()
  server.once('close', () => second.close())
}
