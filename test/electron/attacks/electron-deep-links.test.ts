/** Attacks through deep links, command lines, schemes and the URLs that Electron opens. */
import { resolve } from 'node:path'
import { ConfigurationError } from 'foyer-sdk'
import { describe, expect, test } from 'vitest'
import { openExternal } from '../../support/electron/internals'
import { callbackFor, openedUrl, SERVICE, useMainProcessGame } from '../../support/electron/main-process-game'
import { app, shell } from '../../support/electron/fake-electron.mjs'
import { ManualClock } from '../../support/manual-clock'

const SCHEME = 'com.example.game'
const ARGS = { scopes: 'openid' }
const harness = useMainProcessGame()

/** Links that reach the listener of the deep links. */
function collectLinks(clock = new ManualClock()) {
  const links = harness.links(SCHEME, { clock })
  const got: string[] = []
  links.listen((link) => got.push(link))
  return { links, got, clock }
}

/** Delivers a link as macOS does. */
function deliver(link: string): boolean {
  let prevented = false
  app.emit('open-url', { preventDefault: () => (prevented = true) }, link)
  return prevented
}

/** An attempt that waits for a deep link. A registered scheme needs a desktop, which another test has. */
async function startAttempt() {
  const links = { ...harness.links(SCHEME), registered: true }
  const game = harness.start({ scheme: links, roads: ['scheme', 'paste'] })
  const outcome = game.client.authorize(ARGS).then((result) => result.code.reveal())
  return { ...game, outcome, url: await openedUrl() }
}

describe('a deep link', () => {
  test('attack/130 of a foreign attempt or server signs nobody in and disturbs no attempt', async () => {
    const { client, outcome, url, clock, log } = await startAttempt()
    for (const changes of [
      { state: 'A'.repeat(43) },
      { state: '' },
      { state: 'B'.repeat(43), error: 'access_denied' },
    ]) {
      deliver(callbackFor(url, changes))
      clock.advance(1000)
    }
    deliver(callbackFor(url))
    expect(await outcome).toBe('the-code')
    await client.resume()
    expect(client.session).toBeNull()
    expect(log.filter(({ step }) => step === 'link.refused').map(({ data }) => data['code'])).toContain(
      'state_mismatch',
    )
  })

  test('attack/130 of a foreign server is rejected with issuer_mismatch, and the authorize URL contains no verifier', async () => {
    const { outcome, url } = await startAttempt()
    expect([...url.searchParams.keys()]).not.toContain('code_verifier')
    deliver(callbackFor(url, { iss: 'https://evil.test' }))
    await expect(outcome).rejects.toMatchObject({ code: 'issuer_mismatch' })
  })

  test.each([
    `${SCHEME}://evil/authorize/callback?code=1`,
    `${SCHEME}://user@evil:80/authorize/callback?code=1`,
    `${SCHEME}://authorize/callback?code=1`,
    `${SCHEME}:authorize/callback?code=1`,
    `${SCHEME}:////authorize/callback?code=1`,
    `${SCHEME}:/authorize/callback/?code=1`,
    `${SCHEME}:/authorize/callbacks?code=1`,
    `${SCHEME}:/authorize/%63allback?code=1`,
    `${SCHEME}:/authorize/callback#code=1`,
    `${SCHEME}:/authorize/callback`,
    `${SCHEME}:/join/123?code=1`,
    `x${SCHEME}:/authorize/callback?code=1`,
    ` ${SCHEME}:/authorize/callback?code=1`,
    `${SCHEME.toUpperCase()}:/authorize/callback?code=1`,
    `${SCHEME}:/authorize/callback?${'a'.repeat(9000)}`,
    '',
  ])('attack/132 that is no callback of this scheme is ignored: %s', (link) => {
    const { got } = collectLinks()
    expect(deliver(link)).toBe(false)
    app.emit('second-instance', {}, ['game', link], '/', { foyerLink: link })
    expect(got).toEqual([])
  })

  test.each([':/', ':///'])('attack/132 is parsed with any number of slashes: %s', (slashes) => {
    const { got } = collectLinks()
    const link = `${SCHEME}${slashes}authorize/callback?code=1`
    expect(deliver(link)).toBe(true)
    expect(got).toEqual([link])
  })

  test('attack/133 is found among hostile arguments, which are ignored', () => {
    const { got } = collectLinks()
    const link = `${SCHEME}:/authorize/callback?code=1`
    app.emit('second-instance', {}, ['game', '--', link, '--gpu-launcher=cmd', '--inspect'], '/', {})
    app.emit('second-instance', {}, ['game', `--x=${link}2`, '--gpu-launcher=cmd'], '/', null)
    app.emit('second-instance', {}, [], '/', { foyerLink: 42 })
    expect(got).toEqual([link])
  })

  test('attack/133 is read from the additional data of a second process, whose arguments may be incomplete', () => {
    const { got } = collectLinks()
    const link = `${SCHEME}:/authorize/callback?code=1`
    app.emit('second-instance', {}, ['game', '--gpu-launcher=cmd'], '/', { foyerLink: link })
    expect(got).toEqual([link])
  })

  test('attack/133 cannot be parsed as a command-line option of the registered handler', () => {
    harness.links(SCHEME)
    expect(app.registrations.at(-1)).toEqual([SCHEME, process.execPath, ['--']])
  })

  test('attack/133 cannot be parsed as an option in development, with Electron’s own binary', () => {
    Object.assign(process, { defaultApp: true })
    try {
      harness.links(SCHEME)
    } finally {
      Reflect.deleteProperty(process, 'defaultApp')
    }
    expect(app.registrations.at(-1)).toEqual([
      SCHEME,
      process.execPath,
      [resolve(process.argv[1] ?? ''), '--'],
    ])
  })

  test('attack/134 that starts the app is received by installDeepLinks', () => {
    const link = `${SCHEME}:/authorize/callback?code=cold`
    process.argv.push('--flag', link)
    try {
      expect(collectLinks().got).toEqual([link])
    } finally {
      process.argv.splice(-2)
    }
  })

  test('attack/134 that arrives before a listener is queued in order and delivered once', () => {
    const clock = new ManualClock()
    const links = harness.links(SCHEME, { clock })
    const first = `${SCHEME}:/authorize/callback?code=1`
    const second = `${SCHEME}:/authorize/callback?code=2`
    for (const link of [first, second, first]) deliver(link)
    const got: string[] = []
    links.listen((link) => got.push(link))
    clock.advance(1000)
    expect(got).toEqual([first, second])
  })

  test('attack/135 among hundreds is limited to eight waiting, one per tenth of a second', () => {
    const { got, clock } = collectLinks()
    for (let i = 0; i < 100; i++)
      app.emit('second-instance', {}, [`${SCHEME}:/authorize/callback?code=${i}`], '/', {})
    expect(got).toHaveLength(1)
    clock.advance(100)
    expect(got).toHaveLength(2)
    clock.advance(60_000)
    expect(got).toHaveLength(9)
    expect(clock.waiting).toBe(0)
  })
})

