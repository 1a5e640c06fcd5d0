/** Attacks through the authorization response. */
import { AuthorizationError, AuthorizationResult, Client, type ClientOptions, Secret } from 'foyer-sdk'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import {
  callbackTo,
  REDIRECT_URI,
  type ScriptedSurface,
  scriptedSurface,
  silentSurface,
} from '../support/scripted-surface'
import { formOf } from '../support/form-of'

const ARGS = { scopes: 'openid' }
const CHALLENGE = { method: 'S256', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' } as const

function createGame(options: Partial<ClientOptions> = {}) {
  const requests: { url: string; form: URLSearchParams }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    requests.push({ url, form: formOf(init) })
    return Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 60, scope: 'identify' })
  }
  const client = new Client({
    applicationId: '1234567890123456789',
    service: { host: 'https://service.test' },
    fetch,
    ...options,
  })
  return { client, requests }
}

/** Starts an attempt that stays pending, and returns its authorize URL. */
function startAttempt(client: Client, surface: ScriptedSurface = silentSurface()) {
  const outcome = client.authorize(ARGS, { surface })
  outcome.catch(() => undefined)
  const url = surface.opened.at(-1)
  if (!url) throw new Error('nothing was opened')
  return { outcome, url }
}

/** Outcome of an authorization with this callback. */
async function codeOf(
  changes: Record<string, string | undefined> | ((url: URL) => string),
  options: Partial<ClientOptions> = {},
) {
  const { client, requests } = createGame(options)
  const surface = scriptedSurface((url) =>
    typeof changes === 'function' ? changes(url) : callbackTo(url, changes),
  )
  const outcome = await client.authorize(ARGS, { surface }).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
  expect(requests).toEqual([])
  return outcome
}

/** Callback URL with this number of parameters and characters. */
function filled(url: URL, parameters: number, length: number): string {
  const own = callbackTo(url)
  const names = Array.from({ length: parameters - new URL(own).searchParams.size }, (_, index) => `p${index}`)
  return `${own}&${names.join('&')}=`.padEnd(length, 'x')
}

afterEach(() => vi.unstubAllGlobals())

describe('a callback that belongs to no attempt', () => {
  it.each([
    ['attack/1 without a state', { state: undefined }],
    ['attack/2 with a foreign state', { state: 'A'.repeat(43) }],
    [
      'attack/7 with an error and a foreign state',
      { state: 'A'.repeat(43), code: undefined, error: 'access_denied' },
    ],
  ])('%s is rejected, sends nothing, and keeps the pending attempt', async (_, changes) => {
    const { client, requests } = createGame()
    const { outcome, url } = startAttempt(client)
    await expect(client.handleCallback(callbackTo(url, changes))).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'state_mismatch',
    })
    await client.handleCallback(callbackTo(url))
    expect((await outcome).code.reveal()).toBe('the-code')
    expect(requests).toEqual([])
  })

  it.each([
    ['attack/1 without a state', { state: undefined }],
    ['attack/2 with a foreign state', { state: 'A'.repeat(43) }],
  ])('%s returned by a surface rejects with state_mismatch', async (_, changes) => {
    expect(await codeOf(changes)).toBe('state_mismatch')
  })

  it('attack/2 can be detected by the surface, which keeps listening', async () => {
    const { client } = createGame()
    let isOwnCallback: ((url: string) => boolean) | undefined
    let own = ''
    const surface = silentSurface({
      open: (url, options) => {
        isOwnCallback = options.belongs
        own = callbackTo(new URL(url))
        return Promise.resolve(own)
      },
    })
    const result = await client.authorize(ARGS, { surface })
    expect(result.code.reveal()).toBe('the-code')
    expect(isOwnCallback?.(`${REDIRECT_URI}?code=x&state=${'A'.repeat(43)}`)).toBe(false)
    expect(isOwnCallback?.('%%%')).toBe(false)
    expect([isOwnCallback?.(own), isOwnCallback?.(`${own}&state=${'A'.repeat(43)}`)]).toEqual([true, false])
  })
})

