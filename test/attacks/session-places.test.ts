/** Attacks and accidents with records, cookies, attempts and locks that are not where they belong (docs/threats.md). */
import { type Fetch, Secret, type TokenSet } from 'foyer-sdk'
import {
  clientSecret,
  createSessionHandler,
  memorySessionStore,
  type SessionHandlerOptions,
  type SessionStore,
  type StoreKey,
} from 'foyer-sdk/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingService, passTime, settleWork } from '../support/counting-service'
import { STORE_KINDS } from '../support/internals'
import { ManualClock } from '../support/manual-clock'
import { GAME, hashOf, SessionBrowser, sessionCookieOf } from '../support/session-browser'

const OTHER = '1287654321098765434'
const VERIFIER = 'v'.repeat(43)
let clock: ManualClock
let service: CountingService
let store: SessionStore
/** While set, answers of the service wait for it. */
let held: Promise<void> | undefined
/** Answers of the service that are refusals, from now on. */
let refusals: number
/** End of the addresses whose answers are held back. */
let heldPath: string
/** Answers that are held back. */
let holding: number

beforeEach(() => {
  clock = new ManualClock()
  service = new CountingService(clock)
  store = memorySessionStore({ clock })
  held = undefined
  refusals = 0
  holding = 0
  heldPath = ''
})

const holdingFetch: Fetch = async (url, init) => {
  const response = await service.fetch(url, init)
  if (url.endsWith('/users/@me') && refusals > 0) {
    refusals -= 1
    return Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
  }
  if (held && url.endsWith(heldPath)) {
    holding += 1
    await held
  }
  return response
}

const isHolding = async (): Promise<boolean> => settleWork().then(() => holding > 0)

/** Resolves when the service holds an answer back, or the request needs none. */
async function untilHeld(late: Promise<Response>): Promise<void> {
  const over = late.then(() => true)
  while (!(await Promise.race([over, isHolding()]))) continue
}

function createHandler(options: Partial<SessionHandlerOptions> = {}) {
  return createSessionHandler({
    applicationId: CountingService.applicationId,
    service: { host: CountingService.host },
    credentials: clientSecret('s'.repeat(32)),
    origins: [GAME],
    redirectUri: `${GAME}/session/callback`,
    tokens: 'none',
    fetch: holdingFetch,
    clock,
    store,
    ...options,
  })
}

function hold(): () => void {
  let resolve: (() => void) | undefined
  held = new Promise<void>((release) => (resolve = release))
  return () => {
    held = undefined
    resolve?.()
  }
}

const signIn = (browser: SessionBrowser, player: number) =>
  browser.ask('sign-in', {
    code: `honest-${player}`,
    codeVerifier: VERIFIER,
    redirectUri: `${GAME}/callback.html`,
  })

async function signedIn(player: number, options: Partial<SessionHandlerOptions> = {}) {
  const handler = createHandler(options)
  const browser = new SessionBrowser(handler)
  expect(await signIn(browser, player)).toMatchObject({ status: 200 })
  return { handler, browser }
}

const userOf = (player: number) => String(7_000_000 + player)
const me = (browser: SessionBrowser) => browser.send('/session/api/users/@me', { headers: { origin: GAME } })

function copyOf(browser: SessionBrowser, handler: ReturnType<typeof createHandler>): SessionBrowser {
  const copy = new SessionBrowser(handler)
  for (const cookie of browser.cookies) copy.cookies.set(...cookie)
  return copy
}

/** What a page asks with its cookie and whose answer may be late. */
const LATE: Record<string, (browser: SessionBrowser) => Promise<Response>> = {
  'a relayed call whose token was replaced': (browser) => {
    refusals = 1
    return me(browser)
  },
  'a relayed call that was repeated with another token': (browser) => {
    refusals = 1
    heldPath = '/users/@me'
    return me(browser)
  },
  'new tokens': (browser) => browser.post('token', { refused: 'all' }),
  'a revocation': (browser) => browser.post('revoke'),
  'a revocation of another token': (browser) => browser.post('revoke', { token: 'another' }),
  'a sign-out with a revocation': (browser) => browser.post('sign-out', { revoke: true }),
  'a sign-out': (browser) => browser.post('sign-out'),
}

