import { randomUUID } from 'node:crypto'
import * as client from 'openid-client'

// What a game writes: cookies, four routes, as its documentation shows them, and the requests of its page.
const cookieOf = (request, name) =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1]
const cookie = (name, value) => `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`
const redirect = (location, cookies) => {
  const headers = new Headers({ location })
  for (const each of cookies) headers.append('set-cookie', each)
  return new Response(null, { status: 302, headers })
}

export const createBackend = ({ applicationId, secret, issuer, origin }) => {
  const attempts = new Map()
  const sessions = new Map()
  const redirectUri = `${origin}/callback`
  let discovered
  const configuration = () => (discovered ??= client.discovery(new URL(issuer), applicationId, secret))

  const routes = {
    async '/login'() {
      const [id, verifier] = [randomUUID(), client.randomPKCECodeVerifier()]
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      attempts.set(id, { verifier, state, nonce })
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return redirect(url.href, [cookie('attempt', id)])
    },
    async '/callback'(request) {
      const attempt = attempts.get(cookieOf(request, 'attempt'))
      attempts.delete(cookieOf(request, 'attempt'))
      if (!attempt) return new Response('Sign in again', { status: 400 })
      const checks = {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      }
      const tokens = await client.authorizationCodeGrant(await configuration(), new URL(request.url), checks)
      const id = randomUUID()
      sessions.set(id, { user: tokens.claims().sub, tokens, endsAt: Date.now() + tokens.expiresIn() * 1000 })
      return redirect('/', [cookie('session', id)])
    },
    async '/token'(request) {
      const session = sessions.get(cookieOf(request, 'session'))
      if (!session) return new Response(null, { status: 401 })
      if (session.endsAt < Date.now() + 60_000) {
        session.tokens = await client.refreshTokenGrant(await configuration(), session.tokens.refresh_token)
        session.endsAt = Date.now() + session.tokens.expiresIn() * 1000
      }
      return Response.json({ user: session.user, access_token: session.tokens.access_token })
    },
    async '/logout'(request) {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      sessions.delete(cookieOf(request, 'session'))
      return redirect('/', [`${cookie('session', '')}; Max-Age=0`])
    },
  }
  return async (request) => {
    const route = routes[new URL(request.url).pathname]
    try {
      return route ? await route(request) : new Response(null, { status: 404 })
    } catch {
      return new Response('Sign in again', { status: 400 })
    }
  }
}

export const signIn = () => (location.href = '/login')
export const resume = () => fetch('/token').then((r) => (r.ok ? r.json() : null))
export const signOut = () => fetch('/logout', { method: 'POST' })
