/** Lobbies in real tabs of real Chromium: leaving with the tab, one player's limits over five of them, and a stream that tells what happens. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import type { Client, ClientOptions } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { LobbyGame } from '../support/lobby-game'
import { useBrowserGame } from '../support/browser-game'

const chromium = useBrowserGame()
const openGame: typeof chromium.open = (...options) => chromium.open(...options)
type Opened = Awaited<ReturnType<typeof openGame>>

const ADA = '175928847299117063'

/** `stream`: the address of a stream of lobby updates. */
type GameOptions = Partial<ClientOptions> & { stream?: string }

/** Stands in each tab. */
declare const client: Client

/** Makes a client in a tab whose player is signed in, without a window. */
async function enter(page: Page, { emulator }: Opened, options: GameOptions = {}): Promise<void> {
  await page.exposeFunction(
    'approve',
    async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect,
  )
  const { stream, ...rest } = options
  const all = { applicationId: emulator.application.id, service: { host: emulator.url }, ...rest }
  const updates = stream ? `Foyer.lobbyStream('${stream}')` : 'undefined'
  await page.evaluate(
    `self.client = new Foyer.Client({ ...${JSON.stringify(all)}, lobbyUpdates: ${updates} })`,
  )
  await page.evaluate(
    `client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`,
  )
}

async function openTab(opened: Opened, options: GameOptions = {}): Promise<Page> {
  const page = await chromium.context.newPage()
  await page.goto(opened.game.url)
  await page.locator('#outcome', { hasText: 'nobody' }).waitFor()
  await enter(page, opened, options)
  return page
}

/** Who is in a lobby, as the game's backend sees it. */
async function membersOf({ emulator }: Opened, id: string): Promise<string[]> {
  const headers = { authorization: `Bot ${emulator.application.botToken}` }
  const lobby = (await (await fetch(`${emulator.url}/api/v10/lobbies/${id}`, { headers })).json()) as {
    members: { id: string }[]
  }
  return lobby.members.map((member) => member.id)
}

async function joined(): Promise<{ opened: Opened; id: string; page: Page }> {
  const opened = await openGame()
  await enter(opened.page, opened)
  const id = await opened.page.evaluate(async () => {
    const lobby = await client.createOrJoinLobby('moon')
    await lobby.autoLeave()
    return lobby.id
  })
  expect(await membersOf(opened, id)).toHaveLength(1)
  return { opened, id, page: opened.page }
}

describe('autoLeave', () => {
  it('takes the player out when the tab is closed', async () => {
    const { opened, id, page } = await joined()
    await page.close()
    await expect.poll(() => membersOf(opened, id)).toEqual([])
  })

  it('takes the player out when the tab goes to another page', async () => {
    const { opened, id, page } = await joined()
    await page.goto('about:blank')
    await expect.poll(() => membersOf(opened, id)).toEqual([])
  })

  it('is called off by its undo', async () => {
    const { opened, id, page } = await joined()
    await page.evaluate(async (lobbyId) => (await client.lobbies.get(lobbyId)?.autoLeave())?.(), id)
    await page.close()
    const other = await openTab(opened)
    await other.evaluate(() => client.fetchCurrentUser())
    expect(await membersOf(opened, id)).toHaveLength(1)
  })

  it('cannot help when the tab is killed: the player stays until they come back, or the lobby ends', async () => {
    const { opened, id, page } = await joined()
    const crashed = page.waitForEvent('crash')
    void page.goto('chrome://crash').catch(() => undefined)
    await crashed
    const other = await openTab(opened)
    expect(await membersOf(opened, id)).toHaveLength(1)
    await other.evaluate(async () => (await client.createOrJoinLobby('moon')).leave())
    expect(await membersOf(opened, id)).toEqual([])
  })
})

/** Runs in a tab. */
const joinMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => client.createOrJoinLobby(`lobby ${index}`)))

describe('one player in five tabs', () => {
  const LIMIT = { limit: 10, per: 3000 }
  const JOINS = 6

  it.each(['visible', 'hidden'] as const)(
    'never meets a refusal, and each join is made, with %s headers',
    async (headers) => {
      const opened = await openGame()
      opened.emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding', headers } })
      const options = {
        service: { host: opened.emulator.url, limits: { join_lobby: LIMIT } },
        maxWait: 600_000,
      }
      await enter(opened.page, opened, options)
      const tabs = [opened.page]
      while (tabs.length < 5) tabs.push(await openTab(opened, options))
      for (const tab of tabs) await tab.evaluate(() => client.fetchCurrentUser())
      // How well they use the limit is for `npm run bench -- tabs` to say.
      await Promise.all(tabs.map((tab) => tab.evaluate(joinMany, JOINS)))
      expect(opened.emulator.requests.filter(({ status }) => status === 429)).toEqual([])
      expect(
        opened.emulator.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/lobbies')),
      ).toHaveLength(5 * JOINS)
    },
  )
})

/** What a game's backend would offer: the events of lobbies as a server-sent stream, for any page. */
async function serveStream({ emulator }: Opened): Promise<{ url: string; connections: () => number }> {
  let connections = 0
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
    response.write('event: lobby.created\ndata: {"id":7}\n\nevent: lobby.deleted\ndata: nonsense\n\n')
    emulator.subscribe(
      ({ name, data }) => void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    )
    connections += 1
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(async () => (server.closeAllConnections(), server.close()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    connections: () => connections,
  }
}

describe('lobbyStream', () => {
  it('hears of lobbies from the stream of a backend, and drops what makes no sense', async () => {
    const opened = await openGame()
    const game = new LobbyGame(opened.emulator)
    const bruno = await game.player('bruno')
    const stream = await serveStream(opened)
    await enter(opened.page, opened, { stream: stream.url })
    const own = await opened.page.evaluate(async () => (await client.createOrJoinLobby('moon')).id)
    const known = () =>
      opened.page.evaluate((id) => [client.lobbies.size, client.lobbies.get(id)?.members.length], own)
    await expect.poll(stream.connections).toBe(1)
    const theirs = await bruno.createOrJoinLobby('moon')
    await expect.poll(known).toEqual([1, 2])
    await game.backend('POST', '', { members: [{ id: ADA }] })
    await expect.poll(known).toEqual([2, 2])
    await theirs.leave()
    await expect.poll(known).toEqual([2, 1])
    game.close()
    await opened.page.evaluate(() => client.close())
  })
})
