/** The examples in a real Chromium: each is copied, started and played. */
import { createServer } from 'node:http'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEmulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { axeFaults } from '../browser/demo-page'
import { launchChromium } from '../support/chromium'
import { approve } from '../support/consent-page'
import { copyExample, serveExample } from '../support/example-project'
import { linkEngine, requireGameEngines } from '../support/game-engines'
import { listen } from '../support/loopback'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(url)
  return { page, complaints }
}

async function signIn(page: Page, press: () => Promise<void>, name?: string): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
  await approve(popup, name)
}

test('vanilla: signs in, chats in a lobby, is in both after a reload, leaves, and leaves with a sign-out too', async () => {
  const { page, complaints } = await open(await serveExample(copyExample('vanilla')))
  await signIn(page, () => page.click('#sign-in'))
  await page.getByText('Welcome, Ada Quinn!').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('Players: 1').waitFor()
  await page.getByRole('button', { name: 'Say hello' }).click()
  await page.getByText('Ada Quinn: Hello!').waitFor()
  await page.reload()
  await page.getByText('Welcome, Ada Quinn!').waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('button', { name: 'Leave' }).waitFor()
  const leaving = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await leaving).status()).toBe(204)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('react: signs in, joins, chats and leaves, and keeps the lobby when a module is edited', async () => {
  const root = copyExample('react', ['react', 'react-dom', '@vitejs/plugin-react'])
  const { page, complaints } = await open(await serveExample(root))
  await signIn(page, () => page.getByRole('button', { name: 'Sign in' }).click())
  await page.getByText('Welcome, Ada Quinn!').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('joined, players at the join: 1').waitFor()
  await page.getByRole('button', { name: 'Say hello' }).click()
  await page.getByText('Ada Quinn: Hello!').waitFor()
  const file = join(root, 'src/Game.tsx')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('at the join', 'around the fire'))
  await page.getByText('joined, players around the fire: 1').waitFor()
  // The message is still there: Fast Refresh has neither left the lobby nor made another client.
  await page.getByText('Ada Quinn: Hello!').waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('joined, players around the fire: 1').waitFor()
  // A sign-out leaves first: nobody sees the player among the members any more.
  const leaving = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await leaving).status()).toBe(204)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(complaints).toEqual([])
})

test('phaser: two players sign in on the canvas, and race for a star', async (context) => {
  requireGameEngines(context)
  const root = copyExample('phaser')
  linkEngine('phaser', root)
  const url = await serveExample(root)
  const [ada, bruno] = [await open(url), await open(url)]
  for (const [{ page }, name] of [[ada, 'Ada Quinn'] as const, [bruno, 'Bruno'] as const]) {
    await page.waitForFunction(() => document.title === 'Who are you?')
    await signIn(page, () => page.mouse.click(400, 330), name)
  }
  // Each sees the other one's ship, and where it flies.
  for (const { page } of [ada, bruno])
    await page.waitForFunction(() => document.title === 'Ada Quinn 0 · Bruno 0')
  await bruno.page.mouse.click(271, 197)
  for (const { page } of [ada, bruno])
    await page.waitForFunction(() => document.title === 'Ada Quinn 0 · Bruno 1')
  // Who closes the page is gone.
  await bruno.page.close({ runBeforeUnload: true })
  await ada.page.waitForFunction(() => document.title === 'Ada Quinn 0')
  expect([...ada.complaints, ...bruno.complaints]).toEqual([])
})

test('pixi: two players sign in on the canvas, and each sees the stars of the other', async (context) => {
  requireGameEngines(context)
  const root = copyExample('pixi')
  linkEngine('pixi.js', root)
  const url = await serveExample(root)
  const pages = [await open(url), await open(url)]
  for (const { page } of pages) {
    await page.waitForFunction(() => document.title === 'Who are you?')
    await signIn(page, () => page.mouse.click(400, 300))
    await page.waitForFunction(() => document.title === 'Tap the sky')
  }
  for (const { page } of pages) await page.mouse.click(200, 200)
  for (const { page } of pages) await page.waitForFunction(() => document.title === '2 stars')
  expect(pages.flatMap(({ complaints }) => complaints)).toEqual([])
})

test.for([
  { name: 'phaser', engine: 'phaser', button: 330 },
  { name: 'pixi', engine: 'pixi.js', button: 300 },
])('$name: the canvas fills every window, on a dark page with a heading', async (example, context) => {
  requireGameEngines(context)
  const root = copyExample(example.name)
  linkEngine(example.engine, root)
  const { page, complaints } = await open(await serveExample(root))
  await page.waitForFunction(() => document.title === 'Who are you?')
  const sizes = [
    { width: 1600, height: 600 },
    { width: 400, height: 800 },
    { width: 1440, height: 900 },
  ]
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.locator('canvas').boundingBox()).toEqual({ x: 0, y: 0, ...size })
  }
  expect(await page.getByRole('main').getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  expect(await axeFaults(page)).toEqual([])
  // The field of 800 × 600 is in the middle, 1.5 times as large.
  await signIn(page, () => page.mouse.click(720, 450 + (example.button - 300) * 1.5))
  await page.waitForFunction(() => document.title !== 'Who are you?')
  expect(complaints).toEqual([])
})

test('classic-script: a page without a build step', async () => {
  const emulator = await createEmulator()
  onTestFinished(() => emulator.close())
  const folder = 'examples/classic-script'
  const files: Record<string, string> = {
    '/': readFileSync(`${folder}/index.html`, 'utf8'),
    '/game.js': readFileSync(`${folder}/game.js`, 'utf8').replace('http://127.0.0.1:4320', emulator.url),
    '/foyer.js': readFileSync('dist/umd/index.umd.js', 'utf8'),
    '/callback.html': readFileSync('dist/callback/callback.html', 'utf8'),
    '/callback.js': readFileSync('dist/callback/callback.js', 'utf8'),
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/'
    response
      .writeHead(200, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' })
      .end(files[path] ?? '')
  })
  const { port, close } = await listen(server)
  onTestFinished(close)
  const { page, complaints } = await open(`http://localhost:${port}/`)
  await signIn(page, () => page.click('#sign-in'))
  await page.getByText('Welcome, Ada Quinn!').waitFor()
  expect(complaints).toEqual([])
})

/** Folders of the examples. The package folder beside them has a link to this repository, which contains it. */
const NAMES = readdirSync('examples').filter((name) => name !== 'node_modules')
/** Paths of an example's own files, from the root of the repository. */
const filesOf = (name: string) =>
  readdirSync(join('examples', name), { recursive: true, encoding: 'utf8' })
    .filter((path) => !/node_modules|dist/.test(path))
    .map((path) => join('examples', name, path))

test('the examples share one style sheet', () => {
  const sheets = NAMES.filter((name) => name !== 'four-in-a-row')
    .flatMap(filesOf)
    .filter((path) => path.endsWith('style.css'))
  expect(sheets.length).toBeGreaterThan(5)
  expect(new Set(sheets.map((path) => readFileSync(path, 'utf8'))).size).toBe(1)
})

test('each example has a README that names its command', () => {
  expect(NAMES).toContain('electron-vite')
  for (const name of NAMES)
    expect(readFileSync(join('examples', name, 'README.md'), 'utf8')).toContain('`npm run dev`')
})
