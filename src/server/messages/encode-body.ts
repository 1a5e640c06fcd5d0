/** Encodes the body of a request or response: JSON alone, or JSON with files as multipart (RFC 7578). */

/** A file to send. */
export interface FilePart {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A body with its content type. */
export interface EncodedBody {
  readonly contentType: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

/** Encodes a value as JSON, with `files[n]` for each file. @throws TypeError for a value that JSON cannot hold. */
export function encodeBody(value: unknown, files: readonly FilePart[] = []): EncodedBody {
  const json = JSON.stringify(value)
  if (files.length === 0) return { contentType: 'application/json', content: json }
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
