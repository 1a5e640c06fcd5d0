/** How well five real tabs use the limit of the one player that they share, and the rest of them when one is killed. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client } from 'foyer-sdk'
import type { BrowserContext, Page } from 'playwright'
import { launchChromium } from '../../test/support/chromium'
import { efficiencyOf } from '../../test/support/backend-processes'
import { serveGame } from '../../test/support/game-page'
import type { Result } from '../measure'

const LIMIT = { limit: 10, per: 5000 }
/** ms that the service takes for an answer. */
const DELAY = 50
/** Joins that only warm up: two windows, until everybody waits. */
const WARM_UP = 20
const MEASURED = 120
/** Of the best possible time. */
const TARGET = 0.94

/** Stands in each tab. */
declare const client: Client

export async function bench(): Promise<Result[]> {
  return [toResult('10 in 5 s', await joinTogether({ kill: false })), toResult('10 in 5 s, one killed', await joinTogether({ kill: true }))]
}

interface Seen {
  readonly at: number
  readonly tab: number
}

interface Use {
  /** When each join was sent, and by whom. */
  readonly seen: readonly Seen[]
  readonly refused: number
  readonly diedAt: number
}

/** Lets five tabs join as fast as the limit allows. With `kill`, the first dies after a fifth, with a join of its own under way. */
async function joinTogether({ kill }: { kill: boolean }): Promise<Use> {
  const emulator = await createEmulator()
  emulator.limits({ join_lobby: { ...LIMIT, window: 'sliding' } })
  emulator.faults({ match: { method: 'PUT', path: '/api/*/lobbies' }, times: 1_000_000, effect: { delay: DELAY } })
  const game = await serveGame(emulator)
  const browser = await launchChromium()
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
  await page.exposeFunction('approve', async (asked: string) => (await emulator.authorize(asked, { as: 'ada' })).redirect)
  const options = {
    applicationId: emulator.application.id,
    service: { host: emulator.url, limits: { join_lobby: LIMIT } },
    maxWait: 600_000,
  }
  await page.evaluate(`self.client?.close(); self.client = new Foyer.Client(${JSON.stringify(options)})`)
  await page.evaluate(`client.signIn({ surface: { redirectUri: () => 'http://127.0.0.1/callback', open: (url) => approve(url) } })`)
  await page.evaluate(() => client.fetchCurrentUser())
  return page
}

/** Resolves with what was sent after the warm-up. */
function watch(tabs: readonly Page[], kill: boolean): Promise<Omit<Use, 'refused'>> {
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

/** Runs in a tab: twelve joins at a time, for ever. */
const work = () => {
  const join = async (index: number): Promise<void> => {
    await client.createOrJoinLobby(`lobby ${index % 12}`)
    return join(index + 12)
  }
  for (let index = 0; index < 12; index++) void join(index).catch((error: unknown) => console.error(error))
}

function toResult(where: string, { seen, refused, diedAt }: Use): Result {
  const { time, best, efficiency } = efficiencyOf(
    seen.map(({ at }) => at),
    { ...LIMIT, delay: DELAY },
  )
  const alive = diedAt > 0 ? [1, 2, 3, 4] : [0, 1, 2, 3, 4]
  const shares = alive.map((tab) => seen.filter((one) => one.tab === tab && one.at > diedAt).length)
  const unfairness = Math.max(...shares) / Math.min(...shares)
  return {
    bench: '5 tabs, of the best possible time',
    where,
    ours: time,
    peer: best,
    unit: 'ms',
    ratio: efficiency,
    target: `>= ${TARGET} times, ${refused} of 0 refused, shares ${unfairness.toFixed(2)} of 2 times`,
    passed: efficiency >= TARGET && refused === 0 && unfairness <= 2,
  }
}
