/** Lets Node's `http`, and what is built on it such as Express, call a handler of the Fetch API. Needs no types of Node. */

/** What is needed of a request of Node's `http`. That of Express is one. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether the whole body has arrived. */
  readonly complete: boolean
  /** Whether something has read of the body. */
  readonly readableDidRead: boolean
  /** What a body parser made of the body. */
  readonly body?: unknown
  /** The bytes of the body, where a platform keeps them. */
  readonly rawBody?: unknown
}

/** What is needed of a response of Node's `http`. That of Express is one. */
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string | readonly string[]): unknown
  end(body: Uint8Array): unknown
}

/** For `createServer(…)` of Node's `http`, and for a route of Express. Never rejects. */
export type NodeListener = (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void>

/**
 * Makes a listener of a handler, for example of the one that `createInteractionHandler` gives. The handler gets the bytes as they came.
 *
 * Put it before any body parser. Where one was first, the bytes that it kept (`express.raw()`, `rawBody` of cloud functions) are used;
 * where it kept none, the handler gets a request whose `bodyUsed` is true, and an interactions endpoint reports `body_consumed`.
 * What the handler throws goes to `next`, or else to the console, with status 500. The whole answer is read before it is sent.
 */
export function toNodeListener(handler: (request: Request) => Response | Promise<Response>): NodeListener {
  return async (message, answer, next) => {
    try {
      const request = await toRequest(message)
      const response = request ? await handler(request) : new Response(null, { status: 400 })
      const body = new Uint8Array(await response.arrayBuffer())
      // What stays unread of a body would be taken for the next request of this connection.
      if (!message.complete) answer.setHeader('connection', 'close')
      send(answer, response, body)
    } catch (error) {
      if (next) return next(error)
      console.error(error)
      send(answer, new Response(null, { status: 500 }), new Uint8Array())
    }
  }
}

function send(answer: NodeResponse, { status, headers }: Response, body: Uint8Array): void {
  answer.statusCode = status
  headers.forEach((value, name) => name !== 'set-cookie' && answer.setHeader(name, value))
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) answer.setHeader('set-cookie', cookies)
  answer.end(body)
}

/** Undefined for a method or an address that no `Request` can have. */
async function toRequest(message: NodeRequest): Promise<Request | undefined> {
  const { method = 'GET', headers } = message
  const hasBody = !/^(GET|HEAD)$/i.test(method)
  const kept = keptBytes(message)
  const isLost = hasBody && message.readableDidRead && !kept
  const body = isLost ? '' : (kept ?? streamOf(message))
  const init = { method, headers: headersOf(headers), ...(hasBody && { body, duplex: 'half' }) }
  let request: Request
  try {
    request = new Request(addressOf(message), init)
  } catch {
    return undefined
  }
  // Whoever reads it is told that somebody has before.
  if (isLost) await request.arrayBuffer()
  return request
}

/** What a body parser was asked to keep. */
function keptBytes({ body, rawBody }: NodeRequest): Uint8Array<ArrayBuffer> | undefined {
  const bytes = [rawBody, body].find((value) => value instanceof Uint8Array)
  return bytes && new Uint8Array(bytes)
}

function addressOf({ url = '/', headers }: NodeRequest): string {
  return URL.canParse(url) ? url : `http://${String(headers['host'] ?? 'localhost')}${url}`
}

function headersOf(given: NodeRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) if (!name.startsWith(':')) headers.append(name, value)
  return headers
}

/** Read as it is asked for. Given up it stays open: to end it would close the connection before the answer. */
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
