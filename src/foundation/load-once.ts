/** Code that loads when it is first needed, once. */
import { NetworkError } from './errors'

/** What could not be fetched is asked for again next time. The result rejects with NetworkError `connection_failed`. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined
  return () =>
    (part ??= load().catch((error: unknown) => {
      part = undefined
      throw new NetworkError('connection_failed', 'import()', { cause: error })
    }))
}
