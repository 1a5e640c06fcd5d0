/** Attacks through a polluted `Object.prototype`: a sign-in ignores it. */
import { AuthorizationArgs, AuthorizationResult, Client, type ClientOptions } from 'foyer-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { callbackTo, scriptedSurface, silentSurface } from '../support/scripted-surface'
import { formOf } from '../support/form-of'

const EVIL = 'https://evil.test'
const CHALLENGE = { method: 'S256', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }

/** Names that a test has added to `Object.prototype`. */
const polluted: string[] = []

function pollute(fields: Record<string, unknown>): void {
  const prototype: object = Object.getPrototypeOf({})
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(prototype, name, { value, configurable: true, enumerable: true, writable: true })
    polluted.push(name)
  }
}

afterEach(() => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name)
})

function createGame(options: Partial<ClientOptions> = {}) {
  const requests: { url: string; form: URLSearchParams }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    requests.push({ url, form: formOf(init) })
    return Response.json({}, { status: 500 })
  }
  return {
    client: new Client({ applicationId: '1', service: { host: 'https://service.test' }, fetch, ...options }),
    requests,
  }
}

describe('attack/150 a polluted Object.prototype', () => {
  it.each([
    ['a plain object', { scopes: 'openid' }],
    ['AuthorizationArgs', new AuthorizationArgs({ scopes: 'openid' })],
  ])('adds no field to sign-in arguments that are %s', async (_, args) => {
    pollute({
      state: 'known-to-the-attacker!',
      nonce: 'known',
      codeChallenge: CHALLENGE,
      integrationType: 1,
      customSchemeParam: 'evil',
    })
    pollute({ clientId: '666' })
    const surface = scriptedSurface((url) => callbackTo(url))
    await createGame().client.authorize(args, { surface })
    const query = surface.opened[0]?.searchParams
    expect(query?.get('state')).toMatch(/^[\w-]{43}$/)
    expect(query?.get('nonce')).toMatch(/^[\w-]{43}$/)
    expect(query?.get('code_challenge')).not.toBe(CHALLENGE.challenge)
    expect(query?.get('redirect_uri')).toBe('http://127.0.0.1:7777/callback')
    expect(query?.get('client_id')).toBe('1')
    expect(query?.has('integration_type')).toBe(false)
  })

  it('adds no field to AuthorizationArgs created while it is polluted', () => {
    pollute({ state: 'known-to-the-attacker!', scopes: 'everything' })
    expect(JSON.stringify(new AuthorizationArgs())).toBe('{}')
    expect(JSON.stringify(new AuthorizationArgs({ nonce: 'own' }).clone())).toBe('{"nonce":"own"}')
  })

  it('adds no scopes: arguments without scopes are rejected', async () => {
    pollute({ scopes: 'openid everything' })
    await expect(createGame().client.authorize({}, { surface: silentSurface() })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(createGame().client.signIn({ args: {} })).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('adds no URL to the service', async () => {
    pollute({
      baseUrl: EVIL,
      authorizeUrl: EVIL,
      tokenUrl: EVIL,
      keysUrl: EVIL,
      host: EVIL,
      issuer: EVIL,
      brand: 'evil',
    })
    const { client, requests } = createGame()
    const surface = scriptedSurface((url) => callbackTo(url))
    const result = await client.authorize({ scopes: 'openid' }, { surface })
    await expect(client.getToken(result)).rejects.toMatchObject({ code: 'http_500' })
    expect(surface.opened[0]?.origin).toBe('https://service.test')
    expect(requests.map(({ url }) => url)).toEqual(['https://service.test/api/v10/oauth2/token'])
    // @ts-expect-error: the type forbids it, a game in plain JavaScript does not.
    expect(() => new Client({ applicationId: '1', service: {} })).toThrow(
      expect.objectContaining({ code: 'missing_service_host' }),
    )
  })

  it('adds no fetch, surface, store, profile or application to the client', async () => {
    const taken: string[] = []
    const trap = (name: string) => () => void taken.push(name)
    const { client, requests } = createGame()
    const result = await client.authorize(
      { scopes: 'openid' },
      { surface: scriptedSurface((url) => callbackTo(url)) },
    )
    const names = {
      fetch: trap('fetch'),
      logger: trap('logger'),
      tokenStore: { get: trap('get'), set: trap('set'), delete: trap('delete') },
    }
    pollute({
      ...names,
      surface: { open: trap('open') },
      profile: 'evil',
      applicationId: '666',
      clientId: '666',
      rateLimitStore: {},
    })
    const { client: second } = createGame()
    expect(second.applicationId).toBe('1')
    await expect(second.resume()).resolves.toBeNull()
    await expect(second.authorize({ scopes: 'openid' })).rejects.toMatchObject({ code: 'unsupported' })
    await expect(client.getToken(result)).rejects.toMatchObject({ code: 'http_500' })
    await expect(second.getToken(result)).rejects.toMatchObject({ code: 'http_500' })
    expect(requests[0]?.form.get('client_id')).toBe('1')
    expect(taken).toEqual([])
  })

  it('adds no verifier to a token request', async () => {
    const { client, requests } = createGame()
    const result = await client.authorize(
      { scopes: 'openid' },
      { surface: scriptedSurface((url) => callbackTo(url)) },
    )
    pollute({
      codeVerifier: 'v'.repeat(43),
      verifier: 'v'.repeat(43),
      result: AuthorizationResult.fromTrustedCode('evil', 'https://evil.test'),
    })
    await expect(client.signIn({ result })).rejects.toMatchObject({ code: 'http_500' })
    const sent = requests.find(({ url }) => url.endsWith('/oauth2/token'))
    expect(sent?.form.get('code')).toBe('the-code')
    expect(sent?.form.get('code_verifier')).not.toBe('v'.repeat(43))
  })
})
