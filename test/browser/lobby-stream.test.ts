/** A stream of lobby updates that comes late and breaks off, in real Chromium: what a client misses, and how a backend makes it whole. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { LobbyGame } from '../support/lobby-game'

const chromium = useBrowserGame()

/** Stands in the tab. */
declare const client: Client

/** A backend's stream, whose connections a test can cut. `hello` is what each begins with. */
async function serveStream(hello: () => Promise<string>) {
  const open = new Set<ServerResponse>()
  let isAway = false
  const connect = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
    response.write(`retry: 100\n\n${await hello()}`)
    open.add(response)
  }
  const server = createServer((request, response) => {
    if (isAway) request.socket.destroy()
    else void connect(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(async () => (server.closeAllConnections(), server.close()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => open.size,
    cut() {
      isAway = true
      for (const response of open) response.destroy()
      open.clear()
    },
    mend: () => void (isAway = false),
  }
}

const eventOf = (lobby: unknown): string => `event: lobby.updated\ndata: ${JSON.stringify(lobby)}\n\n`

it('misses what happens while it is away, and is whole again when its backend begins each connection with the lobbies as they are', async () => {
  const { emulator, page } = await chromium.open()
  const game = new LobbyGame(emulator)
  const bruno = await game.player('bruno')
  const { id } = await bruno.createOrJoinLobby('moon')
  const stream = await serveStream(async () => eventOf(await game.backend('GET', `/${id}`)))
  await page.exposeFunction('approve', async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect)
  const options = JSON.stringify({ applicationId: emulator.application.id, service: { host: emulator.url } })
  await page.evaluate(`self.client = new Foyer.Client({ ...${options}, lobbyUpdates: Foyer.lobbyStream('${stream.url}') })`)
  await page.evaluate(`client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`)
  const members = () => page.evaluate((lobby) => client.getLobby(lobby)?.members.length, id)

  // The stream comes late: what it begins with was read when both were in.
  stream.cut()
  await page.evaluate(() => client.createOrJoinLobby('moon'))
  stream.mend()
  await expect.poll(stream.connections).toBe(1)
  await expect.poll(members).toBe(2)
  stream.cut()
  await bruno.leaveLobby(id)
  await page.evaluate(() => client.fetchCurrentUser())
  expect(await members()).toBe(2)
  stream.mend()
  await expect.poll(members).toBe(1)
  game.close()
})
