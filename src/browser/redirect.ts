/** Shows the authorize page in place of the game's page; `handleCallback` takes the answer on the page that comes back. */
import type { AuthorizationSurface } from '../authorization/surface'
import { AuthorizationError } from '../foundation/errors'

export interface RedirectOptions {
  /** A page of the game that calls `handleCallback()` or `resume()`. Default: the current page without query and fragment. */
  redirectUri?: string
}

/** A surface that navigates away. Everything in memory is lost, so it fits a start screen. */
export function redirectSurface({ redirectUri }: RedirectOptions = {}): AuthorizationSurface {
  return {
    leavesPage: true,
    redirectUri: () => redirectUri ?? location.origin + location.pathname,
    open(url, { signal }) {
      location.assign(url)
      return new Promise((_, reject) => {
        // The back button may bring this very page back to life, still waiting.
        const onPageShow = ({ persisted }: PageTransitionEvent) => {
          if (persisted) reject(new AuthorizationError('stale', 'The player came back without an answer.'))
        }
        window.addEventListener('pageshow', onPageShow)
        signal.addEventListener('abort', () => window.removeEventListener('pageshow', onPageShow), { once: true })
      })
    },
  }
}
