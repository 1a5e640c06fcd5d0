/** Client of the endpoints for provisional accounts, as a game. */
import type { Emulator } from 'foyer-emulator'
import { getCode, json, postForm, redirectUri } from './sign-in-client.js'

interface Sent {
  /** A string is sent unchanged. */
  body: unknown
  authorization?: string
}

export function post(
  emulator: Emulator,
  path: string,
  { body, authorization = '' }: Sent,
): Promise<Response> {
  return fetch(`${emulator.url}/api/v10/partner-sdk${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Signs an external identity in, as the game’s page does. */
export function provisional(
  emulator: Emulator,
  token: string,
  changes: Record<string, unknown> = {},
): Promise<Response> {
  return post(emulator, '/token', { body: external(emulator, token, changes) })
}

export function external(
  emulator: Emulator,
  token: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    client_id: emulator.application.id,
    external_auth_type: 'OIDC',
    external_auth_token: token,
    ...changes,
  }
}

/** Signs a user of the game in, as the game’s backend does. */
export function provisionalByBot(emulator: Emulator, body: Record<string, unknown>): Promise<Response> {
  return post(emulator, '/token/bot', { body, authorization: `Bot ${emulator.application.botToken}` })
}

/** Signs a full account in and merges an identity into it. */
export async function merge(
  emulator: Emulator,
  token: string,
  { as = 'ada', type = 'OIDC' } = {},
): Promise<Response> {
  const { code, verifier } = await getCode(emulator, as)
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  return postForm(emulator, '/oauth2/token', {
    ...fields,
    external_auth_type: type,
    external_auth_token: token,
  })
}

/** Status, code and rule of a rejection in the service’s format. */
export async function codeOf(response: Response): Promise<[number, unknown, string | null]> {
  const { code } = await json(response)
  return [response.status, code, response.headers.get('x-emulator-rule')]
}
