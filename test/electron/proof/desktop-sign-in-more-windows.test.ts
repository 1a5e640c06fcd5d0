/** Several windows of one client: who signs in for whom, and which of them may have tokens. */
import { describe, expect, test } from 'vitest'
import { missingDesktop } from '../../support/electron/desktop'
import { useSandbox } from '../../support/electron/use-sandbox'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsDesktop = skipIfMissing(missingDesktop())
const ADA = '175928847299117063'
const createSandbox = useSandbox()

describe('two windows of one app', needsDesktop, () => {
  test('are signed out when the client of the main process closes', async () => {
    const game = await (await createSandbox()).start()
    await game.page('signIn()')
    await game.main('({ client }) => client.close()')
    expect(await game.page('client.resume().catch((error) => error.code)')).toBe('unsupported')
    expect(await game.page('[client.session, client.status, changes]')).toEqual([
      null,
      'disconnected',
      [ADA, null],
    ])
  })

  test('share one sign-in: a later one supersedes the first', async () => {
    const sandbox = await createSandbox({ windows: 2 })
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page('(globalThis.pending = signIn(), 0)', 0)
    await sandbox.browser.visit()
    sandbox.browser.play({})
    expect(await game.page('signIn()', 1)).toEqual({ userId: ADA })
    expect(await game.page('pending', 0)).toEqual({ error: 'superseded', name: 'AuthorizationError' })
    expect(await game.page('client.session.userId', 0)).toBe(ADA)
  })

  test('receive tokens only if the app allows it', async () => {
    const sandbox = await createSandbox({ windows: 2 })
    const game = await sandbox.start()
    await game.main('({ windows }) => { windows[1].webContents.mayHaveTokens = true }')
    await game.page('signIn()', 0)
    await game.page('client.resume()', 1)
    const token = await game.main<string>('({ client }) => client.session.tokens.accessToken.reveal()')
    const reveal = 'client.session.tokens.accessToken.reveal()'
    expect(await game.page(reveal, 1)).toBe(token)
    await expect(
      game.page(`(() => { try { return ${reveal} } catch (error) { return error.code } })()`, 0),
    ).resolves.toBe('unsupported')
  })
})
