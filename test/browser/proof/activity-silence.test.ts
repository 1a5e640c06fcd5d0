/** A frame of the Activity's host page that stays silent: the page says why after five seconds, and what to do. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serveActivityGame } from '../../support/activity-game'
import { launchChromium } from '../../support/chromium'
import { listen } from '../../support/loopback'

let browser: Browser
let page: Page
/** What the browser has written into the console of the page. */
const complaints: string[] = []
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
afterEach(async () => {
  await page.context().close()
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** The address of a page that answers with these headers and this text, and never speaks to its host unless its script does. */
async function servePage({
  status = 200,
  headers = {},
  body = '<!doctype html><title>Game</title>',
} = {}): Promise<string> {
  const { port, close } = await listen(
    createServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body),
    ),
  )
  cleanups.push(close)
  return `http://localhost:${port}/`
}

/** The host page around the game, with the page's own time in the test's hands. */
async function open(game: string): Promise<Emulator> {
  const emulator = await createEmulator({ activityUrl: game })
  cleanups.push(() => emulator.close())
  page = await (await browser.newContext()).newPage()
  complaints.length = 0
  page.on('console', (message) => complaints.push(message.text()))
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1000)
  await page.goto(emulator.activity.launch({ as: 'ada' }).url)
  await page.locator('iframe').waitFor({ state: 'attached' })
  return emulator
}

const why = () => page.getByRole('region', { name: 'Ada Quinn' }).locator('.why')

test('a game that never begins the conversation is told how to, and not before five seconds', async () => {
  await open(await servePage())
  await page.clock.fastForward(4900)
  expect(await why().isVisible()).toBe(false)
  await page.clock.fastForward(200)
  await expect.poll(() => why().textContent()).toContain('call client.activity.connect()')
})

test('a game whose server is not running is named with its address', async () => {
  const gone = await listen(createServer())
  await gone.close()
  await open(`http://localhost:${gone.port}/`)
  await page.clock.fastForward(5100)
  await expect.poll(() => why().textContent()).toContain(`Nothing answers at http://localhost:${gone.port}`)
})

test.each([
  ['an address that the game’s server does not know', { status: 404 }, 'answers 404'],
  ['a game that forbids frames', { headers: { 'x-frame-options': 'DENY' } }, 'X-Frame-Options'],
  [
    'a game that forbids this host',
    { headers: { 'content-security-policy': "frame-ancestors 'none'" } },
    'Content-Security-Policy',
  ],
])('%s is named', async (_case, answer, words) => {
  await open(await servePage(answer))
  await page.clock.fastForward(5100)
  await expect.poll(() => why().textContent()).toContain(words)
})

test('a game that admits the host page but not the chat around it is told both origins', async () => {
  const game = await servePage({
    headers: { 'content-security-policy': 'frame-ancestors http://localhost:*' },
  })
  const emulator = await createEmulator({ activityUrl: game })
  cleanups.push(() => emulator.close())
  page = await (await browser.newContext()).newPage()
  await page.clock.install({ time: 0 })
  await page.goto(`${emulator.url}/chat`)
  await page.getByRole('button', { name: 'Launch' }).click()
  const host = page.frameLocator('iframe[title^="The Activity, as Ada Quinn"]')
  await host.locator('iframe').waitFor({ state: 'attached' })
  await page.clock.fastForward(5100)
  await expect
    .poll(() => host.locator('.why').textContent())
    .toContain(`Let ${new URL(emulator.activity.url ?? '').origin} and ${emulator.url} frame it.`)
})

test('a game that leads to another origin is named', async () => {
  const elsewhere = await servePage()
  await open(
    await servePage({
      body: `<!doctype html><title>Game</title><script>location.replace('${elsewhere}')</script>`,
    }),
  )
  await expect.poll(() => complaints.some((text) => text.includes('frame-src'))).toBe(true)
  await page.clock.fastForward(5100)
  await expect.poll(() => why().textContent()).toContain('The game leads to another address')
})

test('a game whose messages come from another origin is told which', async () => {
  const headers = { 'content-security-policy': 'sandbox allow-scripts' }
  await open(
    await servePage({
      headers,
      body: '<!doctype html><title>Game</title><script>parent.postMessage([1, {}], "*")</script>',
    }),
  )
  await page.getByText('message of another origin dropped').waitFor({ state: 'attached' })
  await page.clock.fastForward(5100)
  await expect.poll(() => why().textContent()).toContain('Messages came from null')
})

test('a game that shook hands is left alone', async () => {
  const gone = await createEmulator()
  cleanups.push(() => gone.close())
  const game = await serveActivityGame(gone)
  cleanups.push(game.close)
  await open(game.url)
  await page.frameLocator('iframe').locator('body[data-ready=yes]').waitFor()
  await page.clock.fastForward(6000)
  expect(await why().isVisible()).toBe(false)
})
