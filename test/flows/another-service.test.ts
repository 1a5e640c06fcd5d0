/** A client that is set up for another service than the emulator, with mistakes of its configuration: each error names the correction. */
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { Client, memoryStore, type ServiceOptions, type TokenStore } from 'foyer-sdk'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { selfSignedCertificate } from '../support/self-signed-certificate'
import { rejection } from '../support/settle'

const APPLICATION = '1234567890123456789'
const REDIRECT_URI = 'http://127.0.0.1:51234/callback'

function createGame(service: ServiceOptions, tokenStore?: TokenStore): Client {
  const client = new Client({ applicationId: APPLICATION, service, ...(tokenStore && { tokenStore }) })
  onTestFinished(() => client.close())
  return client
}

describe('service.host', () => {
  it.each([
    'https://service.test/realms/game',
    'https://service.test//',
    'https://service.test?tenant=a',
    'https://service.test/a/',
  ])('with a path is refused, and baseUrl is named: %s', async (host) => {
    const error = await rejection(() => createGame({ host }))
    expect(error).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('service.host'),
    })
    expect(error).toMatchObject({ message: expect.stringContaining('service.baseUrl') })
  })

  it.each([
    'https://service.test',
    'https://service.test/',
    'https://SERVICE.test:8443',
    'http://[::1]:80',
    'http://localhost:3333',
  ])('may be an origin: %s', (host) => {
    expect(() => createGame({ host })).not.toThrow()
  })
})

describe('a response of another issuer', () => {
  it.each([
    ['https://login.test', 'https://service.test', 'service.issuer sets it'],
    ['http://localhost:3333', 'http://127.0.0.1:3333', 'localhost and 127.0.0.1 are two origins'],
    ['http://[::1]:3333', 'http://localhost:3333', 'localhost and 127.0.0.1 are two origins'],
    ['http://localhost:3334', 'http://127.0.0.1:3333', 'service.issuer sets it'],
  ])('names both: %s at %s', async (iss, host, remedy) => {
    const surface = scriptedSurface((url) => callbackTo(url, { iss }))
    const error = await rejection(() => createGame({ host }).authorize({ scopes: 'openid' }, { surface }))
    expect(error).toMatchObject({ code: 'issuer_mismatch' })
    for (const part of [iss, host, remedy]) expect(String(error)).toContain(part)
  })

  it('at the other name of this machine is named as such', async () => {
    const surface = scriptedSurface((url) => callbackTo(url).replace('127.0.0.1', 'localhost'))
    const error = await rejection(() =>
      createGame({ host: 'https://service.test' }).authorize({ scopes: 'openid' }, { surface }),
    )
    expect(error).toMatchObject({
      code: 'redirect_mismatch',
      message: expect.stringContaining('localhost and 127.0.0.1 are two origins'),
    })
  })
})

describe('at a server of another make', () => {
  const server = new OAuth2Server()
  beforeAll(async () => {
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
      token.payload['sub'] = '175928847299117063'
    })
  })
  afterAll(() => server.stop())

  /** This server shows no consent page: it redirects at once. */
  const surface = {
    redirectUri: () => REDIRECT_URI,
    async open(url: string) {
      return (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
    },
  }

  function signIn(changes: Partial<ServiceOptions>) {
    const host = `http://127.0.0.1:${server.address().port}`
    const urls = { authorizeUrl: `${host}/authorize`, tokenUrl: `${host}/token`, keysUrl: `${host}/jwks` }
    return createGame({ host, ...urls, ...changes }).signIn({ args: { scopes: 'openid' }, surface })
  }

  it('an ID token of another issuer names both', async () => {
    const issuer = `http://127.0.0.1:${server.address().port}`
    const error = await rejection(() => signIn({ issuer }))
    expect(error).toMatchObject({ code: 'invalid_id_token', path: 'iss' })
    for (const part of [server.issuer.url ?? '', issuer, 'localhost and 127.0.0.1 are two origins'])
      expect(String(error)).toContain(part)
  })

  it('a token endpoint that is not there is named by its configured path', async () => {
    const tokenUrl = `http://127.0.0.1:${server.address().port}/realms/game/token`
    const error = await rejection(() => signIn({ issuer: server.issuer.url ?? '', tokenUrl }))
    expect(error).toMatchObject({
      code: 'malformed_response',
      message: expect.stringContaining('POST /realms/game/token 404'),
    })
  })

  it('keys that are not there are named by their configured path', async () => {
    const keysUrl = `http://127.0.0.1:${server.address().port}/realms/game/certs`
    const error = await rejection(() => signIn({ issuer: server.issuer.url ?? '', keysUrl }))
    expect(error).toMatchObject({
      code: 'keys_unavailable',
      message: expect.stringContaining('GET /realms/game/certs'),
    })
  })

  it('a refresh of a session at a token endpoint that is not there is named by its configured path', async () => {
    const host = `http://127.0.0.1:${server.address().port}`
    const tokenStore = memoryStore()
    const service = {
      host,
      issuer: server.issuer.url ?? '',
      authorizeUrl: `${host}/authorize`,
      tokenUrl: `${host}/token`,
      keysUrl: `${host}/jwks`,
    }
    await createGame(service, tokenStore).signIn({ args: { scopes: 'openid' }, surface })
    const game = createGame({ ...service, tokenUrl: `${host}/realms/game/token` }, tokenStore)
    expect(await game.resume()).toMatchObject({ userId: '175928847299117063' })
    const error = await rejection(() => game.refreshToken())
    expect(error).toMatchObject({
      code: expect.any(String),
      message: expect.stringContaining('POST /realms/game/token'),
    })
    expect(game.session?.userId).toBe('175928847299117063')
  })
})

