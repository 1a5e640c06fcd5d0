/** Sign-ins by public libraries, each as its manual shows it; each resolves with the name and email address of the player. */
import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from 'arctic'
import { betterAuth } from 'better-auth'
import type { Emulator } from 'foyer-emulator'
import * as oidc from 'openid-client'

export const REDIRECT_URIS = {
  plain: 'http://localhost:3000/callback',
  betterAuth: 'http://localhost:3000/api/auth/callback/discord',
}

export interface SignedIn {
  name: unknown
  email: unknown
}

/** Signs a player in. */
export type SignIn = (emulator: Emulator, as: string) => Promise<SignedIn>

export const signInWithOpenidClient: SignIn = async (emulator, as) => {
  // Without a secret, as a page: a backend with one gets no ID token.
  const config = await oidc.discovery(
    new URL(emulator.url),
    emulator.application.id,
    undefined,
    oidc.None(),
    {
      execute: [oidc.allowInsecureRequests],
    },
  )
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URIS.plain,
    scope: 'openid identify email',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const { redirect } = await emulator.authorize(url.href, { as })
  const tokens = await oidc.authorizationCodeGrant(config, new URL(redirect), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  const user = await oidc.fetchUserInfo(config, refreshed.access_token, tokens.claims()?.sub ?? '')
  await oidc.tokenRevocation(config, refreshed.access_token)
  return { name: user.preferred_username, email: user.email }
}

export const signInWithArctic: SignIn = async (emulator, as) => {
  const { url: origin, application } = emulator
  const client = new OAuth2Client(application.id, application.clientSecret, REDIRECT_URIS.plain)
  const [state, verifier] = [generateState(), generateCodeVerifier()]
  const { S256 } = CodeChallengeMethod
  const page = `${origin}/oauth2/authorize`
  const scopes = ['identify', 'email']
  const url = client.createAuthorizationURLWithPKCE(page, state, S256, verifier, scopes)
  const { redirect } = await emulator.authorize(url.href, { as })
  const { searchParams } = new URL(redirect)
  if (searchParams.get('state') !== state) throw new Error(`another state in ${redirect}`)
  const endpoint = `${origin}/api/v10/oauth2/token`
  const tokens = await client.validateAuthorizationCode(endpoint, searchParams.get('code') ?? '', verifier)
  const renewed = await client.refreshAccessToken(endpoint, tokens.refreshToken(), [])
  const headers = { authorization: `Bearer ${renewed.accessToken()}` }
  const response = await fetch(`${origin}/api/v10/users/@me`, { headers })
  const user = (await response.json()) as Record<string, unknown>
  await client.revokeToken(`${origin}/api/v10/oauth2/token/revoke`, renewed.accessToken())
  return { name: user['username'], email: user['email'] }
}

/** With the provider's defaults, of which `prompt=none` is one. Its hosts are no settings: requests to them go to the emulator. */
export const signInWithBetterAuth: SignIn = async (emulator, as) => {
  const { id, clientSecret } = emulator.application
  const auth = betterAuth({
    baseURL: 'http://localhost:3000',
    secret: 'a secret of more than 32 characters, for tests',
    socialProviders: { discord: { clientId: id, clientSecret } },
    telemetry: { enabled: false },
    logger: { disabled: true },
  })
  const origin = 'http://localhost:3000'
  const begun = await auth.handler(
    new Request(`${origin}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ provider: 'discord', callbackURL: '/' }),
    }),
  )
  const { url } = (await begun.json()) as { url: string }
  const { redirect } = await emulator.authorize(atEmulator(url, emulator), { as })
  const ended = await auth.handler(new Request(redirect, { headers: { cookie: cookiesOf(begun) } }))
  const session = await auth.handler(
    new Request(`${origin}/api/auth/get-session`, { headers: { cookie: cookiesOf(ended) } }),
  )
  const { user } = ((await session.json()) ?? {}) as { user?: { name: string; email: string } }
  return { name: user?.name ?? ended.headers.get('location'), email: user?.email }
}

/** The address at the emulator of one that a library does not let anybody change. */
export function atEmulator(url: string, emulator: Pick<Emulator, 'url'>): string {
  return url.replace('https://discord.com', emulator.url)
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}
