/** What a client is built from, and what it fills in by itself. */
import type { AuthorizationSurface } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { LogEntry } from '../foundation/log'
import type { Fetch } from '../http/request'
import type { LobbyUpdates } from '../lobbies/lobby-update'
import type { RateLimitStore } from '../rate-limit/store'
import { createServiceProfile, type ServiceOptions, type ServiceProfile } from '../service/profile'
import type { Environment } from './page'

/** Options of `new Client(…)`. */
export interface ClientOptions {
  /** The application's id: a decimal string or a bigint. A number is refused, since it loses digits. */
  applicationId?: string | bigint
  /** Which service to talk to: its host, and whatever differs from the defaults. */
  service: ServiceOptions
  /** Where answers arrive. Default in a page: `callback.html` beside it. */
  redirectUri?: string
  /** How the authorize page is shown unless a call says otherwise. Default in a page: a popup. */
  surface?: AuthorizationSurface
  /** Default: the platform's `fetch`, taken when the client is made. */
  fetch?: Fetch
  clock?: Clock
  /** ms that a request may take, sign-in and tokens aside. Default: 30,000. */
  requestTimeout?: number
  /** ms that a call may wait for a rate limit; one that would wait longer rejects at once. Default: 5,000. */
  maxWait?: number
  /** Where the player's rate budget is kept. Default in a page: shared by all of its tabs and workers; elsewhere this client's own. */
  rateLimitStore?: RateLimitStore
  /** A stream that tells what happens in lobbies, for example `lobbyStream(url)`; listened to from the first call of a lobby on. */
  lobbyUpdates?: LobbyUpdates
  /** Gets every step; silent without it. Nothing it is given holds a secret. */
  logger?: (entry: LogEntry) => void
}

/** A client's options after the defaults were filled in and everything was checked; `applicationId` may change in its life. */
export interface ResolvedOptions extends Pick<ClientOptions, 'logger' | 'maxWait' | 'rateLimitStore' | 'lobbyUpdates'>, Environment {
  applicationId: ApplicationId | undefined
  profile: Readonly<ServiceProfile>
  fetch: Fetch
  clock: Clock
  requestTimeout: number
  surface: AuthorizationSurface | undefined
}

/**
 * `surface` is how a page is shown here, `environment` what else the place brings.
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`.
 */
export function resolveOptions(
  options: ClientOptions,
  surface: AuthorizationSurface | undefined,
  environment: Environment,
): ResolvedOptions {
  return {
    clock: systemClock,
    fetch: platformFetch(),
    requestTimeout: 30_000,
    surface,
    ...environment,
    ...options,
    applicationId: options.applicationId === undefined ? undefined : requireApplicationId(options.applicationId),
    profile: createServiceProfile(options.service),
  }
}

/** Taken now, so that a page that replaces it later changes nothing. Some shells have none: they must bring their own. */
function platformFetch(): Fetch {
  const { fetch } = globalThis
  return (...request) => fetch(...request)
}

export function requireApplicationId(value: unknown): ApplicationId {
  const id = toApplicationId(value)
  if (!id) throw new ConfigurationError('invalid_argument', 'applicationId')
  return id
}
