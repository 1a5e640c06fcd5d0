import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'

// What a game writes in its backend, and the requests of its page.
export const createBackend = ({ applicationId, secret, issuer, origin }) => {
  const config = {
    providerId: 'service',
    discoveryUrl: `${issuer}.well-known/openid-configuration`,
    clientId: applicationId,
    clientSecret: secret,
    scopes: ['openid', 'offline_access'],
    // Its users need an address, and the service has none.
    mapProfileToUser: ({ sub, name }) => ({ email: `${sub}@players.invalid`, name }),
  }
  const auth = betterAuth({
    baseURL: origin,
    secret: 'a-secret-of-more-than-32-characters!',
    plugins: [genericOAuth({ config: [config] })],
  })
  return auth.handler
}

const post = (path, body) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then((r) => r.json())

export const signIn = async () => {
  const { url } = await post('/api/auth/sign-in/social', { provider: 'service', callbackURL: '/' })
  location.href = url
}
export const resume = () => fetch('/api/auth/get-session').then((r) => r.json())
export const getToken = () => post('/api/auth/get-access-token', { useAccountCookie: true })
export const signOut = () => post('/api/auth/sign-out', {})
