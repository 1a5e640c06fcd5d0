/** The Electron demo, built as `npm run demo:electron` builds it and run on the fake Electron. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packDemo } from '../support/electron/demo-project'
import { missingDesktop } from '../support/electron/desktop'
import { Sandbox } from '../support/electron/sandbox'
import type { PackedPackage } from '../support/packed-package'
import { skipIfMissing } from '../support/skip-if-missing'

const needsDesktop = skipIfMissing(missingDesktop())
let packed: PackedPackage

beforeAll(async () => {
  packed = await packDemo()
})
afterAll(() => packed[Symbol.dispose]())

test(
  'the Electron demo signs a player in with the system browser and shows the player, but no token',
  needsDesktop,
  async () => {
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
      expect(await sandbox.browser.visit()).toMatchObject({
        redirect: expect.stringContaining('http://127.0.0.1:'),
      })
    } finally {
      await sandbox.close()
    }
  },
)
