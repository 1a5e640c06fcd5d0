/** Token endpoint in the test process: correct by default, signs ID tokens, rotates refresh tokens, and detects their reuse. */
import type { Client, Fetch } from 'foyer-sdk'
import { createKey, TokenIssuer, USER_ID, CLIENT_ID } from './token-issuer'
import { ManualClock } from './manual-clock'
import { callbackTo, scriptedSurface } from './scripted-surface'
import { formOf } from './form-of'

export const HOST = 'https://service.test'

/** Replaces the response of the token endpoint; undefined leaves it unchanged. */
export type ResponseOverride = (
  form: URLSearchParams,
  honest: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
) => Promise<Response> | undefined

export interface Sent {
  url: string
  init: RequestInit
  form: URLSearchParams
}

export async function createTokenService(clock: ManualClock = new ManualClock()) {
  const key = await createKey('ES256', 'k1')
  const issuer = new TokenIssuer(key)
  const sent: Sent[] = []
  const nonces = new Map<string, string>()
  let serial = 0
  const service = {
    clock,
    sent,
    /** Valid refresh tokens; reuse of one revokes its whole family. */
    good: new Set<string>(),
    used: new Set<string>(),
    access: new Set<string>(),
    override: undefined as ResponseOverride | undefined,
    claims: {} as Record<string, unknown>,
    granted: 'openid sdk.social_layer',
    /** Response of `GET /users/@me`; a status for a refusal. */
    user: { id: USER_ID, username: 'neo' } as Record<string, unknown> | number,
    refreshes: () => sent.filter(({ form }) => form.get('grant_type') === 'refresh_token'),
    tokens: (changes: Record<string, unknown> = {}) => tokens(changes),
    fetch: (async (url, init) => {
      const form = formOf(init)
      sent.push({ url, init, form })
      if (url.endsWith('/oauth2/keys')) return Response.json({ keys: issuer.published })
      if (url.endsWith('/oauth2/token/revoke')) return service.revoked()
      if (url.endsWith('/users/@me')) return user(new Headers(init.headers).get('authorization') ?? '')
      const honest = () => answer(form)
      return service.override?.(form, honest, init.signal) ?? honest()
    }) as Fetch,
    revoked: async () => Response.json({}),
    /** Delays the responses of the token endpoint until the returned function is called. */
    delayResponses(): () => void {
      const gate = new EventTarget()
      const released = new Promise((resolve) => gate.addEventListener('open', resolve))
      service.override = (_, original) => released.then(original)
      return () => void gate.dispatchEvent(new Event('open'))
    },
    async signIn(client: Pick<Client, 'signIn'>, args: { clientId?: string } = {}) {
      const surface = scriptedSurface((url) => {
        nonces.set('code', url.searchParams.get('nonce') ?? '')
        return callbackTo(url, { iss: HOST })
      })
      return client.signIn({ surface, args: { scopes: 'openid sdk.social_layer', ...args } })
    },
  }

  async function tokens(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    serial += 1
    const seconds = clock.now() / 1000
    const times = { iat: Math.floor(seconds), exp: Math.floor(seconds) + 3600, nonce: nonces.get('code') }
    const id_token = await issuer.sign(key, { ...times, ...service.claims })
    const pair = { access_token: `access-${serial}`, refresh_token: `refresh-${serial}` }
    service.good.add(pair.refresh_token)
    service.access.add(pair.access_token)
    return {
      ...pair,
      id_token,
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: service.granted,
      ...changes,
    }
  }

  async function answer(form: URLSearchParams): Promise<Response> {
    const refresh = form.get('refresh_token') ?? ''
    if (form.get('grant_type') === 'authorization_code') return Response.json(await tokens())
    if (service.used.has(refresh)) service.good.clear()
    if (!service.good.delete(refresh)) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    service.used.add(refresh)
    return Response.json(await tokens())
  }

  function user(header: string): Response {
    const known = service.access.has(header.replace('Bearer ', ''))
    if (known && typeof service.user === 'number') return Response.json({}, { status: service.user })
    return known
      ? Response.json(service.user)
      : Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })
  }
  return service
}

export type TokenService = Awaited<ReturnType<typeof createTokenService>>
export { CLIENT_ID, USER_ID }
