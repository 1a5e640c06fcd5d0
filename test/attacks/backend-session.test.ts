/** Attacks on the sessions that a backend holds for a page (docs/threats.md). */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  clientSecret,
  createSessionHandler,
  memorySessionStore,
  type SessionHandlerOptions,
  type SessionStore,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { ManualClock } from '../support/manual-clock'
import { codeFor, GAME, hashOf, SessionBrowser, sessionCookieOf } from '../support/session-browser'

const CALLBACK = `${GAME}/session/callback`
const WEEK = 604_800_000
let emulator: Emulator
let store: SessionStore

beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { publicClient: false, redirectUris: [CALLBACK, `${GAME}/callback.html`] } },
    idTokens: { forEveryGrant: true },
  })
})
beforeEach(() => {
  emulator.reset()
  store = memorySessionStore()
})
afterAll(() => emulator.close())

function createHandler(options: Partial<SessionHandlerOptions> = {}) {
  const { id: applicationId, clientSecret: secret } = emulator.application
  const service = { host: emulator.url }
  return createSessionHandler({
    applicationId,
    service,
    credentials: clientSecret(secret),
    origins: [GAME],
    store,
    ...options,
  })
}

function openGate() {
  const target = new EventTarget()
  const opened = new Promise<void>((resolve) => target.addEventListener('open', () => resolve()))
  return { opened, open: () => void target.dispatchEvent(new Event('open')) }
}

const down = () => Promise.reject(new Error('connection refused'))
const tokenRequests = () => emulator.requests.filter(({ path }) => path.endsWith('/oauth2/token')).length

async function signedIn(options: Partial<SessionHandlerOptions> = {}) {
  const handler = createHandler(options)
  const browser = new SessionBrowser(handler)
  const tokens = await browser.signIn(emulator)
  return { handler, browser, tokens }
}

/** A refresh whose response from the service has come and waits. */
async function refreshing() {
  const [gate, arrived] = [openGate(), openGate()]
  let isHeld = false
  const handler = createHandler({
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (!isHeld) return response
      arrived.open()
      await gate.opened
      return response
    },
  })
  const browser = new SessionBrowser(handler)
  const { access_token: token } = await browser.signIn(emulator)
  const copied = new SessionBrowser(handler)
  for (const cookie of browser.cookies) copied.cookies.set(...cookie)
  isHeld = true
  const late = copied.ask('token', { refused: hashOf(token) })
  await arrived.opened
  isHeld = false
  return { browser, copied, late, release: gate.open }
}

