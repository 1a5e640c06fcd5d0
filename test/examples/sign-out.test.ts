/** A sign-out in games of `npm create foyer`: it leaves the lobby at the service, and the next player begins anew. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve } from '../support/consent-page'
import { run } from '../support/packed-package'
import { startExample } from '../support/start-example'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
  run(process.execPath, ['scripts/link-examples.mjs'], process.cwd())
})
afterAll(() => browser.close())

/** The controls of a game. */
interface Controls {
  signIn: (page: Page) => Promise<void>
  /** Resolves when a player who has signed in is in no lobby yet. Games without it join by themselves. */
  alone?: (page: Page) => Promise<void>
  /** Brings a player who has signed in into a lobby. */
  enter: (page: Page) => Promise<void>
  signOut: (page: Page) => Promise<void>
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const seen = (page: Page, text: RegExp | string) => page.getByText(text).first().waitFor()
const usual = {
  signIn: (page: Page) => press(page, 'Sign in'),
  signOut: (page: Page) => press(page, 'Sign out'),
}
const withJoin: Controls = {
  ...usual,
  alone: (page) => page.getByRole('button', { name: 'Join', exact: true }).waitFor(),
  enter: async (page) => {
    await press(page, 'Join')
    await page.getByRole('button', { name: 'Leave', exact: true }).waitFor()
  },
}

const GAMES: Record<string, Controls> = {
  vanilla: withJoin,
  react: {
    ...withJoin,
    enter: async (page) => {
      await press(page, 'Join')
      await seen(page, /players at the join: 1/)
    },
  },
  'four-in-a-row': {
    signIn: (page) => press(page, 'Sign in and play'),
    alone: (page) => page.getByRole('button', { name: 'New board' }).waitFor(),
    enter: async (page) => {
      await press(page, 'New board')
      await seen(page, /Waiting/)
      await page.reload()
      await seen(page, /Waiting/)
    },
    signOut: async (page) => {
      await press(page, 'Leave')
      await press(page, 'Sign out')
    },
  },
}

async function signIn(page: Page, game: Controls, name: string): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), game.signIn(page)])
  await approve(popup, name)
}

test.each(Object.entries(GAMES))(
  '%s: who signs out leaves, the next player joins when told to, and the console has no error',
  async (name, game) => {
    const profile = await browser.newContext({ viewport: { width: 800, height: 600 } })
    onTestFinished(() => profile.close())
    const page = await profile.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(await startExample(name))
    await signIn(page, game, 'Ada Quinn')
    await game.enter(page)
    const leaving = page.waitForResponse(
      (response) => response.request().method() === 'DELETE' && response.url().endsWith('/members/@me'),
    )
    await game.signOut(page)
    expect((await leaving).status()).toBe(204)
    await signIn(page, game, 'Bruno')
    await game.alone?.(page)
    await game.enter(page)
    expect(await page.getByText('Ada Quinn').count()).toBe(0)
    expect(complaints).toEqual([])
  },
)
