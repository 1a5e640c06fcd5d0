/** Desktop sign-ins from a window to the system browser and back, with the built main process, preload script and real system tools. */
import { describe, expect, test } from 'vitest'
import { approve } from '../support/consent-page'
import type { SandboxOptions } from '../support/electron/sandbox-environment'
import { missingDesktop } from '../support/electron/desktop'
import { REAL } from '../support/electron/pack-game'
import { useSandbox } from '../support/electron/use-sandbox'
import { skipIfMissing } from '../support/skip-if-missing'

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
  test.each(['main.mjs', 'main.cjs'] as const)('returns by loopback: %s', async (module) => {
    const sandbox = await createSandbox({ module })
    const game = await sandbox.start()
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
    expect(await game.page('client.session.userId')).toBe(ADA)
    expect(await game.page('[client.status, client.applicationId, changes]')).toEqual(['ready', sandbox.emulator.application.id, [ADA]])
    expect(await game.main('({ client }) => client.session.userId')).toBe(ADA)
    const { redirect = '', page } = await sandbox.browser.visit()
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    expect(page).toContain('Go back to the game')
    expect(await game.page('client.fetchCurrentUser()')).toMatchObject({ id: ADA, username: 'ada' })
    const lobby = await game.page<{ id: string }>("client.createOrJoinLobby('secret').then((lobby) => lobby.toJSON())")
    expect(await game.page("[client.lobbies.size, client.lobbies.get('" + lobby.id + "').id]")).toEqual([1, lobby.id])
    expect(
      await game.page(
        `client.lobbies.get('${lobby.id}').watch().then((stop) => (stop(), client.lobbies.get('${lobby.id}').leave())).then(() => client.lobbies.size)`,
      ),
    ).toBe(0)
  })

  test('returns by the custom scheme through a second process, which hands over the link and exits', async () => {
    const sandbox = await createSandbox(SCHEME)
    const game = await sandbox.start()
    const own = await game.pid
    expect(await game.main('({ scheme }) => scheme.registered')).toBe(true)
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
    expect((await sandbox.browser.visit()).redirect).toMatch(/^mygame:\/authorize\/callback\?/)
    expect(await (await sandbox.attach()).pid).toBe(own)
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

  test('completes in the process that the callback starts after a crash of the first', needsStandIn, async () => {
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
  })

  test('can be cancelled and repeated; the cancelled callback is dropped and its page reports that', async () => {
    const sandbox = await createSandbox()
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page('(globalThis.pending = signIn(), 0)')
    const late = await sandbox.callbackFor((await sandbox.browser.visit()).url)
    await game.page('client.abortAuthorize()')
    expect(await game.page('pending')).toEqual({ error: 'aborted', name: 'AuthorizationError' })
    expect(await (await fetch(late)).text()).toContain('This sign-in is over')
    expect(await game.page('client.session')).toBeNull()
    sandbox.browser.play({})
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
  })

  test('is cancelled by a signal of the page', async () => {
    const sandbox = await createSandbox()
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page('(globalThis.stop = new AbortController(), globalThis.pending = signIn({ signal: stop.signal }), 0)')
    await sandbox.browser.visit()
    await game.page('stop.abort()')
    expect(await game.page('pending')).toEqual({ error: 'aborted', name: 'AuthorizationError' })
  })

  test('is restored at the next start of the game, for every window', needsStandIn, async () => {
    const sandbox = await createSandbox()
    const game = await sandbox.start()
    await game.page('signIn()')
    await sandbox.browser.visit()
    await sandbox.crash()
    const next = await sandbox.start()
    expect(await next.page('client.resume().then((session) => [session.userId, session.storage])')).toEqual([ADA, 'store'])
    expect(sandbox.browser.visits()).toHaveLength(1)
    await next.page('client.signOut()')
    await sandbox.crash()
    expect(await (await sandbox.start()).page('client.resume()')).toBeNull()
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
