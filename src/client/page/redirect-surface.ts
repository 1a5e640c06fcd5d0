/** Surface that replaces the game's page with the authorize page; `handleCallback` completes the sign-in after the return. */
import { AuthorizationError } from '../../shared/foundation/errors'
import { checkOptions } from '../../shared/foundation/options'
import type { AuthorizationSurface, OpenOptions } from '../../shared/authorization/authorization-flow'
import { responseState, withoutResponse } from './address-bar'
import { loadAppLinks } from './capabilities'
import { keepPage } from './keep-page'
import { shownInvitation } from './invitation-address'
import { readRecord, keepAttempt, untilRestored } from './stored-attempt'
import { pageRedirectUri, redirectAddress } from './redirect-address'

/** Options of `redirectSurface`. */
export interface RedirectOptions {
  /**
   * Page that calls `handleCallback()` or `resume()`, absolute or relative to the page. Default: the current page without query and
   * fragment, which are restored after the return.
   */
  redirectUri?: string | undefined
  /**
   * Shows the authorize page elsewhere than in this page, for an app in a web view: in the system's browser. Resolves with the callback, or
   * with nothing if `handleCallback` gets it. The attempt is stored as for a redirect, because the system may end the app meanwhile. The
   * default of `redirectUri` is then the custom scheme `<brand>-<client id>:/authorize/callback`. Without a callback, the sign-in ends with
   * its `timeout`.
   */
  open?: ((url: string, options: OpenOptions) => Promise<string | null | undefined | void>) | undefined
  /**
   * Returns the links that have started the app. `resume` and `handleCallback` complete a sign-in of the previous run with them. An invitation
   * among them moves into the address of the page, where `takeInvitation` finds it afterwards. Without links within 5 s, both reject with
   * `timed_out`.
   */
  launchUrl?: (() => Promise<string | readonly string[] | null | undefined>) | undefined
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
  const { redirectUri, open, launchUrl } = checkOptions(options, ['redirectUri', 'open', 'launchUrl'])
  const isHere = redirectUri === undefined && !open
  return {
    ...(!(open && redirectUri === undefined) && {
      redirectUri: () => (redirectUri === undefined ? pageRedirectUri() : redirectAddress(redirectUri).uri),
    }),
    ...(launchUrl && {
      async takeLink(to) {
        return (await loadAppLinks()).takeOwnLink(async () => launchUrl(), to)
      },
    }),
    keep(attempt, signal) {
      if (isHere) return keepAttempt(attempt, { page: ownQuery() }, signal)
      // An invitation is restored on that page, also one that was not taken here, and so is the query of its own address.
      const { invitation = shownInvitation() } = attempt
      const page = invitation === undefined ? undefined : new URL(attempt.redirectUri).search
      keepAttempt({ ...attempt, invitation }, { page }, signal)
    },
    async open(url, given) {
      const { signal, log } = given
      if (open) return (await open(url, given)) ?? untilRestored(signal)
      const stayed = untilStayed(url, signal)
      location.assign(url)
      // A form or a link of the same click would go elsewhere.
      keepPage(log)
      return Promise.race([stayed, untilRestored(signal)])
    },
  }
}

/** Query and fragment of this page; undefined without both. A response that this browser asked for is left out. */
function ownQuery(): string | undefined {
  const { href } = location
  const { search, hash } =
    readRecord(responseState(href) ?? '')['owner'] === undefined ? location : withoutResponse(href)
  return search + hash || undefined
}

/**
 * Rejects with `window_closed` if the navigation to this address, which begins next, is cancelled. A browser without the Navigation API
 * (before 2026) does not tell: the sign-in then ends with its deadline.
 */
function untilStayed(url: string, signal: AbortSignal): Promise<never> {
  const { navigation }: Partial<Pick<Window, 'navigation'>> = window
  return new Promise((_, reject) => {
    const onNavigate = ({ destination, signal: cancelled }: NavigateEvent) => {
      if (destination.url === url)
        cancelled.addEventListener('abort', () => reject(new AuthorizationError('window_closed')))
    }
    navigation?.addEventListener('navigate', onNavigate, { signal })
  })
}
