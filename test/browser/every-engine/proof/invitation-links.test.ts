/** Invitation links in every engine: whoever is signed in, with a popup and with a redirect. */
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
/** The page that returns from a redirect has no query at first, so that the store cannot be named there. */
const STORED = { before: "window.store = 'localStorageStore'" }

const take = (page: EnginePage) => page.evaluate<{ secret: string } | null>('client.takeInvitation()')

/** The members of the lobby with this secret, which the page joins. */
const join = (page: EnginePage, secret: string) =>
  page.evaluate<number>(
    `client.createOrJoinLobby(${JSON.stringify(secret)}).then((lobby) => lobby.members.length)`,
  )

/** Begins a sign-in by redirect, and returns the address at which the player's approval arrives. */
async function callbackOf(page: EnginePage, { emulator }: EngineGame): Promise<string> {
  const url = await page.evaluate<string>(`new Promise((resolve) => {
    const surface = { ...Foyer.redirectSurface(), open: (url) => new Promise(() => resolve(url)) }
    client.signIn({ surface }).catch(() => undefined)
  })`)
  expect(decodeURIComponent(url)).not.toContain('moon')
  return (await emulator.authorize(url, { as: 'ada' })).redirect
}

inEveryEngine((engineTest) => {
  engineTest(
    'a link leads a player who is signed out through a popup into the lobby, and no server learns its secret',
    async (engine) => {
      const game = await serveEngineGame(STORED)
      const page = await openGame(await engine.open(), `${game.url}?level=3#join=moon%20%E2%9C%93`)
      await page.evaluate('window.signInAs("ada")')
      expect(await take(page)).toEqual({ secret: 'moon ✓' })
      expect([await take(page), await page.url()]).toEqual([null, `${game.url}?level=3`])
      expect(await join(page, 'moon ✓')).toBe(1)
      expect([...game.requests, ...game.emulator.requests.map(({ path }) => path)].join()).not.toContain(
        'moon',
      )
    },
  )

  for (const isTaken of [true, false])
    engineTest(
      `a redirect brings the invitation back, ${isTaken ? 'taken' : 'not taken'} before it, once`,
      async (engine) => {
        const game = await serveEngineGame(STORED)
        const page = await openGame(await engine.open(), `${game.url}?level=3#join=moon`)
        if (isTaken) expect(await take(page)).toEqual({ secret: 'moon' })
        await page.goto(await callbackOf(page, game))
        await expectOutcome(page, ADA)
        expect(await take(page)).toEqual({ secret: 'moon' })
        expect([await take(page), await page.url()]).toEqual([null, `${game.url}?level=3`])
        expect(await join(page, 'moon')).toBe(1)
        await page.evaluate('client.signOut()')
        await page.goto(await callbackOf(page, game))
        await expectOutcome(page, ADA)
        expect(await take(page)).toBeNull()
      },
    )

  engineTest(
    'a link for somebody else is taken by whoever is signed in, and a dead one leads into a new lobby',
    async (engine) => {
      const game = await serveEngineGame(STORED)
      const page = await openGame(await engine.open(), game.url)
      await page.evaluate('window.signInAs("ada")')
      expect(await join(page, 'moon')).toBe(1)
      await page.evaluate(
        'Promise.all(Array.from(client.lobbies, (lobby) => lobby.leave())).then(() => client.signOut())',
      )
      await page.evaluate('window.signInAs("bruno")')
      await page.goto('about:blank')
      await openGame(page, `${game.url}#join=moon`, 'signed in 211842960158326785')
      expect(await take(page)).toEqual({ secret: 'moon' })
      expect(await join(page, 'moon')).toBe(1)
    },
  )

  engineTest('the join address of the service becomes one of the game', async (engine) => {
    const game = await serveEngineGame(STORED)
    const page = await openGame(await engine.open(), `${game.url}_service/join?secret=moon+42&level=3`)
    expect(await page.url()).toBe(`${game.url}?level=3#join=moon%2042`)
    expect(await take(page)).toEqual({ secret: 'moon 42' })
    expect(await page.url()).toBe(`${game.url}?level=3`)
  })

  engineTest('hostile secrets give null, leave the address bar, and stop nothing', async (engine) => {
    const game = await serveEngineGame(STORED)
    const page = await openGame(await engine.open(), game.url)
    const hostile = [
      '',
      '%20',
      'a'.repeat(251),
      '%00',
      '%0A',
      'moon%',
      '%FF',
      '%ED%A0%80',
      '%3Csvg%20onload%3Dx%3E',
      '__proto__',
      'a&join=b',
    ]
    for (const secret of hostile) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#room&join=${secret}`)}`)
      expect([secret, await take(page), await page.url()]).toEqual([secret, null, `${game.url}#room`])
    }
    await page.evaluate("location.hash = '#join=moon'")
    expect(await take(page)).toEqual({ secret: 'moon' })
  })
}, CONTENT_ONLY)
