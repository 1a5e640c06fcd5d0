/** Attacks through token responses, by the token endpoint or a proxy in front of it. */
import { Client, type ClientOptions } from 'foyer-sdk'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const WEEK = 7 * 24 * 3_600_000
let service: TokenService
let clients: Client[] = []

beforeEach(async () => {
  service = await createTokenService()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  vi.unstubAllGlobals()
})

function createGame(options: Partial<ClientOptions> = {}): Client {
  const client = new Client({
    applicationId: CLIENT_ID,
    service: { host: HOST },
    fetch: service.fetch,
    clock: service.clock,
    ...options,
  })
  clients.push(client)
  return client
}

/** Signs in, then responds to one refresh like this. The previous session must stay. */
async function refreshWith(response: (original: () => Promise<Response>) => Promise<Response>) {
  const client = createGame()
  const before = await service.signIn(client)
  service.override = (_, original) => response(original)
  const error: unknown = await client.refreshToken().catch((reason: unknown) => reason)
  service.override = undefined
  expect(client.session?.tokens.accessToken.reveal()).toBe(before.tokens.accessToken.reveal())
  expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
  return error
}

const json = (body: unknown, init?: ResponseInit) => async () => Response.json(body, init)
const changed = (changes: Record<string, unknown>) => async () => Response.json(await service.tokens(changes))
const text =
  (body: string | Uint8Array<ArrayBuffer>, type = 'application/json', status = 200) =>
  async () =>
    new Response(body, { status, headers: { 'content-type': type } })

