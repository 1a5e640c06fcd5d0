/** A player's requests to the game's own backend: the token goes there and nowhere else, in time, and once more after a 401. */
import { type ClientOptions, type Fetch, FoyerError } from 'foyer-sdk'
import { createPlayerVerifier, respondToPlayerError } from 'foyer-sdk/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const BACKEND = 'https://game.test'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
let service: TokenService
let received: { url: string; init: RequestInit; token: string }[]
let respond: (request: Request) => Promise<Response>

beforeEach(async () => {
  service = await createTokenService()
  received = []
  respond = async () => new Response('ok')
})

const fetch: Fetch = async (url, init) => {
  if (url.startsWith(HOST)) return service.fetch(url, init)
  const { body: _body, ...rest } = init
  received.push({ url, init, token: new Headers(init.headers).get('authorization') ?? '' })
  return respond(new Request(url, rest))
}

async function signIn(options: Partial<ClientOptions> = {}) {
  const client = createClientAt(
    { ...service, fetch },
    { backendOrigins: [BACKEND, 'https://chat.test'], ...options },
  )
  await service.signIn(client)
  return client
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof FoyerError ? error.code : error),
  )
const idToken = (client: Awaited<ReturnType<typeof signIn>>) => client.session?.tokens.idToken?.reveal()

/** From now on, as services of this kind: a new ID token only with a sign-in. */
const scarce = () => {
  service.override = async () =>
    Response.json(await service.tokens({ id_token: undefined, expires_in: 7 * 24 * 3600 }))
}
const kinds = (client: Awaited<ReturnType<typeof signIn>>) =>
  received.map(({ token }) => (token === `Bearer ${idToken(client)}` ? 'id' : 'access'))

