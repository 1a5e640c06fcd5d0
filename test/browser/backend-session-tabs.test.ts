/** Sessions that a backend holds, in two tabs of real Chromium, and hosts whose cookies a browser does not keep. */
import type { Client } from 'foyer-sdk'
import type * as FoyerModule from 'foyer-sdk'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from '../support/chromium'
import { type EngineGame, serveEngineGame } from '../support/engines/serve-engine-game'

/** Globals of the page. */
interface GameWindow {
  Foyer: typeof FoyerModule
  client: Client
  told: string[]
}

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function openContext(): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context
}

/** Opens a tab that records what it is told about its player. */
async function openTab(context: BrowserContext, { url }: EngineGame, outcome: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('#outcome', { hasText: outcome }).waitFor()
  await page.evaluate(() => {
    const game = window as unknown as GameWindow
    game.told = []
    game.client.on('sessionChanged', ({ session, cause }) =>
      game.told.push(`${session ? 'somebody' : 'nobody'} ${cause?.code ?? ''}`.trim()),
    )
  })
  return page
}

const told = (page: Page) => page.evaluate(() => (window as unknown as GameWindow).told)
const signOut = (page: Page) =>
  page.evaluate(async () => {
    await (window as unknown as GameWindow).client.signOut()
  })

describe.each(['short', 'none'] as const)('two tabs of a page with tokens: %s', (tokens) => {
  async function openTabs() {
    const game = await serveEngineGame({ hasBackend: true, tokens })
    const context = await openContext()
    const first = await openTab(context, game, 'nobody')
    await first.evaluate("signInAs('ada')")
    return { game, first, second: await openTab(context, game, 'signed in') }
  }

  it('learn within a second that the player has signed out in one of them', async () => {
    const { first, second } = await openTabs()
    await signOut(first)
    await expect.poll(() => told(second), { timeout: 1000, interval: 20 }).toEqual(['nobody signed_out'])
  })

  it('attack/116 are signed out by no broadcast of another page: the backend is asked', async () => {
    const { game, second } = await openTabs()
    const asked = () => game.requests.filter((path) => path === '/session/token').length
    const before = asked()
    await second.evaluate(
      ([id, origin]) => {
        new BroadcastChannel('foyer:session').postMessage(`foyer:backend ${origin} ${id}`)
      },
      [game.emulator.application.id, new URL(game.url).origin],
    )
    await expect.poll(asked).toBeGreaterThan(before)
    const isSignedIn = () =>
      second.evaluate(async () => {
        const { client } = window as unknown as GameWindow
        return (await client.fetchCurrentUser()).id === client.session?.userId
      })
    expect([await isSignedIn(), await told(second)]).toEqual([true, []])
  })
})

it('a page of localhost and a backend of 127.0.0.1 are told both names at the sign-in', async () => {
  const game = await serveEngineGame({ hasBackend: true })
  const page = await openTab(await openContext(), game, 'nobody')
  const backend = new URL('/session', game.url.replace('localhost', '127.0.0.1')).href
  const error = await page.evaluate(
    async ([host, applicationId, backendSession]) => {
      const { Foyer } = window as unknown as GameWindow
      try {
        const client = new Foyer.Client({ applicationId, service: { host: host ?? '' }, backendSession })
        await client.signIn()
        return 'signed in'
      } catch (thrown) {
        const { code, message } = thrown as FoyerModule.FoyerError
        return `${code} ${message}`
      }
    },
    [game.emulator.url, game.emulator.application.id, backend],
  )
  expect(error).toMatch(/^invalid_argument .*localhost.*127\.0\.0\.1/)
})