const callAt = async (host: string) => {
  const client = new ApplicationClient({
    applicationId: APPLICATION,
    credentials: botToken('a.b.c'),
    service: { host },
    maxWait: 0,
  })
  onTestFinished(() => client.close())
  return rejection(() => client.commands.global.list())
}

const at = (path: string) => `https://service.test/realms/game/${path}`

const unavailable = async () => Response.json({ code: 0 }, { status: 503 })

/** A client of a service whose endpoints are at other paths, and out of order. */
function createGameElsewhere() {
  const urls = {
    tokenUrl: at('token'),
    revokeUrl: at('revoke'),
    deviceUrl: at('device'),
    keysUrl: at('certs'),
  }
  const client = new Client({
    applicationId: APPLICATION,
    fetch: unavailable,
    service: { host: 'https://service.test', ...urls },
  })
  onTestFinished(() => client.close())
  return client
}

describe('an endpoint at another path', () => {
  const surface = scriptedSurface((url) => callbackTo(url))
  const account = { externalAuthType: 'OIDC', externalAuthToken: 'the-proof' } as const

  it.each<[what: string, path: string, call: (client: Client) => Promise<unknown>]>([
    ['a revocation', 'revoke', (client) => client.revokeToken('a-token')],
    [
      'a sign-in of a device',
      'device',
      (client) => client.accounts.getTokenFromDevice({ scopes: 'openid' }, { onUserCode: () => {} }),
    ],
    [
      'a merge',
      'token',
      async (client) =>
        client.accounts.merge(await client.authorize({ scopes: 'openid' }, { surface }), account),
    ],
    ['a refresh', 'token', (client) => client.refreshToken('a-token')],
  ])('is named in the error of %s', async (_, path, call) => {
    const error = await rejection(() => call(createGameElsewhere()))
    expect(error).toMatchObject({
      code: 'http_503',
      message: expect.stringContaining(`POST /realms/game/${path}`),
    })
  })
})

describe('a service that cannot be reached from a backend', () => {
  it('by a name without an address is told so', async () => {
    expect(await callAt('https://nobody.invalid')).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/host name has no address.*\((ENOTFOUND|EAI_AGAIN)\)$/),
    })
  })

  it('by a port at which nothing listens is told so', async () => {
    const { port, close } = await listen(createServer())
    await close()
    expect(await callAt(`http://127.0.0.1:${port}`)).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/Nothing listens there.*\(ECONNREFUSED\)$/),
    })
  })

  it('for its certificate is told so', async () => {
    const { port, close } = await listen(createTlsServer(selfSignedCertificate('127.0.0.1')))
    onTestFinished(close)
    const error = await callAt(`https://127.0.0.1:${port}`)
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/certificate is not trusted.*\([A-Z_]+\)$/),
    })
    expect(String(error)).not.toContain('connect-src')
  })
})
