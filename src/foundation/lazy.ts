/** Code that loads when it is first needed, once. */
import { FoyerError, NetworkError } from './errors'

const REMEDY = 'A part of the SDK could not be fetched, perhaps after a deployment: reload the page'

/**
 * A part that could not be fetched is asked for again next time, but most often it is gone: a deployment has replaced it, and the page is
 * older. The result rejects with NetworkError `reload_required`, or with our own error.
 */
export function memoizedImport<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined
  return () =>
    (part ??= load().catch((error: unknown) => {
      part = undefined
      throw error instanceof FoyerError
        ? error
        : new NetworkError('reload_required', 'import()', { cause: error, retryable: false, remedy: REMEDY })
    }))
}
