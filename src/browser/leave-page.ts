/** Leaves the page for the authorize page, and completes nothing: the page that the response arrives at does. */
import type { Attempt } from '../authorization/begin-attempt'
import { AuthorizationError } from '../foundation/errors'
import { deleteAttempt, storeAttempt, type StoredAttempt } from './stored-attempt'

/** Stores the attempt for the page that will complete it. @throws ConfigurationError `unsupported` if storage is unavailable. */
export function keepAttempt(attempt: Attempt, place: Pick<StoredAttempt, 'page' | 'returnTo'>, signal: AbortSignal): void {
  storeAttempt({ ...attempt, ...place })
  signal.addEventListener('abort', () => deleteAttempt(attempt.state))
}

/** Rejects with `stale` if the back button restores this page from the back/forward cache. */
export function untilRestored(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reject(new AuthorizationError('stale'))
    }
    window.addEventListener('pageshow', onPageShow, { signal })
  })
}
