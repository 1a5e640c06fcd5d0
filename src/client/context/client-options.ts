/** Client options: validation and defaults. */
import type { FindAttempt } from '../../shared/authorization/create-callback-handler'
import type { AuthorizationSurface } from '../../shared/authorization/authorization-flow'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { withoutUndefined } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import { type ApplicationId, ID_REMEDY, toApplicationId } from '../../shared/foundation/ids'
import type { LogEntry } from '../../shared/foundation/log-entry'
import { requireNames, requireNumber } from '../../shared/foundation/options'
import type { Fetch } from '../../shared/http/http-client'
import type { LobbyUpdates } from '../lobbies/lobby-updates'
import type { RateLimitStore } from '../../shared/rate-limit/store-port'
import type { TokenStore, GetToken } from '../session/token-store'
import {
  userAgent,
  createServiceConfig,
  type ServiceOptions,
  type ServiceConfig,
} from '../../shared/service/service-config'

const OPTIONS: readonly (keyof ClientOptions)[] = [
  'applicationId',
  'service',
  'redirectUri',
  'surface',
  'fetch',
  'clock',
  'tokenStore',
  'keepLobbies',
  'getToken',
  'backendSession',
  'profile',
  'requestTimeout',
  'maxWait',
  'rateLimitStore',
  'refuseExtraScopes',
  'requireIdToken',
  'lobbyUpdates',
  'backendOrigins',
  'logger',
]

/** Options of `new Client(…)`. */
export interface ClientOptions {
  /** Application id, as a decimal string or a bigint. A number is rejected because it would lose digits. */
  applicationId?: string | bigint | undefined
  /** Host of the service, and any deviation from the default endpoints. */
  service: ServiceOptions
  /** Callback page of the popup, absolute or relative to the page. Default: `callback.html` beside the page. */
  redirectUri?: string | undefined
  /** Presents the authorize page unless a call passes its own surface. Default in a page: a popup. */
  surface?: AuthorizationSurface | undefined
  /** HTTP client. Default: the platform's `fetch` at construction time. */
  fetch?: Fetch | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
  /** Persists the session; `resume()` restores it. Default: memory only. */
  tokenStore?: TokenStore | undefined
  /**
   * False: lobbies do not come back with `resume()`. Default: true. The secrets that they were joined with are then kept in `tokenStore`, beside
   * the session and as safe as it.
   */
  keepLobbies?: boolean | undefined
  /**
   * Brings new tokens for a session without a refresh token, for example from the backend that keeps it. It is asked once when a call needs
   * them: before their end, and after the service refused the access token. Default: such a session cannot be refreshed.
   */
  getToken?: GetToken | undefined
  /**
   * Address of `createSessionHandler` in the game's backend, such as `/session`, for a confidential application in a page. `signIn`, `resume`,
   * `signOut` and every refresh go through it: the refresh token stays in the backend, and the page's tokens in memory. Give no `tokenStore`
   * and no `getToken` beside it. If the handler gives the page no token, all calls go through it. Its origin is one of `backendOrigins`. Default: none, the page redeems its codes itself.
   */
  backendSession?: string | undefined
  /** Separates the sessions of several players in one store. Default: `default`. */
  profile?: string | undefined
  /**
   * Rejects sign-ins that grant more scopes than requested, with `extra_scopes`. Default: false; the session lists them as `extraScopes`.
   */
  refuseExtraScopes?: boolean | undefined
  /**
   * Rejects a sign-in for which the service issues no ID token, with `missing_id_token`; its consent is spent then. Default: false: the
   * service says whose the access token is, and `session.proof` is `userinfo`.
   */
  requireIdToken?: boolean | undefined
  /**
   * Time-out in ms of one request, above 0. Default: 30,000; for requests about tokens and accounts 10,000. The time for the player's
   * consent is an option of `signIn`.
   */
  requestTimeout?: number | undefined
  /** Maximum time in ms that a call waits for a rate limit; longer waits reject at once. Default: 5,000. */
  maxWait?: number | undefined
  /** Stores the player's rate-limit budget. Default in a page: shared by all tabs and workers of the origin; elsewhere: in memory. */
  rateLimitStore?: RateLimitStore | undefined
  /** Stream of lobby changes, for example `lobbyStream(url)`. Subscribed with the first lobby call. Default: none. */
  lobbyUpdates?: LobbyUpdates | undefined
  /**
   * Origins of the game's own backend, for example `https://game.example`: `client.backend.fetch` and `lobbyStream` send the player's token there,
   * and nowhere else. `http:` is accepted on this machine only. Default: none.
   */
  backendOrigins?: readonly string[] | undefined
  /** Receives every log entry; entries contain no secrets. Default: no logging. An exception goes to the global error handler. */
  logger?: ((entry: LogEntry) => void) | undefined
}

/** Returns the secret of an invitation once. `owner`: client that takes it. Undefined without a usable one. */
type TakeInvitation = (owner: string) => string | undefined

/** Validated options with defaults. Only `applicationId` may change later. */
export interface ResolvedOptions extends Pick<
  ClientOptions,
  | 'backendOrigins'
  | 'backendSession'
  | 'getToken'
  | 'keepLobbies'
  | 'logger'
  | 'lobbyUpdates'
  | 'maxWait'
  | 'rateLimitStore'
  | 'refuseExtraScopes'
  | 'requireIdToken'
  | 'tokenStore'
