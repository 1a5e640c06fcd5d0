/** The Electron demo, built as `npm run demo:electron` builds it and run on the fake Electron. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../support/electron/sandbox'
import { skipsDesktop } from '../support/electron/desktop'
import { packGame } from '../support/electron/pack-game'
import type { PackedPackage } from '../support/packed-package'

const configFile = fileURLToPath(new URL('../../demo/electron/vite.config.ts', import.meta.url))

const isSkipped = skipsDesktop()
let packed: PackedPackage
let built: string

beforeAll(async () => {
  packed = packGame()
  built = mkdtempSync(join(tmpdir(), 'foyer-electron-demo-'))
  await build({ configFile, logLevel: 'error', build: { outDir: join(built, 'page') } })
  await build({ configFile, logLevel: 'error', mode: 'main', build: { outDir: built } })
  cpSync(join(built, 'page'), join(packed.project, 'page'), { recursive: true })
  // A separate file name: the game of the other tests is `game.mjs`.
  cpSync(join(built, 'main.mjs'), join(packed.project, 'main-of-demo.mjs'))
})
afterAll(() => {
  packed[Symbol.dispose]()
  rmSync(built, { recursive: true })
})

test.skipIf(isSkipped)('the Electron demo signs a player in with the system browser and shows the player, but no token', async () => {
  const sandbox = await Sandbox.create(packed, { module: 'demo-game.mjs' })
  try {
    const game = await sandbox.start()
    await game.page("document.querySelector('#sign-in').click()")
    const text = await game.page<string>(`new Promise((resolve) => {
      const look = () => {
        const { textContent } = document.querySelector('#who')
        if (textContent.startsWith('Signed in')) resolve(textContent)
        else requestAnimationFrame(look)
      }
      look()
    })`)
    expect(text).toContain('175928847299117063')
    expect(text).toContain('[secret]')
    await game.page("document.querySelector('#sign-out').click()")
    expect(await sandbox.browser.visit()).toMatchObject({ redirect: expect.stringContaining('http://127.0.0.1:') })
  } finally {
    await sandbox.close()
  }
})
