/** Token revocation (RFC 7009). Revoking any token revokes all tokens that the player has with the game. */
import { ApiError } from '../../shared/foundation/errors'
import { requireRevealed } from '../../shared/foundation/options'
import { reveal, type Secret } from '../../shared/foundation/secret'
import { formContent, endpointRoute } from '../../shared/http/http-client'
import type { SessionRecord } from '../session/session-record'
import type { ClientContext } from '../context/client-context'
import type { SignOutResult } from '../context/sessions'

/** `client`: application id that the token was issued to. */
interface Revoked {
  client: string | undefined
  signal?: AbortSignal | undefined
}

/** Succeeds for unknown tokens too (RFC 7009 section 2.2). @throws ApiError. @throws NetworkError. */
export async function revoke(
  context: ClientContext,
  token: Secret | string,
  { client = '', signal }: Revoked,
): Promise<void> {
  requireRevealed(token, 'token')
  const { revokeUrl: url } = context.service
  const { send } = await context.exchange()
  const route = `POST ${endpointRoute(url)}`
  const content = formContent({ token: reveal(token), client_id: client })
  const { status } = await send({ method: 'POST', url, route, content, signal, isStatusEnough: true })
  if (status !== 200) throw new ApiError(`http_${status}`, route, { status })
}

/** Revokes the tokens of a session that signs out. */
export async function revokeSession(
  context: ClientContext,
  session: SessionRecord,
  signal?: AbortSignal,
): Promise<SignOutResult> {
  const { tokens, clientId: client } = session
  await revoke(context, tokens.refreshToken ?? tokens.accessToken, { client, signal })
  return { revoked: true }
}
