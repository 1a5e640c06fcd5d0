/** Verifies which player calls the game's backend. */
import { type Clock, systemClock } from '../shared/foundation/clock'
import { createTyped } from '../shared/foundation/options'
import { takeCall, takeOptions } from '../shared/foundation/take-options'
import { ConfigurationError } from '../shared/foundation/errors'
import { VARIABLE_REMEDY, toApplicationId, type ApplicationId } from '../shared/foundation/ids'
import { fetchTransport, type HttpContext, type Fetch } from '../shared/http/http-client'
import { createLimitedApi } from '../shared/http/limited-api'
import {
  userAgent,
  createServiceConfig,
  type ServiceConfig,
  type ServiceOptions,
} from '../shared/service/service-config'
import {
  type CallerAddress,
  createStrangerReader,
  type StrangerReader,
  UNCLEAR_REMEDY,
} from './budget/backend-caller'
import { warnInConsole } from '../shared/foundation/log-entry'
import { ServiceBudget } from './budget/service-budget'
import { createAccessTokenLookup } from './players/token-lookup'
import type { Player } from './players/player'
import { isOfPageWithoutToken } from './players/player-token-error'
import { readPlayerToken } from './players/read-player-token'
import { verifyPlayerIdToken } from './players/verify-id-token'
import { isRecord } from '../shared/foundation/untrusted-values'
import { storeOfApplication } from '../shared/rate-limit/store-of-application'
import type { RateLimitStore } from '../shared/rate-limit/store-port'
import { createRemoteJwks } from '../shared/tokens/remote-jwks'
import { reportRateLimitStore } from './keys/store-report'
import { toBeAwaited } from './requests/to-be-awaited'
import { requireBackend } from './require-backend'

