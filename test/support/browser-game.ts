/** A game, an emulator and real Chromium for one test file: opened for each test, and closed again. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchChromium } from './chromium'
import { type GamePage, type GamePageOptions, serveGame } from './game-page'

export interface BrowserGame {
  emulator: Emulator
  game: GamePage
  page: Page
}

/** Registers the hooks of the calling file. Everything pushed to `cleanups` is run after the test. */
export function useBrowserGame(launchOptions: LaunchOptions = {}) {
  let browser: Browser
  const file = {
    /** Fresh for each test. */
    context: undefined as unknown as BrowserContext,
    cleanups: [] as (() => Promise<unknown>)[],
    /** A game's page, loaded, with an emulator of its own. */
    async open(options: GamePageOptions = {}, pageHeaders: Record<string, string> = {}): Promise<BrowserGame> {
      const emulator = await createEmulator({ pageHeaders })
      const game = await serveGame(emulator, options)
      file.cleanups.push(
        () => emulator.close(),
        () => game.close(),
      )
      const page = await file.context.newPage()
      await page.goto(game.url)
      await page.locator('#outcome', { hasText: 'nobody' }).waitFor()
      return { emulator, game, page }
    },
  }
  beforeAll(async () => {
    browser = await launchChromium(undefined, launchOptions)
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    file.context = await browser.newContext()
  })
  afterEach(async () => {
    await file.context.close()
    for (const cleanup of file.cleanups.splice(0)) await cleanup()
  })
  return file
}
