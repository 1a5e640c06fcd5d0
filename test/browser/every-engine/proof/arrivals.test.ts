/** Whose a response is: the record of the attempt decides, in whichever tab the response arrives. In every engine. */
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../../support/engines/serve-engine-game'

const ADA_ID = '175928847299117063'
const ADA = `signed in ${ADA_ID}`
/** The page that returns has no query, so that the store cannot be named there. */
const STORED = { before: "window.store = 'localStorageStore'" }

/** Begins a sign-in by redirect, and returns the address at which the player's approval arrives. */
async function callbackOf(page: EnginePage, { emulator }: EngineGame): Promise<string> {
  const url = await page.evaluate<string>(`new Promise((resolve) => {
    const surface = { ...Foyer.redirectSurface(), open: (url) => new Promise(() => resolve(url)) }
    client.signIn({ surface }).catch(() => undefined)
  })`)
  return (await emulator.authorize(url, { as: 'ada' })).redirect
}

const shown = (tab: EnginePage) =>
  tab.evaluate<string>("document.querySelector('#outcome')?.textContent").catch(() => '')

inEveryEngine((engineTest) => {
  engineTest(
    'what another service answered is nobody’s: it stays in the address bar, with and without a stored session',
    async (engine) => {
      const game = await serveEngineGame(STORED)
      const foreign = ['code=4/0AX4&state=google-123', 'state=CA', 'error=access_denied&state=evil']
      const page = await openGame(await engine.open(), game.url)
      for (const query of foreign) {
        await openGame(page, `${game.url}?${query}`)
        expect(await page.url()).toBe(`${game.url}?${query}`)
      }
      await page.evaluate('window.signInAs("ada")')
      for (const query of foreign) {
        await openGame(page, `${game.url}?${query}`, ADA)
        expect(await page.url()).toBe(`${game.url}?${query}`)
      }
      expect(game.tokenRequests()).toHaveLength(1)
    },
  )

  engineTest(
    'a redirect that began in one tab completes in another one of the same browser',
    async (engine) => {
      const game = await serveEngineGame(STORED)
      const first = await openGame(await engine.open(), `${game.url}?level=3#room`)
      const callback = await callbackOf(first, game)
      const second = await first.openTab()
      await second.goto(callback)
      await expectOutcome(second, ADA)
      expect(await second.url()).toBe(`${game.url}?level=3#room`)
      expect(game.tokenRequests()).toHaveLength(1)
      expect(await second.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('verifier')
    },
  )

  engineTest(
    'a response that opens in two tabs is redeemed once, and a reload of it signs nobody out',
    async (engine) => {
      const game = await serveEngineGame(STORED)
      const first = await openGame(await engine.open(), game.url)
      const callback = await callbackOf(first, game)
      const others = [await first.openTab(), await first.openTab()]
      await Promise.all(
        others.map((tab) =>
          tab.evaluate(`void setTimeout(() => location.assign(${JSON.stringify(callback)}), 500)`),
        ),
      )
      for (const tab of others) await expect.poll(() => shown(tab)).toMatch(/signed in|nobody|state_mismatch/)
      await expect.poll(() => game.tokenRequests().map(({ status }) => status)).toEqual([200])
      for (const tab of others) {
        await tab.goto(callback)
        await expectOutcome(tab, ADA)
      }
      expect(game.tokenRequests()).toHaveLength(1)
    },
  )

  engineTest('a refused sign-in keeps the stored session', async (engine) => {
    const game = await serveEngineGame(STORED)
    const page = await openGame(await engine.open(), game.url)
    await page.evaluate('window.signInAs("ada")')
    await page.click('#redirect')
    await page.press('Deny')
    await expectOutcome(page, 'access_denied')
    expect(await page.evaluate('client.session?.userId')).toBe(ADA_ID)
    expect(await page.url()).toBe(game.url)
  })
})
