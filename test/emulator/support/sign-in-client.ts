/** Sign-in of a game, written against the public endpoints alone. */
import * as oauth from 'oauth4webapi'
import type { Emulator } from 'foyer-emulator'

const scope = 'openid sdk.social_layer'
export const redirectUri = 'http://127.0.0.1:49152/callback'

export interface Tokens {
  accessToken: string
  refreshToken: string
  idToken: string
  scopes: string[]
}

export interface Attempt {
  url: string
  verifier: string
  state: string
  nonce: string
}

export async function beginSignIn(
  emulator: Pick<Emulator, 'url'> & { application: Pick<Emulator['application'], 'id'> },
  changes: Record<string, string | undefined> = {},
): Promise<Attempt> {
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const parameters: Record<string, string | undefined> = {
    client_id: emulator.application.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  }
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { url: `${emulator.url}/oauth2/authorize?${new URLSearchParams(sent)}`, verifier, state, nonce }
}

/** Approves as the player and returns the code. */
export async function getCode(
  emulator: Emulator,
  as = 'ada',
  changes: Record<string, string | undefined> = {},
): Promise<{ code: string; verifier: string }> {
  const attempt = await beginSignIn(emulator, changes)
  const { redirect } = await emulator.authorize(attempt.url, { as })
  const code = new URL(redirect).searchParams.get('code')
  if (code === null) throw new Error(`no code in ${redirect}`)
  return { code, verifier: attempt.verifier }
}

export async function postForm(
  emulator: Emulator,
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  return fetch(`${emulator.url}/api/v10${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: emulator.application.id, ...fields }),
  })
}

export function exchange(
  emulator: Emulator,
  { code, verifier }: { code: string; verifier: string },
): Promise<Response> {
  return postForm(emulator, '/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
}

export function refresh(emulator: Emulator, refreshToken: string): Promise<Response> {
  return postForm(emulator, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: refreshToken })
}

export async function signIn(
  emulator: Emulator,
  as = 'ada',
  changes: Record<string, string | undefined> = {},
): Promise<Tokens> {
  const response = await exchange(emulator, await getCode(emulator, as, changes))
  if (response.status !== 200) throw new Error(await response.text())
  const body = await json(response)
  const text = (name: string) => String(body[name])
  return {
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    scopes: text('scope').split(' '),
  }
}

export function call(emulator: Emulator, path: string, token: string): Promise<Response> {
  return fetch(`${emulator.url}/api/v10${path}`, { headers: { Authorization: `Bearer ${token}` } })
}

/** Status, error code and violated rule. */
export async function rejectionOf(
  response: Response,
): Promise<{ status: number; error: unknown; description: unknown; rule: string | null }> {
  const body = await json(response)
  return {
    status: response.status,
    error: body['error'],
    description: body['error_description'],
    rule: response.headers.get('x-emulator-rule'),
  }
}

export async function json(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json()
  return Object.fromEntries(Object.entries(body ?? {}))
}

/** Sends a request to the control plane, as a test in a browser would. */
export function control(emulator: Emulator, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${emulator.controlToken}` }
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return fetch(`${emulator.url}/_emulator${path}`, init)
}

/** The claims of a token, without verifying its signature. */
export function claimsIn(token: string): Record<string, unknown> {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return Object.fromEntries(Object.entries(claims ?? {}))
}
