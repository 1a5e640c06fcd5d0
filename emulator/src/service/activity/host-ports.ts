/** HTTP server of the host page: on the configured port of localhost if it is free, otherwise on another one. */
import { requireVisibleEnd } from '../../foundation/listening.js'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export interface HostListener {
  request: (request: IncomingMessage, response: ServerResponse) => void
  upgrade: (request: IncomingMessage, socket: Duplex) => void
}

export interface HostPorts {
  port: number
  /** Used while `port` is busy: the same one after a restart, so that an open page finds it again. Any port if it is busy too. */
  fallback: number
}

const LOOPBACK = '127.0.0.1'
/** Browsers resolve `localhost` to either address. */
const LOOPBACK6 = '::1'

export class HostServer {
  #servers: Server[] = []
  #origin: string | undefined
  #busyPort: number | undefined
  readonly #upgraded = new Set<Duplex>()

  /** `http://localhost:PORT`, while it listens. */
  get origin(): string | undefined {
    return this.#origin
  }

  /** The configured port, if another program uses it. */
  get busyPort(): number | undefined {
    return this.#busyPort
  }

  /** Does nothing if it is already listening. */
  async listen({ port, fallback }: HostPorts, listener: HostListener): Promise<void> {
    if (this.#servers.length > 0) return
    const wanted = await this.#open(port, listener)
    this.#busyPort = wanted === undefined ? port : undefined
    this.#servers = wanted ?? (await this.#open(fallback, listener)) ?? (await this.#open(0, listener)) ?? []
    const address = this.#servers[0]?.address()
    this.#origin =
      typeof address === 'object' && address !== null ? `http://localhost:${address.port}` : undefined
  }

  async close(): Promise<void> {
    const servers = this.#servers.splice(0)
    this.#origin = undefined
    for (const socket of this.#upgraded) socket.destroy()
    await Promise.all(servers.map(shut))
  }

  /** Undefined if the port is in use on either address. */
  async #open(port: number, listener: HostListener): Promise<Server[] | undefined> {
    const first = this.#create(listener)
    if ((await bind(first, port, LOOPBACK)) !== 'open') return undefined
    const address = first.address()
    const second = this.#create(listener)
    const outcome = await bind(
      second,
      typeof address === 'object' && address !== null ? address.port : port,
      LOOPBACK6,
    )
    if (outcome === 'open') return [first, second]
    if (outcome === 'impossible') return [first]
    await shut(first)
    return undefined
  }

  #create({ request, upgrade }: HostListener): Server {
    const server = createServer(requireVisibleEnd(request))
    server.on('upgrade', (incoming, socket) => {
      this.#upgraded.add(socket)
      socket.once('close', () => this.#upgraded.delete(socket))
      upgrade(incoming, socket)
    })
    return server
  }
}

function bind(server: Server, port: number, host: string): Promise<'open' | 'busy' | 'impossible'> {
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'busy' : 'impossible'),
    )
    server.listen(port, host, () => resolve('open'))
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Path of the host page on its origin; all other paths may be the game's. */
export const HOST_PATH = '/_activity/'