describe('attack/244 an answer that is late', () => {
  it.each(Object.entries(LATE))(
    '%s of Ada leaves Bruno signed in, who signed in meanwhile in the same browser',
    async (_, ask) => {
      const { browser, handler } = await signedIn(1)
      expect(await browser.ask('token')).toMatchObject({ status: 200 })
      const slow = copyOf(browser, handler)
      const release = hold()
      const late = ask(slow)
      await untilHeld(late)
      const isHeld = holding > 0
      // The browser has not received it: Bruno's sign-in goes out with Ada's cookie.
      held = undefined
      await browser.ask('sign-out')
      for (const cookie of slow.cookies) browser.cookies.set(...cookie)
      expect(await signIn(browser, 2)).toMatchObject({ status: 200, user_id: userOf(2) })
      release()
      const response = await late
      expect(isHeld ? response.headers.getSetCookie() : []).toEqual([])
      expect(await browser.ask('token')).toMatchObject({ status: 200, user_id: userOf(2) })
    },
  )

  it('is nobody’s: a relayed call whose session has ended answers with nothing of the player', async () => {
    const { browser, handler } = await signedIn(1)
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    const slow = copyOf(browser, handler)
    refusals = 1
    heldPath = '/users/@me'
    const release = hold()
    const late = me(slow)
    await untilHeld(late)
    held = undefined
    await browser.ask('sign-out')
    release()
    const response = await late
    expect([response.status, await response.text()]).toEqual([401, JSON.stringify({ error: 'signed_out' })])
  })
})

