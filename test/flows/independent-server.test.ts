/** The same sign-in at an independent authorization server. */
import { Client } from 'foyer-sdk'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, expect, it } from 'vitest'

const REDIRECT_URI = 'http://127.0.0.1:51234/callback'
const server = new OAuth2Server()

beforeAll(async () => {
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  // The service’s players have decimal IDs; this server’s do only if it is configured so.
  server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    token.payload['sub'] = '175928847299117063'
  })
})
afterAll(() => server.stop())

function createGame() {
  const host = `http://127.0.0.1:${server.address().port}`
  const issuer = server.issuer.url ?? ''
  const urls = {
    authorizeUrl: `${host}/authorize`,
    tokenUrl: `${host}/token`,
    keysUrl: `${host}/jwks`,
    issuer,
  }
  return new Client({ applicationId: '1234567890123456789', service: { host, ...urls } })
}

/** This server shows no consent page: it redirects at once. */
const surface = {
  redirectUri: () => REDIRECT_URI,
  async open(url: string) {
    const { headers } = await fetch(url, { redirect: 'manual' })
    return headers.get('location') ?? ''
  },
}

it('the client signs in at an independent server and verifies its ID token', async () => {
  const session = await createGame().signIn({ args: { scopes: 'openid' }, surface })
  expect(session.userId).toBe('175928847299117063')
  expect(session.tokens.claims).toMatchObject({ iss: server.issuer.url, aud: '1234567890123456789' })
})

it('the client rejects an ID token of an independent server with an unpublished key', async () => {
  const client = createGame()
  const published = server.issuer.keys.toJSON.bind(server.issuer.keys)
  server.issuer.keys.toJSON = () => []
  await expect(client.signIn({ args: { scopes: 'openid' }, surface })).rejects.toMatchObject({
    code: 'invalid_id_token',
  })
  server.issuer.keys.toJSON = published
})
