/** Signing in with real windows in real Chromium: popup and redirect, and every way in which they go differently. */
import { createServer } from 'node:http'
import type { Emulator } from 'foyer-emulator'
import type { FrameLocator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { approve, deny, popupAfter } from '../support/consent-page'
import type { GamePageOptions } from '../support/game-page'

const ADA = 'signed in 175928847299117063'
const BRUNO = 'signed in 211842960158326785'
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}
const COOP = { 'Cross-Origin-Opener-Policy': 'same-origin' }

const chromium = useBrowserGame()
const openGame: typeof chromium.open = (...options) => chromium.open(...options)

async function expectOutcome(page: Page | FrameLocator, outcome: string): Promise<void> {
  await page.locator('#outcome', { hasText: outcome }).waitFor()
}

/** The game in a frame of a page on another site, which may do there what `sandbox` says. */
async function openFramed(sandbox: string) {
  const { game, page } = await openGame()
  const body = `<!doctype html><title>Portal</title><iframe sandbox="${sandbox}" src="${game.url}"></iframe>`
  const portal = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(body),
  )
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(async () => portal.close())
  const address = portal.address()
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  const frame = page.frameLocator('iframe')
  await expectOutcome(frame, 'nobody')
  return { page, frame }
}

const tokenRequests = (emulator: Emulator) =>
  emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/oauth2/token'))

