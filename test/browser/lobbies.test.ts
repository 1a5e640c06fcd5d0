/** Lobbies in real tabs of real Chromium: leaving with the tab, and one player's limits over five of them. */
import type { Page } from 'playwright'
import type { Client, ClientOptions } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'

const chromium = useBrowserGame()
const openGame: typeof chromium.open = (...options) => chromium.open(...options)
type Opened = Awaited<ReturnType<typeof openGame>>

/** Stands in each tab. */
declare const client: Client

/** Makes a client in a tab whose player is signed in, without a window. */
async function enter(page: Page, { emulator }: Opened, options: Partial<ClientOptions> = {}): Promise<void> {
  await page.exposeFunction('approve', async (url: string) => (await emulator.authorize(url, { as: 'ada' })).redirect)
  const all = { applicationId: emulator.application.id, service: { host: emulator.url }, ...options }
  await page.evaluate(`self.client = new Foyer.Client(${JSON.stringify(all)})`)
  await page.evaluate(`client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`)
}

async function openTab(opened: Opened, options: Partial<ClientOptions> = {}): Promise<Page> {
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

describe('autoLeave', () => {
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

describe('one player in five tabs', () => {
  const LIMIT = { limit: 10, per: 3000 }
  const JOINS = 6

  it.each(['visible', 'hidden'] as const)('never meets a refusal, and each tab gets its part, with %s headers', async (headers) => {
    const opened = await openGame()
    opened.emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding', headers } })
    const options = { service: { host: opened.emulator.url, limits: { join_lobby: LIMIT } }, maxWait: 60_000 }
    await enter(opened.page, opened, options)
    const tabs = [opened.page]
    while (tabs.length < 5) tabs.push(await openTab(opened, options))
    for (const tab of tabs) await tab.evaluate(() => client.fetchCurrentUser())
    const start = Date.now() + 1000
    const work = async ([begin, count]: [number, number]) => {
      await new Promise((go) => void setTimeout(go, begin - Date.now()))
      return Promise.all(
        Array.from({ length: count }, async (_, index) => (await client.createOrJoinLobby(`lobby ${index}`), Date.now() - begin)),
      )
    }
    const times = await Promise.all(tabs.map((tab) => tab.evaluate(work, [start, JOINS] as [number, number])))
    expect(opened.emulator.requests.filter(({ status }) => status === 429)).toEqual([])
    const all = times.flatMap((own, tab) => own.map((at) => ({ at, tab }))).sort((a, b) => a.at - b.at)
    expect(all).toHaveLength(5 * JOINS)
    // Thirty at ten in a window: two whole windows must pass before the last ten.
    expect((2 * LIMIT.per) / (all[20]?.at ?? 0)).toBeGreaterThan(0.8)
    for (const tab of tabs.keys()) {
      const early = all.slice(0, 20).filter((join) => join.tab === tab).length
      expect(early).toBeGreaterThanOrEqual(2)
      expect(early).toBeLessThanOrEqual(6)
    }
  })
})
