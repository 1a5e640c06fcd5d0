/** Sessions of a confidential application in a page: the game's backend redeems the codes and keeps the refresh token. */
import { type AuthorizationResult, openResult } from '../../../shared/authorization/authorization-result'
import type { Caller } from '../../session/caller'
import type { ClientBase } from '../../context/client-base'
import type { GetToken, GivenTokens } from '../../session/given-tokens'
import { Sessions, type SignOutOptions, type SignOutResult } from '../../sign-in/sessions'
import type { Session } from '../../session/session'
import type { RedeemOptions } from '../../session/token-client'
import type { IdentifiedTokens } from '../../../shared/tokens/requests/identify-player'
import { requireRevealed } from '../../../shared/foundation/options'
import { browserSessionEnvironment } from '../browser-sessions'
import type { SessionBackend } from './session-backend'
import { base64url, sha256 } from '../../../shared/foundation/crypto'
import {
  ConfigurationError,
  type FoyerError,
  NetworkError,
  SessionError,
} from '../../../shared/foundation/errors'
import type { UserId } from '../../../shared/foundation/ids'
import { reveal } from '../../../shared/foundation/secret'
import { KeptToken } from '../../../shared/tokens/kept-token'
import {
  readVerifier,
  type ReceivedResponse,
  type TokenResponseReader,
  type VerifiedTokens,
} from '../../../shared/tokens/requests/token-endpoint'
import { splitScopes } from '../../../shared/tokens/token-set'
import { connectBackend } from './connect-backend'
import { readKeptTokens } from './kept-tokens'

export class BackendSessions extends Sessions {
  override readonly backendOrigin: string
  readonly #backend: SessionBackend
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
    const backend = connectBackend(options, client.log, client.closeSignal)
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
  backend: SessionBackend,
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