describe('a token response:', () => {
  it.each([
    ['attack/43 attack/104 HTML of a captive portal', text('<html>Log in to Free Wi-Fi</html>', 'text/html')],
    ['attack/104 invalid_grant as plain text', text('{"error":"invalid_grant"}', 'text/plain', 400)],
    ['attack/104 invalid_grant with status 200', json({ error: 'invalid_grant' })],
    ['attack/44 tokens with an error', changed({ error: 'server_error' })],
    ['attack/45 no token_type', changed({ token_type: undefined })],
    ['attack/46 token_type mac', changed({ token_type: 'mac' })],
    ['attack/46 attack/121 token_type DPoP, which was not requested', changed({ token_type: 'DPoP' })],
    ['attack/47 an access_token that is an object', changed({ access_token: {} })],
    ['attack/47 an access_token that is a list', changed({ access_token: ['x'] })],
    ['attack/47 an access_token with a line break', changed({ access_token: 'x\r\nSet-Cookie: a=b' })],
    ['attack/47 an access_token with a space', changed({ access_token: 'a b' })],
    ['attack/47 an access_token of 20 kB', changed({ access_token: 'x'.repeat(20_000) })],
    ['attack/48 no access_token', changed({ access_token: undefined })],
    ['attack/49 expires_in below zero', changed({ expires_in: -1 })],
    ['attack/49 a negative expires_in', changed({ expires_in: 'soon' })],
    ['attack/50 expires_in "soon"', changed({ expires_in: null })],
    ['attack/53 more than 64 kB', changed({ padding: 'x'.repeat(70_000) })],
    ['attack/54 no JSON object', json([[[[]]]])],
    ['attack/54 UTF-16', text(new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]))],
    ['attack/54 half a response', text('{"access_token":"x","refresh_')],
    [
      'attack/98 another player',
      async () => ((service.claims = { sub: '1' }), Response.json(await service.tokens())),
    ],
    [
      'attack/99 another issuer',
      async () => ((service.claims = { iss: 'https://evil.test' }), Response.json(await service.tokens())),
    ],
    [
      'attack/99 another audience',
      async () => ((service.claims = { aud: '2' }), Response.json(await service.tokens())),
    ],
    [
      'attack/99 another azp',
      async () => ((service.claims = { azp: '2' }), Response.json(await service.tokens())),
    ],
    [
      'attack/99 another nonce',
      async () => ((service.claims = { nonce: 'x' }), Response.json(await service.tokens())),
    ],
    ['attack/103 a server error', json({ error: 'server_error' }, { status: 500 })],
    ['attack/103 too many requests', json({ error: 'invalid_grant' }, { status: 429 })],
  ] as const)('%s is rejected and the session stays', async (_, response) => {
    const error = await refreshWith(response)
    expect(error).toMatchObject({ name: expect.not.stringMatching('SessionError'), code: expect.any(String) })
  })

  it('attack/99 an older sign-in is rejected and the session stays', async () => {
    service.claims = { auth_time: 2000 }
    const client = createGame()
    await service.signIn(client)
    service.claims = { auth_time: 1000 }
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'invalid_id_token', path: 'auth_time' })
    expect(client.session?.userId).toBe(USER_ID)
  })

  it('attack/50 expires_in in digits is parsed, and limited to a year', async () => {
    const client = createGame()
    await service.signIn(client)
    service.override = async () => Response.json(await service.tokens({ expires_in: 1e308 }))
    await client.refreshToken()
    expect(client.session?.tokens.expiresAt).toBe(service.clock.now() + 365 * 24 * 3_600_000)
    service.override = async () => Response.json(await service.tokens({ expires_in: '60' }))
    await client.refreshToken()
    expect(client.session?.tokens.expiresAt).toBe(service.clock.now() + 60_000)
  })

  it('attack/51 no ID token although openid was requested rejects with missing_id_token, if the game requires one', async () => {
    service.override = async () => Response.json(await service.tokens({ id_token: undefined }))
    await expect(service.signIn(createGame({ requireIdToken: true }))).rejects.toMatchObject({
      code: 'missing_id_token',
    })
    expect((await service.signIn(createGame())).proof).toBe('userinfo')
  })

  it('attack/51 a sign-in without openid is no session, if the game requires an ID token', async () => {
    service.override = async () =>
      Response.json(await service.tokens({ id_token: undefined, scope: 'identify' }))
    const client = createGame({ requireIdToken: true })
    const surface = scriptedSurface((url) => callbackTo(url, { iss: HOST }))
    const result = await client.authorize({ scopes: 'identify' }, { surface })
    await expect(client.signIn({ result })).rejects.toMatchObject({ code: 'missing_id_token' })
    expect(client.session).toBeNull()
  })

  it('attack/52 attack/107 other scopes than before are accepted and reported', async () => {
    const client = createGame()
    await service.signIn(client)
    const reported: unknown[] = []
    client.on('tokenRefreshed', ({ session, previous }) =>
      reported.push([previous.missingScopes, session.missingScopes, session.grantedScopes]),
    )
    service.override = async () => Response.json(await service.tokens({ scope: 'openid identify' }))
    await client.refreshToken()
    expect(reported).toEqual([[[], ['sdk.social_layer'], ['openid', 'identify']]])
  })
})

