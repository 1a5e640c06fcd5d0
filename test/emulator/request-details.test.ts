/** What the request log keeps of each request and its response, as the inspector asks for it. */
import { randomBytes } from 'node:crypto'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendRaw } from './support/send-raw.js'
import { call, exchange, getCode, json, refresh, signIn } from './support/sign-in-client.js'

let emulator: Emulator

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(() => emulator.close())

interface Message {
  line: string
  headers: [string, string][]
  body: { kind: string; type?: string; size: number; text?: string; cut?: boolean }
}

interface Details {
  request: Message
  response?: Message
  tokens: { name: string; encoded: string; header: string; claims: string; expiresAt?: number }[]
  related: { serial: number; because: string }[]
  revealed: boolean
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${emulator.url}/_emulator/requests/${path}`, {
    headers: { authorization: `Bearer ${emulator.controlToken}`, ...headers },
  })
}

const serialOf = (part: string, method = ''): number =>
  emulator.requests.findLast((each) => each.path.includes(part) && each.method.startsWith(method))?.serial ??
  0

async function details(part: string, { reveal = false } = {}): Promise<Details> {
  return (await (await ask(`${serialOf(part)}${reveal ? '?reveal=true' : ''}`)).json()) as Details
}

/** Sends a body to a path that does not exist. */
const post = (body: BodyInit, type: string) =>
  fetch(`${emulator.url}/api/v10/nothing`, { method: 'POST', body, headers: { 'content-type': type } })

describe('the details of a request', () => {
  it('are what was sent and received: lines, headers and bodies', async () => {
    const { code, verifier } = await getCode(emulator)
    const received = await (await exchange(emulator, { code, verifier })).text()
    const { request, response, revealed } = await details('/oauth2/token', { reveal: true })
    expect(revealed).toBe(true)
    expect(request.line).toBe('POST /api/v10/oauth2/token HTTP/1.1')
    expect(request.body).toMatchObject({
      kind: 'text',
      type: expect.stringContaining('x-www-form-urlencoded'),
    })
    expect(new URLSearchParams(request.body.text).get('code_verifier')).toBe(verifier)
    expect(response?.line).toBe('HTTP/1.1 200 OK')
    expect(response?.headers.map(([name]) => name.toLowerCase())).toEqual(
      expect.arrayContaining(['content-type', 'date', 'cache-control']),
    )
    expect(response?.body).toMatchObject({ kind: 'text', text: received, size: received.length })
  })

  it('are masked unless they are revealed, also in addresses, cookies and pages of the sign-in', async () => {
    const { accessToken, refreshToken, idToken } = await signIn(emulator)
    await call(emulator, '/users/@me', accessToken)
    const all = await Promise.all(
      emulator.requests.map(async ({ serial }) => (await ask(String(serial))).text()),
    )
    const open = await Promise.all(
      emulator.requests.map(async ({ serial }) => (await ask(`${serial}?reveal=true`)).text()),
    )
    const { request } = await details('/oauth2/token', { reveal: true })
    const sent = new URLSearchParams(request.body.text)
    const secrets = [
      accessToken,
      refreshToken,
      idToken,
      sent.get('code') ?? '',
      sent.get('code_verifier') ?? '',
    ]
    for (const secret of secrets) {
      expect(open.join('\n')).toContain(secret)
      expect(all.join('\n')).not.toContain(secret)
    }
    expect(all.join('\n')).not.toMatch(/\/oauth2\/(?:authorize|sign-in)\/(?!:id)[\w-]/)
  })

  it('decode a token, with its claims and the time until which it is valid', async () => {
    const { idToken } = await signIn(emulator)
    const masked = await details('/oauth2/token')
    expect(masked.tokens).toMatchObject([
      { name: 'id_token', encoded: '[secret]', expiresAt: expect.any(Number) },
    ])
    expect(JSON.parse(masked.tokens[0]?.header ?? '')).toMatchObject({ alg: 'RS256' })
    expect(JSON.parse(masked.tokens[0]?.claims ?? '')).toMatchObject({ iss: emulator.url, nonce: '[secret]' })
    expect((await details('/oauth2/token', { reveal: true })).tokens).toMatchObject([{ encoded: idToken }])
  })

  it('list the requests of the same sign-in, access token, lobby and player', async () => {
    const bruno = await signIn(emulator, 'bruno')
    const foreign = new Set(emulator.requests.map(({ serial }) => serial))
    const { accessToken, refreshToken } = await signIn(emulator)
    await refresh(emulator, refreshToken)
    await call(emulator, '/users/@me', accessToken)
    await call(emulator, '/users/@me', bruno.accessToken)
    const { related } = await details('/oauth2/token')
    const words = related.map(
      ({ serial, because }) =>
        `${because}: ${emulator.requests.find((each) => each.serial === serial)?.path}`,
    )
    expect(words).toEqual(
      expect.arrayContaining([
        'same sign-in: /oauth2/authorize',
        'same sign-in: /oauth2/sign-in/:id',
        'same sign-in: /oauth2/authorize/:id',
        'same sign-in: /api/v10/oauth2/token',
      ]),
    )
    expect(related.filter(({ serial }) => foreign.has(serial))).toEqual([])
    const { related: ofCall } = (await json(await ask(String(serialOf('/users/@me'))))) as unknown as Details
    expect(ofCall.map(({ because }) => because)).toContain('same access token')
  })
})

describe('a body in the log', () => {
  it.each([
    {
      title: 'ends after 16 KiB, with its whole size',
      body: 'a'.repeat(40_000),
      type: 'text/plain',
      kept: { kind: 'text', size: 40_000, cut: true, text: 'a'.repeat(16_384) },
    },
    {
      title: 'is not cut at 16 KiB',
      body: 'b'.repeat(16_384),
      type: 'text/plain',
      kept: { kind: 'text', size: 16_384, text: 'b'.repeat(16_384) },
    },
    {
      title: 'has no half character at its end',
      body: `a${'ä'.repeat(10_000)}`,
      type: 'text/plain',
      kept: { cut: true, text: `a${'ä'.repeat(8191)}` },
    },
    {
      title: 'is only named if it is binary',
      body: randomBytes(3000),
      type: 'image/png',
      kept: { kind: 'binary', type: 'image/png', size: 3000 },
    },
    {
      title: 'is text without a known type if it is readable',
      body: 'hello',
      type: 'x/y',
      kept: { kind: 'text', text: 'hello' },
    },
  ])('$title', async ({ body, type, kept }) => {
    await post(body, type)
    const { request } = await details('/nothing', { reveal: true })
    expect(request.body).toMatchObject(kept)
    expect(request.body.cut === true).toBe('cut' in kept)
  })

  it('arrives whole in the service, and the response whole at the client', async () => {
    const { accessToken } = await signIn(emulator)
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x'.repeat(40)]),
    )
    const init = { method: 'PUT', body: JSON.stringify({ secret: 'moon', lobby_metadata: metadata }) }
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const lobby = await json(await fetch(`${emulator.url}/api/v10/lobbies`, { ...init, headers }))
    expect(lobby['metadata']).toEqual(metadata)
    const long = 'long '.repeat(50_000)
    emulator.faults({ effect: { body: long } })
    expect(await (await fetch(`${emulator.url}/nothing`)).text()).toBe(long)
    expect((await details('/nothing')).response?.body).toMatchObject({ size: 250_000, cut: true })
  })

  it('is complete although the head and the body arrive in one packet', async () => {
    await sendRaw(emulator.url, {
      method: 'POST',
      target: '/api/v10/nothing',
      headers: [
        ['content-length', '5'],
        ['content-type', 'text/plain'],
      ],
      body: Buffer.from('hello'),
    })
    expect((await details('/nothing', { reveal: true })).request.body).toMatchObject({
      text: 'hello',
      size: 5,
    })
  })

  it('is not kept of a stream, which goes on', async () => {
    const { accessToken } = await signIn(emulator)
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'text/event-stream' }
    const stream = await fetch(`${emulator.url}/lobby-stream`, { headers, signal: stop.signal })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    await stream.body?.getReader().read()
    stop.abort()
    await expect.poll(() => serialOf('/lobby-stream')).not.toBe(0)
    const body = (await details('/lobby-stream', { reveal: true })).response?.body
    expect(body).toMatchObject({ kind: 'stream' })
    expect(body?.text).toBeUndefined()
  })

  it("is not kept of the emulator's own pages", async () => {
    await fetch(`${emulator.url}/chat/api/start`)
    const { response } = await details('/chat', { reveal: true })
    expect(response?.body).toMatchObject({ kind: 'page' })
    expect(response?.body.text).toBeUndefined()
  })

  it('is absent if a fault took the response', async () => {
    emulator.faults({ effect: { drop: true } })
    await fetch(`${emulator.url}/nothing`).catch(() => undefined)
    await expect.poll(() => serialOf('/nothing')).not.toBe(0)
    expect((await details('/nothing')).response).toBeUndefined()
  })
})

describe('the details', () => {
  it.each([
    ['without the control token', { authorization: '' }, 401],
    ['with a wrong control token', { authorization: 'Bearer emu_control_wrong' }, 401],
    ['from a page of another origin', { origin: 'http://localhost:5173' }, 403],
    ['from a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
  ])('are refused %s', async (_title, headers, status) => {
    await signIn(emulator)
    expect((await ask(`${serialOf('/oauth2/token')}?reveal=true`, headers)).status).toBe(status)
  })

  it('are in no entry of the log, and are stored by no cache', async () => {
    await signIn(emulator)
    const names = new Set(emulator.requests.flatMap((each) => Object.keys(each)))
    expect([
      'at',
      'limits',
      'method',
      'ms',
      'ownPage',
      'path',
      'player',
      'sender',
      'serial',
      'status',
      'advice',
      'rule',
    ]).toEqual(expect.arrayContaining([...names]))
    expect((await ask(`${serialOf('/oauth2/token')}`)).headers.get('cache-control')).toBe('no-store')
  })

  it('are forgotten after a thousand requests, and by a reset', async () => {
    await post('first', 'text/plain')
    const first = serialOf('/nothing')
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(
        Array.from({ length: 100 }, async () => (await fetch(`${emulator.url}/nothing/here`)).text()),
      )
    await expect.poll(async () => (await ask(String(first))).status).toBe(404)
    const last = serialOf('/nothing/here')
    expect((await ask(String(last))).status).toBe(200)
    emulator.reset()
    expect((await ask(String(last))).status).toBe(404)
  })
})
