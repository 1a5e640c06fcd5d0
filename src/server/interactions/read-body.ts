/** Reads the request body as the signed bytes, with limits of size and time. */
import type { Clock } from '../../shared/foundation/clock'
import { inTime } from '../../shared/foundation/in-time'
import type { VerificationReason } from './interaction-error'

/** ms for the whole body. */
const TIMEOUT = 10_000

export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** True if the length differs from `content-length`: an intermediary changed the body. */
  readonly altered: boolean
}

export async function readBody(
  request: Request,
  limit: number,
  clock: Clock,
): Promise<Body | VerificationReason> {
  if (request.bodyUsed) return 'body_consumed'
  const announced = announcedLength(request.headers)
  if (announced !== undefined && announced > limit) return 'body_too_large'
  try {
    const bytes = await readBounded(request.body, limit, clock)
    return bytes
      ? { bytes, altered: announced !== undefined && announced !== bytes.length }
      : 'body_too_large'
  } catch {
    return 'body_unreadable'
  }
}

/** Returns undefined for a compressed body, whose header counts the compressed bytes. */
function announcedLength(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) && !headers.has('content-encoding')
    ? Number(length)
    : undefined
}

/** Returns undefined above `limit` bytes. Rejects if the body does not end in time, or was interrupted. */
async function readBounded(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  limit: number,
  clock: Clock,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  try {
    const bytes = await inTime(readParts(reader, limit), { name: 'body', clock, timeout: TIMEOUT })
    if (!bytes) cancel(reader)
    return bytes
  } catch (error) {
    cancel(reader)
    throw error
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** A body that is not needed any more. Its source may be unable to stop. */
const cancel = (reader: Reader): void => void reader.cancel().catch(() => undefined)

/** Copies the parts, since their source may reuse its memory while the signature is verified. Returns undefined above `limit` bytes. */
async function readParts(reader: Reader, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return join(parts, size)
    // Not `instanceof`: a part may come from another realm, such as a `node:vm` context or a worker sandbox.
    if (!ArrayBuffer.isView(value)) throw new TypeError('A part of a body is a Uint8Array.')
    size += value.byteLength
    if (size > limit) return undefined
    parts.push(value)
  }
}

function join(parts: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