describe('a token request', () => {
  it('attack/41 attack/56 attack/97 has no redirects, cookies, cache or referrer', async () => {
    const client = createGame()
    await service.signIn(client)
    await client.refreshToken()
    await client.revokeToken()
    const posts = service.sent.filter(({ init }) => init.method === 'POST')
    expect(posts.length).toBe(3)
    for (const { init } of posts) {
      expect(init).toMatchObject({
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      })
    }
    for (const { init } of service.sent) expect(init.redirect).toBe('manual')
  })

  it('attack/57 uses the fetch function of when the client was created', async () => {
    vi.stubGlobal('fetch', service.fetch)
    const client = new Client({ applicationId: CLIENT_ID, service: { host: HOST }, clock: service.clock })
    clients.push(client)
    const laterFetch = vi.fn<() => void>()
    vi.stubGlobal('fetch', laterFetch)
    await service.signIn(client)
    await client.refreshToken()
    expect(laterFetch).not.toHaveBeenCalled()
  })

  it('attack/58 sends a code once, even if its response is lost', async () => {
    service.override = async () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(service.signIn(createGame())).rejects.toMatchObject({ code: 'connection_failed' })
    expect(service.sent.filter(({ form }) => form.get('grant_type') === 'authorization_code')).toHaveLength(1)
  })

  it.each([
    ['315360000', 300],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 300],
    ['-5', 30],
    ['soon', 30],
  ])('attack/59 with Retry-After %s in its response is repeated within %i s', async (retryAfter, seconds) => {
    const client = createGame()
    await service.signIn(client)
    service.clock.advance(WEEK)
    service.override = async () =>
      Response.json(
        { error: 'temporarily_unavailable' },
        { status: 503, headers: { 'retry-after': retryAfter } },
      )
    await client.fetchCurrentUser().catch(() => undefined)
    service.override = undefined
    service.clock.advance(seconds * 1000)
    await expect(client.fetchCurrentUser()).resolves.toMatchObject({ id: USER_ID })
  })

  it('attack/60 contains no client secret, which cannot be configured', async () => {
    // A game in plain JavaScript may try.
    for (const given of [{ clientSecret: 'shh' }, { client_secret: 'shh' }])
      expect(() => createGame(given as object)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.not.stringContaining('shh') }),
      )
    const client = createGame()
    await service.signIn(client)
    await client.refreshToken()
    expect(inspect(service.sent, { depth: 9 })).not.toContain('shh')
    for (const { form } of service.sent) expect(form.has('client_secret')).toBe(false)
  })

  it('attack/96 attack/117 attack/120 needs no discovery, no userinfo and no proof of possession', async () => {
    const client = createGame()
    await service.signIn(client)
    await client.refreshToken()
    await client.fetchCurrentUser()
    const paths = new Set(service.sent.map(({ url }) => new URL(url).pathname))
    expect([...paths].sort()).toEqual(['/api/v10/oauth2/keys', '/api/v10/oauth2/token', '/api/v10/users/@me'])
    for (const { init } of service.sent) expect(new Headers(init.headers).has('dpop')).toBe(false)
  })

  it('attack/118 attack/119 is followed by requests with the access token to the service only, in a header and in no URL', async () => {
    const client = createGame()
    const { tokens } = await service.signIn(client)
    await client.fetchCurrentUser()
    for (const { url } of service.sent) expect(url).not.toContain(tokens.accessToken.reveal())
    const carriers = service.sent.filter(({ init }) => new Headers(init.headers).has('authorization'))
    expect(carriers.map(({ url }) => new URL(url).origin)).toEqual([HOST, HOST])
  })

  it('attack/55 leads to no event, log entry or error that contains a token, code or verifier', async () => {
    const reported: unknown[] = []
    const client = createGame({ logger: (entry) => reported.push(entry) })
    for (const event of [
      'sessionChanged',
      'tokenRefreshed',
      'tokenExpiring',
      'statusChanged',
      'log',
    ] as const)
      client.on(event, (data) => reported.push(data))
    await service.signIn(client)
    await client.refreshToken()
    for (const response of [
      json({ error: 'invalid_grant', error_description: 'refresh-2 is bad' }, { status: 400 }),
      text('{"refresh_token":"refresh-9"'),
    ]) {
      service.override = () => response()
      reported.push(await client.refreshToken().catch((error: unknown) => error))
    }
    const all = [
      JSON.stringify(reported),
      inspect(reported, { depth: 12, showHidden: true }),
      String(reported),
      inspect(client, { depth: 12 }),
      JSON.stringify(client.session),
    ].join()
    expect(reported.length).toBeGreaterThan(5)
    expect(all).not.toMatch(/access-\d|refresh-\d|the-code/)
    const [verifier] = service.sent.flatMap(({ form }) => form.get('code_verifier') ?? [])
    expect(all).not.toContain(verifier ?? 'no verifier was sent')
  })
})
