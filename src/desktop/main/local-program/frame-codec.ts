/** Frames of the program's socket: an opcode and a length of four bytes each, little-endian, then JSON. */
import { ProtocolError } from '../../../shared/foundation/errors'
import { readJson } from '../../../shared/foundation/untrusted-values'

/** Opcodes beside those of an Activity's host (`host-message.ts`). */
export const OPCODE = { handshake: 0, frame: 1, close: 2, ping: 3, pong: 4 } as const

const HEADER = 8
/** Maximum length in bytes of a frame's JSON; the service's own library reads no longer one. */
export const MAX_FRAME = 65_536

/** Received frame. */
export interface Frame {
  readonly opcode: number
  /** Undefined for text that is not JSON. */
  readonly payload: unknown
}

/** @throws ProtocolError `malformed_response` for a payload that is too long. */
export function encodeFrame(opcode: number, payload: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(payload) ?? 'null')
  if (text.length > MAX_FRAME) throw tooLong(text.length)
  const header = Buffer.alloc(HEADER)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(text.length, 4)
  return Buffer.concat([header, text])
}

/** Reads frames from a stream of bytes, however it is cut. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  /** Bytes without which there is nothing to read. */
  #needed = HEADER

  /** Returns the frames that are now complete. @throws ProtocolError `malformed_response` for a length that no program sends. */
  read(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#needed) return []
    const bytes = Buffer.concat(this.#chunks)
    const frames: Frame[] = []
    let start = 0
    this.#needed = HEADER
    while (bytes.length - start >= HEADER) {
      const length = bytes.readUInt32LE(start + 4)
      if (length > MAX_FRAME) throw tooLong(length)
      const end = start + HEADER + length
      if (end > bytes.length) {
        this.#needed = HEADER + length
        break
      }
      const payload = readJson(bytes.toString('utf8', start + HEADER, end))
      frames.push({ opcode: bytes.readUInt32LE(start), payload })
      start = end
    }
    const rest = bytes.subarray(start)
    this.#chunks = [rest]
    this.#size = rest.length
    return frames
  }
}

const tooLong = (length: number): ProtocolError =>
  new ProtocolError('malformed_response', 'desktop frame', {
    path: 'length',
    expected: `at most ${MAX_FRAME} bytes`,
    got: String(length),
  })
