/** Attempts of foreign pages to use the emulator’s own pages, by another host name or from another origin. */
import { request } from 'node:http'
import { createServer } from 'node:http'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { launchChromium } from '../../support/chromium'
import { listen } from '../../support/loopback'
import { beginSignIn } from '../../emulator/support/sign-in-client.js'

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

/** Sends a raw request: `fetch` sets the Host header itself. */
function send(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Sent,
): Promise<{ status: number | undefined; rule: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode, rule: response.headers['x-emulator-rule'] })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** An open consent page, and its cookies. */
async function openConsent(): Promise<{ page: string; cookie: string }> {
  const response = await fetch((await beginSignIn(emulator)).url, { redirect: 'manual' })
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return {
    page: new URL(response.headers.get('location') ?? '', emulator.url).href,
    cookie: cookie.join('; '),
  }
}

const form = 'application/x-www-form-urlencoded'
const approval = () => `as=${emulator.users[0]?.id}&decision=approve`
const port = () => new URL(emulator.url).port

describe('under a rebound host name', () => {
  const paths = [
    '/',
    '/chat',
    '/chat/api/start',
    '/chat/events',
    '/activate',
    '/oauth2/installed',
    '/nothere',
    '/_emulator/clock',
  ]

  it.each(paths)('%s is rejected', async (path) => {
    const reply = await send(emulator.url + path, { headers: { host: `rebound.example:${port()}` } })
    expect(reply).toEqual({ status: 403, rule: 'the Host header names no address of this emulator' })
  })

  it('no sign-in begins', async () => {
    const { url } = await beginSignIn(emulator)
    expect(await send(url, { headers: { host: `rebound.example:${port()}` } })).toMatchObject({ status: 403 })
  })

  it('no consent is accepted, even with the cookies of the browser that began it', async () => {
    const { page, cookie } = await openConsent()
    const host = `rebound.example:${port()}`
    const headers = { host, cookie, origin: `http://${host}`, 'content-type': form }
    expect(await send(page, { method: 'POST', headers, body: approval() })).toMatchObject({ status: 403 })
    const own = { cookie, origin: emulator.url, 'content-type': form }
    expect(await send(page, { method: 'POST', headers: own, body: approval() })).toMatchObject({
      status: 303,
    })
  })

  it('the API responds, because its callers authenticate with tokens', async () => {
    const host = `rebound.example:${port()}`
    expect(await send(`${emulator.url}/api/v10/oauth2/keys`, { headers: { host } })).toMatchObject({
      status: 200,
    })
    expect(await send(`${emulator.url}/api/v10/users/@me`, { headers: { host } })).toMatchObject({
      status: 401,
    })
  })
})

describe('from a page of another origin', () => {
  const elsewhere: [string, Record<string, string>][] = [
    ['with its origin', { origin: 'http://localhost:5173' }],
    ['with an opaque origin', { origin: 'null' }],
    ['without an origin header', {}],
    ['with the emulator’s origin under its other host name', { origin: 'http://localhost:4320' }],
  ]

  it.each(elsewhere)('no consent is accepted: %s', async (_how, sent) => {
    const { page, cookie } = await openConsent()
    const headers = { cookie, 'content-type': form, ...sent }
    expect(await send(page, { method: 'POST', headers, body: approval() })).toMatchObject({ status: 403 })
  })

  it.each(elsewhere)('nothing is installed: %s', async (_how, sent) => {
    const url = `${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}&scope=bot`
    const headers = { 'content-type': form, ...sent }
    expect(
      await send(url, { method: 'POST', headers, body: `${approval()}&integration_type=1` }),
    ).toMatchObject({ status: 403 })
    const list = await fetch(`${emulator.url}/_emulator/installations`, {
      headers: { authorization: `Bearer ${emulator.controlToken}` },
    })
    expect(await list.json()).toEqual([])
  })

  it.each(elsewhere)('no chat message is sent and no Activity is launched: %s', async (_how, sent) => {
    const headers = { 'content-type': 'text/plain', ...sent }
    const body = JSON.stringify({ as: emulator.users[0]?.id, content: 'hello' })
    expect(await send(`${emulator.url}/chat/api/say`, { method: 'POST', headers, body })).toMatchObject({
      status: 403,
    })
    expect(await send(`${emulator.url}/chat/api/join`, { method: 'POST', headers, body })).toMatchObject({
      status: 403,
    })
    expect(await send(emulator.activity.url ?? '', { method: 'POST', headers, body })).toMatchObject({
      status: 403,
    })
    expect(emulator.activity.instances()).toEqual([])
  })

  it.each(elsewhere)('no device is connected: %s', async (_how, sent) => {
    const headers = { 'content-type': form, ...sent }
    expect(
      await send(`${emulator.url}/activate`, { method: 'POST', headers, body: 'user_code=AAAA-BBBB' }),
    ).toMatchObject({ status: 403 })
  })

  it('the contents of the chat are not available', async () => {
    const headers = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }
    expect(await send(`${emulator.url}/chat/api/start`, { headers })).toMatchObject({ status: 403 })
  })

  it('a browser cannot submit a consent, neither in a frame nor by a form', async () => {
    const script = `<!doctype html><title>Elsewhere</title><iframe name="inner"></iframe>
      <form method="post" target="inner"><input name="as" value="${emulator.users[0]?.id}"><input name="decision" value="approve"></form>`
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(script),
    )
    // Same site: cookies ignore ports, so the form sends them.
    const elsewhereServer = await listen(server)
    const context = await browser.newContext()
    const [consent, page] = [await context.newPage(), await context.newPage()]
    await consent.goto((await beginSignIn(emulator)).url)
    await page.goto(`http://127.0.0.1:${elsewhereServer.port}/`)
    const submission = page.waitForResponse(consent.url())
    await page.evaluate(
      `document.forms[0].action = ${JSON.stringify(consent.url())}; document.forms[0].submit()`,
    )
    expect((await submission).status()).toBe(403)
    const framed = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
    await page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(consent.url())}`)
    await framed
    // The player’s own response is still accepted.
    const redirected = consent.waitForRequest((sent) =>
      sent.url().startsWith('http://127.0.0.1:49152/callback?code='),
    )
    await consent.getByRole('button', { name: 'Approve' }).click({ noWaitAfter: true })
    await redirected
    await context.close()
    await elsewhereServer.close()
  })
})
