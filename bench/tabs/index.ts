/** Efficiency of five real tabs that share one player's limit, also when one of them is killed. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client } from 'foyer-sdk'
import type { BrowserContext, Page } from 'playwright'
import { launchChromium } from '../../test/support/chromium'
import { serveGame } from '../../test/support/game-page'
import { efficiencyOf, type Use } from '../../test/support/shared-use'
import type { Result } from '../measure'
import { sharedLimit } from '../shared-limit'

const LIMIT = { limit: 10, per: 5000 }
/** Response time of the service, in ms. */
const DELAY = 50
/** Joins that only warm up: two windows, until every tab waits. */
const WARM_UP = 20
const MEASURED = 120
const WHO = '5 tabs'

/** Global of each tab. */
declare const client: Client

export async function bench(): Promise<Result[]> {
  return [
    sharedLimit(WHO, '10 in 5 s', useOf(await joinTogether({ kill: false }))),
    sharedLimit(WHO, '10 in 5 s, one killed', useOf(await joinTogether({ kill: true }))),
  ]
}

interface Seen {
  readonly at: number
  readonly tab: number
}

interface Joins {
  /** Time and tab of each join. */
  readonly seen: readonly Seen[]
  readonly refused: number
  readonly diedAt: number
}

/** Lets five tabs join as fast as the limit allows. With `kill`, the first tab is killed after a fifth, while one of its joins is in flight. */
async function joinTogether({ kill }: { kill: boolean }): Promise<Joins> {
  const emulator = await createEmulator()
  emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding' } })
  emulator.faults({
    match: { method: 'PUT', path: '/api/*/lobbies' },
    times: 1_000_000,
    effect: { delay: DELAY },
  })
  const game = await serveGame(emulator)
  const browser = await launchChromium(undefined, { full: true })
  try {
    const context = await browser.newContext()
    const tabs: Page[] = []
    while (tabs.length < 5) tabs.push(await openTab(context, emulator, game.url))
    const seen = await watch(tabs, kill)
    return { ...seen, refused: emulator.requests.filter(({ status }) => status === 429).length }
  } finally {
    await browser.close()
    await game.close()
    await emulator.close()
  }
}

async function openTab(context: BrowserContext, emulator: Emulator, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.exposeFunction(
    'approve',
    async (asked: string) => (await emulator.authorize(asked, { as: 'ada' })).redirect,
  )
  const options = {
    applicationId: emulator.application.id,
    service: { host: emulator.url, limits: { join_lobby: LIMIT } },
    maxWait: 600_000,
  }
  await page.evaluate(`self.client?.close(); self.client = new Foyer.Client(${JSON.stringify(options)})`)
  await page.evaluate(
    `client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`,
  )
  await page.evaluate(() => client.fetchCurrentUser())
  return page
}

/** Resolves with the joins after the warm-up. */
function watch(tabs: readonly Page[], kill: boolean): Promise<Omit<Joins, 'refused'>> {
  const seen: Seen[] = []
  let diedAt = kill ? 0 : Number.NEGATIVE_INFINITY
  return new Promise((resolve) => {
    for (const [tab, page] of tabs.entries()) {
      page.on('request', (request) => {
        if (request.method() !== 'PUT') return
        seen.push({ at: performance.now(), tab })
        if (diedAt === 0 && tab === 0 && seen.length > WARM_UP + MEASURED / 5) {
          diedAt = performance.now()
          setTimeout(() => void page.goto('chrome://crash').catch(() => undefined), DELAY / 2)
        }
        if (seen.length === WARM_UP + MEASURED) resolve({ seen: seen.slice(WARM_UP), diedAt })
      })
      void page.evaluate(work).catch(() => undefined)
    }
  })
}

/** Runs in a tab: twelve concurrent joins, endlessly. */
const work = () => {
  const join = async (index: number): Promise<void> => {
    await client.createOrJoinLobby(`lobby ${index % 12}`)
    return join(index + 12)
  }
  for (let index = 0; index < 12; index++) void join(index).catch((error: unknown) => console.error(error))
}

/** `diedAt`: joins before it are not counted in the shares. */
function useOf({ seen, refused, diedAt }: Joins): Use {
  const times = seen.map(({ at }) => at)
  const alive = diedAt > 0 ? [1, 2, 3, 4] : [0, 1, 2, 3, 4]
  const shares = alive.map((tab) => seen.filter((one) => one.tab === tab && one.at > diedAt).length)
  return {
    ...efficiencyOf(times, { ...LIMIT, delay: DELAY }),
    unfairness: Math.max(...shares) / Math.min(...shares),
    refused,
  }
}
