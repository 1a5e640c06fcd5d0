/** Sign-in by a finger: which event of a touch opens the popup, and what the others end as. */
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

inEveryEngine((engineTest) => {
  for (const event of ['click', 'pointerup', 'touchend']) {
    engineTest(
      `a finger signs in by a popup, in ${event}`,
      async (engine) => {
        const { url } = await serveEngineGame()
        const page = await openGame(await engine.open(), `${url}?on=${event}`)
        await page.evaluate(
          "addEventListener('pointerdown', ({ pointerType }) => (window.pointer = pointerType))",
        )
        const popup = await page.popupAfter('#popup', 'tap')
        expect(await page.evaluate('pointer')).toBe('touch')
        await popup.press('Ada')
        await popup.press('Approve')
        await expectOutcome(page, 'signed in 175928847299117063')
      },
      { notIn: { WebKit: 'its driver sends mouse events for a touch' } },
    )
  }

  for (const event of ['pointerdown', 'touchstart']) {
    engineTest(
      `a finger in ${event} ends as popup_blocked, and the message names click`,
      async (engine) => {
        const { url } = await serveEngineGame()
        const page = await openGame(await engine.open(), `${url}?on=${event}`)
        await page.tap('#popup')
        await expectOutcome(page, 'popup_blocked')
        expect(await page.evaluate('messages.at(-1)')).toContain('pointerup or click')
        expect(await page.windows()).toBe(1)
      },
      { notIn: { WebKit: 'its driver sends mouse events for a touch' } },
    )
  }

  engineTest(
    'a popup that the browser blocks without a gesture names click in its message',
    async (engine) => {
      const { url } = await serveEngineGame({
        before: `window.open = () => null
        Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } })`,
      })
      const page = await openGame(await engine.open(), url)
      await page.click('#popup')
      await expectOutcome(page, 'popup_blocked')
      expect(await page.evaluate('messages.at(-1)')).toContain('pointerup or click')
    },
  )
})
