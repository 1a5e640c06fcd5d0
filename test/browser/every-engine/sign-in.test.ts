/** Sign-in by popup and redirect in every engine, and each way in which it ends otherwise. */
import { expect } from 'vitest'
import type { EnginePage } from '../../support/engines/engine'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { type EngineGameOptions, serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const BRUNO = 'signed in 211842960158326785'
const COOP = { 'Cross-Origin-Opener-Policy': 'same-origin' }
const ISOLATED = { ...COOP, 'Cross-Origin-Embedder-Policy': 'require-corp' }
const ISOLATED_GAME: EngineGameOptions = { headers: ISOLATED, callbackHeaders: ISOLATED }

const HEADERS: Record<string, EngineGameOptions> = {
  'plain pages': {},
  'an authorize page with Cross-Origin-Opener-Policy: same-origin': { emulator: { pageHeaders: COOP } },
  'a game page with same-origin-allow-popups': {
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' },
    emulator: { pageHeaders: COOP },
  },
  'an isolated game page': ISOLATED_GAME,
  'an isolated game page and an isolated authorize page': {
    ...ISOLATED_GAME,
    emulator: { pageHeaders: COOP },
  },
}

/** WebKitGTK's driver answers no further command if a window closes while it loads. */
async function consentShown(popup: EnginePage): Promise<void> {
  await expect
    .poll(() => popup.evaluate('document.querySelectorAll("[name=decision]").length').catch(() => 0))
    .toBe(2)
}

inEveryEngine((engineTest) => {
  for (const [name, options] of Object.entries(HEADERS)) {
    engineTest(`popup and redirect with ${name}`, async (engine) => {
      const game = await serveEngineGame(options)
      const page = await openGame(await engine.open(), game.url)
      expect(await page.evaluate('window.crossOriginIsolated')).toBe(options.headers === ISOLATED)
      const popup = await page.popupAfter('#popup')
      await popup.press('Ada')
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      await expect.poll(() => page.windows()).toBe(1)

      await page.click('#redirect')
      await page.press('Bruno')
      await page.press('Approve')
      await expectOutcome(page, BRUNO)
      expect(await page.url()).toBe(game.url)
      expect(game.tokenRequests()).toHaveLength(2)
      await page.goto(`${game.url}${game.requests.find((path) => path.startsWith('/?code='))?.slice(1)}`)
      await expectOutcome(page, 'nobody')
      expect(await page.url()).toBe(game.url)
      expect(game.tokenRequests()).toHaveLength(2)
    })
  }

  engineTest('a player who denies, a game that cancels, and another attempt', async (engine) => {
    const game = await serveEngineGame()
    const page = await openGame(await engine.open(), game.url)
    await (await page.popupAfter('#popup')).press('Deny')
    await expectOutcome(page, 'access_denied')
    await expect.poll(() => page.windows()).toBe(1)
    await page.click('#redirect')
    await page.press('Deny')
    await expectOutcome(page, 'access_denied')
    const cancelled = await page.popupAfter('#popup')
    await consentShown(cancelled)
    await page.click('#cancel')
    await expectOutcome(page, 'aborted')
    await expect.poll(() => cancelled.isClosed()).toBe(true)
    const popup = await page.popupAfter('#popup')
    await popup.press('Ada')
    await popup.press('Approve')
    await expectOutcome(page, ADA)
    expect(game.tokenRequests()).toHaveLength(1)
  })

  engineTest('the consent page shows Approve and Deny in the popup without scrolling', async (engine) => {
    const game = await serveEngineGame()
    const page = await openGame(await engine.open(), game.url)
    const popup = await page.popupAfter('#popup')
    const inside = `[...document.querySelectorAll('[name=decision]')].map((button) => {
      const { top, bottom } = button.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })`
    await expect.poll(() => popup.evaluate(inside).catch(() => undefined)).toEqual([true, true])
    await popup.press('Deny')
    await expectOutcome(page, 'access_denied')
  })

  engineTest(
    'a popup that the player closes is a hint at once, and window_closed ten seconds later',
    async (engine) => {
      const game = await serveEngineGame()
      const page = await openGame(await engine.open(), game.url)
      await page.evaluate('window.speed = 10')
      const popup = await page.popupAfter('#popup')
      await consentShown(popup)
      await popup.close()
      await expect.poll(() => page.evaluate('window.hints')).toBe(1)
      await expectOutcome(page, 'window_closed')
    },
  )

  engineTest('a popup without a click is blocked by the browser, as popup_blocked', async (engine) => {
    const game = await serveEngineGame({
      before: "addEventListener('load', () => document.querySelector('#popup').click())",
    })
    const page = await engine.open()
    await page.goto(game.url)
    await expect.poll(() => page.evaluate('window.outcomes.includes("popup_blocked")')).toBe(true)
    expect(await page.windows()).toBe(1)
  })
})
