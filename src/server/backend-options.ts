/** Common options and setup of backend clients. */
import { type Clock, systemClock } from '../shared/foundation/clock'
import { ConfigurationError } from '../shared/foundation/errors'
import { type ApplicationId, VARIABLE_REMEDY, toApplicationId } from '../shared/foundation/ids'
import { requireNumber } from '../shared/foundation/options'
import { takeOptions, takePort } from '../shared/foundation/take-options'
import type { Credentials } from '../shared/http/api'
import { createLimitedApi, type LimitedApi, type LimitListeners } from '../shared/http/limited-api'
import { type Fetch, fetchTransport, type HttpContext, type Transport } from '../shared/http/http-client'
import { createKeyedMutex, type KeyedMutex } from '../shared/rate-limit/shared/keyed-mutex'
import { storeOfApplication } from '../shared/rate-limit/store-of-application'
import type { RateLimitStore } from '../shared/rate-limit/store-port'
import {
  userAgent,
  createServiceConfig,
  type ServiceOptions,
  type ServiceConfig,
} from '../shared/service/service-config'
import { backgroundOf, ServiceBudget } from './budget/service-budget'
import { reportRateLimitStore } from './keys/store-report'
import { requireBackend } from './require-backend'

/** Options of every backend client. */
export interface BackendOptions extends LimitListeners {
  /** Application id, as a decimal string or a bigint. A number is rejected because it would lose digits. */
  applicationId: string | bigint
  /** Host of the service, and any deviation from the default endpoints and rate limits. */
  service: ServiceOptions
  /** HTTP client. Default: the platform's `fetch` at construction time. */
  fetch?: Fetch | undefined
  /** Transport for API calls, for example `undiciTransport(pool)`. Default: `fetch`. */
  transport?: Transport | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
  /** Time-out in ms of one request. Default: 30,000. */
  requestTimeout?: number | undefined
  /** Maximum time in ms that a call waits for rate limits; longer waits reject at once. Default: 60,000. */
  maxWait?: number | undefined
  /**
   * Store for limits shared by several processes or clients: `redisRateLimitStore(…)` or `MemoryRateLimitStores`. Default: this client
   * only.
   */
  rateLimitStore?: RateLimitStore | undefined
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

/** ms for a new token, which takes one request. */
const TOKEN_TIME = 11_000
const ANY_CREDENTIALS = 'botToken(…) or clientCredentials(…)'
/** Sessions need the secret itself. */
export const SESSION_CREDENTIALS = 'clientSecret(process.env.FOYER_CLIENT_SECRET)'
/** What a source of credentials returns. */
const CREDENTIALS = { name: 'credentials', methods: ['header', 'renew'], example: "botToken('…')" }

/** Creates credentials with access to the service, for token requests. */
export type CredentialsSource = (context: HttpContext & { service: ServiceConfig }) => Credentials

export interface Backend extends LimitedApi, KeyedMutex {
  credentials: Credentials
  applicationId: ApplicationId
  service: Readonly<ServiceConfig>
  transport: Transport
  clock: Clock
  /** Sends what players and strangers cause. */
  budget: ServiceBudget
  /** For requests without an application's credentials. */
  http: HttpContext
}

/**
 * @param names of further options, which the caller reads.
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page.
 */
export function createBackend(
  given: BackendOptions,
  source: CredentialsSource,
  names: readonly string[] = [],
): Backend {
  const options = readBackendOptions(given, source, names)
  const { applicationId, service, transport, clock, timeout, maxWait, store, fetch } = options
  const http = { fetch, clock, userAgent: userAgent(service.brand) }
  const credentials = takePort(
    source({ ...http, service }),
    { ...CREDENTIALS, timeout: Math.max(timeout, TOKEN_TIME) },
    clock,
  )
  const limited = createLimitedApi({
    service,
    credentials,
    transport,
    clock,
    timeout,
    maxWait,
    store,
    background: backgroundOf(service),
    ...options.listeners,
  })
  const budget = new ServiceBudget({
    api: limited.api,
    limiter: limited.limiter,
    service,
    clock,
    isShared: store !== undefined,
    maxWait,
  })
  const mutex = createKeyedMutex({ clock, maxWait, store })
  return {
    ...mutex,
    ...limited,
    close() {
      mutex.close()
      limited.close()
    },
    applicationId,
    budget,
    credentials,
    service,
    transport,
    clock,
    http,
  }
}

/** Functions that make credentials, by what they need. */
const SOURCES = new Map([
  ['botToken', 'botToken(process.env.FOYER_BOT_TOKEN)'],
  ['clientSecret', 'clientSecret(process.env.FOYER_CLIENT_SECRET)'],
])

/** @throws ConfigurationError `invalid_argument` for a secret as an option of its own. */
function refuseBareSecrets(given: object): void {
  const bare = [...SOURCES].find(([name]) => Object.hasOwn(Object(given), name))
  if (bare)
    throw new ConfigurationError('invalid_argument', bare[0], { remedy: `Pass credentials: ${bare[1]}` })
}

/** A plain token, for example, is refused without showing it. @throws ConfigurationError `invalid_argument`. */
function requireSource(source: unknown, example: string): void {
  if (typeof source !== 'function')
    throw new ConfigurationError('invalid_argument', `credentials: ${example}`)
}

/** Reads the options once: checked, with their defaults. */
function readBackendOptions(given: BackendOptions, source: CredentialsSource, names: readonly string[]) {
  requireBackend()
  refuseBareSecrets(given)
  const options = takeOptions(given, [...OPTIONS, ...names])
  const {
    clock = systemClock,
    requestTimeout: timeout = 30_000,
    maxWait = 60_000,
    fetch = globalThis.fetch.bind(globalThis),
    rateLimitStore,
    onRateLimitDelayed,
    onRateLimited,
    onRateLimitStoreChanged = reportRateLimitStore(),
  } = options
  const applicationId = toApplicationId(options.applicationId)
  if (!applicationId)
    throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: VARIABLE_REMEDY })
  const service = createServiceConfig(options.service)
  requireSource(source, names.length > 0 ? SESSION_CREDENTIALS : ANY_CREDENTIALS)
  requireNumber(timeout, 'requestTimeout', { kind: 'ms', example: '30_000' })
  requireNumber(maxWait, 'maxWait', { kind: 'ms', example: '60_000' })
  return {
    applicationId,
    service,
    transport: options.transport ?? fetchTransport(fetch),
    clock,
    timeout,
    maxWait,
    fetch,
    store: storeOfApplication(rateLimitStore, applicationId),
    listeners: { onRateLimitDelayed, onRateLimited, onRateLimitStoreChanged },
  }
}
