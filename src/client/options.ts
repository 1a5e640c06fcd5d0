/** What a client is built from, and what it fills in by itself. */
import type { AttemptStore } from '../authorization/attempt-store'
import type { AuthorizationSurface } from '../authorization/surface'
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { LogEntry } from '../foundation/log'
import type { Fetch } from '../http/request'
import { createServiceProfile, type ServiceOptions, type ServiceProfile } from '../service/profile'

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
  /** Gets every step; silent without it. Nothing it is given holds a secret. */
  logger?: (entry: LogEntry) => void
}

/** What the environment brings: the rim fills these in. */
export interface Environment {
  surface: AuthorizationSurface | undefined
  attempts: AttemptStore
}

/** Options after the defaults were filled in and everything was checked. */
export interface ResolvedOptions extends Environment {
  applicationId: ApplicationId | undefined
  profile: Readonly<ServiceProfile>
  fetch: Fetch
  clock: Clock
  logger: ((entry: LogEntry) => void) | undefined
}

/** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`. */
export function resolveOptions(options: ClientOptions, environment: Environment): ResolvedOptions {
  const { applicationId, service, clock = systemClock, logger } = options
  return {
    applicationId: applicationId === undefined ? undefined : requireApplicationId(applicationId),
    profile: createServiceProfile(service),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    clock,
    logger,
    surface: options.surface ?? environment.surface,
    attempts: environment.attempts,
  }
}

export function requireApplicationId(value: unknown): ApplicationId {
  const id = toApplicationId(value)
  if (id) return id
  throw new ConfigurationError('invalid_argument', 'applicationId must be a decimal string or a bigint below 2^64; a number loses digits.')
}
