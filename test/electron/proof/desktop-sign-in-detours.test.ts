/** Desktop sign-ins that take a detour: another module system, a real browser, a second instance, a crash, a denial, a missing browser. */
import { describe, expect, test } from 'vitest'
import { approve } from '../../support/consent-page'
import type { SandboxOptions } from '../../support/electron/sandbox-environment'
import { missingDesktop } from '../../support/electron/desktop'
import { REAL } from '../../support/electron/pack-game'
import { useSandbox } from '../../support/electron/use-sandbox'
import { skipIfMissing } from '../../support/skip-if-missing'

// A real Electron has no key store on a bare machine, always finds a browser, and does not expose its messages.
const needsStandIn = { skip: REAL !== undefined, meta: { skipReason: 'needs the stand-in for Electron' } }
const needsDesktop = skipIfMissing(missingDesktop())
const ADA = '175928847299117063'
const SCHEME: SandboxOptions = { schemeName: 'mygame', options: { roads: ['scheme'] } }
const createSandbox = useSandbox()

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there')
  return value
}

describe('a desktop sign-in', needsDesktop, () => {
  test('returns by loopback to a main process of CommonJS', async () => {
    const sandbox = await createSandbox({ module: 'main.cjs' })
    const game = await sandbox.start()
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
    expect(await game.main('({ client }) => client.session.userId')).toBe(ADA)
    expect((await sandbox.browser.visit()).redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    expect(await game.page('client.fetchCurrentUser()')).toMatchObject({ id: ADA, username: 'ada' })
    expect(
      await game.page(
        "client.createOrJoinLobby('secret').then((lobby) => lobby.leave()).then(() => client.lobbies.size)",
      ),
    ).toBe(0)
  })

  test('returns by a deep link that a real browser opens', async () => {
    const sandbox = await createSandbox({ ...SCHEME, browser: 'chromium' })
    const game = await sandbox.start()
    await game.page('(globalThis.pending = signIn(), 0)')
    const [context] = (await sandbox.browser.chromium()).contexts()
    await approve(context?.pages()[0] ?? (await required(context).waitForEvent('page')))
    expect(await game.page('pending')).toEqual({ userId: ADA })
  })

  test('accepts a link anywhere in the arguments of a second instance, which then exits', async () => {
    const sandbox = await createSandbox(SCHEME)
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page('(globalThis.pending = signIn(), 0)')
    const link = await sandbox.callbackFor((await sandbox.browser.visit()).url)
    expect(await sandbox.startBeside(['--flag', link, '--gpu-launcher=evil'])).toBe(0)
    expect(await game.page('pending')).toEqual({ userId: ADA })
  })

  test(
    'completes in the process that the callback starts after a crash of the first',
    needsStandIn,
    async () => {
      const sandbox = await createSandbox(SCHEME)
      sandbox.browser.play({ hold: true })
      const game = await sandbox.start()
      await game.page('(signIn(), 0)')
      const link = await sandbox.callbackFor((await sandbox.browser.visit()).url)
      const first = await game.pid
      await sandbox.crash()
      sandbox.open(link)
      const next = await sandbox.attach()
      expect(await next.pid).not.toBe(first)
      expect(await next.page('client.resume().then((session) => session.userId)')).toBe(ADA)
      expect(await next.page('client.session.userId')).toBe(ADA)
    },
  )

  test('is cancelled by a signal of the page', async () => {
    const sandbox = await createSandbox()
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page(
      '(globalThis.stop = new AbortController(), globalThis.pending = signIn({ signal: stop.signal }), 0)',
    )
    await sandbox.browser.visit()
    await game.page('stop.abort()')
    expect(await game.page('pending')).toEqual({ error: 'aborted', name: 'AuthorizationError' })
  })

  test('falls back to a device code if no browser opens', needsStandIn, async () => {
    const sandbox = await createSandbox({ browser: 'none' })
    const game = await sandbox.start()
    await game.page(
      "(globalThis.shown = new Promise((resolve) => client.on('browserUnavailable', resolve)), globalThis.pending = signIn(), 0)",
    )
    const { url, userCode } = await game.page<{ url: string; userCode: string }>('shown')
    expect(url).toBe(`${sandbox.emulator.url}/activate`)
    await sandbox.approve(userCode)
    expect(await game.page('pending')).toEqual({ userId: ADA })
    expect(await game.page('client.session.userId')).toBe(ADA)
  })

  test('that the player denies rejects with class, code and message intact', async () => {
    const sandbox = await createSandbox()
    sandbox.browser.play({ deny: true })
    const game = await sandbox.start()
    const seen = await game.page(`client.signIn().catch((error) => [
      error instanceof Foyer.AuthorizationError, error instanceof Foyer.FoyerError, error.code, error.retryable, error.message, typeof error.stack])`)
    expect(seen).toEqual([true, true, 'access_denied', true, 'access denied', 'string'])
  })

  test('by single steps redeems the result of authorize in the main process', async () => {
    const sandbox = await createSandbox()
    const game = await sandbox.start()
    const seen = await game.page(`client.authorize({ scopes: 'openid identify' }).then(async (result) => {
      const tokens = await client.getToken(result)
      return [String(result.code), String(tokens.accessToken), tokens.claims.sub, client.session]
    })`)
    expect(seen).toEqual(['[secret]', '[secret]', ADA, null])
    // The browser records the loopback page asynchronously; the game does not wait for that.
    await sandbox.browser.visit()
    expect(sandbox.browser.visits()).toHaveLength(1)
  })

  test('falls back to a pasted link if no browser opens', needsStandIn, async () => {
    const sandbox = await createSandbox({ browser: 'none', options: { roads: ['loopback', 'paste'] } })
    const game = await sandbox.start()
    await game.page(
      "(globalThis.shown = new Promise((resolve) => client.on('browserUnavailable', resolve)), globalThis.pending = signIn(), 0)",
    )
    const { url } = await game.page<{ url: string }>('shown')
    const ended = await sandbox.callbackFor(url)
    await game.page(`client.handleCallback(${JSON.stringify(`  ${ended}\n`)})`)
    expect(await game.page('pending')).toEqual({ userId: ADA })
  })

  test('rejects with browser_unavailable if no callback method is left', needsStandIn, async () => {
    const sandbox = await createSandbox({ browser: 'none', options: { roads: ['loopback'] } })
    const game = await sandbox.start()
    expect(await game.page('signIn()')).toEqual({ error: 'browser_unavailable', name: 'AuthorizationError' })
  })
})
