/** Encodes the body of a request or response: JSON alone, or JSON with files as multipart (RFC 7578). */

import type { CheckedBody } from '../../shared/http/checked-body'

/** A file to send. */
export interface FilePart {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A body with its content type, which only a checked body becomes. */
export class EncodedBody {
  readonly contentType: string
  readonly #content: string | Uint8Array<ArrayBuffer>

  private constructor(contentType: string, content: string | Uint8Array<ArrayBuffer>) {
    this.contentType = contentType
    this.#content = content
  }

  /** JSON, with `files[n]` for each file. */
  static of(body: CheckedBody, files: readonly FilePart[] = []): EncodedBody {
    if (files.length === 0) return new EncodedBody('application/json', body.text)
    const { contentType, content } = multipart(body.text, files)
    return new EncodedBody(contentType, content)
  }

  get content(): string | Uint8Array<ArrayBuffer> {
    return this.#content
  }
}

function multipart(
  json: string,
  files: readonly FilePart[],
): { contentType: string; content: Uint8Array<ArrayBuffer> } {
  // Random, so that no file can hold it by chance or on purpose.
  const boundary = `foyer-${crypto.randomUUID()}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="payload_json"\r\ncontent-type: application/json\r\n\r\n${json}\r\n`
  const parts: Uint8Array[] = [encode(head)]
  for (const [index, { name, bytes }] of files.entries()) {
    const disposition = `content-disposition: form-data; name="files[${index}]"; filename="${escapeName(name)}"`
    parts.push(
      encode(`--${boundary}\r\n${disposition}\r\ncontent-type: ${mediaTypeOf(name)}\r\n\r\n`),
      bytes,
      encode('\r\n'),
    )
  }
  parts.push(encode(`--${boundary}--\r\n`))
  return { contentType: `multipart/form-data; boundary=${boundary}`, content: join(parts) }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** As forms of browsers do. */
const escapeName = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, { byteLength }) => size + byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** Types of the files that clients show; the service inspects others itself. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  txt: 'text/plain',
  json: 'application/json',
  pdf: 'application/pdf',
}

function mediaTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || 'application/octet-stream'
}
