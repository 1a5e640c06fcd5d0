/** Proxy of a Redis server that delays connections or messages, or freezes. */
import { connect, createServer, type Socket } from 'node:net'
import { rmSync } from 'node:fs'

export interface RedisLine {
  /** Path of the socket to connect to instead of the server's own. */
  readonly path: string
  /** Connections of now carry nothing any more and stay open, like those to a server that was replaced while frozen. */
  freeze(): void
  close(): Promise<void>
}

/** `opening`: ms until the first response on a connection. `delay`: ms per message, in each direction. */
export async function openLine(
  target: string,
  { opening = 0, delay = 0 }: { opening?: number; delay?: number },
): Promise<RedisLine> {
  const path = `${target}-line`
  const sockets = new Set<Socket>()
  const frozen = new Set<Socket>()
  const server = createServer((near) => {
    const openAt = performance.now() + opening
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      // Timers of equal length preserve the order of the messages.
      from.on('data', (data) => {
        if (!frozen.has(from)) setTimeout(() => to.write(data), Math.max(delay, openAt - performance.now()))
      })
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  return {
    path,
    freeze: () => sockets.forEach((socket) => frozen.add(socket)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
      rmSync(path, { force: true })
    },
  }
}
