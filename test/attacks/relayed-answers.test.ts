/** Attacks by time on relayed calls: the session ends while the backend waits for its turn, or the service answers (docs/threats.md). */
import type { Fetch } from 'foyer-sdk'
import {
  clientSecret,
  createSessionHandler,
  memorySessionStore,
  type SessionHandler,
  type SessionHandlerOptions,
} from 'foyer-sdk/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingService, passTime, settleWork } from '../support/counting-service'
import { RELAYED_ROUTES } from '../support/internals'
import { ManualClock } from '../support/manual-clock'
import { GAME, SessionBrowser } from '../support/session-browser'

const LOBBY = '1575683824195469312'
const SECRET = 'of ada'
const ADA = '7000001'

/** Right bodies of the routes that take one. */
const BODIES: Readonly<Record<string, object>> = {
  'PUT /lobbies': { secret: 's' },
  'POST /lobbies/{lobby.id}/messages': { content: 'Hi' },
  'PATCH /lobbies/{lobby.id}/channel-linking': { channel_id: LOBBY },
}

interface World {
  readonly handler: SessionHandler
  readonly browser: SessionBrowser
}

/** How a session ends, or another one takes its place, for a page that still waits. */
const ENDS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a sign-out': ({ browser }) => browser.ask('sign-out'),
  'a sign-out that revokes': ({ browser }) => browser.ask('sign-out', { revoke: true }),
  'a revocation': ({ browser }) => browser.ask('revoke'),
  'the sign-in of another player': ({ browser }) => signIn(browser, 2),
  'another sign-in of the same player': ({ browser }) => signIn(browser, 1),
  'the end of all sessions of the player': ({ handler }) => handler.end(ADA),
  'an end in another process': () => createHandler().end(ADA),
}

let clock: ManualClock
let service: CountingService
let store: SessionHandlerOptions['store']
/** Answers of the service to calls of a player; a pending promise is late. */
let line: (url: string) => Promise<Response> | Response
/** Calls of a player that have reached the service. */
let arrived: string[]

const fetch: Fetch = async (url, init) => {
  if (!url.includes('/api/v10/') || url.includes('/oauth2/') || !isRelayed) return service.fetch(url, init)
  arrived.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
  return line(url)
}
/** True while calls of a player are answered by `line`. */
let isRelayed: boolean

beforeEach(() => {
  clock = new ManualClock()
  service = new CountingService(clock)
  store = memorySessionStore({ clock })
  arrived = []
  isRelayed = false
})

const createHandler = () =>
  createSessionHandler({
    applicationId: CountingService.applicationId,
    service: { host: CountingService.host },
    credentials: clientSecret('s'.repeat(32)),
    origins: [GAME],
    tokens: 'none',
    fetch,
    clock,
    store,
  })

async function signIn(browser: SessionBrowser, player: number): Promise<unknown> {
  const wasRelayed = isRelayed
  isRelayed = false
  const answer = await browser.ask('sign-in', {
    code: `honest-${player}`,
    codeVerifier: 'v'.repeat(43),
    redirectUri: `${GAME}/callback.html`,
  })
  isRelayed = wasRelayed
  expect(answer).toMatchObject({ status: 200 })
  return answer
}

/** Ada, signed in, and a copy of her browser, which sends what waits: its answers reach nobody else. */
async function start() {
  const handler = createHandler()
  const browser = new SessionBrowser(handler)
  await signIn(browser, 1)
  await browser.ask('token')
  const slow = new SessionBrowser(handler)
  for (const cookie of browser.cookies) slow.cookies.set(...cookie)
  isRelayed = true
  return { handler, browser, slow }
}

const call = (browser: SessionBrowser, { method, route }: { method: string; route: string }) => {
  const body = BODIES[`${method} ${route}`]
  return browser.send(`/session/api${route.replace(/\{[^}]+\}/, LOBBY)}`, {
    method,
    headers: { origin: GAME, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** The service's record of Ada. */
const ofAda = () => Response.json({ id: ADA, secret: SECRET })
const refused = () => Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settleWork()
}

function later<T>() {
  let settle: ((value: T) => void) | undefined
  const promise = new Promise<T>((done) => (settle = done))
  return { promise, resolve: (value: T) => settle?.(value) }
}

const RELAYED = RELAYED_ROUTES.map(({ method, route }) => ({ name: `${method} ${route}`, method, route }))
const isRead = ({ method }: { method: string }) => method === 'GET'

describe.each(RELAYED)('attack/440 $name', (route) => {
  it('answers its player while the session lasts', async () => {
    const { slow } = await start()
    line = ofAda
    const response = await call(slow, route)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(SECRET)])
  })

  it.each(Object.entries(ENDS))(
    'is nobody’s if it was read, and %s came before its answer',
    async (_, end) => {
      // With the tokens of the beginning, and after a refresh.
      for (const isRenewed of [false, true]) {
        const world = await start()
        const answer = later<Response>()
        const before = arrived.length
        line = () => (isRenewed && arrived.length === before + 1 ? refused() : answer.promise)
        const late = call(world.slow, route)
        await until(() => arrived.length > before + (isRenewed ? 1 : 0))
        await end(world)
        answer.resolve(ofAda())
        const response = await late
        const text = await response.text()
        expect(response.headers.getSetCookie()).toEqual([])
        expect([isRenewed, response.status, text.includes(SECRET)]).toEqual(
          isRead(route) ? [isRenewed, 401, false] : [isRenewed, 200, true],
        )
        isRelayed = false
      }
    },
  )
})

describe('attack/441 a relayed call that waits', () => {
  it.each(Object.entries(ENDS))('for its repetition is not sent again after %s', async (_, end) => {
    for (const route of RELAYED) {
      const world = await start()
      line = () =>
        Response.json({ message: 'slow', retry_after: 2 }, { status: 429, headers: { 'retry-after': '2' } })
      const before = arrived.length
      const late = call(world.slow, route)
      await until(() => arrived.length > before)
      await settleWork()
      await end(world)
      line = ofAda
      await passTime(clock, 3000, 500)
      const response = await late
      expect([route.name, arrived.length - before, response.status]).toEqual([route.name, 1, 401])
      expect(response.headers.getSetCookie()).toEqual([])
      isRelayed = false
      clock.advance(60_000)
    }
  })

  it('for its repetition is sent again while the session lasts', async () => {
    const { slow } = await start()
    line = () =>
      Response.json({ message: 'slow', retry_after: 2 }, { status: 429, headers: { 'retry-after': '2' } })
    const late = call(slow, { method: 'GET', route: '/users/@me' })
    await until(() => arrived.length > 0)
    line = ofAda
    await passTime(clock, 3000, 500)
    expect([(await late).status, arrived.length]).toEqual([200, 2])
  })
})
