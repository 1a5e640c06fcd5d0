/** Players of a confidential application: the game's backend signs them in, and the page holds no refresh token. */
import { createServer } from 'node:http'
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { closeAfterTest, inEveryEngine } from '../../support/engines/in-every-engine'
import { listen } from '../../support/loopback'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const BRUNO = 'signed in 211842960158326785'
const WHO =
  "client.backend.fetch('/whoami').then((response) => response.json()).then(({ id }) => 'signed in ' + id)"

inEveryEngine((engineTest) => {
  engineTest(
    'a popup and a redirect sign in through the backend, and a reload continues the session of its cookie',
    async (engine) => {
      const game = await serveEngineGame({ hasBackend: true })
      const page = await openGame(await engine.open(), game.url)
      const popup = await page.popupAfter('#popup')
      await popup.press('Ada')
      await popup.press('Approve')
      await expectOutcome(page, ADA)
      expect(await page.evaluate(WHO)).toBe(ADA)
      await openGame(page, game.url, ADA)
      expect(await page.evaluate(WHO)).toBe(ADA)

      await page.click('#redirect')
      await page.press('Bruno')
      await page.press('Approve')
      await expectOutcome(page, BRUNO)
      expect(await page.url()).toBe(game.url)
      expect(game.tokenRequests().map(({ status }) => status)).toEqual([200, 200])
      expect(
        await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
      ).not.toMatch(/session|token/i)
      expect(await page.evaluate('client.session.tokens.refreshToken === undefined')).toBe(true)
    },
  )

  engineTest(
    'a reload continues the session of a page on this machine, if the origins have the site too',
    async (engine) => {
      const game = await serveEngineGame({ hasBackend: true, otherOrigins: ['https://game.example'] })
      const page = await openGame(await engine.open(), game.url)
      await page.evaluate("signInAs('ada')")
      await openGame(page, game.url, ADA)
      expect(await page.evaluate(WHO)).toBe(ADA)
    },
  )

  engineTest('a host that redirects the paths of the backend is named by the client', async (engine) => {
    const game = await serveEngineGame({ hasBackend: true, hasSlashes: true })
    const page = await engine.open()
    await page.goto(game.url)
    const outcome = await page.evaluate(
      "client.resume().then(() => 'resumed', ({ code, message }) => code + ' ' + message)",
    )
    expect(outcome).toMatch(/^invalid_argument .*The host redirects it/)
  })

  engineTest(
    'a frame of another site has a session of its own, which the page of the game does not see',
    async (engine) => {
      const game = await serveEngineGame({ hasBackend: true, tokens: 'none' })
      const site = await listen(
        createServer(
          (_, response) => void response.end(`<!doctype html><iframe src="${game.url}"></iframe>`),
        ),
      )
      closeAfterTest(site)
      const page = await engine.open()
      const openFrame = async (outcome: string) => {
        await page.goto(`http://127.0.0.1:${site.port}/`)
        const frame = await page.frame()
        await expectOutcome(frame, outcome)
        return frame
      }
      const frame = await openFrame('nobody')
      expect(await frame.evaluate("signInAs('ada')")).toBe(ADA.slice(10))
      expect(await frame.evaluate(WHO)).toBe(ADA)
      expect(await (await openFrame(ADA)).evaluate(WHO)).toBe(ADA)
      await openGame(await page.openTab(), game.url)
    },
    { notIn: { WebKit: 'it takes Secure cookies over https only' } },
  )
})
