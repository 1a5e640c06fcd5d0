/** Code that loads when it is first needed, once. */
import { lost } from './lost'

/** What could not be fetched is asked for again next time. The result rejects with NetworkError `connection_failed`, or with our own error. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined
  return () =>
    (part ??= load().catch((error: unknown) => {
      part = undefined
      throw lost(error, 'import()')
    }))
}
