/** Tabs with sessions of their own, in every engine: each refreshes its own. */
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { inAll, openGame } from '../../../support/engines/engine-game'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveEngineGame } from '../../../support/engines/serve-engine-game'

const DAY = 24 * 3_600_000

inEveryEngine((engineTest) => {
  for (const store of ['memoryStore', 'sessionStorageStore']) {
    engineTest(
      `five tabs with a ${store} of their own send one refresh each for a hundred calls`,
      async (engine) => {
        const game = await serveEngineGame()
        const url = `${game.url}?store=${store}`
        const tabs = [await openGame(await engine.open(), url)]
        while (tabs.length < 5) tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), url))
        for (const tab of tabs) await tab.evaluate("window.signInAs('ada')")
        game.emulator.advance(8 * DAY)
        for (const tab of tabs) await tab.evaluate(`window.offset += ${8 * DAY}`)
        const sent = game.tokenRequests().length
        const results = await inAll<string[]>(tabs, 'calls(20)')
        expect(results.flat()).toEqual(Array.from({ length: 100 }, () => 'ok'))
        expect(game.tokenRequests()).toHaveLength(sent + 5)
      },
    )
  }
})
