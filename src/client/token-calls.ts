/** What a game can do with tokens and the session beyond signing in and out. */
import { AuthorizationError, ConfigurationError, SessionError } from '../foundation/errors'
import { reveal, type Secret } from '../foundation/secret'
import type { Session } from '../tokens/session'
import type { TokenSet } from '../tokens/token-set'
import type { ClientContext } from './context'
import { adoptToken } from './token-update'

export interface CallOptions {
  signal?: AbortSignal
}

export interface SessionCalls {
  /** Brings the session of the store back, if there is one: the same player, without a request. Idempotent. */
  resume(): Promise<Session | null>
  /**
   * Renews the session's tokens now, or redeems a refresh token of the game's own, which leaves `session` alone. All tabs that share the
   * session wait for one request.
   * @throws SessionError `signed_out`, `session_expired` (nothing to renew with), `refresh_in_doubt` (retryable), `refresh_rejected`,
   * `refresh_answer_lost`. @throws AuthorizationError `invalid_grant` for a token of the game's own. @throws NetworkError, ApiError,
   * ProtocolError: the session stays.
   */
  refreshToken(refreshToken?: Secret | string | null, options?: CallOptions): Promise<TokenSet>
  /**
   * Ends a token at the service, by default the session's. On this service that ends all tokens that the player has with the game, so the
   * session ends too when it was its own. @throws SessionError `signed_out`. @throws ApiError. @throws NetworkError.
   */
  revokeToken(token?: Secret | string | null, options?: CallOptions): Promise<void>
  /**
   * Makes tokens that came another way the session: those of a provisional account, of a device, of the game's backend. An access token
   * alone is taken to `GET /users/@me` to learn whose it is.
   * @throws ConfigurationError `invalid_argument`. @throws ApiError, NetworkError, ProtocolError: the session of before stays.
   */
  updateToken(type: 'Bearer', token: TokenSet | Secret | string, options?: CallOptions): Promise<Session>
}

export function createCalls(context: ClientContext): Pick<SessionCalls, keyof SessionCalls> {
  const { presence, sessions } = context
  return {
    resume: async () => presence.session ?? resume(context),
    async refreshToken(refreshToken, { signal } = {}) {
      const current = await sessions()
      const own = current.keeper.record?.tokens.refreshToken?.reveal()
      if (refreshToken && reveal(refreshToken) !== own) return redeem(context, reveal(refreshToken), signal)
      const session = await abortable(current.refresh(), signal)
      if (!session) throw new SessionError('signed_out')
      return session.tokens
    },
    async revokeToken(token, { signal } = {}) {
      const { keeper } = await sessions()
      const { accessToken, refreshToken } = keeper.record?.tokens ?? {}
      const chosen = token ?? refreshToken ?? accessToken
      if (!chosen) throw new SessionError('signed_out')
      const isOwn = [accessToken, refreshToken].some((own) => own?.reveal() === reveal(chosen))
      await (await import('./revocation')).revoke(context, chosen, signal)
      if (!isOwn) return
      presence.leave()
      await keeper.end()
    },
    async updateToken(type, token, { signal } = {}) {
      if (type !== 'Bearer') throw new ConfigurationError('invalid_argument', 'type')
      return adoptToken(context, token, signal)
    },
  }
}

/** Silent where there is none: nobody tried to sign in. */
async function resume({ presence, sessions }: ClientContext): Promise<Session | null> {
  const session = await (await sessions()).restore()
  if (!session || presence.session) return presence.session
  return presence.enter(
    async () => session,
    async () => session,
  )
}

async function redeem(context: ClientContext, refreshToken: string, signal?: AbortSignal): Promise<TokenSet> {
  const { profile, clock, exchange, applicationId } = context
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const { request, read } = await exchange()
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: applicationId }
  const answer = await request({ url: profile.tokenUrl, fields, signal })
  const { tokens } = await read({ answer, receivedAt: clock.now() }, { clientId: applicationId, renewal: true }, signal)
  return tokens
}

/** The renewal goes on for the others; this caller is freed. */
async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AuthorizationError('aborted'))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
