/** Reads the request body as the signed bytes, with a size limit. */
import type { VerificationReason } from './interaction-error'

export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** True if the length differs from `content-length`: an intermediary changed the body. */
  readonly altered: boolean
}

export async function readBody(request: Request, limit: number): Promise<Body | VerificationReason> {
  if (request.bodyUsed) return 'body_consumed'
  const { headers } = request
  const length = headers.get('content-length') ?? ''
  const announced = /^\d+$/.test(length) && !headers.has('content-encoding') ? Number(length) : undefined
  if (announced !== undefined && announced > limit) return 'body_too_large'
  try {
    // HTTP enforces `content-length`; count while reading only without one.
    const bytes = announced === undefined ? await readBounded(request.body, limit) : new Uint8Array(await request.arrayBuffer())
    if (bytes === undefined || bytes.length > limit) return 'body_too_large'
    return { bytes, altered: announced !== undefined && announced !== bytes.length }
  } catch {
    return 'body_unreadable'
  }
}

/** Returns undefined if the body exceeds `limit` bytes. */
async function readBounded(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = body?.getReader()
  const parts: Uint8Array[] = []
  for (let size = 0; ;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return join(parts, size)
    size += value.length
    if (size > limit) {
      void reader?.cancel().catch(() => undefined)
      return undefined
    }
    parts.push(value)
  }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
