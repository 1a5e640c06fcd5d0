/** Starts a server on a free port of this machine. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  port: number
  /** Closes open connections, too. */
  close: () => Promise<void>
}

/** `host`: address to listen at. Default: loopback. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { port: (server.address() as AddressInfo).port, close }
}
