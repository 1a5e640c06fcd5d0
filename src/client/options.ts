/** What a client is built from, and what it fills in by itself. */
import type { FindAttempt } from '../authorization/callback-handler'
import type { AuthorizationSurface } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { withoutUndefined } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { type ApplicationId, ID_REMEDY, toApplicationId } from '../foundation/ids'
import type { LogEntry } from '../foundation/log'
import { requireNames } from '../foundation/option-names'
import type { Fetch } from '../http/request'
import type { LobbyUpdates } from '../lobbies/lobby-events'
import type { RateLimitStore } from '../rate-limit/shared/store'
import type { TokenStore } from '../tokens/session/token-store'
import { createServiceConfig, type ServiceOptions, type ServiceConfig } from '../service/config'
import type { PageServices } from './page-services'

const OPTIONS: readonly (keyof ClientOptions)[] = [
  'applicationId',
  'service',
  'redirectUri',
  'surface',
  'fetch',
  'clock',
  'tokenStore',
  'profile',
  'requestTimeout',
  'maxWait',
  'rateLimitStore',
  'lobbyUpdates',
  'logger',
]

/** Options of `new Client(…)`. */
export interface ClientOptions {
  /** The application's id: a decimal string or a bigint. A number is refused, since it loses digits. */
  applicationId?: string | bigint
  /** Which service to talk to: its host, and whatever differs from the defaults. */
  service: ServiceOptions
  /** Where the popup's answers arrive, absolute or relative to the page. Default: `callback.html` beside it. */
  redirectUri?: string
  /** How the authorize page is shown unless a call says otherwise. Default in a page: a popup. */
  surface?: AuthorizationSurface
  /** Default: the platform's `fetch`, taken when the client is made. */
  fetch?: Fetch
  clock?: Clock
  /** Where the session outlives the page; `resume()` finds it again. Default: nowhere, it stays in memory. */
  tokenStore?: TokenStore
  /** Keeps the sessions of several players apart who share a store. Default: `default`. */
  profile?: string
  /**
   * Refuses a sign-in that grants more scopes than were asked for, as `extra_scopes`. Default: false, the session then lists them as
   * `extraScopes`.
   */
  refuseExtraScopes?: boolean
  /** ms that a request may take, sign-in and tokens aside. Default: 30,000. */
  requestTimeout?: number
  /** ms that a call may wait for a rate limit; one that would wait longer rejects at once. Default: 5,000. */
  maxWait?: number
  /** Where the player's rate budget is kept. Default in a page: shared by all of its tabs and workers; elsewhere this client's own. */
  rateLimitStore?: RateLimitStore
  /** A stream that tells what happens in lobbies, for example `lobbyStream(url)`; listened to from the first call of a lobby on. */
  lobbyUpdates?: LobbyUpdates
  /** Gets every step; silent without it. Nothing it is given holds a secret. What it throws is the page's affair: no call fails for it. */
  logger?: (entry: LogEntry) => void
}

/** A client's options after the defaults were filled in and everything was checked; `applicationId` may change in its life. */
export interface ResolvedOptions extends Pick<
  ClientOptions,
  'logger' | 'lobbyUpdates' | 'maxWait' | 'rateLimitStore' | 'refuseExtraScopes' | 'tokenStore'
> {
  applicationId: ApplicationId | undefined
  service: Readonly<ServiceConfig>
  fetch: Fetch
  clock: Clock
  requestTimeout: number
  surface: AuthorizationSurface | undefined
  findAttempt: FindAttempt
  /** Whose session it is, among those in one store. */
  player: string
  /** What a page has for the player's calls. Default: nothing. */
  loadPage?: () => Promise<PageServices>
  /** The query of the address that the game was opened with. */
  launchQuery: string
}

/**
 * `surface` and `findAttempt` are what the environment brings: how a page is shown here, and where attempts outlive a page.
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`.
 */
export function resolveOptions(
  options: ClientOptions,
  surface: AuthorizationSurface | undefined,
  findAttempt: FindAttempt,
): ResolvedOptions {
  const given = withoutUndefined(options)
  requireNames(given, OPTIONS)
  const { applicationId, service, profile: player = 'default' } = given
  return {
    clock: systemClock,
    fetch: platformFetch(),
    requestTimeout: 30_000,
    launchQuery: '',
    surface,
    findAttempt,
    ...given,
    applicationId: applicationId === undefined ? undefined : requireApplicationId(applicationId),
    service: createServiceConfig(service),
    player,
  }
}

/** Taken now, so that a page that replaces it later changes nothing. Some shells have none: they must bring their own. */
function platformFetch(): Fetch {
  if (typeof globalThis === 'undefined') throw new ConfigurationError('unsupported', 'globalThis')
  const { fetch } = globalThis
  return (...request) => fetch(...request)
}

export function requireApplicationId(value: unknown): ApplicationId {
  const id = toApplicationId(value)
  if (!id) throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: ID_REMEDY })
  return id
}
