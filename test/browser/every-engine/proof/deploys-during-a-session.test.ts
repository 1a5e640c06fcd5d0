/** A deploy that removes the old files while a player is signed in, in every engine: no session ends, and an error says to reload. */
import { expect } from 'vitest'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import type { Engine, EnginePage } from '../../../support/engines/engine'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { type EngineGame, serveEngineGame } from '../../../support/engines/serve-engine-game'

const ADA = '175928847299117063'
const SIGNED_IN = `signed in ${ADA}`
const DAY = 86_400_000

/** Evaluates a call; results in its value, or in `[code, retryable, message]` of its error. */
const outcomeOf = (call: string) => `${call}.then(
  (value) => value ?? 'done',
  ({ code, retryable, message }) => [code, retryable, message])`
const RELOAD_REQUIRED = ['reload_required', false, expect.stringMatching(/reload the page/)]

/** Serves the unbundled modules, and signs a player in whose session is stored. */
async function signIn(engine: Engine): Promise<{ game: EngineGame; page: EnginePage; url: string }> {
  const game = await serveEngineGame({ build: 'modules' })
  const url = `${game.url}?store=indexedDbStore`
  const page = await openGame(await engine.open(), url)
  const popup = await page.popupAfter('#popup')
  await popup.press('Ada')
  await popup.press('Approve')
  await expectOutcome(page, SIGNED_IN)
  return { game, page, url }
}

const lobbyRequests = ({ emulator }: EngineGame) =>
  emulator.requests.filter(({ path }) => path.startsWith('/api/v10/lobbies'))

inEveryEngine((engineTest) => {
  engineTest(
    'a first lobby call after a deploy removed the files says to reload, and the session goes on after it',
    async (engine) => {
      const { game, page, url } = await signIn(engine)
      game.removeFiles()
      expect(await page.evaluate(outcomeOf("client.createOrJoinLobby('moon')"))).toEqual(RELOAD_REQUIRED)
      expect(lobbyRequests(game)).toEqual([])
      expect(await page.evaluate('client.session.userId')).toBe(ADA)
      game.restoreFiles()
      await openGame(page, url, SIGNED_IN)
      expect(
        await page.evaluate(
          outcomeOf("client.createOrJoinLobby('moon').then(({ members }) => members.length)"),
        ),
      ).toBe(1)
      expect(game.tokenRequests()).toHaveLength(1)
    },
  )

  engineTest(
    'a player in a lobby plays on after a deploy removed the files: message, refresh, another lobby, leave',
    async (engine) => {
      const { game, page } = await signIn(engine)
      await page.evaluate(
        outcomeOf("client.createOrJoinLobby('moon').then((lobby) => void (window.lobby = lobby))"),
      )
      game.removeFiles()
      const call = (text: string) => page.evaluate(outcomeOf(text))
      expect(await call("lobby.send('Hello!').then(({ content }) => content)")).toBe('Hello!')
      game.emulator.advance(8 * DAY)
      await page.evaluate(`void (window.offset += ${8 * DAY})`)
      expect(await call("client.createOrJoinLobby('sun').then((lobby) => void (window.lobby = lobby))")).toBe(
        'done',
      )
      expect(await call('lobby.leave()')).toBe('done')
      expect(game.tokenRequests().map(({ status }) => status)).toEqual([200, 200])
      expect(await page.evaluate('client.session.userId')).toBe(ADA)
    },
  )

  engineTest(
    'a session that cannot be resumed since a deploy removed the files stays stored, and says to reload',
    async (engine) => {
      const { game, page, url } = await signIn(engine)
      // This page uses no store, so it has not loaded the code for one.
      await openGame(page, game.url)
      game.removeFiles()
      const options = JSON.stringify({
        applicationId: game.emulator.application.id,
        service: { host: game.emulator.url },
      })
      const resume = `new Foyer.Client({ ...${options}, tokenStore: Foyer.indexedDbStore() }).resume()`
      expect(await page.evaluate(outcomeOf(resume))).toEqual(RELOAD_REQUIRED)
      game.restoreFiles()
      await openGame(page, url, SIGNED_IN)
      expect(game.tokenRequests()).toHaveLength(1)
    },
  )
})
