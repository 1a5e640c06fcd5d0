/** Token methods: revocation, and sessions from external tokens. */
import { type CallOptions, requireRevealed } from '../../shared/foundation/options'
import { ConfigurationError, SessionError } from '../../shared/foundation/errors'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { Session } from '../session/session'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { Caller } from '../context/caller'
import type { ClientContext } from '../context/client-context'
import type { SessionBackend } from '../context/session-backend'
import { revoke } from './revoke-tokens'
import { adoptToken } from './adopt-token'
import type { GivenTokens } from '../context/given-tokens'

export { askForTokens } from './adopt-token'
export { revokeSession } from './revoke-tokens'

/** The code of the calls about tokens. */
export type TokenMethods = ReturnType<ReturnType<typeof createTokenMethods>>

export function createTokenMethods(context: ClientContext) {
  return (caller: Caller) => ({
    revokeToken: (token?: Secret | string | null, options?: CallOptions): Promise<void> =>
      revokeToken(context, caller, { token, signal: options?.signal }),
    updateToken: async (tokens: GivenTokens | Secret | string, options?: CallOptions): Promise<Session> =>
      adoptToken(context, tokens, options?.signal),
  })
}

interface Revocation {
  token: Secret | string | null | undefined
  signal: AbortSignal | undefined
}

/** A token of the caller's session ends that session, unless another player's took its place meanwhile. */
async function revokeToken(
  context: ClientContext,
  caller: Caller,
  { token, signal }: Revocation,
): Promise<void> {
  const { currentSession } = await context.sessions()
  const { record } = currentSession
  const own = caller.isCurrent && record?.userId === caller.userId ? record : undefined
  const { accessToken, refreshToken } = own?.tokens ?? {}
  const chosen = token ?? refreshToken ?? accessToken
  if (!chosen) throw new SessionError('signed_out')
  const isOwn =
    chosen === accessToken || [accessToken, refreshToken].some((each) => each?.reveal() === reveal(chosen))
  if (context.backend)
    await revokeInBackend(context.backend, isOwn ? { userId: caller.userId } : { token: chosen }, signal)
  else await revoke(context, chosen, { client: isOwn ? own?.clientId : context.applicationId, signal })
  // Another tab may have put another session in its place.
  if (isOwn && currentSession.record?.id === own?.id) await currentSession.sync()
  if (!isOwn || !caller.isCurrent || currentSession.record?.id !== own?.id) return
  // Not a sign-out: a sign-in of the next player that has begun meanwhile goes on.
  context.authState.set(null, 'disconnected')
  await currentSession.end()
}

/** The request needs the application's secret. Without a token: that of the session, which the page may not hold. */
async function revokeInBackend(
  backend: SessionBackend,
  { userId, token }: { userId?: string | undefined; token?: Secret | string },
  signal?: AbortSignal,
): Promise<void> {
  requireRevealed(token, 'token')
  const received = await backend.post('revoke', { userId, token: token && reveal(token) }, signal)
  if (!received) throw new SessionError('signed_out')
}

/** Redeems a refresh token that is not the session's. */
export async function redeem(
  context: ClientContext,
  refreshToken: Secret | string,
  signal?: AbortSignal,
): Promise<TokenSet> {
  requireRevealed(refreshToken, 'refreshToken')
  const { service, clock, exchange, applicationId } = context
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const { request, read } = await exchange()
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: reveal(refreshToken),
    client_id: applicationId,
  }
  const response = await request({ url: service.tokenUrl, fields, signal })
  const { tokens } = await read(
    { response, receivedAt: clock.now() },
    { clientId: applicationId, isRefresh: true },
    signal,
  )
  return tokens
}
