/** The `Client` class with browser services: popup, session storage and address bar. Workers and Node work without them. */
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import {
  loadBackendSession,
  loadPage,
  loadAfterRedirect,
  loadBrowserSessions,
  loadStoredSession,
} from './capabilities'
import { CoreClient } from '../core-client'
import type { ClientBase } from '../context/client-base'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { Sessions } from '../sign-in/sessions'
import { type ClientOptions, type ResolvedOptions, resolveOptions } from '../context/client-options'
import type { LogEntry } from '../../shared/foundation/log-entry'
import type { Fetch } from '../../shared/http/http-client'
import type { MetadataKeys } from '../lobbies/lobby-state'
import { afterUnref, systemClock } from '../../shared/foundation/clock'
import { withoutUndefined } from '../../shared/foundation/untrusted-values'
import { createTyped, withTypedErrors } from '../../shared/foundation/options'
import type { Session } from '../session/session'
import { type Elsewhere, type OwnResponse, responseState, takeOwnResponse } from './address-bar'
import { forgetInvitation, moveInvitation, shownInvitation, takeInvitation } from './invitation-address'
import { popupSurface } from './popup-surface'
import { showFinding } from '../../shared/foundation/show-finding'

/**
 * Client of the service for a browser page, a worker or Node: sign-in, session, lobbies and Activities.
 *
 * @example
 * ```ts
 * import { Client, indexedDbStore } from 'foyer-sdk'
 *
 * const client = new Client({
 *   applicationId: '1234567890123456789',
 *   service: { host: 'https://service.example' },
 *   tokenStore: indexedDbStore(),
 * })
 * await client.resume()
 * if (!client.session) button.addEventListener('click', () => client.signIn())
 * ```
 */
export class Client<Keys extends MetadataKeys = MetadataKeys> extends CoreClient<Keys> {
  /** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
  constructor(options: ClientOptions) {
    const resolved = createTyped('options', () => readOptions(options))
    let isUsed = false
    if (isPage()) moveInvitation(resolved.service.brand)
    super(
      {
        ...resolved,
        launchQuery: isPage() ? location.search : '',
        takeInvitation,
        forgetInvitation,
        shownInvitation: isPage() ? shownInvitation : undefined,
        showFinding: isPage() ? showFindings(resolved) : undefined,
        loadPage,
        loadSessions(client) {
          isUsed = true
          return loadSessions(client)
        },
      },
      isPage() ? (context) => expectResume(context, () => isUsed) : undefined,
    )
  }

  /**
   * Completes an authorization by redirect or deep link. Default `url`: the address bar, from which a response to this client is removed
   * synchronously. Resolves with null if there is none: parameters that this client did not ask for stay, whatever their names are, and so
   * do responses to other clients of the page (another service, application id or `profile`). A response that was used before is removed.
   * For one minute, the same URL returns the same result.
   *
   * With the option `launchUrl` of `redirectSurface`, a link of somebody else is null too, and an invitation moves into the address of the page.
   *
   * @throws AuthorizationError, for example `state_mismatch`, `access_denied`, `timed_out`. @throws NetworkError `timed_out` if `launchUrl`
   * names no links within 5 s.
   */
  override async handleCallback(url?: string): Promise<AuthorizationResult | null> {
    const { surface, service, clock } = this.options
    if (url !== undefined && !surface?.takeLink) return super.handleCallback(url)
    return withTypedErrors('handleCallback', async () => {
      const response = url === undefined && takeOwnResponse(this.owner)
      if (typeof response === 'object') return super.handleCallback(await registeredUrl(response))
      // If the module cannot be loaded, the response stays in the address bar and this client continues.
      if (response) await passOn(response).catch(() => undefined)
      const own = await surface?.takeLink?.([this.owner, service.brand, clock, url])
      return own ? super.handleCallback(own) : null
    })
  }

