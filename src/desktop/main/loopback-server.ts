/** Loopback server for one sign-in: listens on `127.0.0.1` with a port chosen by the system (RFC 8252 section 7.3). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { RESPONSE_HEADERS, loopbackPage } from './loopback-page'

/** IP literal, because the meaning of `localhost` depends on a writable file (RFC 8252 section 8.3). */
const HOST = '127.0.0.1'
const PATH = '/callback'
/** Number of callbacks with a wrong `state` after which the attempt fails, against guessing. */
const MAX_WRONG_CALLBACKS = 64
const LIMITS = {
  maxHeaderSize: 8192,
  /** All three in ms. */
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const
const MAX_CONNECTIONS = 32
const NO_STORE = { 'Cache-Control': 'no-store' }

export interface CallbackReceiver {
  /** Returns true if a URL belongs to the pending attempt. */
  belongs: (url: string) => boolean
  take: (url: string) => void
  /** Called after too many wrong callbacks. */
  giveUp: () => void
}

export interface Loopback {
  readonly redirectUri: string
  /** Starts accepting callbacks. */
  expect(receiver: CallbackReceiver): void
  /** Ends the attempt: late callbacks get a page with that message. */
  end(): void
  close(): void
}

interface LoopbackState {
  receiver?: CallbackReceiver | undefined
  /** The callback that was taken. */
  received?: string
  wrongCallbacks: number
  origin: string
}

/** Rejects if no port is available. */
export async function openLoopback(): Promise<Loopback> {
  const state: LoopbackState = { wrongCallbacks: 0, origin: '' }
  const server = createServer(LIMITS, (request, response) => {
    // Ignores the body, and allows one request per connection.
    request.resume()
    response.setHeader('Connection', 'close')
    const url = readAddress(request, state.origin)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end()
    if (url === undefined) return refuse(response)
    if (!isVisit(request)) return void response.writeHead(503, NO_STORE).end()
    // A reload, or the visit after a preview that did not name itself.
    if (url === state.received) return show(response, 'received')
    if (!state.receiver) return show(response, 'ended')
    if (state.receiver.belongs(url)) {
      state.received = url
      return receive(response, state.receiver, url)
    }
    refuse(response)
    state.wrongCallbacks += 1
    if (state.wrongCallbacks >= MAX_WRONG_CALLBACKS) state.receiver.giveUp()
  })
  server.maxConnections = MAX_CONNECTIONS
  state.origin = `http://${HOST}:${await listen(server)}`
  return {
    redirectUri: state.origin + PATH,
    expect: (receiver) => {
      state.receiver = receiver
    },
    end: () => {
      state.receiver = undefined
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Returns false if a browser only loads the page in advance, for a preview or from another page: the player may never see it. Its real visit
 * sends the request again. Browsers without these headers are believed.
 */
function isVisit({ headers }: IncomingMessage): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']]
  const isInAdvance = purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose)))
  return !isInAdvance && (headers['sec-fetch-dest'] ?? 'document') === 'document'
}

/** Returns the full URL if path and `Host` header match exactly, which prevents DNS rebinding. */
function readAddress({ url = '', headers }: IncomingMessage, origin: string): string | undefined {
  const isHere = `http://${headers.host}` === origin && (url === PATH || url.startsWith(`${PATH}?`))
  return isHere ? origin + url : undefined
}

function receive(response: ServerResponse, receiver: CallbackReceiver, url: string): void {
  // Sends the page first, because the end of the attempt may close the server.
  response.on('close', () => receiver.take(url))
  show(response, 'received')
}

function show(response: ServerResponse, page: Parameters<typeof loopbackPage>[0]): void {
  response.writeHead(200, RESPONSE_HEADERS).end(loopbackPage(page))
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, NO_STORE).end()
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // `exclusive`: other processes of the app cannot share the port.
    server.listen({ host: HOST, port: 0, exclusive: true }, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address) resolve(address.port)
      else reject(new Error('The server has no port.'))
    })
  })
}
