/** Frames of the local socket: opcode and length as little-endian integers of four bytes, then JSON. */

/** Opcodes beside those of a host window. */
export const PING = 3
export const PONG = 4

const HEADER = 8
/** Longest JSON in bytes that a game may send. */
const MAX_LENGTH = 65_536
/** Levels of lists and objects. Deeper data would overflow the stack of whoever writes it again. */
const MAX_DEPTH = 32

export interface Frame {
  opcode: number
  /** Undefined for text that is not JSON, or nested too deep. */
  payload: unknown
}

export function encodeFrame(opcode: number, payload: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(payload) ?? 'null')
  const header = Buffer.alloc(HEADER)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(text.length, 4)
  return Buffer.concat([header, text])
}

/** Reads frames from a stream of bytes, however it is cut. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0)

  /** @throws RangeError for a frame that is too long. */
  read(chunk: Buffer): Frame[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    const frames: Frame[] = []
    while (this.#bytes.length >= HEADER) {
      const end = HEADER + this.#bytes.readUInt32LE(4)
      if (end > HEADER + MAX_LENGTH) throw new RangeError('a frame is longer than 64 KiB')
      if (this.#bytes.length < end) break
      frames.push({
        opcode: this.#bytes.readUInt32LE(0),
        payload: parse(this.#bytes.toString('utf8', HEADER, end)),
      })
      this.#bytes = this.#bytes.subarray(end)
    }
    return frames
  }
}

function parse(text: string): unknown {
  try {
    return isDeep(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
    const mark = text.charAt(at)
    if (isQuoted && mark === '\\') at++
    else if (mark === '"') isQuoted = !isQuoted
    else if (!isQuoted && '[{'.includes(mark)) depth++
    else if (!isQuoted && ']}'.includes(mark)) depth--
  }
  return depth > MAX_DEPTH
}
