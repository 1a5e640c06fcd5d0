/** The examples in a clone of the repository: `npm run dev` in the folder of one starts it, with nothing installed there. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { requireGameEngines } from '../support/game-engines'
import { run } from '../support/packed-package'
import { startExample } from '../support/start-example'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
  // As at the end of `npm ci`: the engines of this lane are there now.
  run(process.execPath, ['scripts/link-examples.mjs'], process.cwd())
})
afterAll(() => browser.close())

async function expectStart(name: string, title: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 700 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(await startExample(name))
  await page.waitForFunction((expected) => document.title === expected, title)
  if (title === 'My game') await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
}

test.each([
  ['vanilla', 'My game'],
  ['react', 'My game'],
  ['hono-backend', 'My game'],
  ['workers-backend', 'My game'],
  ['four-in-a-row', 'Four in a row'],
  ['classic-script', 'My game'],
])('%s starts in a clone, and fits a phone', expectStart)

test.each([['phaser'], ['pixi']])('%s starts in a clone, and fits a phone', async (name) => {
  requireGameEngines({ skip: (reason) => console.warn(reason) })
  await expectStart(name, 'Who are you?')
})

test('workers-backend: two players meet in the Durable Object, chat live, and one leaves', async () => {
  const url = await startExample('workers-backend')
  const complaints: string[] = []
  const arrive = async (name: string): Promise<Page> => {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url)
    await approve(await popupAfter(page, '#sign-in'), name)
    return page
  }
  const [ada, bruno] = [await arrive('Ada Quinn'), await arrive('Bruno')]
  await ada.getByText('Welcome, Ada Quinn! Players in the lobby: 2.').waitFor()
  await bruno.getByText('Welcome, Bruno! Players in the lobby: 2.').waitFor()
  await bruno.getByRole('button', { name: 'Say hello' }).click()
  await ada.getByText('Bruno: Hello!').waitFor()
  await bruno.getByRole('button', { name: 'Leave' }).click()
  await ada.getByText('Players in the lobby: 1.').waitFor()
  await bruno.getByText('Players in the lobby: 0.').waitFor()
  await bruno.getByRole('button', { name: 'Join' }).click()
  await ada.getByText('Players in the lobby: 2.').waitFor()
  expect(complaints).toEqual([])
})
