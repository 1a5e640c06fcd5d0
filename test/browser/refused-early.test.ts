/** Sign-ins that cannot succeed end at once with a code, in real Chromium: before the popup opens, or while it shows something else. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Emulator } from 'foyer-emulator'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { popupAfter, approve } from '../support/consent-page'
import { listen } from '../support/loopback'

const chromium = useBrowserGame()

const expectOutcome = (page: Page, outcome: string) =>
  page.locator('#outcome', { hasText: outcome }).waitFor()
const lastMessage = (page: Page) =>
  page.evaluate(() => (window as unknown as { messages: string[] }).messages.at(-1))

/** Page of a game that is opened from the disk. */
const pageByFile = ({
  application,
  url,
}: Emulator): string => `<!doctype html><title>Game</title><button id="popup">Popup</button>
<output id="outcome"></output><script src="foyer.js"></script><script>
  const client = new Foyer.Client({ applicationId: '${application.id}', service: { host: '${url}' } })
  document.querySelector('#popup').onclick = () => client.signIn().catch(({ message }) => (document.querySelector('#outcome').textContent = message))
</script>`

describe('before a popup opens', () => {
  it('a page without crypto.subtle, as over plain http, is told so', async () => {
    await chromium.context.addInitScript('delete Crypto.prototype.subtle')
    const { page } = await chromium.open()
    await page.click('#popup')
    await expectOutcome(page, 'unsupported')
    expect(chromium.context.pages()).toHaveLength(1)
    expect(await lastMessage(page)).toContain('https')
  })

  it('a frame with an opaque origin is told so', async () => {
    const { game, page } = await chromium.open()
    const body = `<!doctype html><title>Portal</title><iframe sandbox="allow-scripts allow-popups" src="${game.url}"></iframe>`
    const { port, close } = await listen(
      createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)),
    )
    chromium.cleanups.push(close)
    await page.goto(`http://127.0.0.1:${port}/`)
    const frame = page.frameLocator('iframe')
    await frame.locator('#outcome', { hasText: 'nobody' }).waitFor()
    await frame.locator('#popup').click()
    await frame.locator('#outcome', { hasText: 'unsupported' }).waitFor()
    expect(chromium.context.pages()).toHaveLength(1)
  })

  it('a page whose own policy forbids the service is told the line to add', async () => {
    const { emulator, page } = await chromium.open()
    await page.evaluate(() => {
      const meta = document.createElement('meta')
      meta.httpEquiv = 'Content-Security-Policy'
      meta.content = "connect-src 'self'"
      document.head.append(meta)
    })
    await page.click('#popup')
    await page.waitForFunction('messages.at(-1)')
    expect(await lastMessage(page)).toContain(`add ${emulator.url} to connect-src`)
  })

  it('a page by file:// is told to be served', async () => {
    const { emulator, page } = await chromium.open()
    const folder = mkdtempSync(join(tmpdir(), 'foyer-file-'))
    chromium.cleanups.push(async () => rmSync(folder, { recursive: true }))
    copyFileSync('dist/umd/index.umd.js', join(folder, 'foyer.js'))
    writeFileSync(join(folder, 'index.html'), pageByFile(emulator))
    await page.goto(pathToFileURL(join(folder, 'index.html')).href)
    await page.click('#popup')
    await expectOutcome(page, 'unsupported: opaque origin. Serve the page over http')
    expect(chromium.context.pages()).toHaveLength(1)
  })

  it('a frame whose sandbox has no allow-popups is told so', async () => {
    const { game, page } = await chromium.open()
    const body = `<!doctype html><title>Portal</title><iframe sandbox="allow-scripts allow-same-origin" src="${game.url}"></iframe>`
    const { port, close } = await listen(
      createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)),
    )
    chromium.cleanups.push(close)
    await page.goto(`http://localhost:${port}/`)
    const frame = page.frameLocator('iframe')
    await frame.locator('#popup').click()
    await frame.locator('#outcome', { hasText: 'popup_blocked' }).waitFor()
    expect(await page.frames()[1]?.evaluate('messages.at(-1)')).toContain('a sandbox needs allow-popups')
  })

  it.each([
    ['throws', 'window.open = () => { throw new Error("no") }', ''],
    [
      'opens none in pointerdown',
      'window.open = () => null; Object.defineProperty(navigator, "userActivation", { value: { isActive: false } })',
      'pointerup or click',
    ],
  ])('a browser whose window.open %s is popup_blocked', async (_, script, message) => {
    await chromium.context.addInitScript(script)
    const { page } = await chromium.open()
    await page.click('#popup')
    await expectOutcome(page, 'popup_blocked')
    expect(await lastMessage(page)).toContain(message)
  })
})