describe('attack/245 a sealed record', () => {
  it('that is copied to the place of another player opens for nobody, and the log says so', async () => {
    const texts = new Map<StoreKey, string>()
    const set = store.set.bind(store)
    const steps: string[] = []
    store.set = async (key, text, ttl) => {
      texts.set(key, text)
      return set(key, text, ttl)
    }
    const logger: SessionHandlerOptions['logger'] = (_, step) => void steps.push(step)
    const { browser: bruno } = await signedIn(2)
    const victim = [...texts].at(-1)
    const { browser: attacker } = await signedIn(1, { logger })
    const own = [...texts].at(-1)
    if (!victim || !own) throw new Error('nothing was stored')
    await set(own[0], victim[1], 60_000)
    expect(await attacker.ask('token')).toEqual({ status: 401, error: 'signed_out' })
    expect(steps).toContain('session.record_rejected')
    expect(await bruno.ask('token')).toMatchObject({ user_id: userOf(2) })
  })

  it('of one game opens in no other, though store and keys are the same', async () => {
    const keys = ['k'.repeat(32)]
    const { browser } = await signedIn(1, { keys })
    const other = new SessionBrowser(createHandler({ keys, applicationId: OTHER }))
    const [, value = ''] = [...browser.cookies][0] ?? []
    other.cookies.set(sessionCookieOf(OTHER), value)
    expect(await other.ask('token')).toMatchObject({ status: 401 })
  })

  it('of a player stays, if another game with the same store ends all sessions of that player', async () => {
    const { browser } = await signedIn(1)
    await createHandler({ applicationId: OTHER }).end(userOf(1))
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    await createHandler().end(userOf(1))
    expect(await browser.ask('token')).toMatchObject({ status: 401 })
  })

  it('has a key of application and kind, as has everything else that a handler stores', async () => {
    const keys = new Set<string>()
    const recorded = new Proxy(store, {
      get: (target, name, receiver) => {
        const method: unknown = Reflect.get(target, name, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => (
          keys.add(String(args[0])),
          Reflect.apply(method, target, args) as unknown
        )
      },
    })
    const { browser, handler } = await signedIn(1, { store: recorded })
    const { callback } = await started(browser)
    await callback('honest-3')
    await browser.ask('token', { refused: 'x' })
    await browser.ask('sign-out', { revoke: true })
    await handler.end(userOf(1))
    const parts = [...keys].map((key) => key.split(':').slice(0, 2).join(':'))
    expect(new Set(parts)).toEqual(
      new Set(
        ['session', 'ended', 'end', 'lock', 'attempt'].map(
          (kind) => `${CountingService.applicationId}:${kind}`,
        ),
      ),
    )
    for (const part of parts) expect(STORE_KINDS).toContain(part.split(':')[1])
  })
})

/** Why the player is not signed in, as the page to which the browser returns reads it. */
const reasonOf = ({ status, headers }: Response): string | null =>
  status === 303 ? new URL(headers.get('location') ?? '', GAME).searchParams.get('session_error') : null

/** An attempt that this browser began, and its completion with a code. */
async function started(browser: SessionBrowser) {
  const response = await browser.send('/session/start')
  const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const cookies = new Map(browser.cookies)
  return {
    callback: async (code: string): Promise<Response> => {
      for (const cookie of cookies) browser.cookies.set(...cookie)
      const query = new URLSearchParams({ code, state, iss: CountingService.host })
      return browser.send(`/session/callback?${query.toString()}`)
    },
  }
}

describe('attack/246 an attempt to sign in', () => {
  it('is for one code: the second of sixty is refused, and reaches nobody', async () => {
    const { callback } = await started(new SessionBrowser(createHandler()))
    const first = await callback('invented-0')
    expect(reasonOf(first)).toBe('invalid_grant')
    const before = service.requests.length
    for (let i = 1; i < 60; i++) {
      expect(reasonOf(await callback(`honest-${i}`))).toBe('state_mismatch')
    }
    expect(service.requests.length).toBe(before)
  })

  it('may be completed again if the service did not answer', async () => {
    let isDown = true
    const fetch: Fetch = async (url, init) =>
      isDown ? Promise.reject(new TypeError('fetch failed')) : service.fetch(url, init)
    const { callback } = await started(new SessionBrowser(createHandler({ fetch })))
    const failing = callback('honest-1')
    await passTime(clock, 60_000, 1000)
    expect(reasonOf(await failing)).toBe('connection_failed')
    // The browser still has the cookie of the attempt: the player reloads the page.
    expect((await failing).headers.getSetCookie()).toEqual([])
    isDown = false
    const again = await callback('honest-1')
    expect([again.status, again.headers.get('location')]).toEqual([303, '/'])
  })
})

describe('attack/430 an attempt in the cookies of one browser', () => {
  it.each(['https://game.example', GAME])('stays, however many another game of %s begins', async (origin) => {
    const own = { origins: [origin], redirectUri: `${origin}/session/callback` }
    const games = [createHandler(own), createHandler({ ...own, applicationId: OTHER })] as const
    const browser = new SessionBrowser(games[0], { origin })
    const other = new SessionBrowser(games[1], { origin })
    await browser.send('/session/start')
    const [attempt = ''] = browser.cookies.keys()
    for (let begun = 0; begun < 12; begun++) {
      for (const cookie of browser.cookies) other.cookies.set(...cookie)
      await other.send('/session/start')
      expect([...other.cookies.keys()]).toContain(attempt)
    }
    expect(other.cookies.size).toBeLessThan(7)
  })
})

describe('attack/431 a player whose sessions are ended', () => {
  it('is signed out too if the backend finds the account of before at that moment', async () => {
    let end: (player: string) => Promise<void> = never
    const { browser, handler } = await signedIn(1, {
      fetch: refusing,
      recover: async (player) => {
        await end(player)
        return tokensOf(3)
      },
    })
    end = (player) => handler.end(player)
    expect(await browser.ask('token', { refused: hashOf(accessTokenOf(1)) })).toMatchObject({ status: 401 })
    expect(await browser.ask('token')).toMatchObject({ status: 401 })
  })

  it('plays on with the account of before if nobody ended the sessions', async () => {
    const { browser } = await signedIn(1, {
      fetch: refusing,
      recover: async () => tokensOf(3),
    })
    const answer = await browser.ask('token', { refused: hashOf(accessTokenOf(1)) })
    expect(answer).toMatchObject({ status: 200, user_id: userOf(3) })
  })
})

/** The service, which takes no refresh token any more. */
const refusing: Fetch = async (url, init) =>
  typeof init.body === 'string' && init.body.includes('refresh_token')
    ? Response.json({ error: 'invalid_grant' }, { status: 400 })
    : service.fetch(url, init)

const tokensOf = (player: number): TokenSet => ({
  accessToken: new Secret(`access-${player}-0`),
  tokenType: 'Bearer',
  expiresAt: clock.now() + 604_800_000,
  scopes: ['identify'],
})

const never = () => new Promise<never>(() => undefined)

describe('attack/247 the lock of a session', () => {
  it('that a killed process holds delays the next refresh by less than 5 s', async () => {
    const { browser } = await signedIn(1)
    const before = service.count('/oauth2/token')
    // A process that takes the lock, and does nothing more.
    let isTaken = false
    const lock: SessionStore['lock'] = async (...args) => (isTaken = await store.lock(...args))
    const dead = createHandler({ store: { ...store, lock, renew: never, unlock: never } })
    void copyOf(browser, dead).post('token')
    await expect.poll(() => isTaken).toBe(true)
    const began = clock.now()
    let took = Number.POSITIVE_INFINITY
    void browser.post('token', { refused: hashOf(accessTokenOf(1)) }).then(() => (took = clock.now() - began))
    await passTime(clock, 4500, 50)
    await expect.poll(() => took).toBeLessThan(5000)
    expect(service.count('/oauth2/token')).toBeGreaterThan(before)
  })

  it('is held for as long as a refresh takes, however long that is', async () => {
    const { browser, handler } = await signedIn(1)
    const { access_token: _, ...first } = await browser.ask('token')
    expect(first).toMatchObject({ status: 200 })
    const other = copyOf(browser, createHandler())
    const before = service.count('/oauth2/token')
    let release: (() => void) | undefined
    const slow = new Promise<void>((resolve) => (release = resolve))
    const waiting = createHandler({
      fetch: async (url, init) => {
        const response = await service.fetch(url, init)
        await slow
        return response
      },
    })
    const refreshing = copyOf(browser, waiting).post('token', { refused: hashOf(accessTokenOf(1)) })
    await expect.poll(() => service.count('/oauth2/token') - before).toBe(1)
    await passTime(clock, 12_000, 100)
    const second = other.post('token', { refused: hashOf(accessTokenOf(1)) })
    await passTime(clock, 2000, 100)
    expect(service.count('/oauth2/token') - before).toBe(1)
    release?.()
    const statuses: number[] = []
    for (const each of [refreshing, second]) void each.then(({ status }) => statuses.push(status))
    await expect.poll(() => passTime(clock, 50, 50).then(() => statuses)).toEqual([200, 200])
    expect(service.count('/oauth2/token') - before).toBe(1)
    handler.close()
  })
})

/** The first access token of a player. */
const accessTokenOf = (player: number): string => `access-${player}-1`

describe('attack/248 tokens that last a minute', () => {
  it('are refreshed once at most by six calls in a row', async () => {
    service.life = 60
    const { browser } = await signedIn(1)
    const before = service.count('/oauth2/token')
    for (let call = 0; call < 6; call++) expect((await me(browser)).status).toBe(200)
    expect(service.count('/oauth2/token') - before).toBe(0)
    clock.advance(46_000)
    for (let call = 0; call < 6; call++) expect((await me(browser)).status).toBe(200)
    expect(service.count('/oauth2/token') - before).toBe(1)
  })

  it('outlive two answers in a row that were lost, since a cookie that never came back is no proof of a thief', async () => {
    service.life = 60
    const { browser } = await signedIn(1)
    expect(await browser.ask('token')).toMatchObject({ status: 200 })
    const kept = new Map(browser.cookies)
    for (let lost = 0; lost < 2; lost++) {
      clock.advance(60_000)
      expect(await browser.ask('token')).toMatchObject({ status: 200 })
      for (const cookie of kept) browser.cookies.set(...cookie)
    }
    clock.advance(120_000)
    expect(await browser.ask('token')).toMatchObject({ status: 200, user_id: userOf(1) })
    expect(await browser.ask('token')).toMatchObject({ status: 200, user_id: userOf(1) })
  })
})
