import { Auth0Client } from '@auth0/nextjs-auth0/server'

// What a game writes: lib/auth0.js and middleware.js, and the requests of its page.
export const createBackend = ({ applicationId, secret, issuer, origin }) => {
  const auth0 = new Auth0Client({
    domain: new URL(issuer).host,
    clientId: applicationId,
    clientSecret: secret,
    secret: 'a'.repeat(64),
    appBaseUrl: origin,
    authorizationParameters: { scope: 'openid offline_access' },
  })
  return (request) => auth0.middleware(request)
}

export const signIn = () => (location.href = '/auth/login')
export const resume = () => fetch('/auth/profile').then((r) => (r.ok ? r.json() : null))
export const getToken = () => fetch('/auth/access-token').then((r) => r.json())
export const signOut = () => (location.href = '/auth/logout')
