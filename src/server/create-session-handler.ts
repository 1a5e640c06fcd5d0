/** Sign-in by the game's backend, for a confidential application: it holds the refresh token, and the page a cookie. */
import { createTyped, requireNumber } from '../shared/foundation/options'
import { ConfigurationError, FoyerError } from '../shared/foundation/errors'
import { type UserId, requireId } from '../shared/foundation/ids'
import { takeCall, takePort } from '../shared/foundation/take-options'
import { type Log, onceInConsole, warnInConsole } from '../shared/foundation/log-entry'
import { reveal, type Secret } from '../shared/foundation/secret'
import type { TokenSet } from '../shared/tokens/token-set'
import {
  type Backend,
  type BackendOptions,
  type CredentialsSource,
  createBackend,
  SESSION_CREDENTIALS,
} from './backend-options'
import { type CallerAddress, createStrangerReader, UNCLEAR_REMEDY } from './budget/backend-caller'
import { BackendSessions, type BackendSessionsOptions } from './sessions/backend-sessions'
import { requireRequest } from './requests/require-request'
import { isNavigation, requireOrigins } from './sessions/check-origin'
import { createCookiePlaces } from './sessions/cookie-place'
import { handleSessionRequest } from './sessions/handle-session-request'
import type { SessionHandlerParts } from './sessions/session-request-parts'
import { verifyByCookie } from './sessions/verify-by-cookie'
import { createTokenVerifier, type VerifyPlayer } from './create-player-verifier'
import { toBeAwaited } from './requests/to-be-awaited'
import { createSeal } from './sessions/sealed-text'
import { createSessionService, type SessionService } from './sessions/session-service'
import { type SessionStore, STORE } from './sessions/session-store'
import { storeReport } from './keys/store-report'
import { ownFields } from '../shared/foundation/untrusted-values'

/** Options of `createSessionHandler`. */
export interface SessionHandlerOptions extends BackendOptions {
  /** The client secret: `clientSecret(process.env.FOYER_CLIENT_SECRET)`. */
  credentials: CredentialsSource
  /** Origins of the game's pages: a request of any other page is refused. `http:` on this machine only, for development. */
  origins: readonly string[]
  /** Holds the sessions of all processes: `redisSessionStore(redis)`, or `memorySessionStore()` for one process. */
  store: SessionStore
  /**
   * Keys that seal cookies and records, the newest first: texts of 32 or more random characters. To replace one, put a new one in front, and
   * remove the old one a `maxAge` later. Default: one key, derived from the client secret; a new secret then signs everybody out.
   */
  keys?: readonly (Secret | string)[] | undefined
  /** Path of the handler. Default: `/session`. */
  path?: string | undefined
  /**
   * Tokens that the page gets. `short`: the access token and the ID token, in memory only. `none`: no token at all. The handler then sends the page's
   * calls to the service, below `<path>/api`, from a closed list of routes. Default: `short`.
   */
  tokens?: 'short' | 'none' | undefined
  /** Registered redirect URI of `<path>/callback`, for sign-ins that begin at `<path>/start`. Default: there are none. */
  redirectUri?: string | undefined
  /** Scopes for `<path>/start`, divided by single spaces. Default: those of lobbies and messages. */
  scopes?: string | undefined
  /**
   * Tokens of the provisional account of a player whose refresh token was refused (`invalid_grant`), for example
   * `(playerId) => client.tokens.provisional(…)`. The session goes on as that account. Null, or a rejection such as `account_not_provisional`:
   * it ends, and the player has to sign in. Default: it ends.
   */
  recover?: ((playerId: string) => Promise<TokenSet | null>) | undefined
  /** ms after its last refresh until a session ends. Default: 30 days. */
  maxAge?: number | undefined
  /**
   * Name of the session's cookie, for a host that passes one cookie only, such as `__session`. Not together with `redirectUri`, whose attempts
   * need cookies of their own. Default: a name with the application's id.
   */
  cookieName?: string | undefined
  /**
   * Header in which your proxy writes the address of the caller, which bounds what a stranger may cause. Default: the last entry of
   * `x-forwarded-for`, or `x-real-ip` or `cf-connecting-ip`, as long as they agree.
   */
  callerAddress?: CallerAddress | undefined
  /** Receives log entries; entries contain no secrets. Default: warnings and errors in the console, each cause once. */
  logger?: Log | undefined
}

