/** Several players in tabs of one game, in every engine: each has a stream of their own, at once or one after the other. */
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { inAll, openGame } from '../../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveEngineGame } from '../../../support/engines/serve-engine-game'
import { join, membersIn, openTabs, serveBackend, startPlayer } from '../../../support/engines/stream-tabs'

inEveryEngine((engineTest) => {
  engineTest('six players in six tabs can all call, and take turns with their streams', async (engine) => {
    const game = await serveEngineGame()
    const { hub, origin } = await serveBackend(game)
    const tabs = [await openGame(await engine.open(), game.url)]
    while (tabs.length < 6) tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), game.url))
    const players = ['ada', 'bruno', 'chiyo', 'ada', 'bruno', 'chiyo']
    for (const [index, tab] of tabs.entries()) {
      await startPlayer(tab, { game, updates: `${origin}/lobbies`, origin, store: 'memoryStore' })
      await tab.evaluate(`player.signIn({ surface: consent('${players[index]}') }).then(() => null)`)
    }
    const ids = await inAll<string>(tabs, "player.createOrJoinLobby('moon').then((lobby) => lobby.id)")
    expect(new Set(ids).size).toBe(1)
    expect(
      await inAll(tabs, `player.backend.fetch('${origin}/score').then((response) => response.text())`),
    ).toEqual(Array(6).fill('42'))
    expect(hub.streams).toBeLessThanOrEqual(4)
    for (const tab of tabs) await expect.poll(membersIn(tab, ids[0] ?? '')).toBe(3)
  })

  engineTest(
    'a tab whose player signs out hears nothing more, and the next player has a stream of their own',
    async (engine) => {
      const { hub, tabs } = await openTabs(engine, { count: 2, stream: 'hub' })
      const [first, second] = tabs as [EnginePage, EnginePage]
      const id = await join(first)
      await join(second)
      await first.evaluate('player.signOut().then(() => null)')
      await expect.poll(() => second.evaluate('player.session')).toBe(null)
      await expect.poll(() => hub.streams).toBe(0)
      await second.evaluate("player.signIn({ surface: consent('bruno') }).then(() => null)")
      expect(await join(second)).toBe(id)
      await expect.poll(() => hub.streams).toBe(1)
      await expect.poll(() => first.evaluate('player.session?.userId.slice(0, 4)')).toBe('2118')
    },
  )
}, CONTENT_ONLY)
