/** Shows the authorize page in place of the game's page; `handleCallback` takes the answer on the page that comes back. */
import type { AuthorizationSurface } from '../authorization/surface'
import { AuthorizationError } from '../foundation/errors'
import { dropAttempt, keepAttempt } from './attempt-store'

export interface RedirectOptions {
  /**
   * A page of the game that calls `handleCallback()` or `resume()`, absolute or relative to the current page. Default: the current page
   * without query and fragment.
   */
  redirectUri?: string
}

/** A surface that navigates away. Everything in memory is lost, so it fits a start screen. */
export function redirectSurface({ redirectUri }: RedirectOptions = {}): AuthorizationSurface {
  return {
    redirectUri() {
      const { href, origin } = new URL(redirectUri ?? location.origin + location.pathname, document.baseURI)
      // As in a popup: a whole one stays as it is.
      return redirectUri?.startsWith(origin) ? redirectUri : href
    },
    keep(attempt, signal) {
      keepAttempt(attempt)
      signal.addEventListener('abort', () => dropAttempt(attempt.state))
    },
    open(url, { signal }) {
      location.assign(url)
      return new Promise((_, reject) => {
        // The back button may bring this very page back to life, still waiting.
        const onPageShow = ({ persisted }: PageTransitionEvent) => {
          if (persisted) reject(new AuthorizationError('stale'))
        }
        window.addEventListener('pageshow', onPageShow, { signal })
      })
    },
  }
}