/** Endpoint for the sessions of a confidential application. */
export interface SessionHandler {
  /** Handles a request below `path`. Rejects only with `invalid_argument`, for what is no `Request` of the Fetch API. */
  (request: Request): Promise<Response>
  /** Ends all sessions of a player in all processes, for example after a ban or the event `APPLICATION_DEAUTHORIZED`. */
  end(playerId: string): Promise<void>
  /**
   * Verifies the player of a request to your own routes: by the cookie of a page without tokens (`tokens: 'none'`), which one of `origins`
   * has to have sent, or by a token in the Authorization header, as `createPlayerVerifier({ accessTokens: true })` does. Serves as `verify` of
   * `createLobbyHub` and `createPlayerTickets` too.
   *
   * @throws PlayerTokenError `missing_player_token`, … @throws NetworkError (retryable) without the store.
   */
  readonly verify: VerifyPlayer
  /** Aborts pending requests to the service. */
  close(): void
}

const OPTIONS: readonly string[] = [
  'origins',
  'store',
  'keys',
  'path',
  'tokens',
  'redirectUri',
  'scopes',
  'recover',
  'maxAge',
  'cookieName',
  'callerAddress',
  'logger',
]
const SCOPES = 'openid sdk.social_layer'
const DAY = 24 * 3_600_000
const MONTH = 30 * DAY
const MAX_AGE = 365 * DAY
/** ms for the game to bring the tokens of a provisional account. */
const RECOVERY = 8000
const PATH = /^(\/[\w.~-]+)+$/

/**
 * Creates the endpoint through which a page signs in with a confidential application. The backend redeems the code with the client secret and
 * keeps the refresh token; the page gets the access token and the ID token, and a sealed `HttpOnly` cookie that brings new ones.
 *
 * @throws ConfigurationError `missing_service_host`, `insecure_endpoint`, `invalid_argument`; `unsupported` in a page.
 * @example
 * ```ts
 * const session = createSessionHandler({
 *   applicationId: '1234567890123456789',
 *   service: { host: 'https://service.example' },
 *   credentials: clientSecret(process.env.FOYER_CLIENT_SECRET),
 *   origins: ['https://game.example'],
 *   store: redisSessionStore(new Redis()),
 * })
 * createServer(toNodeListener(session)).listen(8080)
 * ```
 */
export function createSessionHandler(options: SessionHandlerOptions): SessionHandler {
  return createTyped('createSessionHandler', () => {
    const given = ownFields({ ...options })
    const backend = createBackend(given, given.credentials, OPTIONS)
    const store = takePort(
      given.store,
      { ...STORE, onFailure: storeReport('store of createSessionHandler', given.logger) },
      given.clock,
    )
    if (!store) throw new ConfigurationError('invalid_argument', 'store', { remedy: `Pass ${STORE.example}` })
    const { clientSecret } = backend.credentials
    if (!clientSecret) throw new ConfigurationError('invalid_argument', `credentials: ${SESSION_CREDENTIALS}`)
    const seal = createSeal(
      given.keys ?? [`${reveal(clientSecret)} of ${backend.applicationId}, without keys of its own`],
    )
    const parts = createParts(Object.assign(given, { store }), { ...backend, clientSecret, seal })
    return Object.assign((request: Request) => handleSessionRequest(request, parts), {
      end: async (playerId: string) => parts.sessions.endAll(requireId(playerId, 'playerId')),
      verify: createVerify(backend, parts),
      close: () => backend.close(),
    })
  })
}

/** By the cookie of a page without tokens, or by a token. */
function createVerify(backend: Backend, parts: SessionHandlerParts): VerifyPlayer {
  const verifyToken = createTokenVerifier({ ...backend, strangerOf: parts.strangerOf, accessTokens: true })
  const verify: VerifyPlayer = async (request) => {
    if (typeof request !== 'string') requireRequest(request)
    const isCookie =
      typeof request !== 'string' &&
      !request.headers.has('authorization') &&
      (parts.isRelaying || isNavigation(request))
    return isCookie ? verifyByCookie(request, parts) : verifyToken(request)
  }
  return (request) => toBeAwaited(verify(request), 'verify(request)')
}

