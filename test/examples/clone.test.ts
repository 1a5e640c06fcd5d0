/** The examples in a clone of the repository: `npm run dev` in the folder of one starts it, with nothing installed there. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { requireGameEngines } from '../support/game-engines'
import { run } from '../support/packed-package'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
  // As at the end of `npm ci`: the engines of this lane are there now.
  run(process.execPath, ['scripts/link-examples.mjs'], process.cwd())
})
afterAll(() => browser.close())

/** Starts the example as a person would. Resolves with the address that it prints. */
function startExample(name: string): Promise<string> {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  const options = { cwd: join('examples', name), env: { ...env, NO_COLOR: '1' }, shell: true, detached: true }
  const command = spawn('npm run dev -- --port 0', { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => command.once('close', resolve))
  onTestFinished(async () => {
    if (command.pid !== undefined && command.exitCode === null && command.signalCode === null)
      process.kill(-command.pid, 'SIGTERM')
    await ended
  })
  let output = ''
  return new Promise((resolve, reject) => {
    const look = (text: unknown) => {
      output += String(text)
      const url = /Local:\s+(http\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    }
    command.stdout.on('data', look)
    command.stderr.on('data', look)
    void ended.then(() => reject(new Error(`${name} has ended:\n${output}`)))
  })
}

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
