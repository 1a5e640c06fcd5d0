/** Adapter from Node's `http`, and frameworks such as Express, to Fetch API handlers. Requires no Node types. */
import { ConfigurationError } from '../shared/foundation/errors'
import { type Connection, isStreaming, type NodeResponse, sendStream, watchConnection } from './send-stream'
import { targetUrl } from './target-url'

export type { NodeResponse } from './send-stream'

/** Required properties of a Node `http` request, also of Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** HTTP method. Default: `GET`. */
  readonly method?: string | undefined
  /** Path and query, or an absolute URL. Default: `/`. */
  readonly url?: string | undefined
  /** Express: the URL before the path of a mount was removed, which is the one that the browser asked for. */
  readonly originalUrl?: string | undefined
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Connection, whose other end is the caller, or a proxy of yours. */
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
  /** True after the whole body has arrived. */
  readonly complete: boolean
  /** True after any part of the body was read. */
  readonly readableDidRead: boolean
  /** Result of a body parser. */
  readonly body?: unknown
  /** Body as bytes or as text, on platforms and with plugins that preserve it. */
  readonly rawBody?: unknown
}

/** Addresses of this machine and of private networks (RFC 1918, RFC 4193, RFC 6598). */
const INTERNAL =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd]|fe80:)/i

/** Listener for `createServer(…)` of Node's `http`, or for an Express route. Never rejects. */
export type NodeListener = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error: unknown) => void,
) => Promise<void>

const ANSWERED =
  'The framework or another middleware answered first: await the listener, and in Koa set context.respond = false before it'
const HANDLER = 'Give the handler itself, for example toNodeListener(createSessionHandler({ … }))'

/**
 * Creates a Node listener from a Fetch API handler, for example from `createInteractionHandler`. The handler receives the unmodified bytes.
 *
 * Register it before any body parser. After one, it uses the body that was preserved as bytes or as text (`express.raw()`, `express.text()`,
 * `rawBody` of a `verify` function, of plugins and of cloud functions); without it the handler receives a request with `bodyUsed` true, and an interactions endpoint reports `body_consumed`. Exceptions of the handler go
 * to `next`, or else to the console with status 500. Event streams (`text/event-stream`) are sent as they arrive, and cancelled when the
 * client has gone; other responses are buffered before sending.
 *
 * @throws ConfigurationError `invalid_argument` if the handler is no function.
 * @example
 * ```ts
 * createServer(toNodeListener(handler)).listen(8080)
 * ```
 */
export function toNodeListener(handler: (request: Request) => Response | Promise<Response>): NodeListener {
  if (typeof handler !== 'function')
    throw new ConfigurationError('invalid_argument', 'toNodeListener: a function', { remedy: HANDLER })
  return async (message, target, next) => {
    // Before the handler runs: a client that goes meanwhile is not reported again.
    const connection = isStreaming(target) ? watchConnection(target) : undefined
    try {
      const request = await toRequest(message)
      const response = request ? await handler(request) : new Response(null, { status: 400 })
      if (isEventStream(response) && connection) return await sendEventStream(connection, response)
      const body = new Uint8Array(await response.arrayBuffer())
      // Unread body bytes would be parsed as the next request of this connection.
      if (!message.complete) target.setHeader('connection', 'close')
      send(target, response, body)
    } catch (error) {
      if (next) return next(error)
      console.error(error)
      if (target.headersSent) return
      send(target, new Response(null, { status: 500 }), new Uint8Array())
    }
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** Middleware may have answered meanwhile, such as a time limit: nobody receives the stream. */
async function sendEventStream(connection: Connection, response: Response): Promise<void> {
  try {
    sendHead(connection.target, response)
  } catch (error) {
    void response.body?.cancel().catch(() => undefined)
    throw error
  }
  await sendStream(connection, response)
}

function send(target: NodeResponse, response: Response, body: Uint8Array): void {
  sendHead(target, response)
  target.end(body)
}

/** @throws ConfigurationError `unsupported` if a framework has answered meanwhile. */
function sendHead(target: NodeResponse, { status, headers }: Response): void {
  if (target.headersSent)
    throw new ConfigurationError('unsupported', 'the response was sent before toNodeListener could', {
      remedy: ANSWERED,
    })
  target.statusCode = status
  headers.forEach((value, name) => name !== 'set-cookie' && target.setHeader(name, value))
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) target.setHeader('set-cookie', cookies)
}

/** Returns undefined for a method or URL that the Fetch API does not allow. */
async function toRequest(message: NodeRequest): Promise<Request | undefined> {
  const { method = 'GET', headers } = message
  const hasBody = !/^(GET|HEAD)$/i.test(method)
  const preserved = preservedBytes(message)
  const isConsumed = hasBody && message.readableDidRead && !preserved
  const body = isConsumed ? '' : (preserved ?? streamOf(message))
  const init = {
    method,
    headers: headersOf(headers, message.socket?.remoteAddress),
    ...(hasBody && { body, duplex: 'half' }),
  }
  let request: Request
  try {
    request = new Request(targetUrl(message.originalUrl ?? message.url, headers), init)
  } catch {
    return undefined
  }
  // Sets `bodyUsed`, so that the handler detects the consumed body.
  if (isConsumed) await request.arrayBuffer()
  return request
}

/** Returns the bytes that a body parser preserved, also as text. Whether they are the signed ones is for the signature to tell. */
function preservedBytes({ body, rawBody }: NodeRequest): Uint8Array<ArrayBuffer> | undefined {
  for (const value of [rawBody, body]) {
    if (typeof value === 'string') return new TextEncoder().encode(value)
    // Not `instanceof`: the bytes may come from another realm.
    if (ArrayBuffer.isView(value))
      return Uint8Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
  return undefined
}

/** @param from the other end of the connection. It is added as a proxy would: what the caller itself has written there is not the last. */
function headersOf(given: NodeRequest['headers'], from: string | undefined): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) if (!name.startsWith(':')) headers.append(name, value)
  const address = from?.replace(/^::ffff:/i, '')
  // From within this network, it is a proxy, which has added the caller.
  if (address !== undefined && !INTERNAL.test(address)) headers.append('x-forwarded-for', address)
  return headers
}

/** Reads on demand. Cancelling leaves the message open, because ending it would close the connection before the response. */
function streamOf(message: NodeRequest): ReadableStream<Uint8Array> {
  let iterator: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        iterator ??= message[Symbol.asyncIterator]()
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}
