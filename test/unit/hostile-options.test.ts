/** Options that throw when they are read, and numbers that are none: every constructor and factory refuses them by name. */
import { Client, popupSurface } from 'foyer-sdk'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import * as server from 'foyer-sdk/server'
import { expect, it, describe } from 'vitest'
import { codeOf, rejection } from '../support/settle'
import { silentSurface } from '../support/scripted-surface'
import { strayErrors } from '../support/stray-errors'

const applicationId = '1287654321098765433'
const service = { host: 'https://service.test' }
const credentials = server.botToken('a-token')
const id = '7' as never
const verify = async () => ({ id, expiresAt: 1, claims: {} })
const backend = { applicationId, service, credentials }
const client = new server.ApplicationClient(backend)
const hub = { client, verify }

const throwing = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: refuse })
const refuse = () => {
  throw new TypeError('of a getter')
}
/** Throws whatever is done with it. */
const hostile = new Proxy({}, Object.fromEntries(Reflect.ownKeys(Reflect).map((name) => [name, refuse])))

const FACTORIES: [string, (options: never) => unknown, object][] = [
  ['Client', (options) => new Client(options), { applicationId, service, requestTimeout: 5000 }],
  ['ApplicationClient', (options) => new server.ApplicationClient(options), backend],
  [
    'UserClient',
    (options) => new server.UserClient(options),
    { applicationId, service, accessToken: 'a-token' },
  ],
  ['createLobbyHub', server.createLobbyHub, hub],
  ['createPlayerTickets', server.createPlayerTickets, { applicationId, verify, purposes: ['match'] }],
  ['createPlayerVerifier', server.createPlayerVerifier, { applicationId, service }],
  [
    'createSessionHandler',
    server.createSessionHandler,
    { ...backend, origins: ['https://game.test'], store: server.memorySessionStore() },
  ],
]

describe.each(FACTORIES)('%s refuses', (_, make, options) => {
  it.each([
    ['a proxy that throws', () => hostile],
    ...Object.keys(options).flatMap((name): [string, () => object][] => [
      [
        `a getter that throws as ${name}`,
        () => Object.defineProperty({ ...options }, name, { enumerable: true, get: refuse }),
      ],
      [`a proxy that throws as ${name}`, () => ({ ...options, [name]: hostile })],
    ]),
  ])('%s', async (__, given) => {
    expect(await codeOf(() => make(given() as never))).toMatch(/^(invalid_argument|missing_service_host)$/)
  })
})

it.each<[string, () => unknown]>([
  ['a verified request', () => server.createPlayerVerifier({ applicationId, service })(hostile as never)],
  [
    'the header of a request',
    () =>
      server.createPlayerVerifier({ applicationId, service })({
        url: 'https://a.test',
        headers: hostile,
      } as never),
  ],
  ['the player of a ticket', () => tickets().issue(hostile as never, 'match')],
  [
    'the name of a ticket’s player',
    () => tickets().issue({ id, expiresAt: 1, username: throwing('toJSON') as never }, 'match'),
  ],
  ['a name that is a number', () => tickets().issue({ id, expiresAt: 1, username: 42 as never }, 'match')],
  [
    'a name that JSON cannot hold',
    () => tickets().issue({ id, expiresAt: 1, globalName: 1n as never }, 'match'),
  ],
  ['the use of a ticket', () => tickets().redeem('x', hostile as never)],
])('%s that cannot be read is an invalid argument', async (_, call) => {
  expect(await codeOf(call)).toBe('invalid_argument')
})

const tickets = () => server.createPlayerTickets({ applicationId, verify, purposes: ['match'] })
const redis = { eval: refuse, script: refuse, evalsha: refuse, on: refuse }

