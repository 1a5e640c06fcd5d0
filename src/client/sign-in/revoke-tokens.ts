/** Token revocation (RFC 7009). Revoking any token revokes all tokens that the player has with the game. */
import { ApiError } from '../../shared/foundation/errors'
import { requireRevealed } from '../../shared/foundation/options'
import { reveal, type Secret } from '../../shared/foundation/secret'
import { formContent, endpointRoute } from '../../shared/http/http-client'
import type { SessionRecord } from '../session/session-record'
import type { ClientBase } from '../context/client-base'
import type { SignOutResult } from './sessions'

/** `clientId`: application id that the token was issued to. */
interface Revoked {
  clientId: string | undefined
  signal?: AbortSignal | undefined
}

/** Succeeds for unknown tokens too (RFC 7009 section 2.2). @throws ApiError. @throws NetworkError. */
export async function revoke(
  client: ClientBase,
  token: Secret | string,
  { clientId = '', signal }: Revoked,
): Promise<void> {
  requireRevealed(token, 'token')
  const { revokeUrl: url } = client.options.service
  const route = `POST ${endpointRoute(url)}`
  const content = formContent({ token: reveal(token), client_id: clientId })
  const tokenClient = await client.tokenClient()
  const { status } = await tokenClient.send({
    method: 'POST',
    url,
    route,
    content,
    signal,
    isStatusEnough: true,
  })
  if (status !== 200) throw new ApiError(`http_${status}`, route, { status })
}

/** Revokes the tokens of a session that signs out. */
export async function revokeSession(
  client: ClientBase,
  session: SessionRecord,
  signal?: AbortSignal,
): Promise<SignOutResult> {
  const { tokens, clientId } = session
  await revoke(client, tokens.refreshToken ?? tokens.accessToken, { clientId, signal })
  return { revoked: true }
}
