/** A line to a Redis server that is slow: to connect, or for each message. */
import { connect, createServer, type Socket } from 'node:net'
import { rmSync } from 'node:fs'

export interface RedisLine {
  /** Of the socket to connect to instead of the server's own. */
  readonly path: string
  close(): Promise<void>
}

/** `opening`: ms until a connection is answered for the first time. `delay`: ms that each message takes, in each direction. */
export async function openLine(target: string, { opening = 0, delay = 0 }: { opening?: number; delay?: number }): Promise<RedisLine> {
  const path = `${target}-line`
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const openAt = performance.now() + opening
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      // Timers of one length keep the order of the messages.
      from.on('data', (data) => void setTimeout(() => to.write(data), Math.max(delay, openAt - performance.now())))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  return {
    path,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
      rmSync(path, { force: true })
    },
  }
}