describe('the parameters of a callback:', () => {
  it.each(['state', 'code', 'iss', 'whatever'])(
    'attack/3 attack/4 a repeated %s is rejected',
    async (name) => {
      expect(await codeOf((url) => `${callbackTo(url, { whatever: 'a' })}&${name}=b`)).toBe(
        'malformed_callback',
      )
    },
  )

  it('attack/5 a foreign issuer is rejected before error or code is read', async () => {
    expect(await codeOf({ iss: 'https://evil.test' })).toBe('issuer_mismatch')
    expect(await codeOf({ iss: 'https://evil.test', code: undefined, error: 'access_denied' })).toBe(
      'issuer_mismatch',
    )
    expect(await codeOf({ iss: 'https://service.test/' })).toBe('issuer_mismatch')
  })

  it('attack/6 a missing issuer is rejected if `issuerInCallback` requires one', async () => {
    expect(
      await codeOf(
        { iss: undefined },
        { service: { host: 'https://service.test', issuerInCallback: 'required' } },
      ),
    ).toBe('issuer_mismatch')
    expect(await codeOf({ iss: undefined })).toBe('accepted')
  })

  it.each([
    ['a foreign issuer', (own: string) => own.replace('service.test', 'evil.test'), 'service.issuer'],
    ['another address', (own: string) => own.replace('/callback', '/moved'), 'redirectUri'],
    ['a fragment', (own: string) => `${own}#x`, /^response type mismatch$/],
  ])('attack/5 the error for %s names the setting to check, if there is one', async (_, change, text) => {
    const surface = scriptedSurface((url) => change(callbackTo(url)))
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toThrow(text)
  })

  it('attack/8 an error beside a code is an error', async () => {
    expect(await codeOf({ error: 'access_denied' })).toBe('access_denied')
  })

  it('an unlisted error is kept as text beside a known code', async () => {
    const { client } = createGame()
    const surface = scriptedSurface((url) => callbackTo(url, { code: undefined, error: 'out_of_cheese' }))
    await expect(client.authorize(ARGS, { surface })).rejects.toMatchObject({
      code: 'authorization_failed',
      serviceError: 'out_of_cheese',
    })
  })

  it.each(['access_token', 'id_token'])(
    'attack/10 a smuggled %s is rejected in the query and in the fragment',
    async (name) => {
      expect(await codeOf({ [name]: 'x' })).toBe('response_type_mismatch')
      expect(await codeOf((url) => `${callbackTo(url)}#access_token=x`)).toBe('response_type_mismatch')
    },
  )

  it('attack/26 a response in the fragment is rejected', async () => {
    expect(await codeOf((url) => callbackTo(url).replace('?', '#'))).toBe('response_type_mismatch')
  })

  it('a callback with neither a code nor an error is rejected', async () => {
    expect(await codeOf({ code: undefined })).toBe('missing_code')
    expect(await codeOf({ code: '' })).toBe('missing_code')
  })

  it('attack/19 attack/26 any fragment is rejected', async () => {
    expect(await codeOf((url) => `${callbackTo(url)}#here`)).toBe('response_type_mismatch')
  })

  it.each([
    ['another path', 'http://127.0.0.1:7777/other'],
    ['another port', 'http://127.0.0.1:7778/callback'],
    ['another scheme', 'https://127.0.0.1:7777/callback'],
    ['user information', 'http://evil@127.0.0.1:7777/callback'],
    ['a longer path', 'http://127.0.0.1:7777/callback/'],
  ])('attack/19 a callback at %s instead of the redirect URI is rejected', async (_, address) => {
    expect(await codeOf((url) => callbackTo(url).replace(REDIRECT_URI, address))).toBe('redirect_mismatch')
  })

  it.each([
    ['a megabyte', (url: URL) => `${callbackTo(url)}&x=${'a'.repeat(1_000_000)}`],
    [
      '10,000 parameters',
      (url: URL) =>
        `${REDIRECT_URI}?${'a&'.repeat(10_000)}state=${url.searchParams.get('state')}`.slice(0, 8000),
    ],
    ['a bad percent sign', (url: URL) => `${callbackTo(url)}&x=%zz`],
    ['bytes that are not UTF-8', (url: URL) => `${callbackTo(url)}&x=%ff`],
    ['NUL', (url: URL) => `${callbackTo(url)}&x=%00`],
    ['a raw NUL', (url: URL) => `${callbackTo(url)}&x=\0`],
    ['a lone surrogate', (url: URL) => `${callbackTo(url)}&x=\ud800`],
  ])('attack/20 %s rejects with a typed error and the parser does not throw', async (_, respond) => {
    expect(await codeOf(respond)).toBe('malformed_callback')
  })

  it('attack/20 a callback with 32 parameters and 8,192 characters is read, one with more of either is not', async () => {
    const outcomes = [
      [32, 8192],
      [33, 8192],
      [32, 8193],
    ].map(([parameters = 0, length = 0]) => codeOf((url) => filled(url, parameters, length)))
    expect(await Promise.all(outcomes)).toEqual(['accepted', 'malformed_callback', 'malformed_callback'])
  })

  it('attack/20 random input gives a result or a typed error', async () => {
    const { client } = createGame()
    const { url } = startAttempt(client)
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
    )
    const near = fc
      .tuple(fc.constantFrom('code', 'state', 'iss', 'error', '__proto__'), fc.string())
      .map(([name, value]) => callbackTo(url, { [name]: value }))
    const isTyped = (text: string) =>
      client.handleCallback(text).then(
        () => true,
        (reason: unknown) => reason instanceof AuthorizationError,
      )
    const outcome = await fc.check(fc.asyncProperty(fc.oneof(noise, near), isTyped), { numRuns: 500 })
    expect(outcome).toMatchObject({ failed: false, numRuns: 500 })
  })

  it('attack/20 input that is not a string rejects with a typed error', async () => {
    const { client } = createGame()
    // @ts-expect-error: the type forbids it, a game in plain JavaScript does not.
    await expect(client.handleCallback(42)).rejects.toMatchObject({ code: 'malformed_callback' })
  })

  it('attack/21 names of prototype members are ordinary parameters', async () => {
    expect(await codeOf((url) => `${callbackTo(url)}&__proto__=x&constructor=y`)).toBe('accepted')
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('attack/22 an error description is reduced to visible ASCII, shortened, and marked as untrusted', async () => {
    const { client } = createGame()
    const description = `<b>\u001b[31mcall\u202e 555</b>${'x'.repeat(400)}`.replace('\u001b', '')
    const surface = scriptedSurface((url) =>
      callbackTo(url, { code: undefined, error: 'access_denied', error_description: description }),
    )
    const error: unknown = await client.authorize(ARGS, { surface }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'access_denied',
      untrustedDescription: expect.stringMatching(/^[ -~]{256}$/),
    })
    expect(String(error)).not.toContain('555')
  })
})

