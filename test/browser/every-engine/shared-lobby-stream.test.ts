/** Six tabs of one game whose lobby stream comes over HTTP/1.1: browsers open six connections to a host, and every call needs one. */
import { createServer } from 'node:http'
import { expect } from 'vitest'
import { ApplicationClient, botToken, createLobbyHub, createPlayerVerifier, toNodeListener } from 'foyer-sdk/server'
import type { Engine, EnginePage } from '../../support/engines/engine'
import { inAll, openGame } from '../../support/engines/engine-game'
import { CONTENT_ONLY, closeAfterTest, inEveryEngine } from '../../support/engines/in-every-engine'
import { type EngineGame, type EngineGameOptions, serveEngineGame } from '../../support/engines/serve-engine-game'
import { LobbyGame } from '../../support/lobby-game'
import { listen } from '../../support/loopback'

const ADA = '175928847299117063'
const WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
const WITHOUT_CHANNELS = 'delete window.BroadcastChannel'

/** A backend with a hub and a call of its own, over HTTP/1.1. */
async function serveBackend({ emulator }: EngineGame) {
  const application = { applicationId: emulator.application.id, service: { host: emulator.url } }
  const backend = new ApplicationClient({ ...application, credentials: botToken(emulator.application.botToken) })
  const hub = createLobbyHub({ client: backend, verify: createPlayerVerifier(application) })
  const listener = toNodeListener(async (request) => {
    if (new URL(request.url).pathname !== '/score') return hub(request)
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
    return new Response(request.method === 'OPTIONS' ? null : '42', { headers })
  })
  const server = await listen(createServer((request, response) => void listener(request, response)))
  closeAfterTest({ close: () => (hub.close(), backend.close(), server.close()) })
  return { hub, origin: `http://127.0.0.1:${server.port}` }
}

/** Opens tabs that share one session, each with a client that listens to a stream. */
async function openTabs(engine: Engine, options: EngineGameOptions & { count: number; stream: 'hub' | 'emulator' }) {
  const game = await serveEngineGame(options)
  const { hub, origin } = await serveBackend(game)
  const url = `${game.url}?store=indexedDbStore`
  const tabs = [await openGame(await engine.open(), url)]
  await tabs[0]?.evaluate("window.signInAs('ada')")
  while (tabs.length < options.count) tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), url, `signed in ${ADA}`))
  const updates = options.stream === 'hub' ? `${origin}/lobbies` : `${game.emulator.url}/lobby-stream`
  for (const tab of tabs) await startPlayer(tab, { game, updates, origin })
  return { game, hub, origin, tabs: tabs as [EnginePage, ...EnginePage[]] }
}

interface PlayerOptions {
  game: EngineGame
  updates: string
  origin: string
  store?: 'indexedDbStore' | 'memoryStore'
}

async function startPlayer(tab: EnginePage, { game, updates, origin, store = 'indexedDbStore' }: PlayerOptions) {
  const config = JSON.stringify({
    applicationId: game.emulator.application.id,
    service: { host: game.emulator.url },
    backendOrigins: [origin],
  })
  await tab.evaluate(`window.messages = []`)
  await tab.evaluate(
    `(window.player = new Foyer.Client({ ...${config}, tokenStore: Foyer.${store}(), lobbyUpdates: Foyer.lobbyStream('${updates}') })).resume().then(() => null)`,
  )
  await tab.evaluate("void player.on('lobbyMessage', ({ message }) => messages.push(message.content))")
}

const join = (tab: EnginePage) => tab.evaluate<string>("player.createOrJoinLobby('moon').then((lobby) => lobby.id)")
/** Uses the lobby in a tab that has not joined it itself. */
const readMessages = (tab: EnginePage, id: string) =>
  tab.evaluate(`player.lobbies.add({ id: '${id}', application_id: player.applicationId, members: [{ id: player.session.userId }] })
    .then((lobby) => lobby.fetchMessages({ limit: 1 })).then(() => null)`)
const membersIn = (tab: EnginePage, id: string) => () => tab.evaluate(`player.lobbies.get('${id}')?.members.length`)

inEveryEngine((engineTest) => {
  for (const stream of ['hub', 'emulator'] as const) {
    engineTest(`six tabs with the stream of the ${stream} can all call, and see what others do`, async (engine) => {
      const { game, hub, origin, tabs } = await openTabs(engine, { count: 6, stream })
      const id = await join(tabs[0])
      for (const tab of tabs.slice(1)) await readMessages(tab, id)
      expect(await inAll(tabs, `player.backend.fetch('${origin}/score').then((response) => response.text())`)).toEqual(Array(6).fill('42'))
      expect(await inAll(tabs, `player.fetchCurrentUser().then(({ username }) => username)`)).toEqual(Array(6).fill('ada'))
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
    })
  }

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
    expect(await inAll(tabs, `player.backend.fetch('${origin}/score').then((response) => response.text())`)).toEqual(Array(6).fill('42'))
    expect(hub.streams).toBeLessThanOrEqual(4)
    for (const tab of tabs) await expect.poll(membersIn(tab, ids[0] ?? '')).toBe(3)
  })

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

  engineTest('a tab whose player signs out hears nothing more, and the next player has a stream of their own', async (engine) => {
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
