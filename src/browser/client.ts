/** The `Client` of a page: fills in popup, session storage and the address bar. In a worker or in Node it leaves them out. */
import type { AuthorizationResult } from '../authorization/result'
import { CoreClient } from '../client/client'
import { type ClientOptions, resolveOptions } from '../client/options'
import { systemClock } from '../foundation/clock'
import { withoutUndefined } from '../foundation/encoding'
import type { Session } from '../tokens/session/session'
import { takeCallbackUrl } from './address-bar'
import { popupSurface } from './popup'

/** The game's side of the service. */
export class Client extends CoreClient {
  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor(options: ClientOptions) {
    const { clock = systemClock, redirectUri } = withoutUndefined(options ?? {})
    const isPage = typeof document === 'object'
    const resolved = resolveOptions(options, isPage ? popupSurface({ clock, redirectUri }) : undefined, async (state, owner) => {
      return (await import('./attempt-store')).takeAttempt(state, { owner, clock })
    })
    super({
      ...resolved,
      launchQuery: isPage ? location.search : '',
      loadPage: () => import('./page-services'),
      loadSessions: async (context) => (await import('./sessions')).loadBrowserSessions(context),
    })
  }

  /**
   * Without a URL it looks at the address bar, cleans it before anything else can read it, and resolves with null when no answer stood
   * there. An answer to another client of the page (another service, application id or `profile`) stays there for that one.
   */
  override async handleCallback(url?: string): Promise<AuthorizationResult | null> {
    const answer = url ?? takeCallbackUrl({ owner: this.owner })
    // Without that part the answer stays where it is, and this client goes on.
    if (answer === null) await returnToLeftPage().catch(() => undefined)
    return answer === undefined || answer === null ? null : super.handleCallback(answer)
  }

  /**
   * Call it when the page starts: completes a sign-in by redirect, if one has just come back, or else brings the session of the store
   * back. Idempotent.
   */
  override async resume(): Promise<Session | null> {
    const [result, session] = await Promise.all([this.handleCallback(), super.resume()])
    return result ? this.signIn({ result }) : session
  }
}

async function returnToLeftPage(): Promise<void> {
  return (await import('./return-to-left-page')).returnToLeftPage()
}