describe('the binding of a code to its attempt:', () => {
  it('attack/9 the same callback again returns the first result, and its code is redeemed once', async () => {
    const { client, requests } = createGame()
    const { url } = startAttempt(client)
    const [first, second] = await Promise.all([
      client.handleCallback(callbackTo(url)),
      client.handleCallback(callbackTo(url)),
    ])
    expect(second).toBe(first)
    if (!first) throw new Error('no result')
    const own = AuthorizationResult.fromTrustedCode(new Secret('c'), REDIRECT_URI)
    expect(own.code.reveal()).toBe('c')
    await Promise.all([client.getToken(own, 'v'.repeat(43)), client.getToken(own, 'v'.repeat(43))])
    await client.getToken(own, 'v'.repeat(43))
    expect(requests).toHaveLength(1)
  })

  it('attack/9 the same callback is rejected after a minute', async () => {
    const clock = new ManualClock()
    const { client } = createGame({ clock })
    const { url } = startAttempt(client)
    await client.handleCallback(callbackTo(url))
    clock.advance(59_999)
    expect((await client.handleCallback(callbackTo(url)))?.code.reveal()).toBe('the-code')
    clock.advance(1)
    await expect(client.handleCallback(callbackTo(url))).rejects.toMatchObject({ code: 'state_mismatch' })
  })

  it('attack/11 the token request has the verifier of its own attempt', async () => {
    const { client, requests } = createGame()
    const surface = scriptedSurface((url) => callbackTo(url))
    const result = await client.authorize({ scopes: 'identify' }, { surface })
    await client.getToken(result)
    const verifier = requests[0]?.form.get('code_verifier') ?? ''
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(
      surface.opened[0]?.searchParams.get('code_challenge'),
    )
  })

  it('attack/11 the token request of a code without a redirect address has none', async () => {
    const { client, requests } = createGame()
    const result = AuthorizationResult.fromTrustedCode('c', undefined as never)
    await client.getToken(result, 'v'.repeat(43))
    expect(Object.fromEntries(requests[0]?.form ?? [])).toEqual({
      grant_type: 'authorization_code',
      client_id: '1234567890123456789',
      code: 'c',
      code_verifier: 'v'.repeat(43),
    })
  })

  it('attack/12 a code is not redeemed without an application', async () => {
    const { client, requests } = createGame({ applicationId: undefined as never })
    const result = AuthorizationResult.fromTrustedCode('c', REDIRECT_URI)
    await expect(client.getToken(result, 'v'.repeat(43))).rejects.toMatchObject({
      code: 'missing_application_id',
    })
    expect(requests).toEqual([])
  })

  it('attack/12 a code is not redeemed without a verifier', async () => {
    const { client, requests } = createGame()
    const surface = scriptedSurface((url) => callbackTo(url))
    const result = await client.authorize({ ...ARGS, codeChallenge: CHALLENGE }, { surface })
    await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(client.getToken(result, '')).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(requests).toEqual([])
  })

  it('attack/12 only a genuine result is redeemed', async () => {
    const { client, requests } = createGame()
    await expect(
      // @ts-expect-error: only the SDK can make a result.
      client.getToken({ code: 'x', redirectUri: REDIRECT_URI }, 'v'.repeat(43)),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(requests).toEqual([])
  })

  it('attack/13 the challenge is S256 without WebCrypto, an ID token then is unsupported, and so is everything without randomness', async () => {
    const { client } = createGame()
    const surface = silentSurface()
    const unsupported = { name: 'ConfigurationError', code: 'unsupported' }
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    await expect(client.authorize(ARGS, { surface })).rejects.toMatchObject(unsupported)
    expect(surface.opened).toEqual([])
    client.authorize({ scopes: 'identify' }, { surface }).catch(() => undefined)
    expect(surface.opened.at(-1)?.searchParams.get('code_challenge_method')).toBe('S256')
    vi.stubGlobal('crypto', undefined)
    await expect(
      client.authorize({ scopes: 'identify' }, { surface: silentSurface() }),
    ).rejects.toMatchObject(unsupported)
  })

  it.each([
    ['plain', { ...CHALLENGE, method: 'plain' }],
    ['too short', { ...CHALLENGE, challenge: 'abc' }],
    ['padded', { ...CHALLENGE, challenge: `${CHALLENGE.challenge}=` }],
    ['too long at the start', { ...CHALLENGE, challenge: `A${CHALLENGE.challenge}` }],
    ['base64 instead of base64url', { ...CHALLENGE, challenge: CHALLENGE.challenge.replace('-', '+') }],
    ['not an object', 'S256'],
    ['null', null],
  ])('attack/14 a challenge that is %s is rejected before a window opens', async (_, codeChallenge) => {
    const { client } = createGame()
    const surface = silentSurface()
    // @ts-expect-error: the type forbids it, a game in plain JavaScript does not.
    const outcome = client.authorize({ ...ARGS, codeChallenge }, { surface })
    await expect(outcome).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'invalid_argument',
      issues: [{ path: 'codeChallenge' }],
    })
    expect(surface.opened).toEqual([])
  })

  it('attack/15 a weak state of the caller is bound like any other, with a warning', async () => {
    const steps: string[] = []
    const { client } = createGame({ logger: ({ level, step }) => steps.push(`${level} ${step}`) })
    const surface = silentSurface()
    const outcome = client.authorize({ ...ARGS, state: 'guess' }, { surface })
    expect(steps).toContain('warn authorization.weak_state')
    await expect(client.authorize({ ...ARGS, state: 'guess' }, { surface })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await client.handleCallback(callbackTo(new URL(surface.opened[0] ?? '')))
    expect((await outcome).code.reveal()).toBe('the-code')
    await expect(
      client.authorize(
        { ...ARGS, state: 'guess' },
        { surface: scriptedSurface(() => `${REDIRECT_URI}?code=x&state=other`) },
      ),
    ).rejects.toMatchObject({
      code: 'state_mismatch',
    })
  })

  it('attack/16 two concurrent attempts do not mix', async () => {
    const { client, requests } = createGame()
    const [first, second] = [startAttempt(client), startAttempt(client)]
    await client.handleCallback(callbackTo(second.url, { code: 'second' }))
    await client.handleCallback(callbackTo(first.url, { code: 'first' }))
    const results = await Promise.all([first.outcome, second.outcome])
    expect(results.map(({ code }) => code.reveal())).toEqual(['first', 'second'])
    const challenges = [first, second].map(({ url }) => url.searchParams.get('code_challenge'))
    expect(challenges[0]).not.toBe(challenges[1])
    expect(requests).toEqual([])
  })

  it('attack/18 a ninth concurrent attempt supersedes the oldest', async () => {
    const { client } = createGame()
    const attempts = Array.from({ length: 9 }, () => startAttempt(client))
    await expect(attempts[0]?.outcome).rejects.toMatchObject({ code: 'superseded' })
    for (const { url } of attempts.slice(1)) await client.handleCallback(callbackTo(url))
    expect(await Promise.all(attempts.slice(1).map(({ outcome }) => outcome))).toHaveLength(8)
  })
})