  /**
   * Call it when the page starts: completes a sign-in by redirect if one just returned, otherwise restores the session of the store,
   * or of `backendSession`. Idempotent. Resolves with null if there is no session. With a store, the player's lobbies come back too, for which it
   * waits for 5 s at most.
   *
   * @throws The errors of `signIn`, after a redirect. `client.session` then still is the session of the store, if there is one.
   * @throws NetworkError, ApiError with `backendSession`, while the backend cannot be reached.
   */
  override async resume(): Promise<Session | null> {
    const restoring = super.resume()
    const settled = restoring.catch(() => undefined)
    try {
      const result = await this.handleCallback()
      await settled
      // A store that fails does not cancel a sign-in, nor does a refused sign-in cancel a session.
      return result ? await this.signIn({ result }) : await restoring
    } finally {
      await settled
    }
  }
}

/** The developer panel listens to the event, which exists during `vite dev` only. Without a logger, each is in the console too, once. */
function showFindings({ logger }: ResolvedOptions): (entry: LogEntry) => void {
  const told = new Set<unknown>()
  return (detail) => {
    showFinding(detail)
    if (!logger) withRareParts((part) => part.warnOnce(told, detail))
  }
}

/** ms after which a page should have asked for its session. */
const RESUME_BEGINS = 5000

/** A page that a redirect has come back to says so if nobody takes the response, and one that keeps a session if nobody asks for it. */
function expectResume(context: ClientContext, isUsed: () => boolean): void {
  const { clock, tokenStore } = context.options
  const later = (run: () => unknown) => afterUnref(clock, RESUME_BEGINS, run)
  if (responseState(location.href) !== undefined)
    later(() => withRareParts((part) => part.nameUntaken(context)))
  else if (tokenStore) later(() => isUsed() || withRareParts((part) => part.nameUnresumed(context)))
}

function withRareParts(use: (part: Awaited<ReturnType<typeof loadAfterRedirect>>) => unknown): void {
  loadAfterRedirect()
    .then(use)
    .catch(() => undefined)
}

const isPage = (): boolean => typeof document === 'object'

function readOptions(options: ClientOptions): ResolvedOptions {
  const { clock = systemClock, redirectUri } = withoutUndefined(options ?? {})
  const resolved = resolveOptions(
    options,
    isPage() ? popupSurface({ clock, redirectUri }) : undefined,
    async (state, owner) => {
      return (await loadAfterRedirect()).takeAttempt(state, { owner, clock })
    },
  )
  if (!hasBackend(resolved)) return resolved
  const relayed: Fetch = async (...request) => (await loadBackendSession()).relayKept(resolved, ...request)
  return { ...resolved, fetch: relayed }
}

/** An empty address of `backendSession` is given, and refused. */
async function loadSessions(client: ClientBase): Promise<Sessions> {
  if (hasBackend(client.options)) return new (await loadBackendSession()).BackendHeldSessions(client)
  const { tokenStore } = client.options
  // Without a token store, the code that reads and writes records is not needed. With one, it loads at the same time.
  const [{ openBrowserSessions }, stored] = await Promise.all([
    loadBrowserSessions(),
    tokenStore && loadStoredSession(),
  ])
  return openBrowserSessions(client, stored?.persistIn(tokenStore))
}

const hasBackend = ({ backendSession }: Pick<ClientOptions, 'backendSession'>): boolean =>
  backendSession !== undefined && backendSession !== null

/** The redirect URI is checked later: a host may redirect it, as `/callback.html` to `/callback`. */
async function registeredUrl({ url, redirectUri }: OwnResponse): Promise<string> {
  if (url.startsWith(redirectUri)) return url
  return (await loadAfterRedirect()).toRegisteredUrl(url, redirectUri)
}

async function passOn(to: Elsewhere): Promise<void> {
  const { relayFromGame, returnToLeftPage } = await loadAfterRedirect()
  await (to === 'other client' ? returnToLeftPage() : relayFromGame())
}
