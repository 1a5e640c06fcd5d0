/** Reads the Blobs among the files of a message, so that the rest of the way is synchronous. */
import { isRecord, ownCopy } from '../../shared/foundation/untrusted-values'
import { isBlobLike, type MessageFile } from './file-data'
import type { MessageInput } from './prepare-message'

/** Calls `use` with a copy of the message as it is now, whose files are bytes or strings: at once if they already are. */
export function withBlobsRead<T>(
  message: MessageInput | string,
  use: (ready: MessageInput | string) => Promise<T>,
): Promise<T> {
  const own = ownCopy(message)
  return hasBlobs(own) ? readBlobs(own).then(use) : use(own)
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
