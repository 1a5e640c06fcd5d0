/** One player's rate limits shared by tabs, in every engine. */
import { expect } from 'vitest'
import type { EnginePage } from '../../support/engines/engine'
import { inAll, openGame } from '../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const LIMIT = { limit: 10, per: 2000 }
const JOINS = 4

inEveryEngine((engineTest) => {
  engineTest('five tabs share a limit, with no answer 429', async (engine) => {
    const { emulator, url } = await serveEngineGame()
    emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding', headers: 'visible' } })
    const service = { host: emulator.url, limits: { join_lobby: LIMIT } }
    const options = JSON.stringify({ applicationId: emulator.application.id, service, maxWait: 600_000 })
    const tabs = [await openGame(await engine.open(), url)]
    while (tabs.length < 5) tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), url))
    for (const tab of tabs) {
      await tab.evaluate(
        `(window.player = new Foyer.Client(${options})).signIn({ surface: consent('ada') }).then(() => null)`,
      )
      await tab.evaluate('player.fetchCurrentUser().then(() => null)')
    }
    const join = `Promise.all([...Array(${JOINS}).keys()].map((index) => player.createOrJoinLobby('lobby ' + index).then(() => 'ok')))`
    const joined = await inAll<string[]>(tabs, join)
    expect(joined.flat()).toEqual(Array.from({ length: 5 * JOINS }, () => 'ok'))
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
    expect(
      emulator.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/lobbies')),
    ).toHaveLength(5 * JOINS)
  })
}, CONTENT_ONLY)
