/** Sends bytes as they are over a connection of their own, since clients refuse to send what a hostile one does. */
import { connect } from 'node:net'

export interface RawRequest {
  method: string
  /** As in the request line. */
  target: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
}

export interface RawResponse {
  /** 0: the connection was closed without a response. */
  status: number
  headers: Headers
  body: string
}

/** Longest time that a response may take, in ms: a machine under load is slow, not silent. */
const PATIENCE = 60_000

/** Body is latin-1 in the head, bytes behind it. Rejects if nothing answers. */
export function sendRaw(url: string, request: RawRequest): Promise<RawResponse> {
  const { port, hostname } = new URL(url)
  const own = request.headers.some(([name]) => name === 'host') ? [] : [['host', new URL(url).host] as const]
  const lines = [...own, ...request.headers, ['connection', 'close'] as const].map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = Buffer.from(
    `${request.method} ${request.target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    'latin1',
  )
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port: Number(port), host: hostname })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer to ${request.method} ${request.target.slice(0, 200)}`))
    }, PATIENCE)
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parse(Buffer.concat(chunks)))
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // A stream of events stays open.
      if (/\r\ncontent-type: text\/event-stream/i.test(chunk.toString('latin1'))) finish()
    })
    socket.on('close', finish)
    socket.on('error', () => undefined)
    const bytes = Buffer.concat([head, request.body])
    // A client that has more to send goes away. The server takes an end for that, so that others leave their side open.
    if (isCut(request)) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** True for a request that has less body than it announces, or asks for another protocol: both may end without an answer. */
export const isCut = ({ headers, body }: RawRequest): boolean =>
  headers.some(
    ([name, value]) =>
      name === 'upgrade' ||
      name === 'transfer-encoding' ||
      (name === 'content-length' && value !== String(body.length)),
  )

function parse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const body = bytes.subarray(end + 4)
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers,
    body: (isChunked(headers) ? unchunk(body) : body).toString(),
  }
}

const isChunked = (headers: Headers): boolean => headers.get('transfer-encoding') === 'chunked'

function unchunk(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, line).toString(), 16)
    if (!(size > 0)) break
    parts.push(body.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
  return Buffer.concat(parts)
}
