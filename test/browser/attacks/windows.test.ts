/** Attacks of other windows, frames and channels in real Chromium. */
import type { Emulator } from 'foyer-emulator'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../../support/browser-game'
import { approve, popupAfter } from '../../support/consent-page'

const ADA = 'signed in 175928847299117063'
const COOP = { 'Cross-Origin-Opener-Policy': 'same-origin' }
const ISOLATED = { ...COOP, 'Cross-Origin-Embedder-Policy': 'require-corp' }

const chromium = useBrowserGame()
const openGame: typeof chromium.open = (...options) => chromium.open(...options)

/** A page of another origin. */
async function serveForeign(html: string): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  chromium.cleanups.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a popup sign-in, and returns the popup and the values that an attacker would have to guess. */
async function beginAttack(page: Page) {
  await page.evaluate(
    '{ const open = window.open; window.open = (url, ...rest) => { window.authorizeUrl = url; return open(url, ...rest) } }',
  )
  const popup = await popupAfter(page, '#popup')
  await popup.getByRole('button', { name: 'Approve' }).waitFor()
  const state = new URL(await page.evaluate<string>('authorizeUrl')).searchParams.get('state') ?? ''
  const { origin } = new URL(page.url())
  const forged = `${origin}/callback.html?code=forged&state=${state}`
  return { popup, state, channel: `foyer:${state} `, forged }
}

/** The attack had no effect: the attempt is still pending, nothing was redeemed, and the player’s own response succeeds. */
async function expectUnharmed(emulator: Emulator, page: Page, popup: Page): Promise<void> {
  expect(await page.evaluate('outcomes')).toEqual(['nobody'])
  expect(emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token'))).toEqual([])
  await approve(popup)
  await page.locator('#outcome', { hasText: ADA }).waitFor()
}

/** Waits until all posted messages have arrived: a message to oneself is queued behind them. */
const drain = (page: Page) =>
  page.evaluate(
    'new Promise((resolve) => { const own = new MessageChannel(); own.port1.onmessage = () => setTimeout(resolve); own.port2.postMessage(0) })',
  )

describe('messages to the game', () => {
  it('attack/27 from a page of another origin are ignored', async () => {
    const { emulator, page } = await openGame()
    const { popup, channel, forged } = await beginAttack(page)
    const foreign = await serveForeign(
      '<script>onmessage = ({ data }) => parent.postMessage(data, "*")</script>',
    )
    await page.evaluate(
      ([url, text]) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.src = url ?? ''
          frame.addEventListener('load', () => frame.contentWindow?.postMessage(text, '*'))
          window.addEventListener('message', ({ origin }) => origin === url && resolve(undefined))
          document.body.append(frame)
        }),
      [foreign, channel + forged],
    )
    await drain(page)
    await expectUnharmed(emulator, page, popup)
  })

  it('attack/28 from another window of the same origin are ignored', async () => {
    const { emulator, page } = await openGame()
    const { popup, channel, forged } = await beginAttack(page)
    await page.evaluate((text) => window.postMessage(text, location.origin), channel + forged)
    await drain(page)
    await expectUnharmed(emulator, page, popup)
  })

  it('attack/30 forged by a page of the origin with a foreign state are ignored', async () => {
    const { emulator, game, page } = await openGame()
    const { popup, channel } = await beginAttack(page)
    const other = await chromium.context.newPage()
    await other.goto(`${game.url}/callback.html`)
    const foreign = `${game.url}/callback.html?code=forged&state=${'A'.repeat(43)}`
    await other.evaluate(
      ([name, text]) => {
        new BroadcastChannel(name ?? '').postMessage((name ?? '') + (text ?? ''))
        localStorage.setItem(name ?? '', (name ?? '') + (text ?? ''))
      },
      [channel, foreign],
    )
    await drain(page)
    await expectUnharmed(emulator, page, popup)
  })

  it('attack/30 forged with the right state redeem nothing: the code is bound by PKCE', async () => {
    const { emulator, game, page } = await openGame()
    const { channel, forged } = await beginAttack(page)
    const other = await chromium.context.newPage()
    await other.goto(`${game.url}/callback.html`)
    await other.evaluate(
      ([name, text]) => new BroadcastChannel(name ?? '').postMessage((name ?? '') + (text ?? '')),
      [channel, forged],
    )
    await page.locator('#outcome', { hasText: 'invalid_grant' }).waitFor()
    expect(
      emulator.requests.filter(({ path, status }) => path.endsWith('/oauth2/token') && status === 200),
    ).toEqual([])
  })

  it('attack/31 that contain tokens or a success flag sign nobody in', async () => {
    const { emulator, game, page } = await openGame()
    const { popup, channel } = await beginAttack(page)
    const other = await chromium.context.newPage()
    await other.goto(`${game.url}/callback.html`)
    await other.evaluate((name) => {
      for (const text of [
        { type: 'success', access_token: 'x' },
        JSON.stringify({ access_token: 'x' }),
        `${name}{"access_token":"x"}`,
        `${name}received`,
      ]) {
        new BroadcastChannel(name).postMessage(text)
      }
    }, channel)
    await drain(page)
    await expectUnharmed(emulator, page, popup)
  })
})

