/** Measures one sign-in of one game in Chromium, and the next start of the same page. */
import type { Browser, CDPSession, Page } from 'playwright'
import type { Player } from './apps/page'
import { recordRequests, slowDown, type Span } from './slow-network'

export interface SignIn {
  /** From Approve, or the navigation of a returning player, to the session, in ms. */
  readonly time: number
  /** Longest sequence of requests of which each began after the one before had ended. */
  readonly sequence: number
}

export interface RunningGame {
  readonly url: string
  readonly leavesPage?: boolean | undefined
}

/** Globals of the games; see apps/page.ts. */
declare const signedIn: { at: number; player: Player } | undefined
declare const failure: string | undefined

/** Name of the player who approves. */
const PLAYER = 'Ada Quinn'
const SIGNED_IN = "typeof signedIn === 'object' || typeof failure === 'string'"

/** Signs in once, as a new player in a new browser profile. */
export async function measureSignIn(browser: Browser, game: RunningGame): Promise<SignIn> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const { consent, sessions } = await openConsent(page, game)
    await consent.getByRole('radio', { name: PLAYER }).check()
    const requests = sessions.map(recordRequests)
    const begin = await consent.evaluate(approve)
    await page.waitForFunction(SIGNED_IN)
    const end = await signedInAt(page)
    return { time: end - begin, sequence: longestSequence(requests.flat(), end) }
  } finally {
    await context.close()
  }
}

/** Opens the consent page, and waits until the game has loaded what it wants: players read before they approve. */
async function openConsent(
  page: Page,
  { url, leavesPage }: RunningGame,
): Promise<{ consent: Page; sessions: CDPSession[] }> {
  await page.goto(url, { waitUntil: 'networkidle' })
  const sessions = [await slowDown(page)]
  const opened = leavesPage ? page : page.waitForEvent('popup')
  await page.click('button')
  const consent = await opened
  await consent.getByRole('button', { name: 'Approve' }).waitFor()
  await page.waitForLoadState('networkidle')
  if (consent !== page) sessions.push(await slowDown(consent))
  return { consent, sessions }
}

function approve(): number {
  const begin = Date.now()
  document.querySelector<HTMLButtonElement>('button[value=approve]')?.click()
  return begin
}

/** Every game has the player's name by then: one that does not ask for it would do less work than the others. */
async function signedInAt(page: Page): Promise<number> {
  const result = await page.evaluate(() => (typeof signedIn === 'object' ? signedIn : String(failure)))
  if (typeof result === 'string') throw new Error(`The sign-in failed: ${result}`)
  if (result.player.name !== PLAYER)
    throw new Error(`The game of ${page.url()} does not know its player: ${JSON.stringify(result.player)}`)
  return result.at
}

/** Difference in ms between two readings of the same moment. */
const CLOCK_ERROR = 2

/** Picks the spans that end first: no other choice is longer. */
function longestSequence(spans: readonly Span[], end: number): number {
  let last = 0
  let count = 0
  for (const span of spans.toSorted((a, b) => a.end - b.end))
    if (span.begin >= last - CLOCK_ERROR && span.end <= end) {
      last = span.end
      count += 1
    }
  return count
}

/** Signs in, empties the cache, and loads the page again: from the navigation to the session. */
export async function measureReturn(browser: Browser, url: string): Promise<SignIn> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    const popup = page.waitForEvent('popup')
    await page.click('button')
    const consent = await popup
    await consent.getByRole('radio', { name: PLAYER }).check()
    await consent.evaluate(approve)
    await page.waitForFunction(SIGNED_IN)
    await signedInAt(page)
    const again = await context.newPage()
    const session = await slowDown(again)
    const requests = recordRequests(session)
    await session.send('Network.clearBrowserCache')
    await page.close()
    await again.goto(url)
    await again.waitForFunction(SIGNED_IN)
    const begin = await again.evaluate(() => performance.timeOrigin)
    const end = await signedInAt(again)
    return { time: end - begin, sequence: longestSequence(requests, end) }
  } finally {
    await context.close()
  }
}
