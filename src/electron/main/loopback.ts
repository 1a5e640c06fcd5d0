/** Hears one answer on this machine: a server on `127.0.0.1`, on a port of the system's choice, for one attempt to sign in (RFC 8252 section 7.3). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ANSWER_HEADERS, loopbackPage } from './loopback-page'

/** The literal address: what `localhost` means is up to a file that others may write (RFC 8252 section 8.3). */
const HOST = '127.0.0.1'
const PATH = '/callback'
/** Answers with a foreign `state` after which nobody listens any more: someone is guessing. */
const MAX_STRANGERS = 64
const LIMITS = {
  maxHeaderSize: 8192,
  /** ms, all three. */
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const
const MAX_CONNECTIONS = 32

export interface LoopbackAnswer {
  /** Whether a URL answers the attempt that waits. */
  belongs: (url: string) => boolean
  take: (url: string) => void
  /** Too many strangers came. */
  giveUp: () => void
}

export interface Loopback {
  readonly redirectUri: string
  /** From now on answers are looked at. */
  expect(answer: LoopbackAnswer): void
  /** The attempt is over: whoever comes late is told so. */
  end(): void
  close(): void
}

/** Rejects where no port can be had. */
export async function openLoopback(): Promise<Loopback> {
  const desk: { answer?: LoopbackAnswer | undefined; strangers: number; origin: string } = { strangers: 0, origin: '' }
  const server = createServer(LIMITS, (request, response) => {
    // Nothing is read of a body, and no connection is kept for a second request.
    request.resume()
    response.setHeader('Connection', 'close')
    const url = readAddress(request, desk.origin)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end()
    if (url === undefined) return refuse(response)
    if (!desk.answer) return show(response, 'ended')
    if (desk.answer.belongs(url)) return receive(response, desk.answer, url)
    refuse(response)
    desk.strangers += 1
    if (desk.strangers >= MAX_STRANGERS) desk.answer.giveUp()
  })
  server.maxConnections = MAX_CONNECTIONS
  desk.origin = `http://${HOST}:${await listen(server)}`
  return {
    redirectUri: desk.origin + PATH,
    expect: (answer) => {
      desk.answer = answer
    },
    end: () => {
      desk.answer = undefined
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The whole URL, where the request is for the one page that is here, by its one name: a page that rebinds a name of its own to this machine sends that name. */
function readAddress({ url = '', headers }: IncomingMessage, origin: string): string | undefined {
  const isHere = `http://${headers.host}` === origin && (url === PATH || url.startsWith(`${PATH}?`))
  return isHere ? origin + url : undefined
}

function receive(response: ServerResponse, answer: LoopbackAnswer, url: string): void {
  // The page first: the attempt's end may close the server.
  response.on('close', () => answer.take(url))
  show(response, 'received')
}

function show(response: ServerResponse, page: Parameters<typeof loopbackPage>[0]): void {
  response.writeHead(200, ANSWER_HEADERS).end(loopbackPage(page))
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'Cache-Control': 'no-store' }).end()
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // `exclusive`: no other process of the app may share the port.
    server.listen({ host: HOST, port: 0, exclusive: true }, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address) resolve(address.port)
      else reject(new Error('The server has no port.'))
    })
  })
}
