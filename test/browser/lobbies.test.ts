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
  await page.exposeFunction('approve', async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect)
  const all = { applicationId: emulator.application.id, service: { host: emulator.url }, ...options }
  const updates = options.stream ? `Foyer.lobbyStream('${options.stream}')` : 'undefined'
  await page.evaluate(`self.client = new Foyer.Client({ ...${JSON.stringify(all)}, lobbyUpdates: ${updates} })`)
  await page.evaluate(`client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`)
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
  const lobby = (await (await fetch(`${emulator.url}/api/v10/lobbies/${id}`, { headers })).json()) as { members: { id: string }[] }
  return lobby.members.map((member) => member.id)
}

async function joined(): Promise<{ opened: Opened; id: string; page: Page }> {
  const opened = await openGame()
  await enter(opened.page, opened)
  const id = await opened.page.evaluate(async () => {
    const lobby = await client.createOrJoinLobby('moon')
    await client.autoLeave(lobby.id)
    return lobby.id
  })
  expect(await membersOf(opened, id)).toHaveLength(1)
  return { opened, id, page: opened.page }
}

describe('autoLeave', () => {
  it('takes the player out when the tab is closed', async () => {
    const { opened, id, page } = await joined()
    await page.close()
    await expect.poll(() => membersOf(opened, id), { timeout: 10_000 }).toEqual([])
  })

  it('takes the player out when the tab goes to another page', async () => {
    const { opened, id, page } = await joined()
    await page.goto('about:blank')
    await expect.poll(() => membersOf(opened, id), { timeout: 10_000 }).toEqual([])
  })

  it('is called off by its undo', async () => {
    const { opened, id, page } = await joined()
    await page.evaluate(async (lobby) => (await client.autoLeave(lobby))(), id)
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
    await other.evaluate(async () => client.leaveLobby((await client.createOrJoinLobby('moon')).id))
    expect(await membersOf(opened, id)).toEqual([])
  })
})

/** Runs in a tab: when each of its joins was answered, from the begin on. */
const work = async ([begin, count]: [number, number]) => {
  await new Promise((go) => void setTimeout(go, begin - Date.now()))
  return Promise.all(
    Array.from({ length: count }, async (_, index) => (await client.createOrJoinLobby(`lobby ${index}`), Date.now() - begin)),
  )
}

describe('one player in five tabs', () => {
  const LIMIT = { limit: 10, per: 3000 }
  const JOINS = 6

  it.each(['visible', 'hidden'] as const)('never meets a refusal and uses up what the limit gives, with %s headers', async (headers) => {
    const opened = await openGame()
    opened.emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding', headers } })
    const options = { service: { host: opened.emulator.url, limits: { join_lobby: LIMIT } }, maxWait: 60_000 }
    await enter(opened.page, opened, options)
    const tabs = [opened.page]
    while (tabs.length < 5) tabs.push(await openTab(opened, options))
    for (const tab of tabs) await tab.evaluate(() => client.fetchCurrentUser())
    const start = Date.now() + 1000
    const times = await Promise.all(tabs.map((tab) => tab.evaluate(work, [start, JOINS] as [number, number])))
    expect(opened.emulator.requests.filter(({ status }) => status === 429)).toEqual([])
    const all = times.flat().sort((a, b) => a - b)
    expect(all).toHaveLength(5 * JOINS)
    // Thirty at ten in a window: two whole windows must pass before the last ten. `npm run bench -- tabs` asks for more than half.
    expect((2 * LIMIT.per) / (all[20] ?? 0)).toBeGreaterThan(0.4)
  })
})

/** What a game's backend would offer: the events of lobbies as a server-sent stream, for any page. */
async function serveStream({ emulator }: Opened): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' })
    response.write('event: lobby.created\ndata: {"id":7}\n\nevent: lobby.deleted\ndata: nonsense\n\n')
    emulator.subscribe(({ name, data }) => void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(async () => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('lobbyStream', () => {
  it('hears of lobbies from the stream of a backend, and drops what makes no sense', async () => {
    const opened = await openGame()
    const game = new LobbyGame(opened.emulator)
    const bruno = await game.player('bruno')
    await enter(opened.page, opened, { stream: await serveStream(opened) })
    const own = await opened.page.evaluate(async () => (await client.createOrJoinLobby('moon')).id)
    const known = () => opened.page.evaluate((id) => [client.getLobbyIds().length, client.getLobby(id)?.members.length], own)
    await expect.poll(async () => (await bruno.createOrJoinLobby('moon'), known()), { interval: 500 }).toEqual([1, 2])
    await game.backend('POST', '', { members: [{ id: ADA }] })
    await expect.poll(known).toEqual([2, 2])
    await bruno.leaveLobby(own)
    await expect.poll(known).toEqual([2, 1])
    game.close()
    await opened.page.evaluate(() => client.close())
  })
})
