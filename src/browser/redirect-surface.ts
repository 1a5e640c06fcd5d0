/** Surface that replaces the game's page with the authorize page; `handleCallback` completes the sign-in after the return. */
import type { AuthorizationSurface } from '../authorization/authorization-surface'
import { AuthorizationError } from '../foundation/errors'
import { responseState, withoutResponse } from './address-bar'
import { readRecord } from './attempt-record-storage'
import { deleteAttempt, storeAttempt } from './attempt-store'
import { redirectAddress } from './resolve-redirect-uri'

/** Options of `redirectSurface`. */
export interface RedirectOptions {
  /**
   * Page that calls `handleCallback()` or `resume()`, absolute or relative to the page. Default: the current page without query and
   * fragment, which are restored after the return.
   */
  redirectUri?: string
}

/**
 * Creates a surface that navigates away. All state in memory is lost, so it suits a start screen. Requires local or session storage. The response may
 * arrive in another tab of the same browser, which then completes the sign-in.
 *
 * @example
 * ```ts
 * const client = new Client({ applicationId, service, surface: redirectSurface() })
 * await client.resume() // completes the sign-in after the return
 * ```
 */
export function redirectSurface(options?: RedirectOptions): AuthorizationSurface {
  const { redirectUri } = { ...options }
  return {
    redirectUri: () => redirectAddress(redirectUri ?? location.origin + location.pathname).uri,
    keep(attempt, signal) {
      storeAttempt({ ...attempt, page: redirectUri === undefined ? ownQuery() : undefined })
      signal.addEventListener('abort', () => deleteAttempt(attempt.state))
    },
    open(url, { signal }) {
      location.assign(url)
      return new Promise((_, reject) => {
        // The back button may restore this page from the back/forward cache.
        const onPageShow = ({ persisted }: PageTransitionEvent) => {
          if (persisted) reject(new AuthorizationError('stale'))
        }
        window.addEventListener('pageshow', onPageShow, { signal })
      })
    },
  }
}

/** Query and fragment of this page; undefined without both. A response that this browser asked for is left out. */
function ownQuery(): string | undefined {
  const { href } = location
  const { search, hash } = readRecord(responseState(href) ?? '')['owner'] === undefined ? location : withoutResponse(href)
  return search + hash || undefined
}
