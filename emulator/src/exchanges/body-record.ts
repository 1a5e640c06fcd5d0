/** The beginning of a body, as it was received or sent, and its whole size. */

/** Bytes of a body that are kept. */
const MAX_KEPT_BYTES = 16 * 1024

const TEXT =
  /^(?:text\/|multipart\/|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/(?:x-www-form-urlencoded|javascript|ecmascript))/i

/** A body that is shown. */
export interface ShownBody {
  /** `stream`: an endless response, of which nothing is kept. `page`: of the emulator's own pages, of which nothing is kept. */
  kind: 'none' | 'text' | 'binary' | 'stream' | 'page'
  /** Content type, if there is one. */
  type?: string
  /** Bytes of the whole body. */
  size: number
  /** The text, or its beginning. */
  text?: string
  /** True if `text` is only the beginning. */
  cut?: boolean
}

export class BodyRecord {
  #chunks: Uint8Array[] = []
  #kept = 0
  #size = 0
  #refusal: 'stream' | 'page' | undefined

  /** @param chunk bytes that are copied, or text; anything else is no part of a body. */
  add(chunk: unknown, encoding?: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const named = String(encoding)
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk, Buffer.isEncoding(named) ? named : 'utf8') : chunk
    this.#size += bytes.byteLength
    const space = MAX_KEPT_BYTES - this.#kept
    if (this.#refusal !== undefined || space <= 0 || bytes.byteLength === 0) return
    this.#chunks.push(Uint8Array.from(bytes.subarray(0, space)))
    this.#kept += Math.min(space, bytes.byteLength)
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Forgets what was kept, and keeps nothing more. */
  refuse(reason: 'stream' | 'page'): void {
    this.#refusal = reason
    this.#chunks = []
    this.#kept = 0
  }

  /** @param headers its content type and encoding tell what the bytes are. */
  show({ type, encoding }: { type: string | undefined; encoding: string | undefined }): ShownBody {
    const said = { size: this.#size, ...(type === undefined ? {} : { type }) }
    if (this.#refusal !== undefined) return { kind: this.#refusal, ...said }
    if (this.#size === 0) return { kind: 'none', ...said }
    const text = /^(?:|identity)$/i.test(encoding ?? '') ? this.#text(type) : undefined
    if (text === undefined) return { kind: 'binary', ...said }
    return { kind: 'text', ...said, text, ...(this.#size > this.#kept ? { cut: true } : {}) }
  }

  /** A body without a known type is text if it is UTF-8 without control characters. Half a character at the end is dropped. */
  #text(type: string | undefined): string | undefined {
    const isText = TEXT.test(type ?? '')
    const bytes = Buffer.concat(this.#chunks)
    try {
      const text = new TextDecoder(charsetOf(bytes, type), { fatal: !isText }).decode(bytes, { stream: true })
      return isText || !/(?!\s)\p{Cc}/u.test(text) ? text : undefined
    } catch {
      return undefined
    }
  }
}

/** The charset that the type names, or UTF-16 by the zeros between Latin letters. */
function charsetOf(bytes: Uint8Array, type = ''): string {
  const [, named] = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type) ?? []
  if (named !== undefined && !/^utf-?8$/i.test(named)) return named
  const [first, second] = bytes
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le'
  return first === 0 || (first === 0xfe && second === 0xff) ? 'utf-16be' : 'utf-8'
}
