/** Pages that a player's browser opens at a session handler, several games and tabs of one browser, and the cookies of each host. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  clientSecret,
  createSessionHandler,
  memorySessionStore,
  type SessionHandler,
  type SessionHandlerOptions,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionRoutes } from '../support/internals'
import { GAME, SessionBrowser } from '../support/session-browser'

const SITE = 'https://game.example'
const CALLBACK = `${GAME}/session/callback`
/** The routes that a browser opens as a page, from the handler's own list. */
const PAGES = sessionRoutes()
  .filter((route) => route.startsWith('GET '))
  .map((route) => route.slice('GET '.length))
const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }

let emulator: Emulator
let handler: SessionHandler
let browser: SessionBrowser

beforeAll(async () => {
  const redirectUris = [CALLBACK, `${GAME}/callback.html`]
  emulator = await createEmulator({
    seed: { application: { publicClient: false, redirectUris } },
    idTokens: { forEveryGrant: true },
  })
})
beforeEach(() => {
  emulator.reset()
  handler = createHandler({ redirectUri: CALLBACK })
  browser = new SessionBrowser((request) => handler(request))
})
afterAll(() => emulator.close())

function createHandler(options: Partial<SessionHandlerOptions> = {}): SessionHandler {
  const { id: applicationId, clientSecret: secret } = emulator.application
  const parts = { applicationId, service: { host: emulator.url }, credentials: clientSecret(secret) }
  return createSessionHandler({ ...parts, origins: [GAME], store: memorySessionStore(), ...options })
}

async function consentOf(started: Response, as = 'ada'): Promise<string> {
  const { redirect } = await emulator.authorize(started.headers.get('location') ?? '', { as })
  return `/session/callback${new URL(redirect ?? '').search}`
}
const locationOf = (response: Response) => [response.status, response.headers.get('location')]

describe('a refusal of the service for a reason in the configuration of the game', () => {
  const REASONS: Record<string, { options: Partial<SessionHandlerOptions>; status: number; error: string }> =
    {
      invalid_client: {
        options: { credentials: clientSecret('of-another-application') },
        status: 0,
        error: '',
      },
      unauthorized_client: { options: {}, status: 400, error: 'unauthorized_client' },
      invalid_grant: { options: {}, status: 400, error: 'invalid_grant' },
      invalid_request: { options: {}, status: 400, error: 'invalid_request' },
      invalid_scope: { options: {}, status: 400, error: 'invalid_scope' },
      unsupported_grant_type: { options: {}, status: 400, error: 'unsupported_grant_type' },
      http_404: { options: {}, status: 404, error: '' },
    }

  it.each(Object.entries(REASONS))(
    'has a remedy in the log: %s',
    async (code, { options, status, error }) => {
      const remedies: unknown[] = []
      handler = createHandler({
        redirectUri: CALLBACK,
        logger: (_level, step, data) =>
          step === 'session.refused' && remedies.push([data?.['code'], data?.['remedy']]),
        ...options,
      })
      const path = await consentOf(await browser.send('/session/start'))
      if (status > 0)
        emulator.faults([
          { match: { path: '*/oauth2/token' }, effect: { status, body: error ? { error } : {} } },
        ])
      await browser.send(path, { headers: OPENED })
      expect(remedies).toEqual([[code, expect.stringMatching(/\w/)]])
    },
  )
})

