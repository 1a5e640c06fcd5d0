/** Token revocation (RFC 7009). Revoking any token revokes all tokens that the player has with the game. */
import { ApiError } from '../../foundation/errors'
import { reveal } from '../../foundation/reveal'
import type { Secret } from '../../foundation/secret'
import { formContent } from '../../http/request-json'
import { endpointRoute } from '../../service/endpoint-route'
import type { SessionRecord } from '../../tokens/session/session-record'
import type { ClientContext } from '../context/client-context'
import type { SignOutResult } from '../context/sessions'

/** `client`: application id that the token was issued to. */
interface Revoked {
  client: string | undefined
  signal?: AbortSignal | undefined
}

/** Succeeds for unknown tokens too (RFC 7009 section 2.2). @throws ApiError. @throws NetworkError. */
export async function revoke(context: ClientContext, token: Secret | string, { client = '', signal }: Revoked): Promise<void> {
  const { service, fetch, userAgent } = context
  const { type, text: body } = formContent({ token: reveal(token), client_id: client })
  const init: RequestInit = {
    method: 'POST',
    headers: { ...(userAgent && { 'user-agent': userAgent }), 'content-type': type },
    body,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  }
  const send = async (ended: AbortSignal) => fetch(service.revokeUrl, { ...init, signal: ended })
  const { within } = await context.exchange()
  const route = `POST ${endpointRoute(service.revokeUrl)}`
  const { status } = await within({ route, signal }, send)
  if (status !== 200) throw new ApiError(`http_${status}`, route, { status })
}

/** Revokes the tokens of a session that signs out. */
export async function revokeSession(context: ClientContext, session: SessionRecord, signal?: AbortSignal): Promise<SignOutResult> {
  const { tokens, clientId: client } = session
  await revoke(context, tokens.refreshToken ?? tokens.accessToken, { client, signal })
  return { revoked: true }
}
