/** Budgets of the requests that look up access tokens: that of the application, and a small one for tokens that nobody has seen before. */
import type { Clock } from '../shared/foundation/clock'
import type { ApplicationId } from '../shared/foundation/ids'
import type { Api } from '../shared/http/api'
import { createLimitedApi } from '../shared/http/limited-api'
import { type Fetch, fetchTransport } from '../shared/http/http-client'
import type { RateLimitStore } from '../shared/rate-limit/store-port'
import type { ServiceConfig } from '../shared/service/service-config'

/** Lookups of unknown tokens: a fifth of the documented limit of an application. */
const SHARE = { limit: 10, per: 1000 }
/** Refusals of unknown tokens after which such tokens are refused for a while: a fifth of those that stop all calls of an address. */
const BREAKER = { soft: 500, hard: 1000, per: 600_000 }

export interface TokenLookupOptions {
  readonly service: Readonly<ServiceConfig>
  readonly fetch: Fetch
  readonly clock: Clock
  /** Shared by several processes. */
  readonly store: RateLimitStore | undefined
  readonly applicationId: ApplicationId
  /** ms for a request, and for its wait. */
  readonly timeout: number
}

export interface TokenLookupApis {
  readonly api: Api
  /** For unknown tokens. Their refusals stop neither known tokens nor the application's other calls. */
  readonly strangers: Api
}

/** Each call brings its own Authorization header. */
export function createTokenLookupApis({ service, fetch, clock, store, applicationId, timeout }: TokenLookupOptions): TokenLookupApis {
  const credentials = { header: async () => '', renew: async () => false }
  const options = { credentials, transport: fetchTransport(fetch), clock, timeout, maxWait: timeout }
  const limits = { ...service.limits, 'GET /oauth2/@me': SHARE }
  const shared = store?.forApplication?.(applicationId) ?? store
  const refusals = store?.forApplication?.(`${applicationId}:strangers`)
  return {
    api: createLimitedApi({ ...options, service, store: shared }).api,
    strangers: createLimitedApi({
      ...options,
      service: { ...service, limits },
      store: shared && withRefusalsOf(refusals, shared),
      breaker: BREAKER,
    }).api,
  }
}

/** The same slots, with other refusals: those of another store, else none but the client's own. */
function withRefusalsOf(refusals: RateLimitStore | undefined, store: RateLimitStore): RateLimitStore {
  const { parties, connectTimeout } = store
  return {
    ...(parties !== undefined && { parties }),
    ...(connectTimeout !== undefined && { connectTimeout }),
    acquire: (request) => store.acquire(request),
    settle: (settlement) => store.settle(settlement),
    block: (bucket, ms) => store.block(bucket, ms),
    unblock: (bucket) => store.unblock(bucket),
    countRefusals: async (count) => refusals?.countRefusals(count) ?? { total: 0, oldest: 0 },
    close: () => store.close(),
  }
}
