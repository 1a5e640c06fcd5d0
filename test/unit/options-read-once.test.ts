/** Each constructor and factory reads its own fields once. A polluted prototype, and lists changed later, have no effect. */
import * as page from 'foyer-sdk'
import * as redisParts from 'foyer-sdk/redis'
import * as server from 'foyer-sdk/server'
import * as workersParts from 'foyer-sdk/workers'
import { afterEach, describe, expect, it } from 'vitest'
import { takeOptions } from '../support/internals'

const applicationId = '1287654321098765433'
const service = { host: 'https://service.test' }
const credentials = server.botToken('a-token')
const verify = async () => ({ id: '7' as never, expiresAt: 1, claims: {} })
const backend = { applicationId, service, credentials }
const publicKey = 'ab'.repeat(32)
const refuse = () => Promise.reject(new Error('down'))
const hang = () => new Promise(() => undefined)
const commands = [
  'eval',
  'script',
  'evalsha',
  'get',
  'set',
  'del',
  'getdel',
  'publish',
  'subscribe',
  'duplicate',
  'defineCommand',
  'quit',
]
const redis = {
  ...Object.fromEntries(commands.map((name) => [name, hang])),
  on: () => undefined,
  options: {},
}
const storage = Object.fromEntries(
  ['get', 'put', 'delete', 'list', 'transaction', 'getAlarm', 'setAlarm'].map((name) => [name, hang]),
)
const never = (value: unknown) => value as never

/** Every export that takes options, with the least that it needs. */
const MAKERS: Record<string, (extra?: object) => unknown> = {
  Client: (extra) => new page.Client({ applicationId, service, fetch: refuse, ...extra }),
  popupSurface: (extra) => page.popupSurface({ redirectUri: 'https://game.test/callback.html', ...extra }),
  redirectSurface: (extra) => page.redirectSurface({ redirectUri: 'https://game.test/', ...extra }),
  lobbyStream: (extra) => page.lobbyStream('https://game.test/lobbies', { ...extra }),
  ApplicationClient: (extra) => new server.ApplicationClient({ ...backend, ...extra }),
  UserClient: (extra) => new server.UserClient({ applicationId, service, accessToken: 'a-token', ...extra }),
  createLobbyHub: (extra) =>
    server.createLobbyHub({ client: new server.ApplicationClient(backend), verify, ...extra }),
  createPlayerTickets: (extra) =>
    server.createPlayerTickets({ applicationId, verify, purposes: ['match'], ...extra }),
  createPlayerVerifier: (extra) => server.createPlayerVerifier({ applicationId, service, ...extra }),
  createSessionHandler: (extra) =>
    server.createSessionHandler({
      applicationId,
      service,
      credentials: server.clientSecret('a-secret-of-the-application'),
      origins: ['https://game.test'],
      store: server.memorySessionStore(),
      ...extra,
    }),
  clientCredentials: (extra) =>
    server.clientCredentials({
      clientId: applicationId,
      clientSecret: 'a-secret-of-the-application',
      ...extra,
    }),
  createInteractionHandler: (extra) => server.createInteractionHandler({ publicKey, commands: [], ...extra }),
  createEventHandler: (extra) => server.createEventHandler({ publicKey, on: {}, ...extra }),
  createPurchaseDesk: (extra) =>
    server.createPurchaseDesk({
      purchases: new server.ApplicationClient(backend).purchases,
      store: server.memoryPurchaseStore(),
      grant: () => undefined,
      ...extra,
    }),
  createReplayMemory: (extra) => server.createReplayMemory({ ...extra }),
  memorySessionStore: (extra) => server.memorySessionStore({ ...extra }),
  memoryPurchaseStore: (extra) => server.memoryPurchaseStore({ ...extra }),
  memoryLobbyBroker: (extra) => server.memoryLobbyBroker({ ...extra }),
  redisRateLimitStore: (extra) => redisParts.redisRateLimitStore(never(redis), { ...extra }),
  redisSessionStore: (extra) => redisParts.redisSessionStore(never(redis), { ...extra }),
  redisPurchaseStore: (extra) => redisParts.redisPurchaseStore(never(redis), { ...extra }),
  redisLobbyBroker: (extra) => redisParts.redisLobbyBroker(never(redis), { ...extra }),
  redisStore: (extra) => redisParts.redisStore(never(redis), { ...extra }),
  durableObjectSessionStore: (extra) => workersParts.durableObjectSessionStore(never(storage), { ...extra }),
  durableObjectPurchaseStore: (extra) =>
    workersParts.durableObjectPurchaseStore(never(storage), { ...extra }),
  durableObjectStore: (extra) => workersParts.durableObjectStore(never(storage), { ...extra }),
}