> {
  applicationId: ApplicationId | undefined
  service: Readonly<ServiceConfig>
  readonly fetch: Fetch
  userAgent: string | undefined
  clock: Clock
  requestTimeout: number
  /** `requestTimeout`, if the game gives one. */
  tokenTimeout: number | undefined
  surface: AuthorizationSurface | undefined
  findAttempt: FindAttempt
  /** Profile name: separates the sessions in one store. */
  profile: string
  /** Loads page-only services. Default: none. */
  loadPage?: () => Promise<PageServices>
  /** The beginning of a link that opens the app. Default in a page: its address. */
  inviteAddress?: string | undefined
  /** Shows an entry with a remedy in the developer panel. Default: nobody looks. */
  showFinding?: ((entry: LogEntry) => void) | undefined
  /** Takes the invitation that the environment has received. */
  takeInvitation?: TakeInvitation | undefined
  /** Forgets the invitation that was taken: the player has joined a lobby. Default: nothing is kept. */
  forgetInvitation?: ((owner: string) => void) | undefined
  /** Secret of an invitation that nobody has taken yet. Default: there is none. */
  shownInvitation?: (() => string | undefined) | undefined
  /** Query string of the page URL at construction. */
  launchQuery: string
}

/**
 * Validates options and fills in defaults. `surface` and `findAttempt` come from the environment.
 *
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`.
 */
export function resolveOptions(
  options: ClientOptions,
  surface: AuthorizationSurface | undefined,
  findAttempt: FindAttempt,
): ResolvedOptions {
  const given = withoutUndefined(options)
  const secret = ['clientSecret', 'botToken', 'credentials'].find((name) => name in given)
  if (secret) throw new ConfigurationError('invalid_argument', secret, { remedy: 'Keep it in your backend' })
  requireNames(given, OPTIONS)
  const { applicationId, service, profile = 'default' } = given
  const config = createServiceConfig(service)
  const { requestTimeout, maxWait } = given
  requireNumber(requestTimeout ?? undefined, 'requestTimeout', { kind: 'ms', min: 1, example: '30_000' })
  requireNumber(maxWait ?? undefined, 'maxWait', { kind: 'ms', example: '5000' })
  requireKinds(given)
  return {
    clock: systemClock,
    launchQuery: '',
    surface,
    findAttempt,
    ...given,
    // A list that is changed later names no other origin.
    backendOrigins: given.backendOrigins?.slice(),
    fetch: withAnySignal(given.fetch ?? platformFetch()),
    requestTimeout: requestTimeout ?? 30_000,
    tokenTimeout: requestTimeout ?? undefined,
    applicationId: applicationId === undefined ? undefined : requireApplicationId(applicationId),
    service: config,
    userAgent: userAgent(config.brand),
    profile,
  }
}

/** Their mistakes would otherwise end a sign-in that the player has approved. @throws ConfigurationError `invalid_argument`. */
function requireKinds(given: Pick<ClientOptions, 'surface' | 'logger' | 'getToken' | 'fetch'>): void {
  const { surface } = given
  for (const name of ['logger', 'getToken', 'fetch'] as const)
    if (given[name] && typeof given[name] !== 'function')
      throw new ConfigurationError('invalid_argument', name, { remedy: FUNCTION_REMEDY })
  if (surface && typeof surface.open !== 'function')
    throw new ConfigurationError('invalid_argument', 'surface', { remedy: SURFACE_REMEDY })
}

const FUNCTION_REMEDY = 'Give a function'
const SURFACE_REMEDY = 'Give popupSurface() or redirectSurface()'

/** Captured at construction, so a page that replaces `fetch` later has no effect. Shells without `fetch` must pass their own. */
function platformFetch(): Fetch {
  if (typeof globalThis === 'undefined') throw new ConfigurationError('unsupported', 'globalThis')
  const { fetch }: { fetch?: Fetch } = globalThis
  if (fetch) return (...request) => fetch(...request)
  // Only what sends a request needs it.
  return () =>
    Promise.reject(new ConfigurationError('unsupported', 'fetch', { remedy: 'Give the client a fetch' }))
}

/**
 * A test environment replaces `AbortController`, and the machine's `fetch` refuses its signals before it sends anything. The request then runs
 * without: the SDK's own deadlines still hold.
 */
function withAnySignal(fetch: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (!(error instanceof Error) || !/instance of AbortSignal/.test(error.message)) throw error
      return fetch(url, { ...init, signal: null })
    }
  }
}

export function requireApplicationId(value: unknown): ApplicationId {
  const id = toApplicationId(value)
  if (!id) throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: ID_REMEDY })
  return id
}

export interface PageServices {
  /** Opens a rate-limit store shared by all tabs and workers with this name; undefined where storage is unavailable. */
  openRateLimitStore(options: { name: string; clock: Clock }): RateLimitStore | undefined
  /** Calls `listener` when the tab is closed or left. Returns an unsubscribe function. */
  onPageHide(listener: () => void): () => void
  /** The beginning of a link to the page that ends with the secret of an invitation. Undefined for a page that no link opens. */
  inviteAddress(): string | undefined
}
