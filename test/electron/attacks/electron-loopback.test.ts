/** Attacks of other programs and pages on the loopback server. */
import { request } from 'node:http'
import { connect, Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { callbackFor, openedUrl, useMainProcessGame } from '../../support/electron/main-process-game'
import { shell } from '../../support/electron/fake-electron.mjs'

const harness = useMainProcessGame()
const ARGS = { scopes: 'openid' }
afterEach(() => void vi.restoreAllMocks())

/** An attempt that waits for its callback on loopback. */
async function startAttempt() {
  const { client, clock } = harness.start({ roads: ['loopback', 'paste'] })
  const outcome = client.authorize(ARGS).then(
    (result) => result.code.reveal(),
    (error: { code: string }) => error.code,
  )
  const url = await openedUrl()
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  return { client, clock, outcome, url, redirectUri, port: Number(new URL(redirectUri).port) }
}

/** Sends a raw request: `fetch` does not let a test choose the Host header. */
function send(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let body = ''
        response.on('data', (data) => (body += String(data)))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      })
      sent.on('error', reject)
      sent.end()
    },
  )
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const isRefused = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 20_000 })
    const end = (rejected: boolean) => {
      socket.destroy()
      resolve(rejected)
    }
    socket
      .on('connect', () => end(false))
      .on('error', () => end(true))
      .on('timeout', () => end(true))
  })

const closed = (socket: Socket) =>
  new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .resume()
      .once('close', resolve),
  )

