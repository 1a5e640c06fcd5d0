/** What a page from elsewhere can do to the emulator's own pages: nothing, under another name or from another origin. */
import { request } from 'node:http'
import { createServer } from 'node:http'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { beginSignIn } from './support/player.js'

let emulator: Emulator
let browser: Browser

beforeAll(async () => {
  emulator = await createEmulator({ activityUrl: 'http://localhost:9/game/', activityPort: 0 })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await emulator.close()
})
beforeEach(() => emulator.reset())

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** `fetch` chooses the Host header itself; this does not. */
function send(url: string, { method = 'GET', headers = {}, body = '' }: Sent): Promise<{ status: number | undefined; rule: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, rule: response.headers['x-emulator-rule'] })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** A consent page that waits for its answer, and the cookies that belong to it. */
async function openConsent(): Promise<{ page: string; cookie: string }> {
  const response = await fetch((await beginSignIn(emulator)).url, { redirect: 'manual' })
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return { page: new URL(response.headers.get('location') ?? '', emulator.url).href, cookie: cookie.join('; ') }
}

const form = 'application/x-www-form-urlencoded'
const approval = () => `as=${emulator.users[0]?.id}&decision=approve`
const port = () => new URL(emulator.url).port

describe('under a name that somebody else has pointed at this machine', () => {
  const paths = ['/', '/chat', '/chat/api/start', '/chat/events', '/activate', '/oauth2/installed', '/nothere', '/_emulator/clock']

  it.each(paths)('nothing answers at %s', async (path) => {
    const answer = await send(emulator.url + path, { headers: { host: `rebound.example:${port()}` } })
    expect(answer).toEqual({ status: 403, rule: 'the Host header names no address of this emulator' })
  })

  it('no sign-in begins', async () => {
    const { url } = await beginSignIn(emulator)
    expect(await send(url, { headers: { host: `rebound.example:${port()}` } })).toMatchObject({ status: 403 })
  })

  it('no consent is given, even with the cookies of the browser that began it', async () => {
    const { page, cookie } = await openConsent()
    const host = `rebound.example:${port()}`
    const headers = { host, cookie, origin: `http://${host}`, 'content-type': form }
    expect(await send(page, { method: 'POST', headers, body: approval() })).toMatchObject({ status: 403 })
    const own = { cookie, origin: emulator.url, 'content-type': form }
    expect(await send(page, { method: 'POST', headers: own, body: approval() })).toMatchObject({ status: 303 })
  })

  it('the API answers all the same: its callers prove themselves by tokens', async () => {
    const host = `rebound.example:${port()}`
    expect(await send(`${emulator.url}/api/v10/oauth2/keys`, { headers: { host } })).toMatchObject({ status: 200 })
    expect(await send(`${emulator.url}/api/v10/users/@me`, { headers: { host } })).toMatchObject({ status: 401 })
  })
})

describe('from a page of another origin', () => {
  const elsewhere: [string, Record<string, string>][] = [
    ['with its origin', { origin: 'http://localhost:5173' }],
    ['with an opaque origin', { origin: 'null' }],
    ['with no origin, by a client that hides it', {}],
    ['with the origin of the emulator under its other name', { origin: 'http://localhost:4320' }],
  ]

  it.each(elsewhere)('no consent is given: %s', async (_how, sent) => {
    const { page, cookie } = await openConsent()
    const headers = { cookie, 'content-type': form, ...sent }
    expect(await send(page, { method: 'POST', headers, body: approval() })).toMatchObject({ status: 403 })
  })

  it.each(elsewhere)('nothing is installed: %s', async (_how, sent) => {
    const url = `${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}&scope=bot`
    const headers = { 'content-type': form, ...sent }
    expect(await send(url, { method: 'POST', headers, body: `${approval()}&integration_type=1` })).toMatchObject({ status: 403 })
    const list = await fetch(`${emulator.url}/_emulator/installations`, { headers: { authorization: `Bearer ${emulator.controlToken}` } })
    expect(await list.json()).toEqual([])
  })

  it.each(elsewhere)('nothing is said in the chat, and no Activity is launched: %s', async (_how, sent) => {
    const headers = { 'content-type': 'text/plain', ...sent }
    const body = JSON.stringify({ as: emulator.users[0]?.id, content: 'hello' })
    expect(await send(`${emulator.url}/chat/api/say`, { method: 'POST', headers, body })).toMatchObject({ status: 403 })
    expect(await send(`${emulator.url}/chat/api/join`, { method: 'POST', headers, body })).toMatchObject({ status: 403 })
    expect(await send(emulator.activity.url ?? '', { method: 'POST', headers, body })).toMatchObject({ status: 403 })
    expect(emulator.activity.instances()).toEqual([])
  })

  it.each(elsewhere)('no device is connected: %s', async (_how, sent) => {
    const headers = { 'content-type': form, ...sent }
    expect(await send(`${emulator.url}/activate`, { method: 'POST', headers, body: 'user_code=AAAA-BBBB' })).toMatchObject({ status: 403 })
  })

  it('what the chat shows is not loaded', async () => {
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    expect(await send(`${emulator.url}/chat/api/start`, { headers })).toMatchObject({ status: 403 })
  })

  it('a browser cannot drive a consent: neither in a frame nor by a form that it sends', async () => {
    const script = `<!doctype html><title>Elsewhere</title><iframe name="inner"></iframe>
      <form method="post" target="inner"><input name="as" value="${emulator.users[0]?.id}"><input name="decision" value="approve"></form>`
    const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(script))
    // The same site: cookies do not know ports, so the form brings them along.
    const elsewhereServer = await listen(server)
    const context = await browser.newContext()
    const [consent, page] = [await context.newPage(), await context.newPage()]
    await consent.goto((await beginSignIn(emulator)).url)
    await page.goto(`http://127.0.0.1:${elsewhereServer.port}/`)
    const answered = page.waitForResponse(consent.url())
    await page.evaluate(`document.forms[0].action = ${JSON.stringify(consent.url())}; document.forms[0].submit()`)
    expect((await answered).status()).toBe(403)
    const framed = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
    await page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(consent.url())}`)
    await framed
    // The player's own answer still counts.
    const redirected = consent.waitForRequest((sent) => sent.url().startsWith('http://127.0.0.1:49152/callback?code='))
    await consent.getByRole('button', { name: 'Approve' }).click({ noWaitAfter: true })
    await redirected
    await context.close()
    await elsewhereServer.close()
  })
})
