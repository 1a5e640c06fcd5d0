/** A line to the emulator whose WebSockets break after some bytes, in the middle of a frame or of a handshake. */
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingLine {
  /** Origin at the near end. */
  readonly url: string
  /** Number of sockets that were cut. */
  readonly cuts: number
  /** Cuts every WebSocket now, and those that come until `mend`. Other requests pass. */
  tear(): void
  mend(): void
  /** The sockets of now break no more. */
  keep(): void
  close(): Promise<void>
}

/** @param budgets bytes that a WebSocket carries to the bot before it breaks, one for each in turn. */
export async function openCuttingLine(target: string, budgets: readonly number[]): Promise<CuttingLine> {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  const upgraded = new Set<Socket>()
  let opened = 0
  let cuts = 0
  let isTorn = false
  let isKept = false
  const cut = (near: Socket): void => {
    if (!upgraded.delete(near)) return
    cuts += 1
    near.destroy()
  }
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    let left = Infinity
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        to.destroy()
        sockets.delete(from)
      })
    }
    near.on('data', (data) => {
      if (/^upgrade: websocket/im.test(data.toString('latin1')) && !upgraded.has(near)) {
        upgraded.add(near)
        left = budgets[opened++ % budgets.length] ?? Infinity
        if (isTorn) return cut(near)
      }
      far.write(data)
    })
    far.on('data', (data) => {
      near.write(isKept ? data : data.subarray(0, left))
      left -= data.length
      if (left <= 0 && !isKept) near.end(() => cut(near))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    get cuts() {
      return cuts
    },
    tear() {
      isTorn = true
      for (const near of upgraded) cut(near)
    },
    mend() {
      isTorn = false
    },
    keep() {
      isKept = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
