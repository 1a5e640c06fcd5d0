/** Calls about tokens: revocation, and sessions from external tokens. */
import { type CallOptions, checkOptions, requireRevealed } from '../../shared/foundation/options'
import { ConfigurationError, SessionError } from '../../shared/foundation/errors'
import { reveal, type Secret } from '../../shared/foundation/secret'
import type { TokenSet } from '../../shared/tokens/token-set'
import type { Caller } from '../session/caller'
import type { ClientBase } from '../context/client-base'
import type { GivenTokens } from '../session/given-tokens'
import type { Session } from '../session/session'
import { adoptToken } from './adopt-token'
import type { ClientContext } from './client-context'

export { askForTokens } from './adopt-token'
export { revoke, revokeSession } from './revoke-tokens'

interface Revocation {
  token: Secret | string | null | undefined
  options: CallOptions | undefined
}

export async function updateToken(
  context: ClientContext,
  tokens: GivenTokens | Secret | string,
  options: CallOptions | undefined,
): Promise<Session> {
  const { signal } = checkOptions(options, ['signal'])
  return adoptToken(context, tokens, signal)
}

/** A token of the caller's session ends that session, unless another player's took its place meanwhile. */
export async function revokeToken(
  context: ClientContext,
  caller: Caller,
  { token, options }: Revocation,
): Promise<void> {
  const { signal } = checkOptions(options, ['signal'])
  const sessions = await context.sessions()
  const { currentSession } = sessions
  const { record } = currentSession
  const session = (caller.isCurrent && record?.userId === caller.userId && record) || undefined
  const { accessToken, refreshToken } = session?.tokens ?? {}
  const chosen = token ?? refreshToken ?? accessToken
  if (!chosen) throw new SessionError('signed_out')
  const isOwn =
    chosen === accessToken || [accessToken, refreshToken].some((each) => each?.reveal() === reveal(chosen))
  const own = isOwn ? session : undefined
  await sessions.revoke(chosen, own, signal)
  if (!own) return
  // Another tab may have put another session in its place.
  if (currentSession.record?.id === own.id) await currentSession.sync()
  if (!caller.isCurrent || currentSession.record?.id !== own.id) return
  // Not a sign-out: a sign-in of the next player that has begun meanwhile goes on.
  context.authState.set(null, 'disconnected')
  await currentSession.end()
}

/** Redeems a refresh token that is not the session's. */
export async function redeem(
  { options, tokenClient }: ClientBase,
  refreshToken: Secret | string,
  signal?: AbortSignal,
): Promise<TokenSet> {
  requireRevealed(refreshToken, 'refreshToken')
  const { service, clock, applicationId } = options
  if (!applicationId) throw new ConfigurationError('missing_application_id')
  const client = await tokenClient()
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: reveal(refreshToken),
    client_id: applicationId,
  }
  const response = await client.request({ url: service.tokenUrl, fields, signal })
  const received = { response, receivedAt: clock.now() }
  const { tokens } = await client.read(received, { clientId: applicationId, isRefresh: true }, signal)
  return tokens
}