describe('a page that the browser opens', () => {
  it.each(['same-origin', 'same-site', 'cross-site', 'none'])(
    'begins a sign-in, from a link of %s',
    async (site) => {
      const response = await browser.send('/session/start', {
        headers: { ...OPENED, 'sec-fetch-site': site },
      })
      expect(response.status).toBe(302)
    },
  )

  it('is no picture of another site, which would begin sign-ins', async () => {
    const response = await browser.send('/session/start', {
      headers: { ...OPENED, 'sec-fetch-dest': 'image' },
    })
    expect(response.status).toBe(403)
  })

  it('returns to where the player was when the consent is refused, with the reason', async () => {
    const started = await browser.send('/session/start?return_to=/lobby?id=7')
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
    const query = new URLSearchParams({ error: 'access_denied', state: state ?? '', iss: emulator.url })
    const back = await browser.send(`/session/callback?${query}`, { headers: OPENED })
    expect(locationOf(back)).toEqual([303, '/lobby?id=7&session_error=access_denied'])
    expect(browser.cookies.size).toBe(0)
  })

  it('returns with the reason when a callback is repeated, stale or foreign', async () => {
    const path = await consentOf(await browser.send('/session/start?return_to=/lobby'))
    expect(locationOf(await browser.send(path, { headers: OPENED }))).toEqual([303, '/lobby'])
    expect(locationOf(await browser.send(path, { headers: OPENED }))).toEqual([
      303,
      '/?session_error=state_mismatch',
    ])
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
  })

  // Enumerates: a route for pages that forgets it answers a failure in JSON.
  it.each(PAGES)('is never answered in JSON: %s', async (name) => {
    for (const options of [{}, { redirectUri: CALLBACK, service: { host: 'http://127.0.0.1:9' } }]) {
      const failing = new SessionBrowser(createHandler(options))
      const response = await failing.send(`/session/${name}?code=a&state=b`, { headers: OPENED })
      expect([302, 303]).toContain(response.status)
      expect(response.headers.get('content-type')).toBe(null)
    }
  })
})

describe('one browser', () => {
  it('signs in in two tabs at once, and each returns to its page', async () => {
    const started = [
      await browser.send('/session/start?return_to=/a'),
      await browser.send('/session/start?return_to=/b'),
    ]
    const paths = await Promise.all(started.map((response) => consentOf(response)))
    for (const [index, path] of paths.entries())
      expect(locationOf(await browser.send(path))).toEqual([303, ['/a', '/b'][index]])
  })

  it('keeps few cookies of sign-ins that nobody ends', async () => {
    for (let count = 0; count < 20; count++) await browser.send('/session/start')
    expect(browser.cookies.size).toBeLessThanOrEqual(4)
  })

  it('keeps the sessions of two games of one application on two ports of this machine', async () => {
    const other = 'http://localhost:5174'
    const otherHandler = createHandler({ origins: [other] })
    const otherBrowser = new SessionBrowser((request) => otherHandler(request), { origin: other })
    await browser.signIn(emulator)
    for (const cookie of browser.cookies) otherBrowser.cookies.set(...cookie)
    await otherBrowser.signIn(emulator, 'bruno')
    for (const cookie of otherBrowser.cookies) browser.cookies.set(...cookie)
    const answers = [await browser.ask('token'), await otherBrowser.ask('token')]
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(answers[0]?.['user_id']).not.toBe(answers[1]?.['user_id'])
  })
})

describe('a cookie', () => {
  it('that a proxy sends twice is accepted, and two that differ are not', async () => {
    await browser.signIn(emulator)
    const [[name, value] = ['', '']] = browser.cookies
    const ask = (cookie: string) => browser.post('token', {}, { cookie })
    expect((await ask(`${name}=${value}; ${name}=${value}`)).status).toBe(200)
    expect((await ask(`${name}=${value}; ${name}=other`)).status).toBe(401)
  })

  it('has another name for a host that passes one only', async () => {
    handler = createHandler({ cookieName: '__session' })
    await browser.signIn(emulator)
    expect([...browser.cookies.keys()]).toEqual(['__session'])
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    const invalid = expect.objectContaining({ code: 'invalid_argument' })
    expect(() => createHandler({ cookieName: 'a;b' })).toThrow(invalid)
    expect(() => createHandler({ cookieName: '__session', redirectUri: CALLBACK })).toThrow(invalid)
  })

  it('is Secure for the site and not for this machine, if the origins name both', async () => {
    handler = createHandler({ origins: [SITE, GAME] })
    await browser.signIn(emulator)
    expect(browser.setCookies.at(-1)).not.toContain('Secure')
    const site = new SessionBrowser((request) => handler(request), { origin: SITE })
    await site.signIn(emulator)
    expect(site.setCookies.at(-1)).toMatch(/^__Host-.*Secure/)
    expect([await browser.ask('token'), await site.ask('token')]).toMatchObject([
      { status: 200 },
      { status: 200 },
    ])
  })

  it.each(['short', 'none'] as const)(
    'names the player of a page opened from a chat, and of nothing else of another site (%s)',
    async (tokens) => {
      handler = createHandler({ tokens })
      const { user_id: id } = await browser.signIn(emulator)
      const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ')
      const verify = (headers: Record<string, string>, method = 'GET') =>
        handler.verify(new Request(`${GAME}/play`, { method, headers: { ...headers, cookie } })).then(
          (player) => player.id,
          (error: { code: string }) => error.code,
        )
      expect(await verify(OPENED)).toBe(id)
      for (const dest of ['iframe', 'image', 'empty', 'script', 'object'])
        expect(await verify({ ...OPENED, 'sec-fetch-dest': dest })).toBe('missing_player_token')
      expect(await verify(OPENED, 'POST')).toBe('missing_player_token')
      expect(await verify({ 'sec-fetch-site': 'cross-site' })).toBe('missing_player_token')
    },
  )
})

