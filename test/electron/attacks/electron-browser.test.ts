/** Attacks through the authorize page in Electron: it opens in the system browser, never in a window of the game. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openedUrl, SERVICE, useMainProcessGame } from '../../support/electron/main-process-game'
import { BrowserWindow, shell } from '../../support/electron/fake-electron.mjs'

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url))
const harness = useMainProcessGame()

describe('the authorize page', () => {
  test('attack/35 opens in the system browser without a window of the game', async () => {
    const { client } = harness.start()
    client.authorize({ scopes: 'openid' }).catch(() => undefined)
    expect((await openedUrl()).origin).toBe(SERVICE)
    expect(shell.opened).toHaveLength(1)
    expect(BrowserWindow.getAllWindows()).toEqual([])
  })

  test('attack/35 opens in no window that a game passes as an option, which is refused', () => {
    const window = new BrowserWindow()
    const loaded: string[] = []
    window.loadURL = async (url) => void loaded.push(url)
    // The types forbid these names; plain JavaScript can pass them.
    for (const name of ['window', 'browserWindow', 'parent'])
      expect(() => harness.start({ [name]: window })).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      )
    expect(loaded).toEqual([])
  })

  test('attack/35 cannot be embedded: no module of the SDK uses an Electron API for that', () => {
    const texts = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ name, text: readFileSync(join(SOURCE, name), 'utf8') }))
    expect(texts.length).toBeGreaterThan(100)
    const embeds =
      /\b(?:BrowserWindow|BrowserView|WebContentsView|BaseWindow|webviewTag)\b|<webview|createElement\('(?:iframe|webview)'/
    expect(texts.filter(({ text }) => embeds.test(text)).map(({ name }) => name)).toEqual([])
  })
})
