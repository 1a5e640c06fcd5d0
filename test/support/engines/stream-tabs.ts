/** Tabs of one game, each with a client that listens to a stream of lobby updates over HTTP/1.1. */
import { createServer } from 'node:http'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  createPlayerVerifier,
  toNodeListener,
} from 'foyer-sdk/server'
import { listen } from '../loopback'
import type { Engine, EnginePage } from './engine'
import { openGame } from './engine-game'
import { closeAfterTest } from './in-every-engine'
import { type EngineGame, type EngineGameOptions, serveEngineGame } from './serve-engine-game'

const ADA = '175928847299117063'

/** A backend with a hub and a call of its own, over HTTP/1.1. */
export async function serveBackend({ emulator }: EngineGame) {
  const application = { applicationId: emulator.application.id, service: { host: emulator.url } }
  const backend = new ApplicationClient({
    ...application,
    credentials: botToken(emulator.application.botToken),
  })
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
export async function openTabs(
  engine: Engine,
  options: EngineGameOptions & { count: number; stream: 'hub' | 'emulator' },
) {
  const game = await serveEngineGame(options)
  const { hub, origin } = await serveBackend(game)
  const url = `${game.url}?store=indexedDbStore`
  const tabs = [await openGame(await engine.open(), url)]
  await tabs[0]?.evaluate("window.signInAs('ada')")
  while (tabs.length < options.count)
    tabs.push(await openGame(await (tabs[0] as EnginePage).openTab(), url, `signed in ${ADA}`))
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

export async function startPlayer(
  tab: EnginePage,
  { game, updates, origin, store = 'indexedDbStore' }: PlayerOptions,
) {
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

export const join = (tab: EnginePage) =>
  tab.evaluate<string>("player.createOrJoinLobby('moon').then((lobby) => lobby.id)")
/** Uses the lobby in a tab that has not joined it itself. */
export const readMessages = (tab: EnginePage, id: string) =>
  tab.evaluate(`player.lobbies.add({ id: '${id}', application_id: player.applicationId, members: [{ id: player.session.userId }] })
    .then((lobby) => lobby.fetchMessages({ limit: 1 })).then(() => null)`)
export const membersIn = (tab: EnginePage, id: string) => () =>
  tab.evaluate(`player.lobbies.get('${id}')?.members.length`)
