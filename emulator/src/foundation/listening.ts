/** Listens on loopback, and on an additional address for other devices. */
import { EmulatorError } from './emulator-error.js'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'

export interface Listening {
  port: number
  /** Addresses for other devices, in the form of a URL's host; empty on loopback alone. */
  network: string[]
  close: () => Promise<void>
}

interface ListenOptions {
  port: number
  /** Additional address. */
  host: string
  listener: RequestListener
  /** Receives requests for another protocol, such as WebSocket. */
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

const LOOPBACK = '127.0.0.1'
/** ms. Longer than clients keep unused connections: a request on one that the server just closed fails with `other side closed`. */
const KEEP_ALIVE_TIMEOUT = 65_000
const WILDCARDS = new Set(['0.0.0.0', '::'])

/** @throws EmulatorError `port_in_use`, `host_unusable`. */
export async function listenAt({ port: wanted, host, listener, upgrade }: ListenOptions): Promise<Listening> {
  const servers: Server[] = []
  const upgraded = new Set<Duplex>()
  const open = async (address: string, port: number) => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT }, requireVisibleEnd(listener))
    servers.push(server)
    server.on('upgrade', (request, socket, head) => {
      upgraded.add(socket)
      socket.once('close', () => upgraded.delete(socket))
      upgrade(request, socket, head)
    })
    return bind(server, { host: address, port })
  }
  const close = async () => {
    // The server knows them no more.
    for (const socket of upgraded) socket.destroy()
    await Promise.all(servers.splice(0).map(shut))
  }
  try {
    const port = await open(WILDCARDS.has(host) ? host : LOOPBACK, wanted)
    if (!WILDCARDS.has(host) && host !== LOOPBACK && host !== 'localhost') await open(host, port)
    return { port, network: networkAddresses(host), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** All IPv4 addresses of this machine for a wildcard, otherwise the given address. */
function networkAddresses(host: string): string[] {
  if (host === LOOPBACK || host === 'localhost') return []
  if (!WILDCARDS.has(host)) return [host.includes(':') ? `[${host}]` : host]
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address)
}

function bind(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, { port, host })))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function explain(error: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): Error {
  if (error.code === 'EADDRINUSE')
    return new EmulatorError(
      'port_in_use',
      `Port ${port} is in use; choose another one with --port (in a program with { port }), or 0 for any.`,
      {
        cause: error,
      },
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new EmulatorError(
      'host_unusable',
      `${JSON.stringify(host)} is no address of this machine; --host 0.0.0.0 takes all of them.`,
      {
        cause: error,
      },
    )
  return error
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** RFC 9112 section 6.3: without `chunked` as the last coding, the server must answer 400 and close the connection. */
export function requireVisibleEnd(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasVisibleEnd(request)) listener(request, response)
    else response.writeHead(400, { connection: 'close' }).end()
  }
}

function hasVisibleEnd({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding === undefined || /(?:^|,)\s*chunked\s*$/i.test(coding)
}