/** A route that a development server has loaded anew: a new handler with a new store. */
const load = (name?: string) => createHandler({ store: memorySessionStore({ name }) })

describe('a store in memory', () => {
  it('of the same name keeps the player when a route is loaded anew', async () => {
    handler = load('game')
    await browser.signIn(emulator)
    handler = load('game')
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    handler = load('other')
    expect(await browser.ask('token')).toMatchObject({ status: 401 })
  })

  it('without a name is one of its own', async () => {
    handler = load()
    await browser.signIn(emulator)
    handler = load()
    expect(await browser.ask('token')).toMatchObject({ status: 401 })
  })

  it.each(['', 7, null])('has no name %j', (name) => {
    const invalid = expect.objectContaining({ code: 'invalid_argument' })
    expect(() => memorySessionStore({ name: name as never })).toThrow(invalid)
  })
})

it.each([
  'https://*.game.example',
  'capacitor://localhost',
  'tauri://localhost',
  'app://game',
  'https://game.example/',
])('the origin %s, which no page of a backend session has, is refused', (origin) => {
  const refused = expect.objectContaining({
    code: 'invalid_argument',
    message: expect.stringContaining('origins'),
  })
  expect(() => createHandler({ origins: [origin] })).toThrow(refused)
})

it.each([
  ['https://game.example:443', 'https://game.example'],
  ['https://GAME.example', 'https://game.example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://user@game.example', 'https://game.example'],
  ['HTTP://LOCALHOST:5173', 'http://localhost:5173'],
  ['http://localhost:80', 'http://localhost'],
])('the origin %s is refused, and the message has the one that browsers send: %s', (origin, sent) => {
  const message = expect.stringContaining(`['${sent}']`)
  expect(() => createHandler({ origins: [origin] })).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message }),
  )
})

describe.each([
  'http://localhost',
  'http://127.0.0.1:4173',
  'http://[::1]:5173',
  'https://game.example:8443',
])('a game at %s', (origin) => {
  it.each(['short', 'none'] as const)(
    'has a session in the mode %s, and a page of its player',
    async (tokens) => {
      handler = createHandler({ origins: [origin], tokens })
      const game = new SessionBrowser((request) => handler(request), { origin })
      const { user_id: id } = await game.signIn(emulator)
      expect(await game.ask('token')).toMatchObject({ status: 200, user_id: id })
      const cookie = Array.from(game.cookies, ([name, value]) => `${name}=${value}`).join('; ')
      const request = new Request(`${origin}/play`, { headers: { ...OPENED, cookie } })
      expect(await handler.verify(request)).toMatchObject({ id })
    },
  )
})

it('a callback of a browser that says nothing of its request returns with the reason', async () => {
  const started = await browser.send('/session/start?return_to=/lobby')
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  for (const error of ['server_error', 'temporarily_unavailable', 'invented']) {
    const query = new URLSearchParams({ error, state, iss: emulator.url })
    const [status, to] = locationOf(await browser.send(`/session/callback?${query}`))
    expect(status).toBe(303)
    expect(to).toMatch(/^\/(lobby)?\?session_error=\w+$/)
  }
})
