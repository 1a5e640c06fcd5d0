/** Sessions from tokens that the game's backend obtained, and the callback that brings new ones. */
import { type ClientOptions, type GetToken, Secret } from 'foyer-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createTokenService, type TokenService, USER_ID } from '../support/token-service'
import { settle } from '../support/settle'

const HOUR = 3_600_000
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)

/** The JSON of a token response as a backend passes it on: without the refresh token. */
async function fromBackend(changes: Record<string, unknown> = {}) {
  const { refresh_token: _, ...tokens } = await service.tokens(changes)
  return { ...tokens, access_token: String(tokens['access_token']), id_token: String(tokens['id_token']) }
}

/** `GET /users/@me` refuses access tokens that are not in the list. */
function acceptOnly(...accepted: string[]): void {
  const { fetch } = service
  service.fetch = async (url, init) => {
    const [, token = ''] = (new Headers(init.headers).get('authorization') ?? '').split(' ')
    return url.endsWith('/users/@me') && !accepted.includes(token)
      ? Response.json({}, { status: 401 })
      : fetch(url, init)
  }
}

describe('updateToken', () => {
  it('takes the JSON of a token response, and keeps its end, its scopes and its verified ID token', async () => {
    const raw = await fromBackend({ expires_in: 7200, scope: 'openid sdk.social_layer' })
    const { tokens, proof, userId } = await createGame().updateToken(raw)
    expect([tokens.accessToken.reveal(), tokens.refreshToken, proof, userId]).toEqual([
      raw.access_token,
      undefined,
      'id_token',
      USER_ID,
    ])
    expect([tokens.expiresAt, tokens.scopes]).toEqual([
      service.clock.now() + 2 * HOUR,
      ['openid', 'sdk.social_layer'],
    ])
  })

  it('takes the same with the names of the SDK, with a moment or a duration', async () => {
    const raw = await fromBackend()
    const named = { accessToken: raw.access_token, idToken: new Secret(raw.id_token), scopes: ['openid'] }
    const client = createGame()
    const ends = [{ expiresIn: 60 }, { expiresAt: service.clock.now() + 60_000 }, {}]
    const sessions = await Promise.all(ends.map((end) => client.updateToken({ ...named, ...end })))
    expect(sessions.map(({ tokens }) => tokens.expiresAt - service.clock.now())).toEqual([
      60_000,
      60_000,
      HOUR,
    ])
  })

  it('rejects an ID token of another application, player or access token, and keeps the session', async () => {
    const client = createGame()
    const { userId } = await client.updateToken(await fromBackend())
    for (const claims of [{ aud: '42' }, { iss: 'https://evil.test' }, { at_hash: 'x'.repeat(22) }]) {
      service.claims = claims
      await expect(client.updateToken(await fromBackend())).rejects.toMatchObject({
        code: 'invalid_id_token',
      })
    }
    expect(client.session?.userId).toBe(userId)
  })

  it.each([
    ['nothing', {}],
    ['an empty token', { access_token: '' }],
    ['a token with a space', { accessToken: 'a b' }],
    ['an end that is no number', { accessToken: 'a', expiresIn: Number.NaN }],
    ['a list', []],
    ['a printed secret in an object', { accessToken: {} }],
  ])('refuses %s with invalid_argument', async (_, given) => {
    const client = createGame()
    await expect(Reflect.apply(client.updateToken.bind(client), client, [given])).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})

describe('getToken', () => {
  it('is asked once when an access token has ended, and its tokens become the session', async () => {
    const first = await fromBackend()
    const getToken = vi.fn<GetToken>(async () => fromBackend())
    const client = createGame({ getToken })
    await client.updateToken({ accessToken: first.access_token, expiresIn: 60 })
    service.clock.advance(61_000)
    const users = await Promise.all([
      client.fetchCurrentUser(),
      client.fetchCurrentUser(),
      client.fetchCurrentUser(),
    ])
    expect(users.map(({ id }) => id)).toEqual([USER_ID, USER_ID, USER_ID])
    expect(getToken.mock.calls).toEqual([[{ refused: expect.any(Secret), userId: USER_ID }]])
    expect(client.session).toMatchObject({ state: 'fresh', userId: USER_ID })
    expect(client.session?.tokens.accessToken.reveal()).not.toBe(first.access_token)
  })

  it('is asked in time by the schedule, before a call has to wait', async () => {
    const getToken = vi.fn<GetToken>(async () => fromBackend())
    const client = createGame({ getToken })
    await client.updateToken(await fromBackend({ expires_in: 3600 }))
    service.clock.advance(0.76 * HOUR)
    await vi.waitFor(() => expect(getToken).toHaveBeenCalledOnce())
  })

  it('is asked once after a 401: the session is stale until then, and a second 401 asks no more', async () => {
    const { access_token: first } = await fromBackend()
    const gate = new EventTarget()
    const getToken = vi.fn<GetToken>(async () => {
      await new Promise((resolve) => gate.addEventListener('open', resolve))
      return fromBackend()
    })
    acceptOnly(first)
    const client = createGame({ getToken, fetch: (...sent) => service.fetch(...sent) })
    await client.updateToken({ accessToken: first })
    expect(client.session?.state).toBe('fresh')
    acceptOnly()
    const call = client.fetchCurrentUser().catch((error: unknown) => error)
    await vi.waitFor(() => expect(getToken).toHaveBeenCalledOnce())
    expect(client.session?.state).toBe('stale')
    gate.dispatchEvent(new Event('open'))
    expect(await call).toMatchObject({ status: 401 })
    await client.fetchCurrentUser().catch(() => undefined)
    expect(getToken).toHaveBeenCalledOnce()
  })

  it('marks a session stale after a 401 also if nothing can bring a new token', async () => {
    const { access_token: first } = await fromBackend()
    const client = createGame({ fetch: (...sent) => service.fetch(...sent) })
    await client.updateToken(first)
    acceptOnly()
    await expect(client.fetchCurrentUser()).rejects.toBeDefined()
    expect(client.session?.state).toBe('stale')
  })

  it('ends the session with null, keeps it if it rejects, and refuses the tokens of another player', async () => {
    const first = await fromBackend()
    const answers: (() => Promise<Awaited<ReturnType<typeof fromBackend>> | null>)[] = [
      () => Promise.reject(new Error('offline')),
      async () => {
        service.claims = { sub: '123456' }
        return fromBackend()
      },
      async () => null,
    ]
    const client = createGame({ getToken: async () => (await answers.shift()?.()) ?? null })
    await client.updateToken(first)
    await expect(client.refreshToken()).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'unexpected',
    })
    expect(client.session?.userId).toBe(USER_ID)
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'invalid_id_token' })
    expect(client.session?.userId).toBe(USER_ID)
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'session_expired' })
    await settle()
    expect(client.session).toBeNull()
  })
})
