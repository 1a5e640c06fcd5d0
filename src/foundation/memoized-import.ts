/** Memoized dynamic imports. */
import { FoyerError, NetworkError } from './errors'

const REMEDY = 'A part of the SDK could not be fetched, perhaps after a deployment: reload the page'

/**
 * Returns a function that imports a module once and caches the promise. A failed import is not cached: the next call tries again. Most
 * failures are permanent, since a deployment has removed the file that an older page refers to.
 * @throws NetworkError `reload_required`, or the error of the SDK that the import threw.
 */
export function memoizedImport<T>(load: () => Promise<T>): () => Promise<T> {
  let imported: Promise<T> | undefined
  return () =>
    (imported ??= load().catch((error: unknown) => {
      imported = undefined
      throw error instanceof FoyerError
        ? error
        : new NetworkError('reload_required', 'import()', { cause: error, retryable: false, remedy: REMEDY })
    }))
}
