/** Several clients on one page, each with a player of its own, in every engine: who comes back from a redirect is who left. */
import { createEmulator } from 'foyer-emulator'
import { expect, onTestFinished } from 'vitest'
import type { EnginePage } from '../../../support/engines'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { type PlayerOptions, servePlayers } from '../../../support/players-page'

const ADA = '175928847299117063'
const BRUNO = '211842960158326785'

async function startGame(players: readonly PlayerOptions[]) {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const game = await servePlayers({ applicationId: emulator.application.id, host: emulator.url, players })
  onTestFinished(() => game.close())
  return { emulator, game }
}

/** What every client of the page has after `resume()`. */
async function resumed(page: EnginePage): Promise<Record<string, string>> {
  await expect
    .poll(() => page.evaluate('document.readyState === "complete" && !!window.resumed').catch(() => false))
    .toBe(true)
  return page.evaluate('window.resumed')
}

async function signIn(page: EnginePage, button: string, player: string): Promise<void> {
  await page.click(`#${button}`)
  await page.press(player)
  await page.press('Approve')
}

inEveryEngine((engineTest) => {
  engineTest(
    'two players of two profiles sign in by redirect, and both have their session',
    async (engine) => {
      const { emulator, game } = await startGame([
        { name: 'alice', profile: 'alice' },
        { name: 'bob', profile: 'bob' },
      ])
      const page = await engine.open()
      await page.goto(game.url)
      expect(await resumed(page)).toEqual({ alice: 'nobody', bob: 'nobody' })
      await signIn(page, 'alice', 'Ada')
      await expect.poll(() => resumed(page)).toEqual({ alice: ADA, bob: 'nobody' })
      await signIn(page, 'bob', 'Bruno')
      await expect.poll(() => resumed(page)).toEqual({ alice: ADA, bob: BRUNO })
      expect(await page.url()).toBe(game.url)
      await page.reload()
      expect(await resumed(page)).toEqual({ alice: ADA, bob: BRUNO })
      expect(
        emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/oauth2/token')),
      ).toHaveLength(2)
    },
  )

  engineTest(
    'two players of two services sign in by redirect, and each code reaches its own service',
    async (engine) => {
      const other = await createEmulator()
      onTestFinished(() => other.close())
      const elsewhere = { name: 'bob', host: other.url, applicationId: other.application.id }
      const { emulator, game } = await startGame([{ name: 'alice' }, elsewhere])
      const page = await engine.open()
      await page.goto(game.url)
      expect(await resumed(page)).toEqual({ alice: 'nobody', bob: 'nobody' })
      await signIn(page, 'bob', 'Bruno')
      await expect.poll(() => resumed(page)).toEqual({ alice: 'nobody', bob: BRUNO })
      await signIn(page, 'alice', 'Ada')
      await expect.poll(() => resumed(page)).toEqual({ alice: ADA, bob: BRUNO })
      await page.reload()
      expect(await resumed(page)).toEqual({ alice: ADA, bob: BRUNO })
      for (const service of [emulator, other]) {
        const sent = service.requests.filter(
          ({ method, path }) => method === 'POST' && path.endsWith('/oauth2/token'),
        )
        expect(sent.map(({ status }) => status)).toEqual([200])
      }
    },
  )

  engineTest(
    'a page whose query names the profile comes back to that profile and to its query',
    async (engine) => {
      const { game } = await startGame([])
      const page = await engine.open()
      await page.goto(`${game.url}?profile=bob#room`)
      expect(await resumed(page)).toEqual({ bob: 'nobody' })
      await signIn(page, 'sign-in', 'Bruno')
      await expect.poll(() => resumed(page)).toEqual({ bob: BRUNO })
      expect(await page.url()).toBe(`${game.url}?profile=bob#room`)
      await page.goto(game.url)
      expect(await resumed(page)).toEqual({ default: 'nobody' })
    },
  )
})