const NUMBERS: [string, (value: never) => unknown][] = [
  ['maxWait', (maxWait) => new server.ApplicationClient({ ...backend, maxWait })],
  ['requestTimeout', (requestTimeout) => new server.ApplicationClient({ ...backend, requestTimeout })],
  ['awayAfter', (awayAfter) => server.createLobbyHub({ ...hub, awayAfter })],
  ['removeAfter', (removeAfter) => server.createLobbyHub({ ...hub, removeAfter })],
  ['maxStreams', (maxStreams) => server.createLobbyHub({ ...hub, maxStreams })],
  ['maxConnectsPerSecond', (maxConnectsPerSecond) => server.createLobbyHub({ ...hub, maxConnectsPerSecond })],
  ['capacity', (capacity) => server.createReplayMemory({ capacity })],
  ['processes', (processes) => redisRateLimitStore(redis, { processes })],
  [
    'maxAge',
    (maxAge) => server.createInteractionHandler({ publicKey: 'ab'.repeat(32), commands: [], maxAge }),
  ],
  [
    'maxBodyBytes',
    (maxBodyBytes) =>
      server.createInteractionHandler({ publicKey: 'ab'.repeat(32), commands: [], maxBodyBytes }),
  ],
  [
    'deferAfter',
    (deferAfter) => server.createInteractionHandler({ publicKey: 'ab'.repeat(32), commands: [], deferAfter }),
  ],
  ['maxAge', (maxAge) => server.createEventHandler({ publicKey: 'ab'.repeat(32), on: {}, maxAge })],
  [
    'maxBodyBytes',
    (maxBodyBytes) => server.createEventHandler({ publicKey: 'ab'.repeat(32), on: {}, maxBodyBytes }),
  ],
]

describe.each(NUMBERS)('%s', (name, make) => {
  it.each([
    ['NaN', Number.NaN],
    ['a negative number', -1],
    ['a text', '1000'],
    ['null', null],
    ['a date', new Date(5000)],
  ])('that is %s is refused by its name', async (_, value) => {
    const error = await rejection(() => make(value as never))
    expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(name) })
  })
})

const tab = (options: object) => new Client({ applicationId, service, ...options })
const signIn = (timeout: unknown) =>
  tab({}).authorize({ scopes: 'openid' }, { surface: silentSurface(), timeout: timeout as never })

it.each<[string, string, (value: unknown) => unknown]>([
  ['the request timeout of a client', 'requestTimeout', (requestTimeout) => tab({ requestTimeout })],
  ['the longest wait of a client', 'maxWait', (maxWait) => tab({ maxWait })],
  ['the time for a sign-in', 'timeout', signIn],
  ['the width of the popup', 'width', (width) => popupSurface({ width: width as never })],
  ['the height of the popup', 'height', (height) => popupSurface({ height: height as never })],
])('%s is a number, or is refused as %s', async (_, name, make) => {
  for (const value of [Number.NaN, -1, '1000', new Date(5000)]) {
    const error = await rejection(() => make(value))
    expect(error).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(name) })
  }
})

it('a surface that rejects with something that cannot be read rejects the sign-in once, with a typed error', async () => {
  using stray = strayErrors()
  const surface = { redirectUri: () => 'https://game.test/callback', open: () => Promise.reject(hostile) }
  const page = tab({ fetch: async () => Response.json({}) })
  expect(await codeOf(() => page.signIn({ surface }))).toBe('surface_failed')
  page.close()
  expect(await stray.errors()).toEqual([])
})

it.each<[string, () => unknown]>([
  ['a date', () => new Date(0)],
  ['a map', () => new Map([['a', 'b']])],
  ['a set', () => new Set(['a'])],
  ['a promise', () => Promise.resolve({ a: 'b' })],
  ['an error', () => new Error('a')],
  ['a function', () => () => ({ a: 'b' })],
])('metadata given as %s is refused, and not lost', async (_, metadata) => {
  const given = metadata() as never
  expect(await codeOf(() => client.lobbies.create({ metadata: given }))).toBe('invalid_body')
  expect(await codeOf(() => client.lobbies.putMember('7', { id: '8', metadata: given }))).toBe('invalid_body')
})
