/** Calls of a backend that were not awaited: reading a field of the result says so, and a refusal does not end the process. */
import {
  type ActivityInstanceDetails,
  ApplicationClient,
  type ApplicationUser,
  botToken,
  clientSecret,
  createPlayerTickets,
  createPlayerVerifier,
  createSessionHandler,
  memorySessionStore,
  type Player,
  type TokenSet,
  type Lobby,
  type LobbyMember,
} from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'

const application = { applicationId: '1234567890123456789', service: { host: 'https://service.example' } }
const session = createSessionHandler({
  ...application,
  credentials: clientSecret('secret'),
  origins: ['https://game.example'],
  store: memorySessionStore(),
})
const tickets = createPlayerTickets({
  applicationId: application.applicationId,
  verify: session.verify,
  purposes: ['match'],
})
const client = new ApplicationClient({
  ...application,
  credentials: botToken('token'),
  fetch: () => Promise.reject(new Error('no network')),
})

/** The compiler lists the fields of each kind of result. */
type Fields<Result> = Readonly<Record<keyof Result, true>>
const PLAYER: Fields<Player> = { id: true, username: true, globalName: true, expiresAt: true, claims: true }
const LOBBY: Fields<Lobby & LobbyMember> = {
  id: true,
  application_id: true,
  metadata: true,
  members: true,
  linked_channel: true,
  flags: true,
  additional_name: true,
}
const USER: Fields<ApplicationUser> = { id: true, username: true, global_name: true, avatar: true }
const INSTANCE: Fields<ActivityInstanceDetails> = { instance_id: true, users: true, location: true }
const TOKENS: Fields<TokenSet> = {
  accessToken: true,
  refreshToken: true,
  tokenType: true,
  expiresAt: true,
  scopes: true,
  idToken: true,
  claims: true,
}

const anonymous = () => new Request('https://game.example/me')
const CALLS: readonly (readonly [
  call: string,
  act: () => unknown,
  fields: Readonly<Record<string, true>>,
])[] = [
  ['verify(request)', () => createPlayerVerifier(application)(anonymous()), PLAYER],
  ['verify(request)', () => session.verify(anonymous()), PLAYER],
  ['tickets.redeem(', () => tickets.redeem('x', { purpose: 'match' }), PLAYER],
]

/** Every group of calls of a client, with the fields of its results. */
const GROUPS: Readonly<Record<string, readonly [group: object, fields: Readonly<Record<string, true>>]>> = {
  lobbies: [client.lobbies, { ...LOBBY, code: true }],
  users: [client.users, USER],
  activityInstances: [client.activityInstances, INSTANCE],
  tokens: [client.tokens, TOKENS],
  provisionalAccounts: [client.provisionalAccounts, TOKENS],
  purchases: [client.purchases, { id: true, sku_id: true, user_id: true }],
  commands: [client.commands.global, { id: true, name: true, version: true }],
  interactions: [client.interactions, { id: true, instanceId: true }],
}

const isOwn = (name: string): boolean => !Object.hasOwn(Object.prototype, name)

function methodsOf(group: object): readonly string[] {
  const names = [
    ...Object.getOwnPropertyNames(group),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(group)),
  ]
  return names.filter((name) => isOwn(name) && typeof Reflect.get(group, name) === 'function')
}

/** Those that return at once. */
const AT_ONCE: ReadonlySet<string> = new Set(['onChanged'])
const METHODS = Object.entries(GROUPS).flatMap(([name, [group, fields]]) =>
  methodsOf(group)
    .filter((method) => !AT_ONCE.has(method))
    .map((method): (typeof CALLS)[number] => [
      `${name}.${method}(…)`,
      () => Reflect.apply(Reflect.get(group, method), group, []),
      fields,
    ]),
)

describe.each([...CALLS, ...METHODS])('the result of %s', (call, act, fields) => {
  it.each(Object.keys(fields))('that is not awaited refuses %s, and nothing is left unhandled', (name) => {
    const result = Object(act())
    expect(() => Reflect.get(result, name)).toThrow(`Write await ${call}`)
  })

  it('is refused as ever when it is awaited', async () => {
    await expect(act()).rejects.toHaveProperty('code')
  })
})

it('a result that is awaited has its fields', async () => {
  const owner: Pick<Player, 'id' | 'expiresAt'> = Object({ id: '1234567890123456789', expiresAt: 2 ** 52 })
  const issued = await tickets.issue(owner, 'match')
  const player = await tickets.redeem(issued, { purpose: 'match' })
  expect(player.id).toBe('1234567890123456789')
})
