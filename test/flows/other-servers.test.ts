/** The same sign-in at an authorization server that knows nothing of Foyer. */
import { Client } from 'foyer-sdk'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect, it } from 'vitest'

const REDIRECT_URI = 'http://127.0.0.1:51234/callback'
const server = new OAuth2Server()

beforeAll(async () => {
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  // The service's players have decimal ids; this server's do not, unless it is told.
  server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    token.payload['sub'] = '175928847299117063'
  })
})
afterAll(() => server.stop())

function createGame() {
  const host = `http://127.0.0.1:${server.address().port}`
  const issuer = server.issuer.url ?? ''
  const urls = { authorizeUrl: `${host}/authorize`, tokenUrl: `${host}/token`, keysUrl: `${host}/jwks`, issuer }
  return new Client({ applicationId: '1234567890123456789', service: { host, ...urls } })
}

/** This server asks nobody: it redirects at once. */
const surface = {
  redirectUri: () => REDIRECT_URI,
  async open(url: string) {
    const { headers } = await fetch(url, { redirect: 'manual' })
    return headers.get('location') ?? ''
  },
}

it('signs in at an independent server, and verifies its ID token', async () => {
  const session = await createGame().signIn({ args: { scopes: 'openid' }, surface })
  expect(session.userId).toBe('175928847299117063')
  expect(session.tokens.claims).toMatchObject({ iss: server.issuer.url, aud: '1234567890123456789' })
})

it('refuses an ID token of that server whose key it has not published', async () => {
  const client = createGame()
  const published = server.issuer.keys.toJSON.bind(server.issuer.keys)
  server.issuer.keys.toJSON = () => []
  await expect(client.signIn({ args: { scopes: 'openid' }, surface })).rejects.toMatchObject({ code: 'invalid_id_token' })
  server.issuer.keys.toJSON = published
})