/** These take no options. */
const WITHOUT_OPTIONS = new Set([
  'connectMainClient',
  'hasMainClient',
  'indexedDbStore',
  'localStorageStore',
  'sessionStorageStore',
  'memoryStore',
  'undiciTransport',
])

const polluted: string[] = []

function pollute(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(Object.getPrototypeOf({}), name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
    polluted.push(name)
  }
}

afterEach(() => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name)
})

it('every export that creates something from options is in the list', () => {
  const made = Object.entries({ ...page, ...server, ...redisParts, ...workersParts })
    .filter(
      ([name, value]) =>
        typeof value === 'function' &&
        /^create|^memory|^redis|[a-z](?:Store|Surface|Stream|Client|Credentials|Transport)$/.test(name),
    )
    .map(([name]) => name)
  expect(made).toContain('createLobbyHub')
  expect(made.filter((name) => !(name in MAKERS) && !WITHOUT_OPTIONS.has(name))).toEqual([])
})

const trap = () => {
  throw new Error('an option of the prototype was used')
}
/** Wrong values for every option that any of them takes: each would be refused, or be called. */
const EVIL = {
  clock: { now: trap, after: trap },
  fetch: trap,
  transport: trap,
  logger: trap,
  store: { get: trap, set: trap, put: trap, take: trap },
  replays: { seen: trap },
  broker: { subscribe: trap },
  requestTimeout: 'evil',
  maxWait: 'evil',
  maxAge: 'evil',
  maxBodyBytes: 'evil',
  capacity: 'evil',
  processes: 'evil',
  prefix: 7,
  width: 'evil',
  height: 'evil',
  path: 'evil',
  redirectUri: 'https://evil.test/',
  scopes: 'evil everything',
  visibility: 'evil',
  awayAfter: 'evil',
  removeAfter: 'evil',
  maxStreams: 'evil',
  deferAfter: 'evil',
  rateLimitStore: { acquire: trap },
  signal: 'evil',
  evil: 'an unknown name',
}

describe.each(Object.keys(MAKERS))('%s', (name) => {
  it('reads no option from a polluted prototype', () => {
    const make = MAKERS[name]
    make?.()
    pollute(EVIL)
    const made = make?.()
    expect(made).toBeDefined()
    if (made instanceof Object && 'close' in made && typeof made.close === 'function') made.close()
  })
})

describe('a list that is changed after construction', () => {
  it('is copied and frozen by the one reader of options', () => {
    const origins = ['https://game.test']
    const read = takeOptions({ origins, other: 1 }, ['origins', 'other'])
    origins.push('https://evil.test')
    expect(read.origins).toEqual(['https://game.test'])
    expect(Object.isFrozen(read.origins)).toBe(true)
    expect('toString' in read).toBe(false)
  })

  it('adds no origin that receives a token', async () => {
    const backendOrigins = ['https://game.test']
    const client = new page.Client({ applicationId, service, backendOrigins })
    backendOrigins.push('https://evil.test')
    await expect(client.backend.fetch('https://evil.test/')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    client.close()
  })

  it('adds no origin to a session handler, no purpose to tickets and no service host', async () => {
    const [origins, purposes] = [['https://game.test'], ['match']]
    const session = MAKERS['createSessionHandler']?.({ origins }) as server.SessionHandler
    const tickets = MAKERS['createPlayerTickets']?.({ purposes }) as server.PlayerTickets
    origins.push('https://evil.test')
    purposes.push('admin')
    const request = new Request('https://evil.test/session/token', {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
    })
    expect((await session(request)).status).toBe(403)
    await expect(tickets.issue({ id: '7' as never, expiresAt: 1 }, 'admin')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
