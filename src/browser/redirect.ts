/** Shows the authorize page in place of the game's page; `handleCallback` takes the answer on the page that comes back. */
import type { AuthorizationSurface } from '../authorization/surface'
import { AuthorizationError } from '../foundation/errors'
import { withoutAnswer } from './address-bar'
import { dropAttempt, keepAttempt } from './attempt-store'
import { redirectAddress } from './redirect-address'

export interface RedirectOptions {
  /**
   * A page of the game that calls `handleCallback()` or `resume()`, absolute or relative to the current page. Default: the current page
   * without query and fragment; they are in the address bar again when the page has come back.
   */
  redirectUri?: string
}

/** A surface that navigates away. Everything in memory is lost, so it fits a start screen. */
export function redirectSurface(options?: RedirectOptions): AuthorizationSurface {
  const { redirectUri } = { ...options }
  return {
    redirectUri: () => redirectAddress(redirectUri ?? location.origin + location.pathname).uri,
    keep(attempt, signal) {
      keepAttempt({ ...attempt, page: redirectUri === undefined ? ownAddress() : undefined })
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

/** Query and fragment of this page; undefined when there are none. */
function ownAddress(): string | undefined {
  const { search, hash } = withoutAnswer(location.href)
  return search + hash || undefined
}
