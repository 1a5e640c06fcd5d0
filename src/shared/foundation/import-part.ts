/** Lazy loading: a typed error if a part of the SDK cannot be loaded, and work that is done once. */
import { NetworkError } from './errors'

const REMEDY = 'A part of the SDK could not be fetched, perhaps after a deployment: reload the page'

/**
 * Waits for an `import()`, and for nothing else: what the part itself throws later is no failure to load it.
 * @throws NetworkError `reload_required`. Most failures are permanent, since a deployment has removed the file that an older page refers to.
 */
export async function importPart<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading
  } catch (cause) {
    throw new NetworkError('reload_required', 'import()', { cause, retryable: false, remedy: REMEDY })
  }
}

/** Returns a function that does its work once and caches the promise. A failure is not cached: the next call tries again. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let imported: Promise<T> | undefined
  return () =>
    (imported ??= load().catch((error: unknown) => {
      imported = undefined
      throw error
    }))
}
