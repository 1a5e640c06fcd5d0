/** Every exported function of a backend that takes options refuses an unknown name, and no function is missing from this list. */
import { ConfigurationError } from 'foyer-sdk'
import * as redis from 'foyer-sdk/redis'
import * as server from 'foyer-sdk/server'
import * as workers from 'foyer-sdk/workers'
import { describe, expect, it, test } from 'vitest'

/** Calls a function with an option that TypeScript would refuse. */
type Wrong = (extra: never) => unknown

const application = {
  applicationId: '1287654321098765433',
  service: { host: 'https://service.example' },
}
const backend = {
  ...application,
  credentials: server.botToken('bot'),
}
const KEY = 'a'.repeat(64)
const request = new Request('https://game.example/interactions', { method: 'POST' })
const client = { eval: async () => 0, script: async () => '', set: async () => 'OK' }
const storage = { get: async () => undefined, put: async () => undefined }
const command = { name: 'roll', description: 'Roll a die' }
const modal = {
  custom_id: 'name',
  title: 'Name',
  components: [{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }],
}

const TAKES: Readonly<Record<string, Wrong>> = {
  ApplicationClient: (extra: object) => new server.ApplicationClient({ ...backend, ...extra }),
  UserClient: (extra: object) => new server.UserClient({ ...backend, accessToken: 'token', ...extra }),
  clientCredentials: (extra: object) =>
    server.clientCredentials({ clientId: '1', clientSecret: 's', ...extra }),
  createSessionHandler: (extra) => server.createSessionHandler(extra),
  memorySessionStore: (extra) => server.memorySessionStore(extra),
  createPlayerVerifier: (extra: object) => server.createPlayerVerifier({ ...application, ...extra }),
  createPlayerTickets: (extra) => server.createPlayerTickets(extra),
  createLobbyHub: (extra) => server.createLobbyHub(extra),
  memoryLobbyBroker: (extra) => server.memoryLobbyBroker(extra),
  createReplayMemory: (extra) => server.createReplayMemory(extra),
  createInteractionHandler: (extra) => server.createInteractionHandler(extra),
  createEventHandler: (extra) => server.createEventHandler(extra),
  createPurchaseDesk: (extra) => server.createPurchaseDesk(extra),
  memoryPurchaseStore: (extra) => server.memoryPurchaseStore(extra),
  defineCommand: (extra) => server.defineCommand(command, () => 'rolled', extra),
  defineModal: (extra) => server.defineModal(modal as never, () => undefined, extra),
  verifyInteraction: (extra) => server.verifyInteraction(request, KEY, extra),
  verifyActivityRequest: (extra) => server.verifyActivityRequest(request, KEY, extra),
  redisRateLimitStore: (extra) => redis.redisRateLimitStore(client as never, extra),
  redisStore: (extra) => redis.redisStore(client as never, extra),
  redisSessionStore: (extra) => redis.redisSessionStore(client as never, extra),
  redisPurchaseStore: (extra) => redis.redisPurchaseStore(client as never, extra),
  redisLobbyBroker: (extra) => redis.redisLobbyBroker(client as never, extra),
  durableObjectSessionStore: (extra) => workers.durableObjectSessionStore(storage as never, extra),
  durableObjectPurchaseStore: (extra) => workers.durableObjectPurchaseStore(storage as never, extra),
  durableObjectStore: (extra) => workers.durableObjectStore(storage as never, extra),
  removeExpired: (extra) => workers.removeExpired(storage as never, extra),
}

/** Functions without options, by the reason. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'take values alone': [
    'avatarUrl',
    'botToken',
    'clientSecret',
    'formatPrice',
    'measureCommand',
    'printStep',
    'toNodeListener',
    'undiciTransport',
    'MemoryRateLimitStores',
    'Secret',
    'allChannelsId',
    'everyoneId',
    'launchActivity',
    'respondToPlayerError',
  ],
  'check any value, and never throw': [
    'validateCommand',
    'validateCommands',
    'validateLobby',
    'validateLobbyMember',
    'validateLobbyMembers',
    'validateMessage',
    'validateModal',
    'validatePermissions',
  ],
  'read data of the service or of a request': [
    'localize',
    'localizedFields',
    'requesterLocale',
    'resolveCommandPermission',
  ],
}

const isError = (name: string): boolean => name.endsWith('Error')

const functionsOf = (...entries: readonly object[]): string[] =>
  entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([name, value]) =>
      typeof value === 'function' && !isError(name) ? [name] : [],
    ),
  )

const unlisted = (names: readonly string[]): string[] => {
  const listed = new Set([...Object.keys(TAKES), ...Object.values(OTHERS).flat()])
  return names.filter((name) => !listed.has(name))
}

test('every exported function of a backend is listed, and a newcomer is found', () => {
  expect(unlisted(functionsOf(server, redis, workers))).toEqual([])
  expect(unlisted(functionsOf({ redisScoreStore: () => undefined }))).toEqual(['redisScoreStore'])
})

test.each(Object.entries(TAKES))('%s refuses an option that it does not know', async (_, call) => {
  const refused = Promise.resolve().then(() => call({ colour: 'red' } as never))
  await expect(refused).rejects.toBeInstanceOf(ConfigurationError)
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('colour'),
  })
})

test.each([
  ['ApplicationClient', 'onRateLimited'],
  ['UserClient', 'fetch'],
  ['createInteractionHandler', 'onComponent'],
  ['createEventHandler', 'onError'],
  ['createLobbyHub', 'logger'],
  ['createPurchaseDesk', 'onError'],
  ['createPlayerVerifier', 'fetch'],
  ['redisStore', 'logger'],
])('%s refuses an option %s that is no function', (name, option) => {
  expect(() => TAKES[name]?.({ [option]: { info: () => undefined } } as never)).toThrow(
    `${option}: a function`,
  )
})

const messageOf = (extra: object): string => {
  try {
    const { applicationId } = new server.ApplicationClient({ ...backend, ...extra })
    return `${applicationId} refused nothing`
  } catch (error) {
    return String(error)
  }
}

describe('unknown options', () => {
  it('are named all at once, as what they are, with those that there are', () => {
    expect(messageOf({ secret: 'keyboard cat', cookie: {} })).toMatch(
      /invalid argument: secret, cookie\. No such option\. Known: applicationId, service/,
    )
    expect(messageOf({ cookie: {}, maxwait: 1 })).toMatch(
      /: cookie, maxwait\. Did you mean maxWait\? Known: /,
    )
    expect(messageOf({ maxwait: 1, on_rate_limited: 1 })).toMatch(/Did you mean maxWait, onRateLimited\?$/)
  })
})