describe('a scheme', () => {
  test.each([
    'javascript',
    'http',
    'https',
    'file',
    'data',
    'about',
    'ms-msdt',
    'blob',
    'a',
    'My.Game',
    'my game',
    'my:game',
    '1game',
    '',
    'x'.repeat(65),
    'mygame:/',
  ])('attack/131 %s is rejected before anything is registered', (scheme) => {
    const before = app.registrations.length
    expect(() => harness.links(scheme)).toThrow(ConfigurationError)
    expect(app.registrations).toHaveLength(before)
  })

  test('attack/131 in the arguments is rejected if it belongs to another app', async () => {
    const { client } = harness.start({ scheme: { ...harness.links(SCHEME), registered: true } })
    await expect(client.authorize({ ...ARGS, customSchemeParam: 'othergame' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(shell.opened).toEqual([])
  })
})

describe('the URL that the system browser opens', () => {
  test.each([
    'file:///etc/passwd',
    'ms-msdt:/id PCWDiagnostic',
    'javascript:alert(1)',
    'http://service.test/oauth2/authorize',
    'https://evil.test/oauth2/authorize',
    'https://service.test.evil.test/',
    'https://service.test@evil.test/',
    'https://user:password@service.test/',
    'https://service.test:8443/',
    'smb://service.test/',
    'not a URL',
  ])('attack/137 must be a page of the service: %s is rejected', async (url) => {
    await expect(openExternal(url, `${SERVICE}/oauth2/authorize`)).rejects.toMatchObject({
      code: 'insecure_endpoint',
    })
    expect(shell.opened).toEqual([])
  })

  test.each([
    'http://service.test/',
    'file:///etc/passwd',
    'http://user@127.0.0.1/',
    'http://127.0.0.1.evil.test/',
  ])('attack/137 must be https even if it is the expected URL: %s', async (url) => {
    await expect(openExternal(url, url)).rejects.toMatchObject({ code: 'insecure_endpoint' })
  })

  test.each(['http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]:1/', 'https://service.test/'])(
    'may be https or loopback: %s',
    async (url) => {
      await openExternal(url, url).catch(() => undefined)
      expect(shell.opened).toEqual([url])
    },
  )

  test.each(['file:///etc/passwd', 'http://service.test/', 'smb://service.test/'])(
    'attack/137 cannot be changed by configuration: %s',
    (authorizeUrl) => {
      expect(() => harness.start({ service: { host: SERVICE, authorizeUrl } })).toThrow(ConfigurationError)
    },
  )
})
