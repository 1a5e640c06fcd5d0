/** A game page, an emulator and a real Chromium for the tests of one file: opened and closed for each test. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type ChromiumOptions, launchChromium } from './chromium'
import { type GamePage, type GamePageOptions, serveGame } from './game-page'

export interface BrowserGame {
  emulator: Emulator
  game: GamePage
  page: Page
}

/** Registers the hooks of the calling file. Every function pushed to `cleanups` runs after the test. */
export function useBrowserGame(launchOptions: ChromiumOptions = {}) {
  let browser: Browser
  const file = {
    /** Emulator of the current test. */
    context: undefined as unknown as BrowserContext,
    cleanups: [] as (() => Promise<unknown>)[],
    /** Loads the game's page with an emulator. */
    async open(
      options: GamePageOptions = {},
      pageHeaders: Record<string, string> = {},
    ): Promise<BrowserGame> {
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
