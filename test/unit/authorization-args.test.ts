/** AuthorizationArgs (docs/interface/authorization.md#arguments) and the authorize request that results from them. */
import { AuthorizationArgs, Client, IntegrationType, type OpenOptions, type ValidationError } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { callbackTo, REDIRECT_URI, scriptedSurface, silentSurface } from '../support/scripted-surface'
import { rejection } from '../support/settle'

const CHALLENGE = { method: 'S256', challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' } as const
const createClient = () =>
  new Client({ applicationId: '1234567890123456789', service: { host: 'https://service.test' } })

/** Query of the authorize URL for the given arguments. */
async function queryOf(args: Parameters<Client['authorize']>[0], client = createClient()) {
  const surface = scriptedSurface((url) => callbackTo(url))
  await client.authorize(args, { surface })
  return Object.fromEntries(surface.opened[0]?.searchParams ?? [])
}

describe('AuthorizationArgs', () => {
  it('has a chainable setter for each field', () => {
    const args = new AuthorizationArgs()
      .setClientId(42n)
      .setScopes('openid')
      .setState('s'.repeat(22))
      .setNonce('n')
      .setCodeChallenge(CHALLENGE)
      .setIntegrationType(IntegrationType.UserInstall)
      .setCustomSchemeParam('mygame')
    expect(args).toMatchObject({
      clientId: 42n,
      scopes: 'openid',
      state: 's'.repeat(22),
      nonce: 'n',
      codeChallenge: CHALLENGE,
      integrationType: 1,
      customSchemeParam: 'mygame',
    })
  })

  it('is valid when new, even if empty', () => {
    expect(new AuthorizationArgs().isValid()).toBe(true)
  })

  it('clones into an independent object', () => {
    const args = new AuthorizationArgs({ scopes: 'openid', codeChallenge: { ...CHALLENGE } })
    const copy = args.clone()
    copy.setScopes('identify')
    if (copy.codeChallenge) copy.codeChallenge.challenge = 'changed'
    expect(args).toMatchObject({ scopes: 'openid', codeChallenge: CHALLENGE })
    expect(copy.isValid()).toBe(true)
  })

  it('moves its content and is empty and invalid afterwards', () => {
    const args = new AuthorizationArgs({ scopes: 'openid' })
    const moved = args.move()
    expect([moved.isValid(), moved.scopes]).toEqual([true, 'openid'])
    expect([args.isValid(), args.scopes]).toEqual([false, undefined])
    expect(args.clone().isValid()).toBe(false)
  })

  it('clears an optional field that is set to undefined', () => {
    const args = new AuthorizationArgs({
      clientId: '42',
      scopes: 'openid',
      state: 's'.repeat(22),
      nonce: 'n',
      codeChallenge: CHALLENGE,
      integrationType: IntegrationType.UserInstall,
      customSchemeParam: 'mygame',
    })
    args.setClientId(undefined).setState(undefined).setNonce(undefined).setCodeChallenge(undefined)
    args.setIntegrationType(undefined).setCustomSchemeParam(undefined)
    expect(JSON.stringify(args)).toBe('{"scopes":"openid"}')
    expect(args.clone()).toEqual(args)
    expect(args.isValid()).toBe(true)
  })

  it('generates a new state after its state is cleared', async () => {
    const args = new AuthorizationArgs({ scopes: 'openid', state: 'a-state-of-the-callers-own' }).setState(
      undefined,
    )
    expect((await queryOf(args))['state']).toMatch(/^[\w-]{43}$/)
  })

  it('serializes to plain JSON with a bigint ID as a string, which is accepted as an ID', async () => {
    const args = new AuthorizationArgs({ clientId: 2n ** 60n, scopes: 'openid', codeChallenge: CHALLENGE })
    const copy: unknown = JSON.parse(JSON.stringify(args))
    expect(copy).toEqual({ clientId: '1152921504606846976', scopes: 'openid', codeChallenge: CHALLENGE })
    expect(args.clientId).toBe(2n ** 60n)
  })

  it('is invalid if created from nullobj or from moved arguments', async () => {
    const source = new AuthorizationArgs({ scopes: 'openid' })
    source.move()
    for (const invalid of [AuthorizationArgs.nullobj, source]) {
      const copy = new AuthorizationArgs(invalid)
      expect(copy.isValid()).toBe(false)
      expect(() => copy.setScopes('openid')).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    }
  })

  it('has a nullobj that is invalid and immutable', () => {
    const { nullobj } = AuthorizationArgs
    expect(nullobj.isValid()).toBe(false)
    expect(() => nullobj.setScopes('openid')).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    expect(() => Object.assign(nullobj, { scopes: 'openid' })).toThrow(TypeError)
    expect(nullobj.move().isValid()).toBe(false)
    expect(AuthorizationArgs.nullobj).toBe(nullobj)
  })
})

describe('authorize', () => {
  it('sends all required parameters, with a new state, nonce and S256 challenge each time', async () => {
    const [first, second] = [
      await queryOf({ scopes: 'openid sdk.social_layer' }),
      await queryOf({ scopes: 'openid sdk.social_layer' }),
    ]
    expect(first).toEqual({
      response_type: 'code',
      client_id: '1234567890123456789',
      scope: 'openid sdk.social_layer',
      redirect_uri: REDIRECT_URI,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(first[name]).not.toBe(second[name])
  })

  it('sends given values from an AuthorizationArgs or a plain object', async () => {
    const fields = {
      clientId: '7',
      scopes: 'openid',
      state: 'my-own-state-of-22-letters',
      nonce: 'mine',
      codeChallenge: CHALLENGE,
      integrationType: 1,
    } as const
    const expected = {
      client_id: '7',
      state: 'my-own-state-of-22-letters',
      nonce: 'mine',
      code_challenge: CHALLENGE.challenge,
      integration_type: '1',
    }
    expect(await queryOf(fields)).toMatchObject(expected)
    expect(await queryOf(new AuthorizationArgs(fields))).toMatchObject(expected)
  })

  it('encodes a space as %20 and keeps the query of the authorize URL', () => {
    const client = new Client({
      applicationId: '1',
      service: { host: 'https://service.test', authorizeUrl: 'https://service.test/authorize?tenant=a' },
    })
    let opened = ''
    const surface = silentSurface({
      open: (url) => {
        opened = url
        return new Promise(() => undefined)
      },
    })
    void client.authorize({ scopes: 'openid identify' }, { surface }).catch(() => undefined)
    expect(opened).toContain('https://service.test/authorize?tenant=a&response_type=code&')
    expect(opened).toContain('scope=openid%20identify')
    client.close()
  })

  it('opens the surface synchronously, so that a popup opens within the click', () => {
    const surface = silentSurface()
    const client = createClient()
    void client.authorize({ scopes: 'openid' }, { surface }).catch(() => undefined)
    expect(surface.opened).toHaveLength(1)
    client.close()
  })

  it('accepts a surface with an asynchronous redirect URI', async () => {
    const surface = {
      ...scriptedSurface((url) => callbackTo(url)),
      redirectUri: () => Promise.resolve('http://127.0.0.1:4321/callback'),
    }
    const result = await createClient().authorize({ scopes: 'openid' }, { surface })
    expect(result.redirectUri).toBe('http://127.0.0.1:4321/callback')
  })

  it.each([
    ['mygame', 'mygame:/authorize/callback'],
    [undefined, 'service-1234567890123456789:/authorize/callback'],
  ])(
    'with custom scheme %s derives the redirect URI %s and accepts callbacks with one slash or three',
    async (customSchemeParam, redirectUri) => {
      for (const arrived of [redirectUri, redirectUri.replace(':/', ':///')]) {
        const scripted = scriptedSurface((url) => callbackTo(url).replace(redirectUri, arrived))
        const surface = { open: (url: string, options: OpenOptions) => scripted.open(url, options) }
        const result = await createClient().authorize(
          { scopes: 'openid', ...(customSchemeParam && { customSchemeParam }) },
          { surface },
        )
        expect(result.redirectUri).toBe(redirectUri)
      }
    },
  )

  it.each([
    'mygame://evil/authorize/callback',
    'mygame://authorize/callback',
    'mygame:/other',
    'mygame:authorize/callback',
    'other:/authorize/callback',
    'mygame:////authorize/callback',
  ])('rejects a custom-scheme callback at %s', async (address) => {
    const surface = scriptedSurface((url) => callbackTo(url).replace('mygame:/authorize/callback', address))
    const outcome = createClient().authorize({ scopes: 'openid', customSchemeParam: 'mygame' }, { surface })
    await expect(outcome).rejects.toMatchObject({ code: 'redirect_mismatch' })
  })

  it.each([
    ['https://game.test', 'https://game.test/'],
    ['https://GAME.test/Play', 'https://game.test/Play'],
    ['https://game.test:443/play', 'https://game.test/play'],
    ['http://localhost:80/play', 'http://localhost/play'],
    ['https://game.test/spiel/für alle', 'https://game.test/spiel/f%C3%BCr%20alle'],
    ['https://bücher.test/play', 'https://xn--bcher-kva.test/play'],
    ['https://game.test/a/../play', 'https://game.test/play'],
    ['https://GAME.test/a:/play', 'https://game.test/a:/play'],
  ])(
    'sends the redirect URI %s unchanged and accepts a callback that a browser normalizes to %s',
    async (redirectUri, arrived) => {
      for (const address of [redirectUri, arrived]) {
        const surface = scriptedSurface((url) => callbackTo(url).replace(redirectUri, address), redirectUri)
        const result = await createClient().authorize({ scopes: 'openid' }, { surface })
        expect(surface.opened[0]?.searchParams.get('redirect_uri')).toBe(redirectUri)
        expect(result.redirectUri).toBe(redirectUri)
      }
    },
  )

  it.each([
    'https://game.test/Play',
    'https://game.test:444/play',
    'http://game.test/play',
    'https://game.test/play/',
  ])('with redirect URI https://game.test:443/play rejects a callback at %s', async (arrived) => {
    const surface = scriptedSurface(
      (url) => callbackTo(url).replace('https://game.test:443/play', arrived),
      'https://game.test:443/play',
    )
    await expect(createClient().authorize({ scopes: 'openid' }, { surface })).rejects.toMatchObject({
      code: 'redirect_mismatch',
    })
  })

  it('reports all invalid arguments at once, each with its path, its code and what it must be', async () => {
    const codeChallenge = { method: 'plain', challenge: 'x' }
    const args = {
      clientId: 42,
      scopes: '',
      state: '',
      nonce: 'ü',
      codeChallenge,
      integrationType: 7,
      customSchemeParam: 'java script',
    }
    const error = await rejection(() => createClient().authorize(args as never, { surface: silentSurface() }))
    expect(error).toMatchObject({ name: 'ValidationError', code: 'invalid_argument', retryable: false })
    const issues = (error as ValidationError).issues
    expect(issues.map(({ path, code, level }) => `${path} ${code} ${level}`)).toEqual([
      'clientId invalid_id error',
      'scopes invalid_scopes error',
      'state invalid_text error',
      'nonce invalid_text error',
      'codeChallenge invalid_challenge error',
      'integrationType unknown_value error',
      'customSchemeParam invalid_scheme error',
    ])
    for (const { message } of issues) expect(message).toMatch(/^must be \S+/)
    expect(issues[2]?.message).toContain('512 visible ASCII characters that no other attempt')
  })

  // Browsers and Windows handle the `ms-` schemes themselves: `ms-msdt:` has run commands from a link.
  const OF_THE_SYSTEM = [
    'javascript',
    'vbscript',
    'http',
    'https',
    'ws',
    'wss',
    'file',
    'data',
    'about',
    'blob',
    'ms-msdt',
    'ms-search',
  ]
  it.each([...OF_THE_SYSTEM, 'my:game', 'my game', 'MyGame', '1game', '', 'a', 'a'.repeat(65)])(
    'rejects the custom scheme %j',
    async (customSchemeParam) => {
      const outcome = createClient().authorize(
        { scopes: 'openid', customSchemeParam },
        { surface: silentSurface() },
      )
      await expect(outcome).rejects.toMatchObject({
        issues: [{ path: 'customSchemeParam', code: 'invalid_scheme' }],
      })
    },
  )

  it.each(['msgame', 'wssgame', 'httpgame', 'my-game', 'a1', 'a'.repeat(64)])(
    'accepts the custom scheme %j',
    async (customSchemeParam) => {
      const result = await createClient().authorize(
        { scopes: 'openid', customSchemeParam },
        { surface: { open: async (url) => callbackTo(new URL(url)) } },
      )
      expect(result.redirectUri).toBe(`${customSchemeParam}:/authorize/callback`)
    },
  )

  it.each(['', 'a'.repeat(513), 'visible\n', '\nvisible', 'ü'])(
    'rejects the state and the nonce %j',
    async (text) => {
      const outcome = createClient().authorize(
        { scopes: 'openid', state: text, nonce: text },
        { surface: silentSurface() },
      )
      await expect(outcome).rejects.toMatchObject({ issues: [{ path: 'state' }, { path: 'nonce' }] })
    },
  )

  it.each([
    [22, []],
    [21, ['authorization.weak_state']],
  ])('warns about a state of %d characters: %j', async (length, expected) => {
    const warnings: string[] = []
    const client = createClient()
    client.on('log', ({ level, step }) => level === 'warn' && warnings.push(step))
    await queryOf({ scopes: 'openid', state: 's'.repeat(length) }, client)
    expect(warnings).toEqual(expected)
  })

  it.each([' openid', 'openid  identify', 'open"id', 'open\\id', 'öpenid'])(
    'rejects the scopes %j',
    async (scopes) => {
      await expect(createClient().authorize({ scopes }, { surface: silentSurface() })).rejects.toMatchObject({
        issues: [{ path: 'scopes' }],
      })
    },
  )

  it('rejects nullobj and moved arguments', async () => {
    const moved = new AuthorizationArgs({ scopes: 'openid' })
    moved.move()
    for (const args of [AuthorizationArgs.nullobj, moved]) {
      await expect(createClient().authorize(args, { surface: silentSurface() })).rejects.toMatchObject({
        issues: [
          {
            path: '',
            code: 'invalid_object',
            message: expect.stringMatching(/^must be an object/) as string,
          },
        ],
      })
    }
  })

  it('uses the client’s application ID, and rejects if there is none', async () => {
    const client = new Client({ service: { host: 'https://service.test' } })
    await expect(client.authorize({ scopes: 'openid' }, { surface: silentSurface() })).rejects.toMatchObject({
      code: 'missing_application_id',
    })
    client.setApplicationId(18446744073709551615n)
    expect(client.applicationId).toBe('18446744073709551615')
    expect(await queryOf({ scopes: 'openid' }, client)).toMatchObject({ client_id: '18446744073709551615' })
  })

  it.each([42, '18446744073709551616', '-1', '01', '1.0', 'abc', '', null, 2n ** 64n, -1n])(
    'rejects the application ID %s',
    (id) => {
      // @ts-expect-error: the type forbids it, a game in plain JavaScript does not.
      expect(() => createClient().setApplicationId(id)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      )
    },
  )
})
