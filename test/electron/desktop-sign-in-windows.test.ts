/** Several windows of one client and the data their pages can reach, with the built main process and preload script. */
import { describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../support/electron/sandbox-environment'
import { missingDesktop } from '../support/electron/desktop'
import { REAL } from '../support/electron/pack-game'
import type { Game } from '../support/electron/running-game'
import { findSecrets } from '../support/electron/secret-scan'
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

describe('two windows of one app', needsDesktop, () => {
  test('share a session from sign-in to sign-out', async () => {
    const sandbox = await createSandbox({ windows: 2 })
    const game = await sandbox.start()
    await game.page('signIn()', 0)
    expect(await game.page('client.resume().then((session) => session.userId)', 1)).toBe(ADA)
    expect(await game.page('changes', 1)).toEqual([ADA])
    await game.page('client.signOut()', 1)
    expect(await game.page('client.resume()', 0)).toBeNull()
    expect(await game.page('changes', 0)).toEqual([ADA, null])
  })
})

describe('the page of a window', needsDesktop, () => {
  test('gets one frozen object with three functions and nothing of Electron or Node', async () => {
    const game = await (await createSandbox()).start()
    const seen = await game.page(`[Object.keys(foyerBridge), Object.isFrozen(foyerBridge),
      [typeof require, typeof process, typeof ipcRenderer, typeof module, typeof electronStandIn, typeof Buffer]]`)
    expect(seen).toEqual([['call', 'cancel', 'listen'], true, Array.from({ length: 6 }, () => 'undefined')])
  })

  test('holds no token, code or verifier, and neither do its messages', needsStandIn, async () => {
    const sandbox = await createSandbox({ ...SCHEME, windows: 2 })
    sandbox.browser.play({ hold: true })
    const game = await sandbox.start()
    await game.page('(globalThis.pending = signIn(), 0)')
    const { url } = await sandbox.browser.visit()
    const stored = await game.main<string>(`({ electron }) => {
      const { readFileSync } = process.getBuiltinModule('node:fs')
      return electron.safeStorage.decryptString(readFileSync(electron.app.getPath('userData') + '/foyer-vault-attempts'))
    }`)
    const verifier = required(/verifier\\+":\\+"([^"\\]+)/.exec(stored)?.[1])
    const link = await sandbox.callbackFor(url)
    sandbox.open(link)
    expect(await game.page('pending')).toEqual({ userId: ADA })
    await game.page('client.fetchCurrentUser()', 1)
    await game.page("client.createOrJoinLobby('secret').then((lobby) => lobby.leave())", 1)
    const before = await tokensOf(game)
    await game.page('client.refreshToken().then((tokens) => (globalThis.renewed = tokens, 0))')
    await game.page(
      'client.accounts.getTokenFromDevice({ scopes: "openid" }, { onUserCode: () => client.accounts.abortDevice() }).catch((error) => error.code)',
    )
    sandbox.browser.play({ deny: true })
    expect(await game.page("client.authorize({ scopes: 'openid' }).catch((error) => error.code)", 1)).toBe(
      'access_denied',
    )
    const secrets = [...before, ...(await tokensOf(game)), code(link), verifier]
    const crossed = (await game.main<string[]>('({ electron }) => electron.crossed')).join('\n')
    const heaps = await game.main<string>(HEAPS)
    expect(secrets.every((secret) => secret.length > 20)).toBe(true)
    for (const text of [crossed, heaps]) {
      expect(text).toContain(ADA)
      for (const secret of secrets) expect(findSecrets(text, secret)).toEqual([])
    }
  })
})

const code = (link: string) => required(new URLSearchParams(link.split('?')[1]).get('code') ?? undefined)

async function tokensOf(game: Game): Promise<string[]> {
  return game.main(`({ client }) => {
    const { accessToken, refreshToken, idToken } = client.session.tokens
    return [accessToken, refreshToken, idToken].flatMap((secret) => secret?.reveal() ?? [])
  }`)
}

/** All strings in the memory of the pages, in every JavaScript world. */
const HEAPS = `async ({ windows }) => {
  const heaps = await Promise.all(windows.map(async ({ page }) => {
    const session = await page.context().newCDPSession(page)
    const chunks = []
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    return JSON.parse(chunks.join('')).strings.join('\\n')
  }))
  return heaps.join('\\n')
}`