describe('a callback with a changed state', () => {
  it.each([
    ['to another state', (state: string) => `code=x&state=${state.slice(1)}A`, 'state_mismatch'],
    ['to no state', () => 'code=x', 'state_mismatch'],
    ['to no state, with an error', () => 'error=server_error', 'state_mismatch'],
    ['to two states', (state: string) => `code=x&state=${state}&state=${state}`, 'malformed_callback'],
  ])('%s ends the attempt of its popup at once, and the next one succeeds', async (_, query, code) => {
    const { emulator, game, page } = await openGame()
    const { popup, state } = await beginAttack(page)
    const closed = popup.waitForEvent('close')
    await popup.evaluate((url) => location.assign(url), `${game.url}/callback.html?${query(state)}`)
    await page.locator('#outcome', { hasText: code }).waitFor()
    await closed
    expect(emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token'))).toEqual([])
    await approve(await popupAfter(page, '#popup'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
  })

  it.each([
    ['in another tab', (url: string) => chromium.context.newPage().then((tab) => tab.goto(url))],
    [
      'in a window that a foreign page has opened',
      async (url: string) => {
        const attacker = await chromium.context.newPage()
        await attacker.goto(await serveForeign('<button>open</button>'))
        const opened = attacker.waitForEvent('popup')
        await attacker.evaluate((address) => void window.open(address), url)
        await opened
      },
    ],
  ])('cancels nothing %s', async (_, open) => {
    const { emulator, game, page } = await openGame()
    const { popup } = await beginAttack(page)
    await open(`${game.url}/callback.html?code=x&state=${'A'.repeat(43)}`)
    await open(`${game.url}/callback.html?code=x`)
    await drain(page)
    await expectUnharmed(emulator, page, popup)
  })
})

describe('the callback page', () => {
  it('attack/29 sends nothing to a foreign opener', async () => {
    const { game } = await openGame()
    const foreign = await serveForeign(
      '<script>heard = []; onmessage = (event) => heard.push(event.data)</script><button>open</button>',
    )
    const attacker = await chromium.context.newPage()
    await attacker.goto(foreign)
    const opened = attacker.waitForEvent('popup')
    await attacker.evaluate(
      (url) => void window.open(url),
      `${game.url}/callback.html?code=secret&state=${'A'.repeat(43)}`,
    )
    const popup = await opened
    await popup.getByRole('status').filter({ hasText: 'start again there' }).waitFor()
    expect(await attacker.evaluate('heard')).toEqual([])
    expect(popup.url()).toBe(`${game.url}/callback.html`)
  })

  it('attack/23 sends the code in no referrer and leaves it in no history', async () => {
    const { game, page } = await openGame()
    const popup = await popupAfter(page, '#popup')
    const referrers: string[] = []
    popup.on('request', (request) => referrers.push(request.headers()['referer'] ?? ''))
    await chromium.context.addInitScript('window.close = () => {}')
    await approve(popup)
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    expect(referrers.filter((referrer) => referrer.includes('code='))).toEqual([])
    expect(popup.url()).toBe(`${game.url}/callback.html`)
  })
})

describe('a sign-in', () => {
  it('attack/32 does not fail if a popup only seems closed', async () => {
    await chromium.context.clock.install()
    const { page } = await openGame({ headers: ISOLATED, callbackHeaders: ISOLATED }, COOP)
    const popup = await popupAfter(page, '#popup')
    await page.clock.runFor(60_000)
    expect(await page.evaluate('hints')).toBe(1)
    expect(await page.evaluate('outcomes')).toEqual(['nobody'])
    await approve(popup)
    await page.locator('#outcome', { hasText: ADA }).waitFor()
  })

  it('attack/33 opens the popup at its final URL, in a window of its own', async () => {
    const { page } = await openGame()
    await page.evaluate(
      '{ const open = window.open; window.opens = []; window.open = (...all) => { window.opens.push(all); return open(...all) } }',
    )
    await popupAfter(page, '#popup')
    const opens = await page.evaluate<string[][]>('opens')
    expect(opens.map(([url = '', target]) => [new URL(url).pathname, target])).toEqual([
      ['/oauth2/authorize', '_blank'],
    ])
  })

  it('attack/34 attack/36 creates no frame, visible or hidden', async () => {
    const { page } = await openGame()
    await page.evaluate(
      'window.frames_ = 0; new MutationObserver((all) => { for (const { addedNodes } of all) for (const node of addedNodes) if (node.localName === "iframe") window.frames_++ }).observe(document, { childList: true, subtree: true })',
    )
    await approve(await popupAfter(page, '#popup'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    expect(await page.evaluate('frames_')).toBe(0)
  })

  it('attack/39 by default stores no token where other scripts can read it', async () => {
    const { page } = await openGame()
    await approve(await popupAfter(page, '#popup'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(stored).toBe('[{},{},""]')
    expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
  })

  it('attack/40 reports no violation in a page with a strict policy and Trusted Types', async () => {
    const policy =
      "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types 'none'"
    const { page } = await openGame({ headers: { 'Content-Security-Policy': policy } })
    await page.evaluate(
      'window.violations = []; document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => violations.push(violatedDirective))',
    )
    await approve(await popupAfter(page, '#popup'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    expect(await page.evaluate('violations')).toEqual([])
  })
})
