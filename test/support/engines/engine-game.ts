/** Game in a page that a test controls by expressions, since only those work in every engine. */
import type * as FoyerModule from 'foyer-sdk'
import { expect } from 'vitest'
import type { EnginePage } from './engine'

type Outcome = { userId: string } | null

/** Globals of the page. */
interface GameWindow {
  Foyer: typeof FoyerModule
  client: FoyerModule.Client
  /** Every outcome of `resume()` and of a button. */
  outcomes: string[]
  messages: string[]
  events: string[]
  /** Steps of warnings in the log. */
  warnings: string[]
  hints: number
  /** Time in ms that the client's clock is ahead. */
  offset: number
  /** Factor by which the client's timers are faster. */
  speed: number
  isRestored: boolean | undefined
  /** Name of the store if the query does not contain it. */
  store?: string
  work: Promise<unknown> | undefined
  consent: (as: string) => FoyerModule.AuthorizationSurface
  signInAs: (as: string) => Promise<string>
  calls: (count: number) => Promise<string[]>
}

/** Runs in the page. */
export function engineGame(config: { applicationId: string; host: string; backendSession?: string }): void {
  const page = window as unknown as GameWindow
  const { Foyer } = page
  const query = new URLSearchParams(location.search)
  const store = (query.get('store') ?? page.store ?? null) as
    'memoryStore' | 'sessionStorageStore' | 'localStorageStore' | 'indexedDbStore' | null
  const profile = query.get('profile')
  Object.assign(page, {
    outcomes: [],
    messages: [],
    events: [],
    warnings: [],
    hints: 0,
    offset: 0,
    speed: 1,
    isRestored: undefined,
    work: undefined,
  })
  const clock = {
    now: () => Date.now() + page.offset,
    after(delay: number, callback: () => void) {
      const timer = setTimeout(callback, delay / page.speed)
      return () => clearTimeout(timer)
    },
  }
  const client = (page.client = new Foyer.Client({
    applicationId: config.applicationId,
    service: { host: config.host },
    clock,
    ...(store && { tokenStore: Foyer[store]() }),
    ...(profile && { profile }),
    ...(config.backendSession && { backendSession: config.backendSession }),
  }))
  client.on('log', ({ level, step }) => level === 'warn' && page.warnings.push(step))
  client.on('maybeClosed', () => (page.hints += 1))
  client.on('sessionChanged', ({ session, cause }) =>
    page.events.push(`${session?.userId ?? 'nobody'} ${cause?.code ?? ''}`.trim()),
  )
  client.on('tokenRefreshed', ({ elsewhere }) =>
    page.events.push(elsewhere ? 'refreshed elsewhere' : 'refreshed'),
  )
  addEventListener('pageshow', ({ persisted }) => (page.isRestored = persisted))
  const showOutcome = (outcome: string) => {
    page.outcomes.push(outcome)
    const output = document.querySelector('#outcome')
    if (output) output.textContent = outcome
  }
  const settle = (work: Promise<Outcome>) =>
    work.then(
      (session) => showOutcome(session ? `signed in ${session.userId}` : 'nobody'),
      (error: { code?: string; message: string }) => {
        page.messages.push(error.message)
        showOutcome(error.code ?? error.message)
      },
    )
  document
    .querySelector('#popup')
    ?.addEventListener(query.get('on') ?? 'click', () => void settle(client.signIn()))
  document
    .querySelector('#redirect')
    ?.addEventListener('click', () => void settle(client.signIn({ surface: Foyer.redirectSurface() })))
  document.querySelector('#cancel')?.addEventListener('click', () => client.abortAuthorize())
  page.consent = (as) => ({
    redirectUri: () => `${location.origin}/callback.html`,
    open: async (url) => (await fetch(`/consent?as=${as}&url=${encodeURIComponent(url)}`)).text(),
  })
  page.signInAs = async (as) => (await client.signIn({ surface: page.consent(as) })).userId
  const call = () =>
    client.fetchCurrentUser().then(
      () => 'ok',
      (error: { code: string }) => error.code,
    )
  page.calls = (count) => Promise.all(Array.from({ length: count }, call))
  void settle(client.resume())
}

/** Waits for the text of the page's last outcome. A page that is being left cannot be evaluated. */
export async function expectOutcome(page: EnginePage, outcome: string): Promise<void> {
  const shown = () =>
    page
      .evaluate<string>("document.querySelector('#outcome')?.textContent")
      .catch((error: unknown) => String(error))
  await expect.poll(shown).toBe(outcome)
}

/** Opens the page of the game, and waits until `resume()` has ended. */
export async function openGame(page: EnginePage, url: string, outcome = 'nobody'): Promise<EnginePage> {
  await page.goto(url)
  await expectOutcome(page, outcome)
  return page
}

/** Evaluates an expression in all pages at once: each begins before the first ends. */
export async function inAll<T>(pages: readonly EnginePage[], expression: string): Promise<T[]> {
  for (const page of pages) await page.evaluate(`void (window.work = (async () => ${expression})())`)
  const results: T[] = []
  for (const page of pages) results.push(await page.evaluate<T>('window.work'))
  return results
}