/** Options of `createPlayerVerifier`. */
export interface PlayerVerifierOptions {
  /** Application id, as a decimal string or a bigint: tokens of other applications are refused. */
  applicationId: string | bigint
  /** Host of the service, and any deviation from the default endpoints. */
  service: ServiceOptions
  /**
   * Accepts access tokens too, looked up at the service and cached for at most a minute. Default: false, ID tokens only, which are verified
   * without a request. Players whose ID token has ended, or who have none, send their access token: it lets your backend act for them.
   */
  accessTokens?: boolean | undefined
  /** Store for limits shared by several processes, for looked up access tokens. Default: this verifier only. */
  rateLimitStore?: RateLimitStore | undefined
  /**
   * Header in which your proxy writes the address of the caller, for looked up access tokens. Default: the last entry of `x-forwarded-for`, or
   * `x-real-ip` or `cf-connecting-ip`, as long as they agree.
   */
  callerAddress?: CallerAddress | undefined
  /** HTTP client. Default: the platform's `fetch` at construction time. */
  fetch?: Fetch | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/**
 * Resolves with the player of a token or of a request's `Authorization: Bearer` header. A token in a URL is refused.
 *
 * @throws PlayerTokenError `missing_player_token`, `token_in_url`, `player_token_expired`, `player_token_rejected`: respond with 401.
 * @throws ProtocolError `keys_unavailable`, NetworkError, RateLimitError (retryable): respond with 503.
 */
export type VerifyPlayer = (given: string | Request) => Promise<Player>

const OPTIONS: readonly (keyof PlayerVerifierOptions)[] = [
  'applicationId',
  'service',
  'accessTokens',
  'rateLimitStore',
  'callerAddress',
  'fetch',
  'clock',
]
/** ms for a request of the keys, or of a token's player. */
const TIMEOUT = 5000
/** ms for everything that a `verify` may wait for: its turn, a request, and a second one for new keys. */
const VERIFY_TIMEOUT = 11_000

/**
 * Creates the function that verifies which player calls: the signature of the service, this application as the only audience, and the
 * times, with a minute of tolerance. The service's keys are cached, and fetched once for all concurrent callers.
 *
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page.
 * @example
 * ```ts
 * const verify = createPlayerVerifier({ applicationId: '1234567890123456789', service: { host: 'https://service.example' } })
 *
 * async function handler(request: Request): Promise<Response> {
 *   const player = await verify(request).catch(respondToPlayerError)
 *   if (player instanceof Response) return player
 *   return Response.json({ hello: player.id })
 * }
 * ```
 */
export function createPlayerVerifier(options: PlayerVerifierOptions): VerifyPlayer {
  return createTyped('createPlayerVerifier', () => {
    requireBackend()
    const given = takeOptions(options, OPTIONS)
    const {
      clock = systemClock,
      fetch = globalThis.fetch.bind(globalThis),
      accessTokens = false,
      rateLimitStore,
    } = given
    const applicationId = toApplicationId(given.applicationId)
    if (!applicationId)
      throw new ConfigurationError('invalid_argument', 'applicationId', { remedy: VARIABLE_REMEDY })
    const service = createServiceConfig(given.service)
    const store = storeOfApplication(rateLimitStore, applicationId)
    const onRateLimitStoreChanged = reportRateLimitStore()
    const limits = { service, clock, timeout: TIMEOUT, maxWait: TIMEOUT, store, onRateLimitStoreChanged }
    const limited = createLimitedApi({ ...limits, credentials: NOBODY, transport: fetchTransport(fetch) })
    const isShared = store !== undefined
    const budget = new ServiceBudget({ ...limited, service, clock, isShared, maxWait: TIMEOUT })
    const http = { fetch, clock, userAgent: userAgent(service.brand) }
    const strangerOf = createStrangerReader(given.callerAddress, () =>
      warnInConsole('warn', 'verify.caller_unclear', { remedy: UNCLEAR_REMEDY }),
    )
    const verify = createTokenVerifier({
      applicationId,
      service,
      clock,
      http,
      budget,
      strangerOf,
      accessTokens,
    })
    const tell = reportOnce()
    return (request) => toBeAwaited(verify(request).catch(tell), 'verify(request)')
  })
}

/** A page without tokens that calls is a mistake of the backend, and neither side would say so. Passes every error on. */
function reportOnce(): (error: unknown) => never {
  let isTold = false
  return (error) => {
    if (isOfPageWithoutToken(error) && !isTold) {
      isTold = true
      warnInConsole('warn', 'verify.page_without_token', { remedy: error.message })
    }
    throw error
  }
}

/** Takes the option `verify` of an endpoint. @throws ConfigurationError `invalid_argument`, with what a session handler has to be passed as. */
export function takeVerify(verify: VerifyPlayer, clock: Clock): VerifyPlayer {
  if (typeof verify !== 'function')
    throw new ConfigurationError('invalid_argument', 'verify: from createPlayerVerifier(…)')
  if ('verify' in verify)
    throw new ConfigurationError('invalid_argument', 'verify', {
      remedy: 'It is the session handler itself: pass its verify, as in verify: session.verify',
    })
  if (verify.length > 2) throw new ConfigurationError('invalid_argument', 'verify', { remedy: MIDDLEWARE })
  const call = takeCall(verify, { name: 'verify', clock, timeout: VERIFY_TIMEOUT })
  return async (request) => {
    const player: unknown = await call(request)
    if (isPlayer(player)) return player
    throw new ConfigurationError('invalid_argument', 'verify returned no player', { remedy: NO_PLAYER })
  }
}

const MIDDLEWARE =
  'It is called as verify(request), and not as a middleware with next: pass what createPlayerVerifier(…) returns'
const NO_PLAYER =
  'Return the player that createPlayerVerifier(…) or session.verify resolves with, and reject for anybody else'

const isPlayer = (player: unknown): player is Player => isRecord(player) && typeof player['id'] === 'string'

/** Each lookup brings its own header. */
const NOBODY = { header: async () => '', renew: async () => false }

export interface TokenVerifierParts {
  readonly applicationId: ApplicationId
  readonly service: Readonly<ServiceConfig>
  readonly clock: Clock
  /** For the service's keys. */
  readonly http: HttpContext
  readonly budget: ServiceBudget
  readonly strangerOf: StrangerReader
  readonly accessTokens: boolean
}

/** Verifies tokens within a budget. The service's keys are fetched with the first ID token. */
export function createTokenVerifier({
  applicationId,
  service,
  clock,
  http,
  budget,
  strangerOf,
  accessTokens,
}: TokenVerifierParts): VerifyPlayer {
  const keys = createRemoteJwks(http, service.keysUrl, TIMEOUT)
  const lookUp = accessTokens
    ? createAccessTokenLookup({ budget, timeout: TIMEOUT, applicationId, clock })
    : undefined
  return async (request) => {
    const token = createTyped('a token or a Request', () => readPlayerToken(request))
    if (lookUp && !isJwt(token)) return lookUp(token, strangerOf(request))
    return verifyPlayerIdToken(token, {
      issuer: service.issuer,
      clientId: applicationId,
      keys,
      now: clock.now(),
    })
  }
}

/** ID tokens are JWTs with a JSON header; access tokens are opaque. */
const isJwt = (token: string): boolean => /^eyJ[^.]*\.[^.]*\.[^.]*$/.test(token)
