/** Entry `foyer-emulator/playwright`: fixtures for tests of a game's page. @module foyer-emulator/playwright */
import type { Emulator, EmulatorUser } from '../../api/control/emulator.js'
import { environment } from '../../emulator/environment.js'
import {
  createTestEmulator,
  describeRequests,
  firstPlayers,
  type TestEmulator,
  type TestEmulatorOptions,
} from '../testing/test-emulator.js'
import { test as base, type BrowserContext, type Page } from '@playwright/test'
import { createServer } from 'vite'

export { expect } from '@playwright/test'
export type { TestEmulator, TestEmulatorOptions } from '../testing/test-emulator.js'

/** A player with a page of the game, in a browser profile of their own. */
export interface PagePlayer extends EmulatorUser {
  page: Page
}

/** The game at an address. */
export interface ServedGame {
  url: string
  close(): Promise<void>
}

/** Fixtures of a worker. */
export interface WorkerFixtures {
  /** Options of the emulator, for `use` in the configuration. Default: none. */
  emulatorOptions: TestEmulatorOptions
  /** The worker's emulator. */
  testEmulator: TestEmulator
  /**
   * The game, with this emulator as its service. Default: Vite's development server, in the folder in which Playwright runs; the game uses
   * `foyer()` of `foyer-sdk/vite`. Replace it with `test.extend`.
   */
  game: ServedGame
}

/** Fixtures of a test. */
export interface GameFixtures {
  /** The worker's emulator. Each test begins with the same state, clock and limits, without faults and without earlier requests. */
  emulator: Emulator
  /** Starts the sign-in on a page. Default: clicks the first button whose name contains "sign in". Replace it with `test.extend`. */
  startSignIn: (page: Page) => Promise<void>
  /** Opens a page of the game for each of the first players of the seed, and signs them in by the real exchange, as a person would. */
  players: (count: number, path?: string) => Promise<PagePlayer[]>
}

/**
 * Playwright's `test` with the fixtures `emulator` and `players`. Each worker has an emulator and serves the game. A failed test has the
 * requests attached, with the rules that refused them.
 *
 * @example
 * ```ts
 * import { expect, test } from 'foyer-emulator/playwright'
 *
 * test('two players meet', async ({ players }) => {
 *   const [ada, ben] = await players(2, '/?room=moon')
 *   await ada.page.getByRole('button', { name: 'Join' }).click()
 *   await expect(ben.page.getByText('Ada Quinn')).toBeVisible()
 * })
 * ```
 */
export const test = base.extend<GameFixtures, WorkerFixtures>({
  emulatorOptions: [{}, { option: true, scope: 'worker' }],
  testEmulator: [
    async ({ emulatorOptions }, use) => {
      const made = await createTestEmulator(emulatorOptions)
      await use(made)
      await made.emulator.close()
    },
    { scope: 'worker' },
  ],
  game: [
    async ({ testEmulator }, use) => {
      const game = await serveWithVite(testEmulator.emulator)
      await use(game)
      await game.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ game }, use) => use(game.url),
  emulator: async ({ testEmulator }, use, testInfo) => {
    testEmulator.restore()
    const { emulator } = testEmulator
    await use(emulator)
    if (testInfo.status === testInfo.expectedStatus) return
    await testInfo.attach('requests to the emulator', {
      body: describeRequests(emulator),
      contentType: 'text/plain',
    })
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
  startSignIn: async ({}, use) => use(clickSignIn),
  players: async ({ browser, game, emulator, startSignIn }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (count, path = '/') =>
      Promise.all(
        firstPlayers(emulator, count).map(async (user) => {
          const context = await browser.newContext({ baseURL: game.url })
          contexts.push(context)
          const page = await context.newPage()
          await page.goto(path)
          const consent = untilConsent(page, emulator)
          await startSignIn(page)
          await approve(await consent, user)
          return { ...user, page }
        }),
      ),
    )
    await Promise.all(contexts.map((context) => context.close()))
  },
})

const clickSignIn = async (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /sign in/i })
    .first()
    .click()

/** The page that asks for consent: a popup, or the page of the game itself. */
async function untilConsent(page: Page, { url }: Emulator): Promise<Page> {
  return Promise.race([
    page.waitForEvent('popup'),
    page.waitForURL((at) => at.href.startsWith(url)).then(() => page),
  ])
}

/** Chooses the player and approves, and waits until the consent page has gone. */
async function approve(consent: Page, { id }: EmulatorUser): Promise<void> {
  await consent.locator(`input[type=radio][value="${id}"]`).check()
  const address = consent.url()
  await consent.getByRole('button', { name: 'Approve' }).click()
  await Promise.race([
    consent.waitForEvent('close'),
    consent.waitForURL((at) => at.origin !== new URL(address).origin),
  ])
}

export async function serveWithVite(emulator: Emulator): Promise<{ url: string; close(): Promise<void> }> {
  // The plugin of the SDK uses the emulator that they name.
  Object.assign(process.env, environment(emulator))
  const server = await createServer({ logLevel: 'error', server: { port: 0 } })
  await server.listen(0)
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
