/** What the clients of a backend have in common. */
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import { type ApplicationId, ID_REMEDY, toApplicationId } from '../foundation/ids'
import { requireNames } from '../foundation/option-names'
import type { Credentials } from '../http/credentials'
import { createLimitedApi, type LimitedApi, type LimitListeners } from '../http/limited-api'
import type { Fetch, HttpContext } from '../http/request'
import { fetchTransport, type Transport } from '../http/transport'
import { createKeyedMutex, type KeyedMutex } from '../rate-limit/shared/keyed-mutex'
import type { RateLimitStore } from '../rate-limit/shared/store'
import { createServiceConfig, type ServiceOptions, type ServiceConfig } from '../service/config'
import { requireBackend } from './backend-only'

/** Options of every client of a backend. */
export interface BackendOptions extends LimitListeners {
  /** The application's id: a decimal string or a bigint. A number is refused, since it loses digits. */
  applicationId: string | bigint
  /** Which service to talk to: its host, and whatever differs from the defaults, limits included. */
  service: ServiceOptions
  /** Default: the platform's `fetch`, taken when the client is made. */
  fetch?: Fetch
  /** What carries calls to the service, for example `undiciTransport(pool)`. Default: `fetch`. */
  transport?: Transport
  clock?: Clock
  /** ms for one exchange. Default: 30,000. */
  requestTimeout?: number
  /** ms that a call may wait for its limits; one that would wait longer rejects at once. Default: 60,000. */
  maxWait?: number
  /** A budget that several processes, or several clients, share: `redisRateLimitStore(…)`, `budget.store()`. Default: this client alone. */
  rateLimitStore?: RateLimitStore
}

const OPTIONS: readonly (keyof BackendOptions | 'credentials' | 'application')[] = [
  'applicationId',
  'service',
  'credentials',
  'application',
  'fetch',
  'transport',
  'clock',
  'requestTimeout',
  'maxWait',
  'rateLimitStore',
  'onRateLimitDelayed',
  'onRateLimited',
  'onRateLimitStoreChanged',
]

/** Makes credentials that can reach the service themselves. */
export type CredentialsSource = (context: HttpContext & { service: ServiceConfig }) => Credentials

export interface Backend extends LimitedApi, KeyedMutex {
  credentials: Credentials
  applicationId: ApplicationId
  service: Readonly<ServiceConfig>
  transport: Transport
  clock: Clock
}

/** @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page. */
export function createBackend(options: BackendOptions, source: CredentialsSource): Backend {
  requireBackend()
  requireNames(options, OPTIONS)
  const { clock = systemClock, requestTimeout: timeout = 30_000, maxWait = 60_000, fetch = globalThis.fetch.bind(globalThis) } = options
  const applicationId = toApplicationId(options.applicationId)
  if (!applicationId) throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: ID_REMEDY })
  const service = createServiceConfig(options.service)
  // A token by itself, for one: it must not be believed, and not be shown.
  if (typeof source !== 'function') throw new ConfigurationError('invalid_argument', 'credentials: botToken(…) or clientCredentials(…)')
  for (const [field, value] of Object.entries({ requestTimeout: timeout, maxWait }))
    if (typeof value !== 'number' || !(value >= 0))
      throw new ConfigurationError('invalid_argument', `${field}: ms`, { remedy: 'Give a number' })
  const { transport = fetchTransport(fetch), rateLimitStore: store, onRateLimitDelayed, onRateLimited, onRateLimitStoreChanged } = options
  const listeners = { onRateLimitDelayed, onRateLimited, onRateLimitStoreChanged }
  const credentials = source({ fetch, clock, service })
  const limited = createLimitedApi({ service, credentials, transport, clock, timeout, maxWait, store, ...listeners })
  const turns = createKeyedMutex({ clock, maxWait, store })
  return {
    ...turns,
    ...limited,
    close() {
      turns.close()
      limited.close()
    },
    applicationId,
    credentials,
    service,
    transport,
    clock,
  }
}
