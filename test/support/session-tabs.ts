/** Tabs of one game that share a session, in a real Chromium, with clocks controlled by the test. */
import type { Emulator } from 'foyer-emulator'
import type * as FoyerModule from 'foyer-sdk'
import type { BrowserContext, Page } from 'playwright'

export const TOKEN_PATH = '/api/v10/oauth2/token'

/** Globals of a tab. */
interface TabWindow {
  Foyer: typeof FoyerModule
  game: FoyerModule.Client
  offset: number
  recordedEvents: string[]
  /** Delays of all elapsed timers of the client, in ms. */
  waited: number[]
  /** Elapsed timers that wait for `thaw`; set while timers are frozen. */
  frozen: (() => void)[] | undefined
  consent: (url: string) => Promise<string>
}

export type StoreName = 'memoryStore' | 'sessionStorageStore' | 'localStorageStore' | 'indexedDbStore'

export interface TabOptions {
  url: string
  emulator: Emulator
  store?: StoreName
  profile?: string
  /** Player that approves. */
  as?: string
  offset?: number
  /** `false`: a browser without Web Locks, as every browser is on pages over plain http. */
  locks?: boolean
}

/** Opens a tab with a separate client; no player is signed in, and no session resumed. */
export async function openTab(context: BrowserContext, options: TabOptions): Promise<Page> {
  const page = await context.newPage()
  if (options.locks === false)
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
  await page.goto(options.url)
  await enterTab(page, options)
  return page
}

/** Sets up a page that was opened otherwise. */
export async function enterTab(
  page: Page,
  { emulator, store = 'indexedDbStore', profile, as = 'ada', offset = 0 }: TabOptions,
): Promise<void> {
  await page.exposeFunction(
    'consent',
    async (address: string) => (await emulator.authorize(address, { as })).redirect,
  )
  await page.locator('#outcome', { hasText: 'nobody' }).waitFor()
  await page.evaluate(startGame, {
    applicationId: emulator.application.id,
    host: emulator.url,
    store,
    profile,
    offset,
  })
}

/** Runs in the page. */
function startGame({
  applicationId,
  host,
  store,
  profile,
  offset,
}: {
  applicationId: string
  host: string
  store: StoreName
  profile: string | undefined
  offset: number
}): void {
  const tab = window as unknown as TabWindow
  const clock = {
    now: () => Date.now() + tab.offset,
    after(delay: number, callback: () => void) {
      let isOff = false
      const ring = () => {
        if (isOff) return
        if (tab.frozen) tab.frozen.push(ring)
        else {
          tab.waited.push(delay)
          callback()
        }
      }
      const timer = setTimeout(ring, delay)
      return () => {
        isOff = true
        clearTimeout(timer)
      }
    },
  }
  const tokenStore = tab.Foyer[store]()
  tab.offset = offset
  tab.waited = []
  tab.game = new tab.Foyer.Client({
    applicationId,
    service: { host },
    tokenStore,
    clock,
    ...(profile && { profile }),
  })
  tab.recordedEvents = []
  tab.game.on('sessionChanged', ({ session, cause }) =>
    tab.recordedEvents.push(`${session?.userId ?? 'nobody'} ${cause?.code ?? ''}`.trim()),
  )
  tab.game.on('tokenRefreshed', ({ elsewhere }) =>
    tab.recordedEvents.push(elsewhere ? 'refreshed elsewhere' : 'refreshed'),
  )
}

export const signIn = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const tab = window as unknown as TabWindow
    const surface = {
      redirectUri: () => `${location.origin}/callback.html`,
      open: (url: string) => tab.consent(url),
    }
    return (await tab.game.signIn({ surface })).userId
  })

export const resume = (page: Page): Promise<string | null> =>
  page.evaluate(async () => (await (window as unknown as TabWindow).game.resume())?.userId ?? null)

export const signOut = (page: Page): Promise<unknown> =>
  page.evaluate(() => (window as unknown as TabWindow).game.signOut())

/** Sends that many calls at once. Each result is `ok` or the error code. */
export const call = (page: Page, count: number): Promise<string[]> =>
  page.evaluate((times) => {
    const tab = window as unknown as TabWindow
    const one = () =>
      tab.game.fetchCurrentUser().then(
        () => 'ok',
        (error: { code: string }) => error.code,
      )
    return Promise.all(Array.from({ length: times }, one))
  }, count)

export const pass = (page: Page, ms: number): Promise<void> =>
  page.evaluate((by) => void ((window as unknown as TabWindow).offset += by), ms)

export const recordedEvents = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as TabWindow).recordedEvents)

/** Holds back this tab's elapsed timers until `thaw`. */
export const freeze = (page: Page): Promise<void> =>
  page.evaluate(() => void ((window as unknown as TabWindow).frozen = []))

export const thaw = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tab = window as unknown as TabWindow
    const waiting = tab.frozen ?? []
    tab.frozen = undefined
    for (const ring of waiting) ring()
  })

/** Resolves with the longest elapsed timer of this tab's client, in ms. */
export const longestWait = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...(window as unknown as TabWindow).waited))

export const session = (
  page: Page,
): Promise<{ userId: string; state: string; storage: string; token: string } | null> =>
  page.evaluate(() => {
    const current = (window as unknown as TabWindow).game.session
    return (
      current && {
        userId: current.userId,
        state: current.state,
        storage: current.storage,
        token: current.tokens.accessToken.reveal(),
      }
    )
  })

export const refreshes = (emulator: Emulator) =>
  emulator.requests.filter(({ method, path }) => method === 'POST' && path === TOKEN_PATH)
