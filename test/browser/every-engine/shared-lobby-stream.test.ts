/** Six tabs of one game whose lobby stream comes over HTTP/1.1: browsers open six connections to a host, and every call needs one. */
import { expect } from 'vitest'
import type { EnginePage } from '../../support/engines/engine'
import { inAll } from '../../support/engines/engine-game'
import { CONTENT_ONLY, inEveryEngine } from '../../support/engines/in-every-engine'
import { join, membersIn, openTabs, readMessages } from '../../support/engines/stream-tabs'
import { LobbyGame } from '../../support/lobby-game'

const WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
const WITHOUT_CHANNELS = 'delete window.BroadcastChannel'

inEveryEngine((engineTest) => {
  for (const stream of ['hub', 'emulator'] as const) {
    engineTest(
      `six tabs with the stream of the ${stream} can all call, and see what others do`,
      async (engine) => {
        const { game, hub, origin, tabs } = await openTabs(engine, { count: 6, stream })
        const id = await join(tabs[0])
        for (const tab of tabs.slice(1)) await readMessages(tab, id)
        expect(
          await inAll(tabs, `player.backend.fetch('${origin}/score').then((response) => response.text())`),
        ).toEqual(Array(6).fill('42'))
        expect(await inAll(tabs, `player.fetchCurrentUser().then(({ username }) => username)`)).toEqual(
          Array(6).fill('ada'),
        )
        const others = new LobbyGame(game.emulator)
        const bruno = await others.player('bruno')
        await bruno.createOrJoinLobby('moon')
        await tabs[3]?.evaluate(`player.lobbies.get('${id}').send('from the fourth tab').then(() => null)`)
        if (stream === 'hub') {
          expect(hub.streams).toBe(1)
          await hub.changed(id)
        }
        for (const tab of tabs) await expect.poll(membersIn(tab, id)).toBe(2)
        others.close()
      },
    )
  }

  engineTest('another tab takes over when the one that listens is closed', async (engine) => {
    const { game, hub, tabs } = await openTabs(engine, { count: 3, stream: 'hub' })
    const [first, second, third] = tabs as [EnginePage, EnginePage, EnginePage]
    const id = await join(first)
    for (const tab of [second, third]) await join(tab)
    await expect.poll(() => hub.streams).toBe(1)
    await first.evaluate('void player.close()')
    const others = new LobbyGame(game.emulator)
    await (await others.player('bruno')).createOrJoinLobby('moon')
    await expect.poll(() => hub.streams).toBe(1)
    await hub.changed(id)
    for (const tab of [second, third]) await expect.poll(membersIn(tab, id)).toBe(2)
    await third.evaluate(`player.lobbies.get('${id}').leave().then(() => null)`)
    await expect.poll(() => second.evaluate(`player.lobbies.get('${id}') === undefined`)).toBe(true)
    others.close()
  })

  for (const [what, before] of [
    ['Web Locks', WITHOUT_LOCKS],
    ['BroadcastChannel', WITHOUT_CHANNELS],
  ] as const) {
    engineTest(`without ${what} each tab has a stream of its own`, async (engine) => {
      const { hub, tabs } = await openTabs(engine, { count: 2, stream: 'hub', before })
      for (const tab of tabs) await join(tab)
      await expect.poll(() => hub.streams).toBe(2)
    })
  }
}, CONTENT_ONLY)
