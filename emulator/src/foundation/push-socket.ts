/** Sends texts to a page by WebSocket (RFC 6455). */
// Browsers open six HTTP/1.1 connections to a host, in all windows together. A stream takes one of them, a WebSocket none.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export interface PushSocket {
  send: (text: string) => void
  end: () => void
}

/** RFC 6455 section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** First byte of a frame that is a whole text, and of one that closes. */
const TEXT = 0x81
const CLOSE = 0x88

/**
 * Accepts an upgrade; undefined, and the connection ends, if it is none to a WebSocket. What the page sends is ignored.
 * @param closed called once when the connection has ended.
 */
export function acceptPushSocket(
  { headers }: IncomingMessage,
  socket: Duplex,
  closed: () => void,
): PushSocket | undefined {
  const { upgrade = '', 'sec-websocket-key': key } = headers
  if (upgrade.toLowerCase() !== 'websocket' || key === undefined) {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    return undefined
  }
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64')
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
  ]
  socket.write([...lines, '', ''].join('\r\n'))
  const end = () => void socket.end(Buffer.from([CLOSE, 0]))
  socket.on('error', () => socket.destroy())
  socket.on('data', (frame: Buffer) => frame[0] === CLOSE && end())
  socket.once('end', () => socket.destroy())
  socket.once('close', closed)
  return { send: (text) => void socket.write(frameOf(text)), end }
}

/** RFC 6455 section 5.2: a server's frames have no mask. */
function frameOf(text: string): Buffer {
  const content = Buffer.from(text)
  const { length } = content
  if (length < 126) return Buffer.concat([Buffer.from([TEXT, length]), content])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = TEXT
  head[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, content])
}