describe.each<[string, GamePageOptions, Record<string, string>]>([
  ['plain pages', {}, {}],
  ['an authorize page with Cross-Origin-Opener-Policy: same-origin', {}, COOP],
  [
    'a game page with Cross-Origin-Opener-Policy: same-origin-allow-popups',
    { headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' } },
    COOP,
  ],
  ['an isolated game page (COOP and COEP)', { headers: ISOLATED, callbackHeaders: ISOLATED }, {}],
  [
    'an isolated game page and an isolated authorize page',
    { headers: ISOLATED, callbackHeaders: ISOLATED },
    COOP,
  ],
])('with %s', (_, options, pageHeaders) => {
  it('a popup signs the player in and closes itself', async () => {
    const { emulator, page } = await openGame(options, pageHeaders)
    const popup = await popupAfter(page, '#popup')
    const closed = popup.waitForEvent('close')
    await approve(popup)
    await expectOutcome(page, ADA)
    await closed
    expect(tokenRequests(emulator)).toHaveLength(1)
  })

  it('a full-page redirect signs the player in, and a reload of the callback redeems nothing again', async () => {
    const { emulator, game, page } = await openGame(options, pageHeaders)
    await page.click('#redirect')
    await approve(page, 'Bruno')
    await expectOutcome(page, BRUNO)
    expect(page.url()).toBe(`${game.url}/`)
    await page.reload()
    await expectOutcome(page, 'nobody')
    const callback = game.requests.find((path) => path.includes('code='))
    await page.goto(game.url + callback)
    await expectOutcome(page, 'nobody')
    expect(page.url()).toBe(`${game.url}/`)
    expect(tokenRequests(emulator)).toHaveLength(1)
  })
})

describe('a popup', () => {
  it('signs the player in where the browser closes BroadcastChannel to the page, as with storage that is blocked', async () => {
    await chromium.context.addInitScript(
      "window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError') } }",
    )
    const { page } = await openGame()
    const popup = await popupAfter(page, '#popup')
    const closed = popup.waitForEvent('close')
    await approve(popup)
    await expectOutcome(page, ADA)
    await closed
  })

  it('ends as access_denied when the player says no', async () => {
    const { emulator, page } = await openGame()
    await deny(await popupAfter(page, '#popup'))
    await expectOutcome(page, 'access_denied')
    expect(tokenRequests(emulator)).toEqual([])
  })

  it('closes when the game cancels, and the next one succeeds', async () => {
    const { page } = await openGame()
    const first = await popupAfter(page, '#popup')
    const closed = first.waitForEvent('close')
    await page.click('#cancel')
    await expectOutcome(page, 'aborted')
    await closed
    await approve(await popupAfter(page, '#popup'))
    await expectOutcome(page, ADA)
  })

  it('of a cancelled attempt that answers all the same signs nobody in, and its page says where to go', async () => {
    const { emulator, page } = await openGame({ headers: ISOLATED, callbackHeaders: ISOLATED }, COOP)
    const popup = await popupAfter(page, '#popup')
    await popup.getByRole('button', { name: 'Approve' }).waitFor()
    await page.click('#cancel')
    await expectOutcome(page, 'aborted')
    await approve(popup)
    await popup.getByRole('status').filter({ hasText: 'start again there' }).waitFor()
    expect(tokenRequests(emulator)).toEqual([])
    expect(popup.url()).not.toContain('code=')
  })

  it('stays apart from a second one: each attempt gets its own player', async () => {
    const { page } = await openGame()
    const [first, second] = [await popupAfter(page, '#popup'), await popupAfter(page, '#popup')]
    await approve(second, 'Bruno')
    await expectOutcome(page, BRUNO)
    await approve(first)
    await expectOutcome(page, ADA)
    expect(await page.evaluate('outcomes')).toEqual(['nobody', BRUNO, ADA])
  })

  it.each([
    ['', {}],
    [
      ', also over a page that is isolated by Document-Isolation-Policy',
      { headers: { 'Document-Isolation-Policy': 'isolate-and-require-corp' } },
    ],
  ])(
    'that the player closes is hinted at at once, and ends as window_closed after ten seconds%s',
    async (_, options) => {
      await chromium.context.clock.install()
      const { page } = await openGame(options)
      expect(await page.evaluate('crossOriginIsolated')).toBe('headers' in options)
      const popup = await popupAfter(page, '#popup')
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.clock.runFor(1000)
      await popup.close()
      await expect.poll(async () => (await page.clock.runFor(100), page.evaluate('hints'))).toBe(1)
      await page.clock.runFor(9000)
      expect(await page.evaluate('outcomes')).toEqual(['nobody'])
      await page.clock.runFor(2000)
      await expectOutcome(page, 'window_closed')
    },
  )

  it('that the browser blocks ends as popup_blocked at once', async () => {
    const { page } = await openGame()
    await page.evaluate('window.open = () => null')
    await page.click('#popup')
    await expectOutcome(page, 'popup_blocked')
  })

  it('that was opened inside the click is not blocked: nothing is awaited before it', async () => {
    const { page } = await openGame()
    await page.evaluate(`
      const open = window.open
      window.open = (...all) => { window.opened = [navigator.userActivation.isActive, ...all]; return open(...all) }
      document.querySelector('#popup').addEventListener('click', () => { window.inClick = true; queueMicrotask(() => { window.inClick = false }) }, { capture: true })
    `)
    await popupAfter(page, '#popup')
    const [active, url, target] = await page.evaluate<[boolean, string, string]>('opened')
    expect(active).toBe(true)
    expect(target).toBe('_blank')
    expect(new URL(url).pathname).toBe('/oauth2/authorize')
  })
})

describe('a game in a frame of another site', () => {
  const ENOUGH = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

  it('signs the player in by a popup, with no more than the docs ask the portal for', async () => {
    const { page, frame } = await openFramed(ENOUGH)
    const [popup] = await Promise.all([page.waitForEvent('popup'), frame.locator('#popup').click()])
    await approve(popup)
    await expectOutcome(frame, ADA)
  })

  it('whose portal allows no popups ends as popup_blocked', async () => {
    const { frame } = await openFramed('allow-scripts allow-same-origin')
    await frame.locator('#popup').click()
    await expectOutcome(frame, 'popup_blocked')
  })
})

describe('the callback page', () => {
  it('is clean in the address bar before the player sees it, and needs no window.close()', async () => {
    const { page } = await openGame()
    await chromium.context.addInitScript('window.close = () => {}')
    const popup = await popupAfter(page, '#popup')
    await approve(popup)
    await expectOutcome(page, ADA)
    await popup.getByRole('status').filter({ hasText: 'You can close this window' }).waitFor()
    expect(new URL(popup.url()).search).toBe('')
    await popup.getByRole('button', { name: 'Close this window' }).waitFor()
  })

  it('that nobody sent anywhere says so', async () => {
    const { game } = await openGame()
    const page = await chromium.context.newPage()
    await page.goto(`${game.url}/callback.html`)
    await page.getByRole('status').filter({ hasText: 'Nothing to do here' }).waitFor()
    expect(page.url()).toBe(`${game.url}/callback.html`)
  })
})

describe('a redirect', () => {
  it('ends as access_denied when the player says no', async () => {
    const { game, page } = await openGame()
    await page.click('#redirect')
    await deny(page)
    await expectOutcome(page, 'access_denied')
    expect(page.url()).toBe(`${game.url}/`)
  })

  it('from which the page keeps the player by its own dialog ends as window_closed, and the next one succeeds', async () => {
    const { page } = await openGame()
    await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.click('#redirect', { noWaitAfter: true })
    await expectOutcome(page, 'window_closed')
    expect(await page.evaluate('client.status')).toBe('disconnected')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.click('#redirect', { noWaitAfter: true })
    await approve(page)
    await expectOutcome(page, ADA)
  })
})
