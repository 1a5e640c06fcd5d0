/** Content of files, whatever realm its object comes from: a frame, a test environment, a worker. */
import { isRecord } from '../../shared/foundation/untrusted-values'

/** Content of a file. A string is sent as UTF-8. */
export type FileData = Uint8Array | ArrayBuffer | Blob | string

/** A file that is sent with a message. */
export interface MessageFile {
  /** Name with its extension, 1 to 255 characters, without a path. */
  name: string
  /** The content. */
  data: FileData
  /** Alternative text, at most 1,024 characters. */
  description?: string | undefined
}

/** The parts of a Blob that are used. A Blob of another realm is no instance of this realm's class. */
type BlobLike = Readonly<Record<string, unknown>> & {
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

export function isBlobLike(data: unknown): data is BlobLike {
  return isRecord(data) && typeof data['arrayBuffer'] === 'function' && typeof data['size'] === 'number'
}

/** The bytes of content that needs no reading; undefined for a Blob and for anything else. */
export function bytesOfFile(data: unknown): Uint8Array | undefined {
  if (typeof data === 'string') return new TextEncoder().encode(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return isBuffer(data) ? new Uint8Array(data) : undefined
}

/** Size in bytes; undefined for a value that is no content. */
export function sizeOfFile(data: unknown): number | undefined {
  return isBlobLike(data) ? data.size : bytesOfFile(data)?.byteLength
}

function isBuffer(data: unknown): data is ArrayBuffer {
  return /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(data))
}