describe('a session that the backend holds', () => {
  it('gives the page tokens without a refresh token, and new ones by its cookie', async () => {
    const { browser, tokens } = await signedIn()
    expect(tokens).toMatchObject({
      status: 200,
      user_id: findPlayer(emulator, 'ada').id,
      token_type: 'Bearer',
      id_token: expect.any(String),
    })
    expect([tokens['refresh_token'], Number(tokens['expires_in']) > 604_000]).toEqual([undefined, true])
    expect(await browser.ask('token')).toMatchObject({ access_token: tokens['access_token'] })
    const renewed = await browser.ask('token', { refused: hashOf(tokens['access_token']) })
    expect(renewed).toMatchObject({
      status: 200,
      access_token: expect.not.stringMatching(String(tokens['access_token'])),
    })
    expect(JSON.stringify([tokens, renewed, browser.setCookies])).not.toContain('refresh')
  })

  it('is refreshed once by 20 calls to four handlers', async () => {
    const { browser, tokens } = await signedIn()
    const handlers = [createHandler(), createHandler(), createHandler(), createHandler()]
    const before = tokenRequests()
    const refused = hashOf(tokens['access_token'])
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const other = new SessionBrowser(handlers[index % 4] ?? createHandler())
      for (const cookie of browser.cookies) other.cookies.set(...cookie)
      return (await other.ask('token', { refused }))['access_token']
    })
    expect(new Set(await Promise.all(calls)).size).toBe(1)
    expect(tokenRequests() - before).toBe(1)
  })

  it('logs why a store failed, without what may be secret', async () => {
    const memory = store
    const refused = Object.assign(
      new Error('connect ECONNREFUSED redis://game:pass-1@10.0.0.7:6379?password=hunter2'),
      { name: 'SocketError' },
    )
    let isDown = false
    store = { ...memory, get: (key) => (isDown ? Promise.reject(refused) : memory.get(key)) }
    const entries: object[] = []
    const handler = createHandler({
      logger: (level, step, data) => void entries.push({ level, step, ...data }),
    })
    const { browser } = await signedIn()
    isDown = true
    const other = new SessionBrowser(handler)
    for (const cookie of browser.cookies) other.cookies.set(...cookie)
    await other.ask('token')
    expect(entries).toEqual([
      {
        level: 'error',
        step: 'store.failed',
        store: 'store of createSessionHandler',
        cause: 'connect ECONNREFUSED redis:[…]10.0.0.7:6379[…]',
      },
      {
        level: 'warn',
        step: 'session.refused',
        code: 'store_unavailable',
        cause: 'SocketError: connect ECONNREFUSED redis:[…]10.0.0.7:6379[…]',
      },
    ])
  })

  it('survives a store and a service that fail for a while', async () => {
    const memory = store
    let isDown = false
    store = {
      ...memory,
      get: (key) => (isDown ? down() : memory.get(key)),
      set: (...args) => (isDown ? down() : memory.set(...args)),
    }
    const { browser, tokens } = await signedIn()
    isDown = true
    expect(await browser.ask('token')).toEqual({ status: 503, error: 'store_unavailable' })
    isDown = false
    emulator.faults([{ match: { path: '*/oauth2/token' }, times: 9, effect: { status: 503, body: {} } }])
    expect(await browser.ask('token', { refused: hashOf(tokens['access_token']) })).toMatchObject({
      status: 503,
    })
    emulator.faults([])
    expect(await browser.ask('token', { refused: hashOf(tokens['access_token']) })).toMatchObject({
      status: 200,
    })
  })

  it('ends with the refusal of its refresh token, and the page learns that the player is signed out', async () => {
    const { browser, tokens } = await signedIn()
    const { browser: second } = await signedIn()
    await second.ask('sign-out', { revoke: true })
    expect(await browser.ask('token', { refused: hashOf(tokens['access_token']) })).toEqual({
      status: 401,
      error: 'refresh_rejected',
    })
    expect(await browser.ask('token')).toEqual({ status: 401, error: 'signed_out' })
  })

  it('does not come back by a refresh that was on its way when the player signed out', async () => {
    const { browser, copied, late, release } = await refreshing()
    await browser.ask('sign-out')
    release()
    expect(await late).toEqual({ status: 401, error: 'signed_out' })
    expect(await copied.ask('token')).toEqual({ status: 401, error: 'signed_out' })
  })

  it('replaces tokens that last only a few times in a row, however often its page says that they were refused', async () => {
    const { browser, handler } = await signedIn()
    const other = new SessionBrowser(handler)
    const { access_token: bruno } = await other.signIn(emulator, 'bruno')
    const before = tokenRequests()
    const statuses: unknown[] = []
    while (statuses.length < 12) {
      const { access_token: token } = await browser.ask('token')
      statuses.push((await browser.ask('token', { refused: hashOf(token) }))['status'])
    }
    expect([tokenRequests() - before, statuses.at(-1)]).toEqual([5, 503])
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    expect(await other.ask('token', { refused: hashOf(bruno) })).toMatchObject({ status: 200 })
  })

  it('is refreshed while a stranger sends invented codes, which have a share of the requests only', async () => {
    const { browser, handler, tokens } = await signedIn({
      maxWait: 1500,
      service: { host: emulator.url, limits: { global: { limit: 10, per: 1000 } } },
    })
    const stranger = new SessionBrowser(handler)
    const codes = Array.from({ length: 60 }, () =>
      stranger.post('sign-in', { code: 'invented', codeVerifier: 'v'.repeat(43) }),
    )
    const sent = tokenRequests()
    expect(await browser.ask('token', { refused: hashOf(tokens['access_token']) })).toMatchObject({
      status: 200,
    })
    const statuses = new Set((await Promise.all(codes)).map(({ status }) => status))
    expect(statuses).toEqual(new Set([400, 503]))
    // Five a second, of the ten that the service allows.
    expect(tokenRequests() - sent).toBeLessThan(20)
  })

  it('that ended does not come back by an old copy of its cookie, used while a refresh is on its way', async () => {
    const { browser, copied, late, release } = await refreshing()
    const first = new Map(copied.cookies)
    release()
    expect(await late).toMatchObject({ status: 200 })
    const { access_token: second } = await copied.ask('token')
    const refresh = copied.ask('token', { refused: hashOf(second) })
    // The cookie of the turn before the last: it was copied, so that the session ends for its thief too.
    await copied.ask('token')
    expect(await refresh).toMatchObject({ status: 200 })
    for (const cookie of first) browser.cookies.set(...cookie)
    const third = copied.ask('token', { refused: hashOf((await copied.ask('token'))['access_token']) })
    expect(await browser.ask('token')).toEqual({ status: 401, error: 'signed_out' })
    expect((await third)['status']).toBe(401)
    expect(await copied.ask('token')).toEqual({ status: 401, error: 'signed_out' })
  })

  it('that ends while another sign-in looks for it costs that sign-in nothing', async () => {
    const { browser } = await signedIn()
    const set = store.set.bind(store)
    // Another process ends it between the reading and the writing of the record.
    store.set = async (key, text, ttl) => {
      store.set = set
      await set(key.replace(':session:', ':ended:') as typeof key, 'ended', ttl)
      return set(key, text, ttl)
    }
    expect(await browser.signIn(emulator, 'bruno')).toMatchObject({
      status: 200,
      user_id: findPlayer(emulator, 'bruno').id,
    })
  })

  it('does not take the place of the player who signed in meanwhile', async () => {
    const { browser, copied, late, release } = await refreshing()
    const before = copied.setCookies.length
    await browser.signIn(emulator, 'bruno')
    release()
    expect(await late).toEqual({ status: 401, error: 'signed_out' })
    expect(copied.setCookies.length).toBe(before)
    expect(await browser.ask('token')).toMatchObject({
      status: 200,
      user_id: findPlayer(emulator, 'bruno').id,
    })
  })

  it('begins at the backend too: the redirect returns to the backend, and the page gets its tokens by the cookie', async () => {
    const browser = new SessionBrowser(createHandler({ redirectUri: CALLBACK, path: '/session' }))
    const started = await browser.send('/session/start?return_to=/lobby?x=1')
    const { redirect } = await emulator.authorize(started.headers.get('location') ?? '', { as: 'ada' })
    const back = await browser.send(`/session/callback${new URL(redirect).search}`)
    expect([back.status, back.headers.get('location')]).toEqual([303, '/lobby?x=1'])
    expect(await browser.ask('token')).toMatchObject({ user_id: findPlayer(emulator, 'ada').id })
    expect([...browser.cookies.keys()]).toEqual([cookieName()])
  })
})

