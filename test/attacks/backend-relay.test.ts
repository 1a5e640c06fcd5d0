/** Attacks on the calls that a backend relays for a page without tokens (docs/threats.md). */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Fetch } from 'foyer-sdk'
import { type SessionHandler, toNodeListener } from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { findPlayer } from '../support/find-player'
import { RELAYED_ROUTES } from '../support/internals'
import { listen } from '../support/loopback'
import { createHandlerOf } from '../support/page-of-backend'
import { GAME, hashOf, SessionBrowser } from '../support/session-browser'

const LOBBY = '1575683824195469312'
let emulator: Emulator
let handler: SessionHandler
let browser: SessionBrowser
/** Addresses that the backend asked. */
let asked: string[]

beforeAll(async () => {
  emulator = await createEmulator({ seed: { application: { publicClient: false } } })
})
beforeEach(async () => {
  emulator.reset()
  asked = []
  const record: Fetch = (url, init) => {
    asked.push(`${init.method} ${url}`)
    return fetch(url, init)
  }
  handler = createHandlerOf(emulator, { tokens: 'none', fetch: record })
  browser = new SessionBrowser(handler)
  await browser.signIn(emulator)
  asked = []
})
afterAll(() => emulator.close())

const send = (method: string, path: string, init: RequestInit = {}) =>
  browser.send(`/session/api${path}`, {
    method,
    ...init,
    headers: { origin: GAME, ...Object.fromEntries(new Headers(init.headers)) },
  })

const join = (body: string, headers: Record<string, string> = {}) =>
  send('PUT', '/lobbies', { body, headers: { 'content-type': 'application/json', ...headers } })