describe('the loopback server', () => {
  test('attack/122 listens on 127.0.0.1 and on no other address of the machine', async () => {
    const { port } = await startAttempt()
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ address, family }) => family === 'IPv4' && address !== '127.0.0.1')
      .map(({ address }) => address)
    expect(await isRefused('127.0.0.1', port)).toBe(false)
    for (const address of ['127.0.0.2', '::1', ...others]) expect(await isRefused(address, port)).toBe(true)
  })

  test('attack/123 has a random port for each attempt; a failure to listen is a typed error', async () => {
    const first = await startAttempt()
    const { client } = harness.start()
    client.authorize(ARGS).catch(() => undefined)
    expect((await openedUrl(1)).searchParams.get('redirect_uri')).not.toBe(first.redirectUri)
    await expect(harness.start({ roads: ['scheme'] }).client.authorize(ARGS)).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'unsupported',
    })
  })

  test('attack/124 rejects foreign requests and keeps the attempt', async () => {
    const { port, url, outcome } = await startAttempt()
    for (const path of [
      '/',
      '/favicon.ico',
      '/callback/',
      '/callback%3F',
      '//callback',
      '/callback?state=wrong&code=x',
      '/callback',
      `/callback?code=x&state=${'A'.repeat(43)}`,
    ])
      expect((await send(port, path)).status).toBe(404)
    const { search } = new URL(callbackFor(url, { code: 'stolen' }))
    for (const path of [
      '/',
      '/callback/',
      '/callbacks',
      '/callback;',
      '//callback',
      '/Callback',
      '/callback%3F',
      '/callback/../x',
    ])
      expect((await send(port, path + search)).status).toBe(404)
    expect((await send(port, pathOf(callbackFor(url)))).status).toBe(200)
    expect(await outcome).toBe('the-code')
  })

  test('attack/124 ends the attempt after 64 wrong states', async () => {
    const { port, outcome } = await startAttempt()
    for (let i = 0; i < 64; i++) await send(port, `/callback?code=x&state=${i}`)
    expect(await outcome).toBe('state_mismatch')
  })

  test('attack/125 rejects a rebound host name', async () => {
    const { port, url, outcome } = await startAttempt()
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}.evil.example`,
      `[::1]:${port}`,
    ])
      expect(
        (await send(port, pathOf(callbackFor(url, { code: 'stolen' })), { headers: { host } })).status,
      ).toBe(404)
    await send(port, pathOf(callbackFor(url)))
    expect(await outcome).toBe('the-code')
  })

  test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'PATCH'])(
    'attack/126 does not accept %s as a callback',
    async (method) => {
      const { port, url, outcome } = await startAttempt()
      expect((await send(port, pathOf(callbackFor(url, { code: 'posted' })), { method })).status).toBe(405)
      await send(port, pathOf(callbackFor(url)))
      expect(await outcome).toBe('the-code')
    },
  )

  test.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'image' },
  ])(
    'attack/124 does not take a callback that is loaded in advance or from a page (%j); the visit does',
    async (headers) => {
      const { port, url, outcome } = await startAttempt()
      const path = pathOf(callbackFor(url))
      const { status, body } = await send(port, path, { headers })
      expect({ status, body }).toEqual({ status: 503, body: '' })
      const visit = await send(port, path, {
        headers: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
      })
      expect(visit.body).toContain('Go back to the game')
      expect(await outcome).toBe('the-code')
    },
  )

  test('attack/124 tells a reload of the page what the first visit was told, and another address that the sign-in is over', async () => {
    const { port, url, outcome } = await startAttempt()
    const path = pathOf(callbackFor(url))
    const first = await send(port, path)
    expect(await outcome).toBe('the-code')
    expect((await send(port, path)).body).toBe(first.body)
    expect((await send(port, `${path}&x=1`)).body).toContain('over')
  })

  test('attack/126 rejects a header of 16 kB', async () => {
    const { port } = await startAttempt()
    const { status } = await send(port, '/callback', { headers: { 'x-long': 'a'.repeat(16_384) } })
    expect(status).toBe(431)
  })

  test('attack/126 closes silent and slow connections without delaying others', async () => {
    const { port, url, outcome } = await startAttempt()
    const idle = connect(port, '127.0.0.1')
    const slow = connect(port, '127.0.0.1', () => slow.write('GET /callback HTTP/1.1\r\nHost: '))
    const ends = Promise.all([closed(idle), closed(slow)])
    await send(port, pathOf(callbackFor(url)))
    expect(await outcome).toBe('the-code')
    await ends
  })

  test('attack/126 rejects more than 32 concurrent connections unread', async () => {
    const { port } = await startAttempt()
    const responses = Array.from({ length: 40 }, async () => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.on('data', (data) => (text += String(data)))
      await closed(socket)
      return text
    })
    // The others get a timeout response.
    expect((await Promise.all(responses)).filter((text) => text === '')).toHaveLength(8)
  })

  test('attack/126 releases the port despite a half-sent request when the game closes', async () => {
    const { client, port } = await startAttempt()
    const half = connect(port, '127.0.0.1', () => half.write('GET /callback HTTP/1.1\r\nHost: '))
    await new Promise((resolve) => half.once('ready', resolve))
    // Complete requests on other connections arrive after the half-sent one.
    await send(port, '/')
    const end = closed(half)
    client.close()
    await end
    expect(half.destroyed).toBe(true)
  })

  test('attack/127 responds to a preflight and keeps waiting', async () => {
    const { port, url, outcome } = await startAttempt()
    const { status, headers } = await send(port, '/callback', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://service.test',
        'access-control-request-method': 'GET',
        'access-control-request-private-network': 'true',
      },
    })
    expect(status).toBe(204)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    await send(port, pathOf(callbackFor(url)))
    expect(await outcome).toBe('the-code')
  })

  test('attack/128 responds with a constant page without caching and referrer', async () => {
    const first = await startAttempt()
    const plain = await send(first.port, pathOf(callbackFor(first.url)))
    const second = harness.start({ roads: ['loopback', 'paste'] })
    second.client.authorize(ARGS).catch(() => undefined)
    const url = await openedUrl(1)
    const evil = callbackFor(url, { code: '<script>alert(1)</script>', error_description: '"><img src=x>' })
    const { port } = new URL(evil)
    const marked = await send(Number(port), pathOf(evil))
    expect(marked.body).toBe(plain.body)
    expect(plain.body).not.toMatch(/<script|http|window\.close/)
    expect(plain.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(plain.headers['content-security-policy']).toContain("default-src 'none'")
    expect(plain.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('attack/129 is addressed by IP number', async () => {
    expect((await startAttempt()).redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  })
})

describe('a sign-in whose browser was closed', () => {
  test('attack/141 times out', async () => {
    const { clock, outcome } = await startAttempt()
    clock.advance(5 * 60_000)
    expect(await outcome).toBe('timed_out')
  })

  test('attack/141 is superseded by a new sign-in', async () => {
    const { client } = harness.start({ roads: ['loopback', 'paste'] })
    const old = client.signIn().catch((error: { code: string }) => error.code)
    await openedUrl()
    const stop = new AbortController()
    const next = client.signIn({ signal: stop.signal }).catch((error: { code: string }) => error.code)
    expect(await old).toBe('superseded')
    await openedUrl(1)
    stop.abort()
    expect(await next).toBe('aborted')
  })

  test('attack/141 leaves no server and no timer after the client is closed', async () => {
    const { client, clock, outcome, port } = await startAttempt()
    client.close()
    expect(await outcome).toBe('aborted')
    expect(clock.waiting).toBe(0)
    expect(await isRefused('127.0.0.1', port)).toBe(true)
    expect(shell.opened).toHaveLength(1)
  })

  test('attack/141 leaves no server and no timer if the client is closed before the server listens', async () => {
    const listening = vi.spyOn(Server.prototype, 'listen')
    const { client, clock } = harness.start({ roads: ['loopback', 'paste'] })
    const outcome = client.authorize(ARGS).catch((error: { code: string }) => error.code)
    const server = listening.mock.contexts.find((one) => one instanceof Server)
    const end = new Promise((resolve) => server?.once('close', resolve))
    client.close()
    expect(await outcome).toBe('aborted')
    await end
    expect(clock.waiting).toBe(0)
  })
})
