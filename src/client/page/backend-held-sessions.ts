/** Sessions of a confidential application in a page: the game's backend redeems the codes and keeps the refresh token, and only requests to it bring its cookie. */
import { type AuthorizationResult, openResult } from '../../shared/authorization/authorization-result'
import type { IdentifiedTokens } from '../../shared/tokens/identify-player'
import { requireRevealed } from '../../shared/foundation/options'
import { base64url, sha256 } from '../../shared/foundation/crypto'
import {
  ApiError,
  ConfigurationError,
  FoyerError,
  NetworkError,
  SessionError,
} from '../../shared/foundation/errors'
import { type UserId, isUserId } from '../../shared/foundation/ids'
import { reveal } from '../../shared/foundation/secret'
import { KeptToken, keptPlayer, PLAYER_HEADER } from '../../shared/tokens/kept-token'
import {
  readVerifier,
  type ReceivedResponse,
  type TokenResponseReader,
  type VerifiedTokens,
} from '../../shared/tokens/token-endpoint'
import { splitScopes, type IdTokenClaims, type TokenSet } from '../../shared/tokens/token-set'
import { readUrl, isRecord } from '../../shared/foundation/untrusted-values'
import { isSecure, withoutEndSlashes } from '../../shared/foundation/addresses'
import { cleanText } from '../../shared/foundation/error-text'
import { tokenErrorFrom } from '../../shared/foundation/oauth-errors'
import type { Fetch } from '../../shared/http/http-client'
import type { Caller } from '../session/caller'
import type { ClientBase } from '../context/client-base'
import type { GetToken, GivenTokens } from '../session/token-store'
import { Sessions, type SignOutOptions, type SignOutResult } from '../sign-in/sessions'
import type { Session } from '../session/session'
import type { RedeemOptions } from '../session/token-client'
import { browserSessionEnvironment } from './browser-sessions'
import { loadAfterConsent } from '../context/capabilities'
import type { ResolvedOptions } from '../context/client-options'

export class BackendHeldSessions extends Sessions {
  override readonly backendOrigin: string
  readonly #backend: BackendRequests
  /** By result: if the keys cannot be fetched, the response is read again, and the code is not used twice. */
  readonly #responses = new WeakMap<AuthorizationResult, Promise<ReceivedResponse | null>>()
  /** Tells other tabs that the player has signed out. */
  readonly #announce: () => void
  #restoring: Promise<void> | undefined

  /** @throws ConfigurationError `invalid_argument` beside another source of tokens, and for an address that is none. */
  constructor(client: ClientBase) {
    const { options } = client
    const rival = (['tokenStore', 'getToken'] as const).find((name) => options[name])
    if (rival)
      throw new ConfigurationError('invalid_argument', rival, {
        remedy: 'Leave it out: backendSession brings the tokens',
      })
    const backend = new BackendRequests(client)
    const environment = browserSessionEnvironment(options.clock)
    super(client, environment)
    this.#backend = backend
    this.backendOrigin = backend.origin
    const name = `foyer:backend ${backend.origin} ${options.applicationId}`
    this.#announce = () => environment.announce(name)
    const changed = (key: string) => key === name && this.#look().catch(() => undefined)
    client.closeSignal.addEventListener('abort', environment.watch({ changed, awake: () => undefined }))
  }

  override get getToken(): GetToken {
    return async ({ refused, userId }) => {
      const hash = refused instanceof KeptToken ? {} : { refused: base64url(sha256(reveal(refused))) }
      const received = await this.#backend.post('token', hash)
      // The backend has gone on as the player's provisional account: this session is over, and `resume` finds the other.
      const { user_id: now = userId } = received?.response.body ?? {}
      return now === userId ? tokensOf(received) : null
    }
  }

  /** The backend redeems the code. */
  override async redeem(
    result: AuthorizationResult,
    { codeVerifier, signal }: RedeemOptions,
  ): Promise<VerifiedTokens> {
    const { options } = this.client
    const {
      verifier = codeVerifier,
      clientId = options.applicationId,
      ...binding
    } = openResult(result, options)
    if (!clientId) throw new ConfigurationError('missing_application_id')
    const { code, redirectUri } = result
    const proof = { codeVerifier: readVerifier(verifier), nonce: binding.nonce }
    const body = { code: code.reveal(), redirectUri, ...proof, isEmbedded: isEmbedded() }
    const received = this.#responses.get(result) ?? this.#signIn(body, signal)
    this.#responses.set(result, received)
    this.#backend.signingIn = received.catch(() => undefined)
    return this.#read(requireResponse(await received), { ...binding, clientId }, signal)
  }