describe('backend.fetch', () => {
  it('proves to the backend who calls', async () => {
    const verify = createPlayerVerifier({
      applicationId: CLIENT_ID,
      service: { host: HOST },
      fetch: service.fetch,
      clock: service.clock,
    })
    respond = async (request) =>
      Response.json(await verify(request).then(({ id }) => ({ id }), respondToPlayerError))
    const client = await signIn()
    expect(
      await (
        await client.backend.fetch('/score', { method: 'POST', body: '42', headers: { 'x-round': '7' } })
      ).json(),
    ).toEqual({
      id: USER_ID,
    })
    const [{ url, init } = { url: '', init: {} }] = received
    expect(url).toBe(`${BACKEND}/score`)
    expect(init).toMatchObject({
      method: 'POST',
      body: '42',
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    expect(new Headers(init.headers).get('x-round')).toBe('7')
  })

  it('sends a token to the named origins only', async () => {
    const client = await signIn()
    for (const url of [
      'https://evil.test/',
      'https://game.test.evil.test/',
      '//evil.test/x',
      'https://ada:b@game.test/',
      'http://game.test/',
      'https://game.test:8443/',
      'data:,x',
    ])
      expect(await codeOf(client.backend.fetch(url))).toBe('invalid_argument')
    expect(received).toEqual([])
    expect(await codeOf(client.backend.fetch('https://chat.test/x'))).toBe('ok')
    const options = { redirect: 'follow', credentials: 'include' } as object
    await client.backend.fetch('/x', options)
    expect(received.at(-1)?.init).toMatchObject({ redirect: 'manual', credentials: 'omit' })
  })

  it.each([
    [['http://game.test'], 'insecure_endpoint'],
    [['https://game.test/path'], 'invalid_argument'],
    [['game.test'], 'invalid_argument'],
    [undefined, 'invalid_argument'],
    [['http://localhost:8080'], 'ok'],
  ])('with backendOrigins %j: %s', async (backendOrigins, expected) => {
    const client = await signIn({ backendOrigins: backendOrigins ?? [] })
    expect(await codeOf(client.backend.fetch(backendOrigins === undefined ? `${BACKEND}/x` : '/x'))).toBe(
      expected,
    )
  })

  it('refreshes an ID token that ends within a minute first, for all calls at once', async () => {
    const client = await signIn()
    service.clock.advance(58 * MINUTE)
    await client.backend.fetch('/x')
    expect(service.refreshes()).toHaveLength(0)
    service.clock.advance(MINUTE)
    await Promise.all([client.backend.fetch('/x'), client.backend.fetch('/y')])
    expect(service.refreshes()).toHaveLength(1)
    expect(received.slice(1).map(({ token }) => token)).toEqual([
      `Bearer ${idToken(client)}`,
      `Bearer ${idToken(client)}`,
    ])
  })

  it('uses the old token while it lasts if the refresh fails, and rejects afterwards', async () => {
    const client = await signIn()
    service.override = async () => new Response(null, { status: 503 })
    service.clock.advance(59.5 * MINUTE)
    expect(await codeOf(client.backend.fetch('/x'))).toBe('ok')
    service.clock.advance(MINUTE)
    expect(await codeOf(client.backend.fetch('/x'))).not.toBe('ok')
    expect(received).toHaveLength(1)
  })

  it('refreshes and sends once more after a 401, and then returns what came', async () => {
    const client = await signIn()
    respond = async () => new Response(null, { status: received.length === 1 ? 401 : 200 })
    expect((await client.backend.fetch('/x', { method: 'POST', body: 'a' })).status).toBe(200)
    expect(received).toHaveLength(2)
    expect(received[0]?.token).not.toBe(received[1]?.token)
    respond = async () => new Response(null, { status: 401 })
    expect((await client.backend.fetch('/x')).status).toBe(401)
    expect(received).toHaveLength(4)
    const stream = new Response('a').body
    await client.backend.fetch('/x', { method: 'POST', body: stream })
    expect(received).toHaveLength(5)
  })

  it('sends the access token only where the game says so', async () => {
    const client = await signIn()
    const access = client.session?.tokens.accessToken.reveal()
    await client.backend.fetch('/x')
    expect(JSON.stringify(received)).not.toContain(access)
    await client.backend.fetch('/x', { token: 'access_token' })
    expect(received[1]?.token).toBe(`Bearer ${access}`)
  })

  it('sends a lasting access token without a refresh, even if the ID token has ended', async () => {
    service.claims = { exp: service.clock.now() / 1000 + 60 }
    const client = await signIn()
    service.clock.advance(MINUTE)
    await client.backend.fetch('/x', { token: 'access_token' })
    expect(service.refreshes()).toHaveLength(0)
    service.claims = {}
    await client.backend.fetch('/x')
    expect(service.refreshes()).toHaveLength(1)
  })

  describe('when a refresh returns no ID token', () => {
    it('falls back to the access token, which the backend looks up at the service', async () => {
      const me = {
        application: { id: CLIENT_ID },
        expires: new Date(service.clock.now() + 7 * 24 * HOUR).toISOString(),
      }
      const lookUp: Fetch = async (url, init) =>
        url.endsWith('/oauth2/@me')
          ? Response.json({ ...me, user: { id: USER_ID, username: 'neo' } })
          : service.fetch(url, init)
      const options = { applicationId: CLIENT_ID, service: { host: HOST }, clock: service.clock }
      const verify = createPlayerVerifier({ ...options, accessTokens: true, fetch: lookUp })
      respond = async (request) =>
        Response.json(
          await verify(request).then(({ id, username }) => ({ id, username }), respondToPlayerError),
        )
      const client = await signIn()
      scarce()
      const answers = []
      for (let hours = 0; hours < 4; hours++) {
        answers.push(await (await client.backend.fetch('/score')).json())
        service.clock.advance(HOUR)
      }
      expect(answers).toEqual([{ id: USER_ID }, ...[1, 2, 3].map(() => ({ id: USER_ID, username: 'neo' }))])
      expect([kinds(client), service.refreshes().length]).toEqual([['id', 'access', 'access', 'access'], 1])
    })

    it('says so once, with a remedy', async () => {
      const remedies: unknown[] = []
      const client = await signIn({
        logger: ({ step, data }) => void (step === 'backend.access_token' && remedies.push(data['remedy'])),
      })
      scarce()
      for (let calls = 0; calls < 5; calls++) {
        service.clock.advance(HOUR)
        await client.backend.fetch('/score')
      }
      expect(remedies).toEqual([expect.stringContaining('accessTokens: true')])
    })

    it('causes at most one refresh in each lifetime of the tokens, whatever the backend answers', async () => {
      for (const status of [200, 401, 500]) {
        service = await createTokenService()
        const client = await signIn()
        client.pauseRefresh()
        scarce()
        respond = async () => new Response(null, { status })
        const lifetimes = 3
        for (let hours = 0; hours < lifetimes * 7 * 24; hours += 4) {
          await client.backend.fetch('/score')
          service.clock.advance(4 * HOUR)
        }
        expect([status, service.refreshes().length <= lifetimes]).toEqual([status, true])
        client.close()
      }
    })

    it('sends the access token instead of an ID token that the backend refuses, and refreshes once', async () => {
      const client = await signIn()
      scarce()
      respond = async (request) =>
        new Response(null, { status: request.headers.get('authorization')?.includes('access') ? 200 : 401 })
      const statuses = []
      for (let calls = 0; calls < 4; calls++) {
        statuses.push((await client.backend.fetch('/score')).status)
        service.clock.advance(MINUTE)
      }
      expect([statuses, service.refreshes().length]).toEqual([[200, 200, 200, 200], 1])
      expect(kinds(client)).toEqual(['id', 'access', 'access', 'access', 'access'])
    })
  })

  it('sends nothing in place of an ID token that the game insists on', async () => {
    const client = await signIn()
    scarce()
    service.clock.advance(2 * HOUR)
    expect(await codeOf(client.backend.fetch('/'))).toBe('ok')
    expect(kinds(client)).toEqual(['access'])
    received.length = 0
    expect(await codeOf(client.backend.fetch('/', { token: 'id_token' }))).toBe('missing_id_token')
    expect(await codeOf(client.backend.fetch('/', { token: 'both' as never }))).toBe('invalid_argument')
    expect(received).toEqual([])
  })

  it('names the address at which no tickets are given out', async () => {
    const client = await signIn()
    const says = `Does createPlayerTickets answer at ${BACKEND}/ticket? Give it that path, with every method`
    for (const status of [404, 405]) {
      respond = async () => new Response('', { status })
      await expect(client.backend.fetchTicket('/ticket?purpose=match')).rejects.toThrow(says)
    }
    // A server of one page answers every path with it.
    respond = async () => new Response('<!doctype html>')
    await expect(client.backend.fetchTicket('/ticket?purpose=match')).rejects.toMatchObject({
      code: 'malformed_response',
      message: expect.stringContaining(says),
    })
    respond = async () => new Response('', { status: 403 })
    await expect(client.backend.fetchTicket('/ticket')).rejects.not.toThrow('createPlayerTickets')
  })

  it('ends with timed_out if the backend never answers, and leaves no timer', async () => {
    const client = await signIn({ requestTimeout: 5000 })
    const timers = service.clock.waiting
    let isAborted = false
    respond = (request) =>
      new Promise(() => request.signal.addEventListener('abort', () => (isAborted = true)))
    for (const work of [() => client.backend.fetch('/'), () => client.backend.fetchTicket('/ticket')]) {
      isAborted = false
      const result = codeOf(work())
      await vi.waitUntil(() => service.clock.waiting > timers)
      service.clock.advance(5000)
      expect([await result, isAborted, service.clock.waiting]).toEqual(['timed_out', true, timers])
    }
  })

  it('rejects without a session, and when aborted', async () => {
    const client = createClientAt({ ...service, fetch }, { backendOrigins: [BACKEND] })
    expect(await codeOf(client.backend.fetch('/x'))).toBe('signed_out')
    await service.signIn(client)
    const controller = new AbortController()
    respond = async () => {
      controller.abort()
      throw new TypeError('aborted')
    }
    expect(await codeOf(client.backend.fetch('/x', { signal: controller.signal }))).toBe('aborted')
  })
})
