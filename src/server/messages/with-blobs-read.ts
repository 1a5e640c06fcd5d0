/** Reads the Blobs among the files of a message, so that the rest of the way is synchronous. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isBlobLike, type MessageFile } from './file-data'
import type { MessageInput } from './prepare-message'

/** Calls `use` with a message whose files are bytes or strings: at once if they already are. */
export function withBlobsRead<T>(
  message: MessageInput | string,
  use: (ready: MessageInput | string) => Promise<T>,
): Promise<T> {
  return hasBlobs(message) ? readBlobs(message).then(use) : use(message)
}

function hasBlobs(message: unknown): message is MessageInput & { readonly files: readonly MessageFile[] } {
  if (!isRecord(message) || !Array.isArray(message['files'])) return false
  return message['files'].some((file) => isRecord(file) && isBlobLike(file['data']))
}

async function readBlobs(
  message: MessageInput & { readonly files: readonly MessageFile[] },
): Promise<MessageInput> {
  return { ...message, files: await Promise.all(message.files.map(readBlob)) }
}

async function readBlob(file: MessageFile): Promise<MessageFile> {
  return isRecord(file) && isBlobLike(file.data) ? { ...file, data: await file.data.arrayBuffer() } : file
}