interface Wired
  extends
    Pick<Backend, 'budget' | 'service' | 'clock' | 'applicationId' | 'http'>,
    Pick<SessionHandlerParts, 'seal'> {
  readonly clientSecret: Secret
}

/** @throws ConfigurationError `invalid_argument`. */
function createParts(given: SessionHandlerOptions, wired: Wired): SessionHandlerParts {
  const {
    store,
    path = '/session',
    redirectUri,
    scopes = SCOPES,
    maxAge = MONTH,
    logger: log = onceInConsole(),
  } = given
  const { tokens: mode = 'short' } = given
  const origins = requireOrigins(given.origins)
  if (mode !== 'short' && mode !== 'none')
    throw new ConfigurationError('invalid_argument', 'tokens', { remedy: "Pass 'short' or 'none'" })
  if (!PATH.test(path))
    throw new ConfigurationError('invalid_argument', 'path', { remedy: "Pass a path such as '/session'" })
  requireNumber(maxAge, 'maxAge', { kind: 'ms', example: '2_592_000_000' })
  if (!(maxAge > 0 && maxAge <= MAX_AGE))
    throw new ConfigurationError('invalid_argument', 'maxAge: ms', {
      remedy: 'Pass a number of ms, of a year at most',
    })
  requireCallbackOf(origins, path, redirectUri)
  const serviceFor = createSessionService({ ...wired, log })
  const tokensFor: BackendSessionsOptions['tokensFor'] = (caller) => serviceFor(caller).tokens
  const recover = recoverWith(
    takeCall(given.recover, { name: 'recover', clock: wired.clock, timeout: RECOVERY }),
    serviceFor({ kind: 'session' }).identify,
  )
  const strangerOf = createStrangerReader(given.callerAddress, () =>
    (given.logger ?? warnInConsole)('warn', 'session.caller_unclear', { remedy: UNCLEAR_REMEDY }),
  )
  return {
    ...wired,
    serviceFor,
    strangerOf,
    store,
    origins,
    path,
    redirectUri,
    scopes,
    maxAge,
    log,
    isRelaying: mode === 'none',
    sessions: new BackendSessions({ ...wired, store, tokensFor, log, maxAge, recover }),
    placeOf: createCookiePlaces({ ...wired, origins, redirectUri, cookieName: requireCookieName(given) }),
  }
}

/** The service sends the player to `callback` below `path`. A proxy may add a prefix. @throws ConfigurationError `invalid_argument`. */
function requireCallbackOf(origins: readonly string[], path: string, redirectUri: string | undefined): void {
  if (redirectUri === undefined) return
  const isOwn = origins.some((origin) => redirectUri.startsWith(`${origin}/`))
  const remedy = isOwn
    ? `The handler answers at ${path}/callback: pass such an address, or change path`
    : 'It must be an address of one of the origins'
  if (!isOwn || !redirectUri.endsWith(`${path}/callback`))
    throw new ConfigurationError('invalid_argument', 'redirectUri', { remedy })
}

/** @throws ConfigurationError `invalid_argument`. */
function requireCookieName({ cookieName, redirectUri }: SessionHandlerOptions): string | undefined {
  if (cookieName === undefined) return undefined
  const remedy = "Pass a name such as '__session', and no redirectUri"
  if (typeof cookieName !== 'string' || !/^[\w-]{1,64}$/.test(cookieName) || redirectUri !== undefined)
    throw new ConfigurationError('invalid_argument', 'cookieName', { remedy })
  return cookieName
}

/** A refusal that would be repeated means that there is no such account: the player has to sign in. */
function recoverWith(recover: SessionHandlerOptions['recover'], identify: SessionService['identify']) {
  return async (playerId: UserId) => {
    const tokens = await recover?.(playerId).catch((error: unknown) => {
      if (error instanceof FoyerError && !error.retryable) return null
      throw error
    })
    return tokens ? { tokens, userId: await identify(tokens) } : undefined
  }
}