  /** In a frame of another site, a browser without partitioned cookies keeps none: the player is signed in until the frame is left. */
  async #signIn(body: { isEmbedded: boolean }, signal?: AbortSignal): Promise<ReceivedResponse | null> {
    const received = await this.#backend.post('sign-in', body, signal)
    if (!body.isEmbedded) await this.#backend.requireCookie(signal)
    return received
  }

  /** The backend has said whose the tokens are that it keeps. */
  override async identify(verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> {
    const { tokens } = verified
    if (!(tokens.accessToken instanceof KeptToken) || tokens.claims) return super.identify(verified, signal)
    const { userId } = tokens.accessToken
    const tokenClient = await this.client.tokenClient()
    return { ...verified, userId, user: await tokenClient.fetchUser({ tokens, userId, signal }) }
  }

  override async resume(): Promise<Session | null> {
    await (this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined)))
    return super.resume()
  }

  /** The request needs the application's secret. Without a token: that of the session, which the page may not hold. */
  override async revoke(...[token, own, signal]: Parameters<Sessions['revoke']>): Promise<void> {
    requireRevealed(token, 'token')
    const body = own ? { userId: own.userId } : { token: reveal(token) }
    const received = await this.#backend.post('revoke', body, signal)
    if (!received) throw new SessionError('signed_out')
  }

  override async signOut(options: SignOutOptions, caller: Caller): Promise<SignOutResult> {
    this.#backend.signOuts += 1
    const [result] = await Promise.all([
      endInBackend(this.#backend, { ...options, userId: caller.userId }),
      super.signOut({}, caller),
    ])
    this.#announce()
    return result
  }

  /** Another tab has signed out, or says so: the backend knows. */
  async #look(): Promise<void> {
    const { currentSession } = this
    const { record } = currentSession
    if (
      record &&
      !(await this.#backend.post('token', { ask: true })) &&
      currentSession.record?.id === record.id
    )
      await currentSession.end(new SessionError('signed_out'))
  }

  /** Continues the session of the cookie. */
  async #restore(): Promise<void> {
    const { authState, options } = this.client
    const { applicationId: clientId } = options
    if (authState.session || this.isIdentifying) return
    if (!clientId) throw new ConfigurationError('missing_application_id')
    const { signOuts } = this.#backend
    const received = await this.#backend.post('token', { ask: true })
    if (!received || authState.session || signOuts !== this.#backend.signOuts) return
    await authState.whileConnecting(
      async () => {
        const verified = await this.#read(received, { clientId, isRefresh: true })
        return this.identify({ ...verified, asked: verified.tokens.scopes })
      },
      // The player may have signed in meanwhile.
      async (identified) => authState.session ?? this.adopt(identified),
    )
  }

  /** Reads answers without tokens too. */
  async #read(...[received, expected, signal]: Parameters<TokenResponseReader>): Promise<VerifiedTokens> {
    const tokens = readKeptTokens(received)
    if (!tokens) return (await this.client.tokenClient()).read(received, expected, signal)
    return {
      tokens,
      clientId: expected.clientId,
      asked: splitScopes(expected.scopes ?? ''),
      obtainedAt: received.receivedAt,
    }
  }
}

/** After a sign-in that is on its way: its response would bring a cookie again. */
async function endInBackend(
  backend: BackendRequests,
  { revoke = false, signal, userId }: SignOutOptions & { userId: UserId | undefined },
): Promise<SignOutResult> {
  await backend.signingIn
  return backend.post('sign-out', { revoke, userId }, signal).then(
    (ended) => ({ revoked: ended?.response.body['revoked'] === true }),
    (error: FoyerError) => ({ revoked: false, error }),
  )
}

function tokensOf(received: ReceivedResponse | null): GivenTokens | null {
  return received && (readKeptTokens(received) ?? { access_token: '', ...received.response.body })
}

function requireResponse(received: ReceivedResponse | null): ReceivedResponse {
  if (!received) throw new NetworkError('connection_failed', 'sign-in')
  return received
}

/** In a frame of another site, cookies need to be partitioned. */
function isEmbedded(): boolean {
  try {
    return typeof top === 'object' && top?.location.href === undefined
  } catch {
    return true
  }
}

const OPTION = 'backendSession'
const ADDRESS = "Give '/session', or 'https://game.example/session'"
const REDIRECTED =
  'The host redirects it: give the address without a redirect, and turn off those to a slash at the end (skipTrailingSlashRedirect in Next.js)'
const CONSUMED = 'Put createSessionHandler before the body parser of the backend, such as express.json()'
const FAILED =
  'The backend failed before createSessionHandler could answer, and its log has the reason. In Node, Express and Koa the handler goes through toNodeListener(…)'
