/** The `Client` of a page: fills in popup, session storage and the address bar. In a worker or in Node it leaves them out. */
import type { AuthorizationResult } from '../authorization/result'
import { CoreClient } from '../client/client'
import { type ClientOptions, resolveOptions } from '../client/options'
import { systemClock } from '../foundation/clock'
import type { Session } from '../tokens/session'
import { takeCallbackUrl } from './address-bar'
import { popupSurface } from './popup'

/** The game's side of the service. */
export class Client extends CoreClient {
  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor(options: ClientOptions) {
    const { clock = systemClock, redirectUri } = options
    super(
      resolveOptions(options, typeof document === 'object' ? popupSurface({ clock, redirectUri }) : undefined, {
        findAttempt: async (state) => (await import('./attempt-store')).takeAttempt(state, clock),
        loadPage: () => import('./page'),
      }),
    )
  }

  /**
   * Without a URL it looks at the address bar, cleans it before anything else can read it, and resolves with null when no answer stood
   * there.
   */
  override async handleCallback(url: string | undefined = takeCallbackUrl()): Promise<AuthorizationResult | null> {
    return url === undefined ? null : super.handleCallback(url)
  }

  /** Call it when the page starts: completes a sign-in by redirect, if one has just come back. Idempotent. */
  async resume(): Promise<Session | null> {
    const result = await this.handleCallback()
    return result ? this.signIn({ result }) : this.session
  }
}
