/** The unbundled modules in every engine, and modules that a deploy removed during a sign-in. */
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveEngineGame } from '../../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'

inEveryEngine((engineTest) => {
  engineTest('the unbundled modules sign in by popup and redirect', async (engine) => {
    const game = await serveEngineGame({ build: 'modules' })
    const page = await openGame(await engine.open(), `${game.url}?store=localStorageStore`)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    await page.click('#redirect')
    await page.press('Bruno')
    await page.press('Approve')
    await expectOutcome(page, 'signed in 211842960158326785')
  })

  engineTest(
    'a sign-in for which a deploy removed the files closes its popup, spends no consent and says to reload',
    async (engine) => {
      // Chromium can lose a close() during a navigation: here every engine loses the first one.
      const before = `const { open } = window
      window.open = (...given) => {
        const popup = (window.popup = open(...given))
        let calls = 0
        return { close: () => void (calls++ && popup.close()), get closed() { return popup.closed } }
      }`
      const game = await serveEngineGame({ build: 'modules', before })
      const page = await openGame(await engine.open(), game.url)
      game.removeFiles()
      await page.click('#popup')
      await expectOutcome(page, 'reload_required')
      await expect.poll(() => page.evaluate('popup.closed')).toBe(true)
      await expect.poll(() => page.windows()).toBe(1)
      expect(game.tokenRequests()).toEqual([])
      expect(await page.evaluate('messages.at(-1)')).toMatch(/reload/i)
    },
  )

  engineTest(
    'a redirect after a deploy removed the files comes back to the new ones, with a session',
    async (engine) => {
      const game = await serveEngineGame({ build: 'modules' })
      const page = await openGame(await engine.open(), `${game.url}?store=indexedDbStore`)
      game.removeFiles()
      await page.click('#redirect')
      await page.press('Ada')
      game.restoreFiles()
      await page.press('Approve')
      await expectOutcome(page, ADA)
      expect(game.tokenRequests()).toHaveLength(1)
    },
  )

  engineTest(
    'a player who consents after a deploy removed the files has a session, for what it needs was loaded at the click',
    async (engine) => {
      const game = await serveEngineGame({ build: 'modules' })
      const files = () => game.requests.filter((path) => /^\/(dist|node_modules)\//.test(path))
      /** Opens the game in a fresh profile; resolves when its popup shows the consent page. */
      const openConsent = async () => {
        const page = await openGame(await engine.open(), `${game.url}?store=indexedDbStore`)
        const popup = await page.popupAfter('#popup')
        await popup.press('Ada')
        return { page, popup }
      }
      const before = await openConsent()
      await before.popup.press('Approve')
      await expectOutcome(before.page, ADA)
      // What only explains a sign-in to the log is loaded later, or not at all, and may be missing.
      const needed = [...new Set(files())].filter((path) => !path.endsWith('/callback-checks.js'))
      const count = files().length

      const { page, popup } = await openConsent()
      await expect.poll(() => needed.filter((path) => !files().slice(count).includes(path))).toEqual([])
      game.removeFiles()
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      expect(game.tokenRequests()).toHaveLength(2)
    },
  )
})