const cookieName = (): string => sessionCookieOf(emulator.application.id)

describe('attacks on it', () => {
  it('attack/192 a page of another site neither signs in, nor reads tokens, nor signs out', async () => {
    const { browser } = await signedIn()
    const code = await codeFor(emulator, 'bruno')
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: 'http://localhost:5174', 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      for (const name of ['sign-in', 'token', 'sign-out']) {
        const response = await browser.post(name, code, headers)
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null])
      }
    }
    const form = { 'content-type': 'text/plain' }
    expect((await browser.post('sign-in', code, form)).status).toBe(400)
    for (const name of ['sign-in', 'token', 'sign-out'])
      expect((await browser.send(`/session/${name}`)).status).toBe(405)
    expect(await browser.ask('token')).toMatchObject({ user_id: findPlayer(emulator, 'ada').id })
  })

  it('attack/193 a callback of an attempt that another browser began signs nobody in', async () => {
    const handler = createHandler({ redirectUri: CALLBACK })
    const [attacker, victim] = [new SessionBrowser(handler), new SessionBrowser(handler)]
    const { headers } = await attacker.send('/session/start')
    const { redirect } = await emulator.authorize(headers.get('location') ?? '', { as: 'bruno' })
    const { search } = new URL(redirect)
    const before = tokenRequests()
    expect((await victim.send(`/session/callback${search}`)).headers.get('location')).toBe(
      '/?session_error=state_mismatch',
    )
    await victim.send('/session/start')
    expect((await victim.send(`/session/callback${search}`)).headers.get('location')).toBe(
      '/?session_error=state_mismatch',
    )
    expect(
      (
        await victim.send('/session/start', {
          headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
        })
      ).status,
    ).toBe(403)
    expect([tokenRequests() - before, victim.cookies.has(cookieName())]).toEqual([0, false])
  })

  it('attack/194 a cookie that the browser had before a sign-in is worth nothing afterwards', async () => {
    const { handler, browser } = await signedIn()
    const fixed = new Map(browser.cookies)
    await browser.signIn(emulator, 'bruno')
    expect(browser.cookies.get(cookieName())).not.toBe(fixed.get(cookieName()))
    const attacker = new SessionBrowser(handler)
    for (const cookie of fixed) attacker.cookies.set(...cookie)
    expect(await attacker.ask('token')).toMatchObject({ status: 401 })
  })

  it('attack/195 a cookie of a subdomain does not take the place of the session’s', async () => {
    const origin = 'https://game.example'
    const browser = new SessionBrowser(createHandler({ origins: [origin] }), { origin })
    await browser.signIn(emulator)
    const [line = ''] = browser.setCookies
    expect(line).toMatch(
      /^__Host-foyer-session-\d+=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    )
    const [name, value] = [...browser.cookies][0] ?? []
    for (const cookie of [`${cookieName()}=${value}`, `${name}=${value}; ${name}=tossed`, `${name}=tossed`]) {
      expect((await browser.post('token', {}, { cookie, origin })).status).toBe(401)
    }
  })

  it('attack/196 a code without its verifier, with another one, or for another nonce is refused', async () => {
    const browser = new SessionBrowser(createHandler())
    const code = await codeFor(emulator, 'bruno')
    const { codeVerifier: _, ...stolen } = code
    expect(await browser.ask('sign-in', stolen)).toEqual({ status: 400, error: 'invalid_argument' })
    expect(await browser.ask('sign-in', { ...code, codeVerifier: 'x'.repeat(43) })).toEqual({
      status: 400,
      error: 'invalid_grant',
    })
    expect(await browser.ask('sign-in', { ...(await codeFor(emulator)), nonce: 'other' })).toEqual({
      status: 502,
      error: 'invalid_id_token',
    })
    expect(await browser.ask('sign-in', { access_token: 'a', id_token: 'b' })).toMatchObject({ status: 400 })
    expect(browser.cookies.size).toBe(0)
  })

  it('attack/197 no address leads anywhere else: unknown routes, prefixes, dots and foreign pages to return to', async () => {
    const { browser } = await signedIn({ redirectUri: CALLBACK })
    const odd = [
      '/session',
      '/session/',
      '/sessionx/token',
      '/session/constructor',
      '/session/token/x',
      '/other/session/token',
    ]
    for (const path of odd)
      expect((await browser.send(path, { method: 'POST', headers: { origin: GAME } })).status).toBe(404)
    for (const page of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/%0d%0ax',
      '/a b',
      `/${'a'.repeat(3000)}`,
    ]) {
      await browser.send(`/session/start?return_to=${encodeURIComponent(page)}`)
      const started = await browser.send(`/session/start?return_to=${encodeURIComponent(page)}`)
      const { redirect } = await emulator.authorize(started.headers.get('location') ?? '', { as: 'ada' })
      const { headers, status } = await browser.send(`/session/callback${new URL(redirect).search}`)
      expect(status).toBe(303)
      expect(new URL(headers.get('location') ?? '', GAME).origin).toBe(GAME)
    }
  })

  it('attack/198 no cache stores a response', async () => {
    const { browser } = await signedIn({ redirectUri: CALLBACK })
    const responses = [
      await browser.post('token'),
      await browser.send('/session/start'),
      await browser.send('/x'),
      await browser.post('sign-out'),
    ]
    for (const { headers } of responses)
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-store', 'origin, cookie'])
  })

  it('attack/199 a cookie stays far below the limit of browsers, and holds neither a token nor an id', async () => {
    const { browser, tokens } = await signedIn()
    const line = browser.setCookies.join('\n')
    expect(line.length).toBeLessThan(600)
    for (const hidden of [tokens['access_token'], tokens['user_id']])
      expect(line).not.toContain(String(hidden))
  })

  it('attack/200 a new key signs nobody out, and a removed key opens nothing', async () => {
    const [old, next] = ['o'.repeat(32), 'n'.repeat(32)]
    const { browser } = await signedIn({ keys: [old] })
    const copyTo = (keys: string[]) => {
      const other = new SessionBrowser(createHandler({ keys }))
      for (const cookie of browser.cookies) other.cookies.set(...cookie)
      return other
    }
    expect(await copyTo([next, old]).ask('token')).toMatchObject({ status: 200 })
    expect(await copyTo([next]).ask('token')).toMatchObject({ status: 401 })
    for (const keys of [[], ['short']])
      expect(() => createHandler({ keys })).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
  })

  it('attack/201 the end of a player’s sessions holds in every process, and for no session that begins afterwards', async () => {
    const { browser } = await signedIn()
    const { browser: phone } = await signedIn()
    const { browser: other } = await signedIn()
    await other.signIn(emulator, 'bruno')
    await createHandler().end(findPlayer(emulator, 'ada').id)
    expect([await browser.ask('token'), await phone.ask('token')]).toMatchObject([
      { status: 401 },
      { status: 401 },
    ])
    expect(await other.ask('token')).toMatchObject({ status: 200 })
    expect(await browser.signIn(emulator)).toMatchObject({ status: 200 })
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
  })

  it('attack/202 a copied cookie ends the session for both once the newer one is in use, after a minute for late requests', async () => {
    const clock = new ManualClock(Date.now())
    store = memorySessionStore({ clock })
    const handler = createHandler({ clock })
    const browser = new SessionBrowser(handler)
    const tokens = await browser.signIn(emulator)
    const thief = new SessionBrowser(handler)
    for (const cookie of browser.cookies) thief.cookies.set(...cookie)
    const { access_token: second } = await browser.ask('token', { refused: hashOf(tokens['access_token']) })
    await browser.ask('token')
    clock.advance(59_000)
    expect(await new SessionBrowser(handler).ask('token')).toMatchObject({ status: 401 })
    clock.advance(2000)
    expect(await thief.ask('token')).toMatchObject({ status: 401 })
    expect(await browser.ask('token', { refused: hashOf(second) })).toMatchObject({ status: 401 })
  })

  it('attack/202 a response that was lost leaves the previous cookie valid', async () => {
    const clock = new ManualClock(Date.now())
    store = memorySessionStore({ clock })
    const browser = new SessionBrowser(createHandler({ clock }))
    const tokens = await browser.signIn(emulator)
    const before = new Map(browser.cookies)
    await browser.ask('token', { refused: hashOf(tokens['access_token']) })
    for (const cookie of before) browser.cookies.set(...cookie)
    clock.advance(WEEK / 2)
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
  })

  it('attack/203 the store learns no token, no id of a session and no secret', async () => {
    const texts: string[] = []
    const memory = store
    store = { ...memory, set: (key, text, ttl) => (texts.push(key, text), memory.set(key, text, ttl)) }
    const { tokens } = await signedIn()
    const shown = texts.join('\n')
    for (const hidden of [tokens['access_token'], tokens['id_token'], emulator.application.clientSecret])
      expect(shown).not.toContain(String(hidden))
    expect(shown).toMatch(/^\d+:session:[\w-]{43}\neyJ/)
  })
})
