/** The hooks of `foyer-sdk/react` in a real Chromium, with the development builds of React 18 and 19: StrictMode, SSR and Suspense. */
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approve, deny, popupAfter } from '../support/consent-page'
import { launchChromium } from '../support/chromium'
import { findPlayer } from '../support/find-player'
import { listen, type Listening } from '../support/loopback'
import { buildApp, type BuiltApp, type ReactVersion } from '../support/react/build-app'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

describe.each([18, 19] as ReactVersion[])('React %i', (version) => {
  let app: BuiltApp
  let emulator: Emulator
  let game: Listening
  let page: Page
  let complaints: string[]
  /** Rejects with the first error of the page, so that nothing waits for what such a page cannot show. */
  let pageError: Promise<never>

  beforeAll(async () => {
    app = await buildApp(version)
  })
  beforeEach(async () => {
    emulator = await createEmulator({ limits: 'development' })
    game = await listen(
      createServer((request, response) =>
        answer(request.url ?? '/', (type, text) =>
          response.writeHead(200, { 'content-type': type }).end(text),
        ),
      ),
    )
    page = await browser.newPage()
    complaints = []
    pageError = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => Promise.reject(error))
    pageError.catch(() => undefined)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  })
  afterEach(async () => {
    await page.context().close()
    await game.close()
    await emulator.close()
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`)
  })

  function answer(url: string, send: (type: string, text: string) => void): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const config = {
      applicationId: emulator.application.id,
      host: emulator.url,
      store: searchParams.has('store'),
    }
    const html = searchParams.has('ssr') ? app.server.renderApp(config) : ''
    if (pathname === '/page.mjs') send('text/javascript', app.script)
    else if (pathname === '/callback.html')
      send('text/html', readFileSync('dist/callback/callback.html', 'utf8'))
    else if (pathname === '/callback.js')
      send('text/javascript', readFileSync('dist/callback/callback.js', 'utf8'))
    else if (pathname !== '/') send('text/plain', '')
    else
      send(
        'text/html',
        `<!doctype html><link rel="icon" href="data:,"><div id="root">${html}</div><script id="config" type="application/json">${JSON.stringify(config)}</script><script type="module" src="/page.mjs"></script>`,
      )
  }

  const open = (query = '') => page.goto(`http://localhost:${game.port}/${query}`)
  const text = (id: string) => page.locator(`#${id}`).textContent()
  const shows = (id: string, expected: RegExp | string) =>
    Promise.race([page.locator(`#${id}`, { hasText: expected }).waitFor(), pageError])
  const sent = (method: string, path: RegExp) =>
    emulator.requests.filter((each) => each.method === method && path.test(each.path)).length
  const joins = () => sent('PUT', /\/lobbies$/)
  const leaves = () => sent('DELETE', /\/lobbies\/\d+\/members\/@me$/)

  async function signIn(): Promise<void> {
    await approve(await popupAfter(page, '#sign-in'))
    await shows('player', findPlayer(emulator, 'ada').id)
  }

  test('is the React of this version, in StrictMode, and finds the client of the provider', async () => {
    await open()
    await shows('player', 'nobody')
    expect(await page.title()).toMatch(`React ${version}.`)
    expect(await text('application')).toBe(emulator.application.id)
  })

  test('useSession signs in by popup, and out', async () => {
    await open()
    await signIn()
    expect(await text('player')).toBe(`${findPlayer(emulator, 'ada').id} ready`)
    await page.click('#sign-out')
    await shows('player', 'nobody disconnected')
  })

  test('a refusal is a state, not an unhandled rejection, and the next attempt clears it', async () => {
    await open()
    await deny(await popupAfter(page, '#sign-in'))
    await shows('player', 'nobody disconnected access_denied')
    await signIn()
    expect(await text('player')).toBe(`${findPlayer(emulator, 'ada').id} ready`)
  })

  test('a reload resumes the session without showing a page for nobody', async () => {
    await open('?store')
    await signIn()
    await open('?store')
    await shows('player', 'ready')
    const renders = await page.evaluate(() => globalThis.renders)
    expect(renders?.[0]).toBe('resuming')
    expect(renders?.filter((each) => each.startsWith('nobody'))).toEqual([])
  })

  test('two components with one secret join once, though StrictMode mounts each twice, and leave after the last', async () => {
    await open()
    await signIn()
    await page.click('#toggle-first')
    await page.click('#toggle-second')
    await shows('first', 'joined 1')
    await shows('second', 'joined 1')
    expect([joins(), leaves()]).toEqual([1, 0])
    await page.click('#toggle-first')
    await page.click('#toggle-first')
    await shows('first', 'joined 1')
    await page.click('#toggle-first')
    await page.click('#toggle-second')
    await expect.poll(leaves).toBe(1)
    expect(joins()).toBe(1)
  })

  test('a component that is mounted before the sign-in joins after it, and ends with the session', async () => {
    await open()
    await page.click('#toggle-first')
    await shows('first', 'idle')
    await signIn()
    await shows('first', 'joined 1')
    await page.click('#sign-out')
    await shows('first', 'idle')
    expect(joins()).toBe(1)
  })

  test('a message reaches the component', async () => {
    await open()
    await signIn()
    await page.click('#toggle-first')
    await shows('first', 'joined 1')
    await page.click('#send-first')
    await shows('first', 'joined 1 hello')
    expect(await text('first')).toBe('joined 1 hello')
  })

  test('a refused join is a state', async () => {
    await open()
    await signIn()
    emulator.faults([
      {
        match: { method: 'PUT', path: '/api/v10/lobbies' },
        times: 1,
        effect: { status: 403, body: { code: 50001, message: 'Missing Access' } },
      },
    ])
    await page.click('#toggle-first')
    await shows('first', 'failed 0  missing_access')
    // Chromium reports the refused request itself.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403')])
  })

  test('useRateLimits follows the usage', async () => {
    await open()
    await signIn()
    await page.click('#toggle-first')
    await shows('limits', /join_lobby \d+/)
    expect(await text('limits')).not.toBe('')
  })

  test('an unmounted provider leaves the lobby before it closes its client; mounted again, it works again', async () => {
    await open()
    await signIn()
    await page.click('#toggle-first')
    await shows('first', 'joined 1')
    await page.click('#unmount')
    await expect.poll(leaves).toBe(1)
    await page.click('#unmount')
    await signIn()
  })

  test('a tree that waits in Suspense joins when it is shown, and once', async () => {
    await open()
    await signIn()
    await page.click('#toggle-suspended')
    await page.waitForFunction(() => typeof globalThis.showSlow === 'function')
    await page.evaluate(() => globalThis.showSlow?.())
    await shows('slow', 'shown')
    await shows('third', 'joined 1')
    expect(joins()).toBe(1)
  })

  test('the server renders a page without a session, and the page takes it over without a warning', async () => {
    const config = { applicationId: emulator.application.id, host: emulator.url }
    expect(app.server.renderApp(config)).toContain('<output id="player">resuming</output>')
    expect(emulator.requests).toEqual([])
    await open('?ssr')
    await signIn()
  })

  test('a hook outside of a provider throws, with what to do', () => {
    expect(() => app.server.renderLost()).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringContaining('<FoyerProvider>'),
      }),
    )
  })
})