/** Sends a request line as it is: no client resolves it. */
async function sendRaw(port: number, target: string, cookie: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET ${target} HTTP/1.1\r\nhost: localhost:5173\r\norigin: ${GAME}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`,
  )
  let text = ''
  for await (const part of socket) text += String(part)
  return text.slice(0, text.indexOf('\r\n'))
}

it('attack/204 only the listed routes are relayed: no other path, host, query, method or encoded slash', async () => {
  const foreign = [
    ['GET', '/oauth2/@me'],
    ['GET', '/users/@me/'],
    ['GET', '//users/@me'],
    ['GET', '/users/@me%2fguilds'],
    ['GET', '/users/%40me'],
    ['GET', '/users/@me/../@me/relationships'],
    ['GET', '/users/@me?access_token=x'],
    ['GET', '/users/@me?'.concat('with_counts=true')],
    ['GET', '/guilds/1%2F2/channels'],
    ['GET', '/guilds/@me/channels'],
    ['GET', '/guilds/evil.example/channels'],
    ['GET', `/lobbies/${LOBBY}/messages?limit=50&limit=60`],
    ['GET', `/lobbies/${LOBBY}/messages?limit=-1`],
    ['GET', `/lobbies/${LOBBY}/messages?limit=5&__proto__=x`],
    ['GET', `/lobbies/${LOBBY}`],
    ['DELETE', `/lobbies/${LOBBY}`],
    ['DELETE', `/lobbies/${LOBBY}/members/${findPlayer(emulator, 'bruno').id}`],
    ['PATCH', '/users/@me'],
    ['HEAD', '/users/@me'],
    ['POST', '/lobbies'],
    ['GET', '/https://evil.example'],
    ['GET', '/@evil.example'],
    ['GET', ''],
  ] as const
  for (const [method, path] of foreign) {
    const response = await send(method, path)
    expect([method, path, response.status]).toEqual([method, path, 404])
  }
  expect(asked).toEqual([])
  expect((await send('GET', '/users/@me')).status).toBe(200)
  expect(asked).toEqual([`GET ${emulator.url}/api/v10/users/@me`])
})

/** Of each field that a relayed body may hold. */
const WRONG = {
  secret: [undefined, null, '', ' ', 7, 's'.repeat(251), ['s']],
  lobby_metadata: [7, 'a', ['a'], { a: 1 }, { a: null }, { a: 'x'.repeat(1000) }],
  member_metadata: [7, 'a', ['a'], { a: {} }, { ['k'.repeat(1001)]: '' }],
  idle_timeout_seconds: [0, 4, 604_801, 5.5, '5', true, {}],
  content: [undefined, null, '', '\n', 7, 'x'.repeat(2001), {}, 'cut in \ud83d'],
  metadata: [7, 'a', ['a'], { a: 1 }, { a: 'x'.repeat(1000) }],
  channel_id: [7, '', 'x', '1 ', '-1', {}, ['1']],
}
/** Bodies that the service takes for a player, or may take, and no page is meant to send. */
const UNLISTED = {
  embeds: [{ title: 'x' }],
  allowed_mentions: { parse: ['everyone'] },
  flags: 1,
  tts: true,
  members: [],
  Secret: 's',
}
/** A right body of each relayed route that takes one. */
const RIGHT: Readonly<Record<string, Partial<Record<keyof typeof WRONG, unknown>>>> = {
  'PUT /lobbies': { secret: 's', lobby_metadata: { a: 'b' }, member_metadata: {}, idle_timeout_seconds: 60 },
  'POST /lobbies/{lobby.id}/messages': { content: 'Hi', metadata: { a: 'b' } },
  'PATCH /lobbies/{lobby.id}/channel-linking': { channel_id: LOBBY },
}

it('attack/300 a relayed body that breaks a rule of its route is refused before it is sent', async () => {
  const routes = RELAYED_ROUTES.filter(({ body }) => body).map(({ method, route }) => `${method} ${route}`)
  expect(routes.toSorted()).toEqual(Object.keys(RIGHT).toSorted())
  for (const [at, right] of Object.entries(RIGHT)) {
    const [method = '', route = ''] = at.split(' ')
    const path = route.replace('{lobby.id}', LOBBY)
    const call = (body: unknown) =>
      send(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    for (const name of Object.keys(right) as (keyof typeof WRONG)[])
      for (const wrong of WRONG[name]) {
        const response = await call({ ...right, [name]: wrong })
        expect([at, name, wrong, response.status, await response.json()]).toEqual([
          at,
          name,
          wrong,
          400,
          expect.objectContaining({ code: 50_035 }),
        ])
      }
    for (const [name, wrong] of Object.entries(UNLISTED)) {
      expect([at, name, (await call({ ...right, [name]: wrong })).status]).toEqual([at, name, 400])
    }
    expect(asked).toEqual([])
    await call(right)
    expect(asked.splice(0)).toHaveLength(1)
  }
})

it('attack/204 a request line that no browser sends is relayed nowhere', async () => {
  const listener = toNodeListener(handler)
  const { port, close } = await listen(
    createServer((incoming, outgoing) => void listener(incoming, outgoing)),
  )
  onTestFinished(close)
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  const targets = [
    '/session/api/../api/users/@me',
    '/session/api/lobbies/../users/@me',
    '/session/api/%2e%2e/%2e%2e/oauth2/@me',
    '/session/api\\users\\@me',
    'http://evil.example/session/api/users/@me',
    '/session/api/users/@me#/session',
    '/session/api//evil.example/users/@me',
  ]
  for (const target of targets)
    expect([target, await sendRaw(port, target, cookie)]).toEqual([target, expect.stringMatching(/ 40[04] /)])
  expect(asked).toEqual([])
  expect(await sendRaw(port, '/session/api/users/@me', cookie)).toContain(' 200 ')
})

it('attack/204 headers and bodies are not passed on as they are, and what the service answers is not either', async () => {
  emulator.faults([
    {
      match: { path: '*/users/@me' },
      effect: { status: 200, body: { id: '1' }, headers: { 'set-cookie': 'x=1', 'x-other': '1' } },
    },
  ])
  const headers = {
    authorization: 'Bearer stolen',
    'x-forwarded-host': 'evil.example',
    'x-http-method-override': 'DELETE',
    'x-audit': 'x',
  }
  const response = await send('GET', '/users/@me', { headers })
  expect([response.status, response.headers.get('x-other'), response.headers.getSetCookie()]).toEqual([
    200,
    null,
    [],
  ])
  expect(await response.json()).toEqual({ id: '1' })
  expect((await join(JSON.stringify({ secret: 'x'.repeat(140_000) }))).status).toBe(400)
  expect((await join('secret=x')).status).toBe(400)
  expect((await join('["secret"]')).status).toBe(400)
  expect(asked.filter((line) => line.startsWith('PUT'))).toEqual([])
})

it('attack/205 a page of another site relays nothing by the player’s cookie', async () => {
  const body = JSON.stringify({ secret: 'party' })
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: '' }] as Record<
    string,
    string
  >[]) {
    expect((await join(body, headers)).status).toBe(403)
    expect((await send('POST', `/lobbies/${LOBBY}/members/@me/invites`, { headers })).status).toBe(403)
    expect((await send('DELETE', `/lobbies/${LOBBY}/members/@me`, { headers })).status).toBe(403)
  }
  const withoutOrigin = {
    method: 'PUT',
    body,
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
  }
  expect((await browser.send('/session/api/lobbies', withoutOrigin)).status).toBe(403)
  expect(
    (await browser.send('/session/api/users/@me', { headers: { 'sec-fetch-site': 'cross-site' } })).status,
  ).toBe(403)
  expect((await join(body, { 'content-type': 'text/plain' })).status).toBe(400)
  const foreign = new Request(`${GAME}/scores`, {
    method: 'POST',
    headers: { cookie: cookieOf(browser), origin: 'https://evil.example' },
  })
  await expect(handler.verify(foreign)).rejects.toMatchObject({ code: 'missing_player_token' })
  expect(asked).toEqual([])
  expect((await join(body)).status).toBe(200)
})

it('attack/206 a page uses up neither the requests of other players nor the refreshes', async () => {
  const other = new SessionBrowser(handler)
  await other.signIn(emulator, 'bruno')
  const statuses = await Promise.all(
    Array.from({ length: 120 }, async () => (await send('GET', '/users/@me')).status),
  )
  // 30 at once, then 5 a second: on a slow machine some seconds pass meanwhile.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20)
  const more = await Promise.all(Array.from({ length: 60 }, () => send('GET', '/users/@me')))
  const refused = more.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBe(1)
  expect(await refused?.json()).toMatchObject({ retry_after: expect.any(Number), global: false })
  expect((await other.send('/session/api/users/@me', { headers: { origin: GAME } })).status).toBe(200)
  expect(await browser.ask('token', { refused: hashOf('x') })).toMatchObject({ status: 200 })
})

it('attack/207 a page that is given tokens has no relay, and without a session nothing is relayed', async () => {
  const short = new SessionBrowser(createHandlerOf(emulator))
  await short.signIn(emulator)
  expect((await short.send('/session/api/users/@me', { headers: { origin: GAME } })).status).toBe(404)
  const nobody = await new SessionBrowser(handler).send('/session/api/users/@me', {
    headers: { origin: GAME },
  })
  expect([nobody.status, await nobody.json()]).toEqual([401, { error: 'signed_out' }])
  expect(() => createHandlerOf(emulator, { tokens: 'all' as 'none' })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  )
  expect(asked).toEqual([])
})

const cookieOf = ({ cookies }: SessionBrowser): string =>
  Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