const FOREIGN = 'List the origin of this page in the origins of createSessionHandler'

/** Requests to the backend that holds the sessions of a confidential application. */
class BackendRequests {
  readonly origin: string
  /** Settles with the last sign-in that was sent: a sign-out follows it. */
  signingIn: Promise<unknown> = Promise.resolve()
  /** Number of sign-outs: what was asked for before one is outdated. */
  signOuts = 0
  readonly #client: ClientBase
  readonly #address: URL

  /** @throws ConfigurationError `invalid_argument`, `insecure_endpoint`. */
  constructor(client: ClientBase) {
    this.#client = client
    this.#address = addressOf(client.options.backendSession)
    this.origin = this.#address.origin
  }

  /**
   * Resolves with a successful response, or with null if the backend has no session (401).
   *
   * @throws AuthorizationError `invalid_grant`, … @throws ConfigurationError `invalid_argument` if the backend does not know the address, or
   * the page. @throws ApiError, NetworkError, ProtocolError.
   */
  async post(
    name: 'sign-in' | 'token' | 'revoke' | 'sign-out',
    body: object,
    signal?: AbortSignal,
  ): Promise<ReceivedResponse | null> {
    const { options, log, closeSignal } = this.#client
    const url = `${this.#address.href}/${name}`
    const route = `POST ${this.#address.pathname}/${name}`
    const content = { type: 'application/json', text: JSON.stringify(body) }
    const { TokenClient } = await loadAfterConsent()
    const withCookie = new TokenClient({ ...options, fetch: bringCookie(options.fetch) }, log, closeSignal)
    // A host that has no such path answers with a page.
    const request = { method: 'POST', url, route, content, signal, isStatusEnough: true } as const
    const response = await withCookie.send(request).catch((error: unknown) => {
      throw isRedirect(error) ? wrongAddress(REDIRECTED) : this.#unreachable(error, route)
    })
    const receivedAt = options.clock.now()
    const isFromHandler = Object.keys(response.body).length > 0
    if (isFromHandler && response.status === 200)
      return response.body['user_id'] === null ? null : { response, receivedAt }
    if (isFromHandler && response.status === 401 && name !== 'sign-in') return null
    const { status } = response
    const isElsewhere = [200, 404, 405].includes(status)
    const remedy = remedyFor(response) ?? (isElsewhere && askForPaths(route, this.#address))
    if (remedy) throw wrongAddress(remedy)
    const fault = isFromHandler ? faultOf(response) : status === 500 ? FAILED : undefined
    if (fault) throw new ApiError(`http_${status}`, route, { status, remedy: fault })
    throw tokenErrorFrom({ ...response, route })
  }

  /** A browser hides why another origin has not answered: it is down, or it does not list this page. */
  #unreachable(error: unknown, route: string): unknown {
    const { origin } = pageAddress()
    if (!isUnanswered(error) || !origin || origin === this.origin) return error
    const remedy = `Is the backend running at ${this.origin}, and does createSessionHandler answer below ${this.#address.pathname}, with ${origin} in its origins?`
    return new NetworkError('connection_failed', route, { cause: error.cause, remedy })
  }

  /**
   * Asks whether the browser has kept the cookie of a sign-in. Without an answer, it counts as kept.
   *
   * @throws ConfigurationError `invalid_argument`, with the hosts of page and backend.
   */
  async requireCookie(signal?: AbortSignal): Promise<void> {
    if ((await this.post('token', { ask: true }, signal).catch(() => undefined)) === null)
      throw lostCookie(this.#address.hostname)
  }
}

const isUnanswered = (error: unknown): error is NetworkError =>
  error instanceof NetworkError && error.code === 'connection_failed'

const isRedirect = (error: unknown): boolean => error instanceof FoyerError && error.code === 'redirected'

const wrongAddress = (remedy: string): ConfigurationError =>
  new ConfigurationError('invalid_argument', OPTION, { remedy })

function remedyFor({ body }: ReceivedResponse['response']): string | undefined {
  if (body['error'] === 'foreign_origin') return FOREIGN
  if (body['error'] === 'body_consumed') return CONSUMED
  // The handler is reached at another path than its own, and says so as it does in the log.
  const { error, message } = body
  if (error === 'not_found' && typeof message === 'string') return cleanText(message, 300)
  return undefined
}

const askForPaths = (route: string, { pathname }: URL): string =>
  `No createSessionHandler answers ${route}: give its address, and give it every path below ${pathname}`

/** The handler could not go on: its log has more than the code, and the page only this. */
function faultOf({ status, body }: ReceivedResponse['response']): string | undefined {
  const { error } = body
  return status >= 500 && typeof error === 'string'
    ? `The backend says ${cleanText(error, 64)}, and its log has the reason`
    : undefined
}

/** The address without a slash at the end. */
function addressOf(option: string | undefined): URL {
  const given = withoutEndSlashes(`${option}`)
  const url = given ? readUrl(given, pageAddress().href) : undefined
  if (!url) throw wrongAddress(ADDRESS)
  requireSameSite(url)
  if (!isSecure(url)) throw new ConfigurationError('insecure_endpoint', OPTION)
  return url
}

/**
 * Browsers keep no cookie of another site. Hosts that differ in their last two labels are of two sites. Of others, such as two of `co.uk` or `github.io`,
 * no list is at hand, and `requireCookie` finds out.
 */
function requireSameSite({ hostname }: URL): void {
  const { protocol = '', hostname: page = '' } = pageAddress()
  if (/^https?:$/.test(protocol) && siteOf(page) !== siteOf(hostname)) throw lostCookie(hostname)
}

const pageAddress = (): Partial<Location> => (typeof location === 'object' ? location : {})

function lostCookie(backend: string): ConfigurationError {
  const { hostname: page = backend } = pageAddress()
  const hosts =
    page === backend ? `Page and backend are on ${page}` : `The page is on ${page}, the backend on ${backend}`
  return wrongAddress(
    `${hosts}, and the browser keeps no cookie of it: use one host name, or a path of it, let proxies pass Cookie and Set-Cookie, and give several processes one store`,
  )
}

const siteOf = (host: string): string => (/[a-z]/i.test(host) ? host.split('.').slice(-2).join('.') : host)

const bringCookie =
  (fetch: Fetch): Fetch =>
  (url, init) =>
    // An opaque redirect is told from a backend that cannot be reached, and is not followed.
    fetch(url, { ...init, credentials: 'include', keepalive: true, redirect: 'manual' })

/** The address that a page without tokens cannot reach as its player, and the one that it can. */
const onlyAt = (backend: string, elsewhere: string): string =>
  `With tokens: 'none' only ${backend} knows the player, and its cookie does not go to ${elsewhere}: give an address of ${backend}`

/** Stands for the tokens that the backend keeps. Undefined for an answer with tokens. */
function readKeptTokens({ response, receivedAt }: ReceivedResponse): TokenSet | undefined {
  const { tokens, user_id: userId, expires_in: expiresIn, scope, claims } = response.body
  if (tokens !== 'none' || !isUserId(userId)) return undefined
  return {
    accessToken: new KeptToken(userId),
    tokenType: 'Bearer',
    expiresAt: receivedAt + Math.max(0, Number(expiresIn) || 0) * 1000,
    scopes: splitScopes(String(scope)),
    ...(isClaims(claims) && claims.sub === userId && { claims }),
  }
}

/** The backend has verified them. */
function isClaims(claims: unknown): claims is IdTokenClaims {
  if (!isRecord(claims)) return false
  const { iss, aud, exp, iat } = claims
  return (
    typeof iss === 'string' &&
    (typeof aud === 'string' || Array.isArray(aud)) &&
    typeof exp === 'number' &&
    typeof iat === 'number'
  )
}

const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get('content-type') ?? '')

/**
 * Sends a request with a kept token through the backend, which knows the player by its cookie. Any other is sent as it is.
 * @throws ConfigurationError `unsupported` for another origin, and what `BackendHeldSessions` throws.
 */
export async function relayKept(
  { fetch, service, backendSession }: Pick<ResolvedOptions, 'fetch' | 'service' | 'backendSession'>,
  ...[url, init]: Parameters<Fetch>
): Promise<Response> {
  const headers = new Headers(init.headers)
  const player = keptPlayer(headers.get('authorization'))
  if (player === undefined) return fetch(url, init)
  const address = addressOf(backendSession)
  const base = `${service.baseUrl}/`
  headers.delete('authorization')
  headers.set(PLAYER_HEADER, player)
  const target = url.startsWith(base) ? `${address.href}/api/${url.slice(base.length)}` : url
  const { origin } = new URL(target)
  if (origin !== address.origin)
    throw new ConfigurationError('unsupported', 'url', { remedy: onlyAt(address.origin, origin) })
  const response = await fetch(target, { ...init, headers, credentials: 'include' })
  // The handler and the service answer with JSON.
  const isElsewhere = [404, 405].includes(response.status) && !isJson(response)
  if (!isElsewhere) return response
  const { status } = response
  const route = `${init.method ?? 'GET'} ${new URL(target).pathname}`
  throw new ApiError(`http_${status}`, route, { status, remedy: askForPaths('there', address) })
}
