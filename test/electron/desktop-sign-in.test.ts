/** Desktop sign-ins from a window to the system browser and back, with the built main process, preload script and real system tools. */
import { describe, expect, test } from 'vitest'
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

describe('a desktop sign-in', needsDesktop, () => {
  test('returns by loopback', async () => {
    const sandbox = await createSandbox()
    const game = await sandbox.start()
    expect(await game.page('signIn()')).toEqual({ userId: ADA })
    expect(await game.page('client.session.userId')).toBe(ADA)
    expect(await game.page('[client.status, client.applicationId, changes]')).toEqual([
      'ready',
      sandbox.emulator.application.id,
      [ADA],
    ])
    expect(await game.main('({ client }) => client.session.userId')).toBe(ADA)
    const { redirect = '', page } = await sandbox.browser.visit()
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    expect(page).toContain('Go back to the game')
    expect(await game.page('client.fetchCurrentUser()')).toMatchObject({ id: ADA, username: 'ada' })
    const lobby = await game.page<{ id: string }>(
      "client.createOrJoinLobby('secret').then((lobby) => lobby.toJSON())",
    )
    expect(await game.page("[client.lobbies.size, client.lobbies.get('" + lobby.id + "').id]")).toEqual([
      1,
      lobby.id,
    ])
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

  test('is restored at the next start of the game, for every window', needsStandIn, async () => {
    const sandbox = await createSandbox()
    const game = await sandbox.start()
    await game.page('signIn()')
    await sandbox.browser.visit()
    await sandbox.crash()
    const next = await sandbox.start()
    expect(await next.page('client.resume().then((session) => [session.userId, session.storage])')).toEqual([
      ADA,
      'store',
    ])
    expect(sandbox.browser.visits()).toHaveLength(1)
    await next.page('client.signOut()')
    await sandbox.crash()
    expect(await (await sandbox.start()).page('client.resume()')).toBeNull()
  })
})