describe('a popup that cannot answer', () => {
  const other = '<!doctype html><title>Game</title><script src="/game.js"></script>'
  it.each<[string, Record<string, string | undefined>, string]>([
    ['callback.html is not there', { '/callback.html': undefined }, '/callback.html is not there'],
    ['callback.html is the page of the game', { '/callback.html': other }, '/callback.html is another page'],
    ['callback.js is not there', { '/callback.js': undefined }, '/callback.js is not there'],
    ['callback.js is the page of the game', { '/callback.js': other }, '/callback.js is not there'],
    [
      'callback.js is of another version',
      { '/callback.js': '/*! foyer-callback 0 */' },
      '/callback.js is of another version',
    ],
  ])('closes at once when %s', async (_, replaced, message) => {
    await chromium.context.addInitScript(
      'const { open } = window; window.open = (...given) => (window.popup = open(...given))',
    )
    const { page } = await chromium.open({ replaced })
    await page.click('#popup')
    await expectOutcome(page, 'callback_unavailable')
    expect(await lastMessage(page)).toContain(message)
    // A timer, since the browser paints no page behind an open popup.
    await page.waitForFunction('window.popup.closed', undefined, { polling: 100 })
  })

  it('closes half a second later when the browser loses the first close()', async () => {
    await chromium.context.addInitScript(`const { open } = window
      window.open = (...given) => {
        const popup = (window.popup = open(...given))
        let calls = 0
        return { close: () => void (calls++ && popup.close()), get closed() { return popup.closed } }
      }`)
    const { page } = await chromium.open({ replaced: { '/callback.html': undefined } })
    await page.click('#popup')
    await expectOutcome(page, 'callback_unavailable')
    await page.waitForFunction('window.popup.closed', undefined, { polling: 100 })
  })

  it('closes when a service worker answers for the callback page with another page', async () => {
    const worker = `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()))
      addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(new Response('<!doctype html><title>Other</title>', { headers: { 'content-type': 'text/html' } })) })`
    const { page } = await chromium.open({ replaced: { '/worker.js': worker } })
    await page.evaluate(async () => {
      const isControlled = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
      await navigator.serviceWorker.register('/worker.js')
      await isControlled
    })
    await approve(await popupAfter(page, '#popup'))
    await expectOutcome(page, 'callback_unavailable')
    expect(await lastMessage(page)).toContain(
      '/callback.html shows another page in the window: keep service workers (navigateFallback) away',
    )
  })

  it('closes at once when no emulator runs, and the message says to start it', async () => {
    const { page, emulator } = await chromium.open()
    await emulator.close()
    await page.click('#popup')
    await expectOutcome(page, 'connection_failed')
    expect(await lastMessage(page)).toContain(`Nothing answers at ${emulator.url}: start the emulator`)
  })

  it('closes at once when the emulator does not know the application', async () => {
    const { page } = await chromium.open({ applicationId: '1' })
    await page.click('#popup')
    await expectOutcome(page, 'invalid_client')
  })

  it('closes at once when the redirect URI is not registered', async () => {
    const { page, game } = await chromium.open()
    await page.goto(`${game.url}/`)
    await page.evaluate(() => history.replaceState(null, '', '/elsewhere/'))
    await page.route('**/elsewhere/callback.html*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!-- foyer-callback 1 -->' }),
    )
    await page.route('**/elsewhere/callback.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '/*! foyer-callback 1 */' }),
    )
    await page.click('#popup')
    await expectOutcome(page, 'invalid_request')
  })
})

it('an indexedDB that throws when it is named, and a browser without Array.prototype.at, break no call of a signed-in player', async () => {
  await chromium.context.addInitScript(`delete Array.prototype.at
    Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('', 'SecurityError') } })`)
  const { page } = await chromium.open()
  await approve(await popupAfter(page, '#popup'))
  await expectOutcome(page, 'signed in')
  const name = await page.evaluate(() =>
    (window as unknown as { client: { fetchCurrentUser(): Promise<{ username: string }> } }).client
      .fetchCurrentUser()
      .then(({ username }) => username, String),
  )
  expect(name).toBe('ada')
})
