/** Missing and wrong arguments from plain JavaScript: every constructor and factory names the argument. */
import * as foyer from 'foyer-sdk'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import * as server from 'foyer-sdk/server'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createServiceConfig, resolveOptions } from '../support/internals'

const TOKEN = 'a-token-that-must-not-be-shown'
const ID = '1287654321098765433'
const service = { host: 'https://service.test' }
const backend = { applicationId: ID, service, credentials: server.botToken(TOKEN) }
const endpoint = { publicKey: 'ab'.repeat(32), commands: [] }

/** Called without types. */
type Loose = (...args: unknown[]) => unknown
const made =
  (constructor: unknown): Loose =>
  (...args) =>
    Reflect.construct(constructor as new () => unknown, args)
const called = (callee: unknown): Loose => callee as Loose

const methodOf =
  <T extends object>(object: T, method: keyof T & string): Loose =>
  (...args) =>
    (Reflect.get(object, method) as Loose).apply(object, args)

/** Text of the rejection, `ConfigurationError: missing service host`, or a description if it is not of the SDK or contains the token. */
async function rejection(act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Error && 'toJSON' in error)) return `not typed: ${String(error)}`
    const text = `${error.name}: ${error.message}`
    return `${text} ${JSON.stringify(error)}`.includes(TOKEN) ? 'the token is shown' : text
  }
  return 'nothing is refused'
}

const NO_OPTIONS: readonly [string, Loose, string][] = [
  ['Client', made(foyer.Client), 'missing service host. Name the service'],
  ['ApplicationClient', made(server.ApplicationClient), 'invalid argument: applicationId'],
  ['UserClient', made(server.UserClient), 'invalid argument: accessToken'],
  ['botToken', called(server.botToken), 'invalid argument: botToken'],
  ['clientCredentials', called(server.clientCredentials), 'invalid argument: clientId'],
  ['createInteractionHandler', called(server.createInteractionHandler), 'invalid argument: commands: a list'],
  ['defineCommand', called(server.defineCommand), 'invalid argument: definition'],
  ['redisRateLimitStore', called(redisRateLimitStore), 'invalid argument: redis: a client of ioredis'],
  ['localize', called(server.localize), 'invalid argument: input'],
  ['localizedFields', called(server.localizedFields), 'invalid argument: command'],
  ['printStep', called(server.printStep), 'invalid argument: step'],
  ['resolveCommandPermission', called(server.resolveCommandPermission), 'invalid argument: input'],
  ['launchActivity', called(server.launchActivity), 'invalid argument: interaction'],
  ['everyoneId', called(server.everyoneId), 'invalid argument: guildId'],
]

describe.each(NO_OPTIONS)('%s', (_, make, message) => {
  it.each([
    ['nothing', []],
    ['null', [null]],
  ])('called with %s reports the missing argument', async (_given, args) => {
    expect(await rejection(() => make(...args))).toContain(`ConfigurationError: ${message}`)
  })

  it.each([
    ['a string', TOKEN],
    ['a number', 42],
    ['a list', []],
    ['a function', () => 'no options'],
  ])('called with %s instead of options throws a typed error or succeeds', async (_given, wrong) => {
    expect(await rejection(() => make(wrong))).toMatch(/^(ConfigurationError: |nothing is refused$)/)
  })
})

describe('an option of the wrong type', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a host that is not a string',
      () => made(foyer.Client)({ service: { host: 42 } }),
      'missing service host',
    ],
    [
      'a token instead of credentials',
      () => made(server.ApplicationClient)({ ...backend, credentials: TOKEN }),
      'credentials',
    ],
    [
      'no credentials',
      () => made(server.ApplicationClient)({ ...backend, credentials: undefined }),
      'credentials',
    ],
    [
      'maxWait as a string',
      () => made(server.ApplicationClient)({ ...backend, maxWait: '5s' }),
      'maxWait: ms',
    ],
    [
      'requestTimeout as NaN',
      () => made(server.UserClient)({ ...backend, accessToken: TOKEN, requestTimeout: Number.NaN }),
      'requestTimeout: ms',
    ],
    [
      'scopes as one string',
      () => called(server.clientCredentials)({ clientId: ID, clientSecret: TOKEN, scopes: 'a b' }),
      'scopes: a list',
    ],
    ['no secret', () => called(server.clientCredentials)({ clientId: ID }), 'clientSecret'],
    [
      'plain definitions as commands',
      () => called(server.createInteractionHandler)({ ...endpoint, commands: [{ name: 'play' }] }),
      'commands[0]: made by defineCommand',
    ],
    [
      'a missing command',
      () => called(server.createInteractionHandler)({ ...endpoint, commands: [null] }),
      'commands[0]: made by defineCommand',
    ],
    [
      'options that are not a list',
      () => called(server.defineCommand)({ name: 'play', options: {} }, () => 'hello'),
      'play: options',
    ],
    [
      'an invalid option',
      () => called(server.defineCommand)({ name: 'play', options: [null] }, () => 'hello'),
      'play: options',
    ],
    [
      'a request of another library',
      () =>
        called(server.verifyInteraction)({ headers: { 'x-signature-timestamp': '1' } }, endpoint.publicKey),
      'request: a Request of the Fetch API',
    ],
    [
      'no request',
      () => called(server.verifyInteraction)(null, endpoint.publicKey),
      'request: a Request of the Fetch API',
    ],
    [
      'a Redis client with other method names',
      () => called(redisRateLimitStore)({ evalSha: () => null }),
      'redis: a client of ioredis',
    ],
    [
      'a missing member',
      () => called(server.resolveCommandPermission)({ guildId: ID, channel: {} }),
      'member',
    ],
    [
      'a missing channel',
      () => called(server.resolveCommandPermission)({ guildId: ID, member: {} }),
      'channel',
    ],
  ])('is rejected: %s', async (_, make, subject) => {
    const text = await rejection(make)
    expect(text).toMatch(/^ConfigurationError: /)
    expect(text).toContain(subject)
  })

  it('does not include a bigint as client ID, which is accepted', () => {
    expect(called(server.clientCredentials)({ clientId: BigInt(ID), clientSecret: TOKEN })).toBeTypeOf(
      'function',
    )
  })
})

describe('a call of a backend', () => {
  const client = new server.ApplicationClient({ ...backend, fetch: async () => Response.json({}) })
  it.each(['reply', 'followUp', 'editReply', 'deleteReply', 'defer', 'launchActivity'] as const)(
    '%s without a valid interaction is rejected',
    async (method) => {
      const call = methodOf(client.interactions, method)
      for (const wrong of [
        undefined,
        null,
        TOKEN,
        {},
        { id: '1/../2', application_id: ID, token: 'a' },
        { id: '1', application_id: ID, token: '..' },
      ])
        // A deferral has no text, and refuses one by itself.
        expect(await rejection(() => (method === 'defer' ? call(wrong) : call(wrong, 'hello')))).toBe(
          'ConfigurationError: invalid argument: interaction: id, application_id and token',
        )
    },
  )

  it('reply without a reply is rejected', async () => {
    const call = methodOf(client.interactions, 'reply')
    expect(await rejection(() => call({ id: '1', application_id: ID, token: 'a' }))).toBe(
      'ValidationError: invalid body: must be an object with content, tts, embeds, allowed_mentions, flags, attachments, poll, ephemeral, files, components',
    )
  })

  it('putMember without a member names its ID', async () => {
    const call = methodOf(client.lobbies, 'putMember')
    expect(await rejection(() => call('1'))).toMatch(/^ValidationError: .*userId/)
  })
})

it('an endpoint reports a request object of another library to its caller and still responds', async () => {
  const received: unknown[] = []
  const handle = server.createInteractionHandler({
    ...endpoint,
    onError: (error) => received.push(error.cause),
  })
  expect(((await called(handle)({ headers: {} })) as Response).status).toBe(500)
  expect(received).toMatchObject([{ name: 'ConfigurationError', code: 'invalid_argument' }])
})

const fetchEmpty = async () => Response.json({})

describe('null options', () => {
  const client = new foyer.Client({ applicationId: ID, service, fetch: fetchEmpty })
  const application = new server.ApplicationClient({ ...backend, fetch: fetchEmpty })
  const guild = application.commands.permissions('1')
  afterAll(() => {
    client.close()
    application.close()
  })

  it.each<[string, () => unknown]>([
    ['popupSurface', () => called(foyer.popupSurface)(null)],
    ['redirectSurface', () => called(foyer.redirectSurface)(null)],
    ['AuthorizationArgs', () => made(foyer.AuthorizationArgs)(null)],
    [
      'fromTrustedCode',
      () => methodOf(foyer.AuthorizationResult, 'fromTrustedCode')('code', 'https://game.test/', null),
    ],
    ['authorize', () => methodOf(client, 'authorize')({ scopes: 'openid' }, null)],
    ['signIn', () => methodOf(client, 'signIn')(null)],
    ['signIn with args null', () => methodOf(client, 'signIn')({ args: null })],
    ['getToken', () => methodOf(client, 'getToken')(null, null, null)],
    ['signOut', () => methodOf(client, 'signOut')(null)],
    ['resume', () => methodOf(client, 'resume')(null)],
    ['refreshToken', () => methodOf(client, 'refreshToken')('token', null)],
    ['revokeToken', () => methodOf(client, 'revokeToken')('token', null)],
    ['updateToken', () => methodOf(client, 'updateToken')(null, null)],
    ['fetchCurrentUser', () => methodOf(client, 'fetchCurrentUser')(null)],
    ['activity.connect', () => methodOf(client.activity, 'connect')(null)],
    ['activity.fetchParticipants', () => methodOf(client.activity, 'fetchParticipants')(null)],
    [
      'accounts.getTokenFromDevice',
      () => methodOf(client.accounts, 'getTokenFromDevice')({ scopes: 'openid' }, null),
    ],
    ['accounts.getToken', () => methodOf(client.accounts, 'getToken')(null, null)],
    ['accounts.unmerge', () => methodOf(client.accounts, 'unmerge')(null, null)],
    ['accounts.exchangeChildToken', () => methodOf(client.accounts, 'exchangeChildToken')('token', ID, null)],
    ['createOrJoinLobby', () => methodOf(client, 'createOrJoinLobby')('secret', null)],
    [
      'createOrJoinLobby with metadata null',
      () => methodOf(client, 'createOrJoinLobby')('secret', { metadata: null, member: null }),
    ],
    ['lobbies.fetchGuilds', () => methodOf(client.lobbies, 'fetchGuilds')(null)],
    ['lobbies.fetchGuildChannels', () => methodOf(client.lobbies, 'fetchGuildChannels')('1', null)],
    ['commands.list', () => methodOf(application.commands.global, 'list')(null)],
    [
      'commands.create',
      () => methodOf(application.commands.global, 'create')({ name: 'a', description: 'b' }, null),
    ],
    ['commands.edit', () => methodOf(application.commands.global, 'edit')('1', {}, null)],
    ['commands.delete', () => methodOf(application.commands.global, 'delete')('1', null)],
    ['commands.overwrite', () => methodOf(application.commands.global, 'overwrite')([], null)],
    ['commands.plan', () => methodOf(application.commands.global, 'plan')([], null)],
    ['commands.sync', () => methodOf(application.commands.global, 'sync')([], null)],
    ['permissions.list', () => methodOf(guild, 'list')(null)],
    ['permissions.get', () => methodOf(guild, 'get')('1', null)],
    ['lobbies.create', () => methodOf(application.lobbies, 'create')(null, null)],
    ['lobbies.get', () => methodOf(application.lobbies, 'get')('1', null)],
    ['lobbies.updateMetadata', () => methodOf(application.lobbies, 'updateMetadata')('1', () => ({}), null)],
    ['createReplayMemory', () => called(server.createReplayMemory)(null)],
    [
      'verifyInteraction',
      () => called(server.verifyInteraction)(new Request('http://x.test/'), endpoint.publicKey, null),
    ],
    ['validatePermissions', () => called(server.validatePermissions)([], null)],
    ['validateCommand', () => called(server.validateCommand)({ name: 'a' }, null)],
    ['validateCommands', () => called(server.validateCommands)([], null)],
  ])('of %s count as absent', async (_, act) => {
    expect(await rejection(act)).toMatch(/^([A-Z][A-Za-z]+Error: |nothing is refused$)/)
  })
})

describe('null options of a lobby', () => {
  it.each<[keyof foyer.Lobby, unknown[]]>([
    ['leave', [null]],
    ['send', ['hello', null]],
    ['fetchMessages', [null]],
    ['link', ['2', null]],
    ['createGuildInvite', [null]],
    ['unlink', [null]],
    ['watch', [null]],
  ])('of %s count as absent', async (method, args) => {
    const client = new foyer.Client({ applicationId: ID, service, fetch: fetchEmpty })
    onTestFinished(() => client.close())
    await client.updateToken({
      accessToken: new foyer.Secret('x'),
      tokenType: 'Bearer',
      expiresAt: Date.now() + 3_600_000,
      scopes: [],
      claims: { iss: service.host, sub: ID, aud: ID, exp: 2, iat: 1 },
    })
    const lobby = await client.lobbies.add({ id: '1', application_id: ID, members: [{ id: ID }] })
    expect(await rejection(() => methodOf(lobby, method)(...args))).toMatch(
      /^(ProtocolError: |nothing is refused$)/,
    )
  })
})

it('a token store needs the methods of one', async () => {
  const tokenStore = { get: () => undefined, set: () => undefined }
  const client = made(foyer.Client)({ service, applicationId: ID, tokenStore }) as foyer.Client
  expect(await rejection(methodOf(client, 'resume'))).toContain('Give a store, for example indexedDbStore()')
})

it.each([['acquire'], ['settle']])('a store for limits needs the method %s', async (missing) => {
  const rateLimitStore = { acquire: () => undefined, settle: () => undefined, [missing]: undefined }
  expect(await rejection(() => made(server.ApplicationClient)({ ...backend, rateLimitStore }))).toContain(
    'Pass a store, for example',
  )
})

describe('a misspelt name', () => {
  it.each<[string, () => unknown, string]>([
    [
      'tokenstore',
      () => made(foyer.Client)({ service, tokenstore: {} }),
      'invalid argument: tokenstore. Did you mean tokenStore?',
    ],
    ['token_store', () => made(foyer.Client)({ service, token_store: {} }), 'Did you mean tokenStore?'],
    ['redirectUrl', () => made(foyer.Client)({ service, redirectUrl: '/' }), 'Did you mean redirectUri?'],
    ['aplicationId', () => made(foyer.Client)({ service, aplicationId: ID }), 'Did you mean applicationId?'],
    [
      'service.baseURL',
      () => made(foyer.Client)({ service: { ...service, baseURL: '' } }),
      'Did you mean service.baseUrl?',
    ],
    [
      'rateLimitsStore',
      () => made(server.ApplicationClient)({ ...backend, rateLimitsStore: {} }),
      'Did you mean rateLimitStore?',
    ],
    [
      'publickey',
      () => called(server.createInteractionHandler)({ ...endpoint, onmodal: () => '' }),
      'Did you mean onModal?',
    ],
    [
      'an event',
      () => methodOf(new foyer.Client({ service }), 'on')('sesionChanged', () => 0),
      'Did you mean event sessionChanged?',
    ],
    [
      'an event',
      () => methodOf(new foyer.Client({ service }), 'on')('lobbymessage', () => 0),
      'Did you mean event lobbyMessage?',
    ],
  ])('is rejected with a suggestion: %s', async (_, act, remedy) => {
    expect(await rejection(act)).toMatch(/^ConfigurationError: /)
    expect(await rejection(act)).toContain(remedy)
  })

  it.each(['theme', 'title', 'proxy'])(
    'of an option that is close to no other is rejected with the list of all options: %s',
    async (name) => {
      const text = await rejection(() => made(foyer.Client)({ service, [name]: 'dark' }))
      expect(text).toContain(
        `ConfigurationError: invalid argument: ${name}. No such option. Known: applicationId, service, redirectUri`,
      )
    },
  )

  it('of an event is rejected with the list of all events, since its listener would never be called', async () => {
    const client = new foyer.Client({ service })
    expect(await rejection(() => methodOf(client, 'on')('myOwnEvent', () => 0))).toContain(
      'Events: statusChanged, sessionChanged',
    )
  })
})

it('options are read from the object alone, not from a polluted prototype', () => {
  const polluted = {
    baseUrl: 'https://evil.test',
    keysUrl: 'https://evil.test/keys',
    profile: 'evil',
    activityOrigins: ['https://evil.test'],
  }
  Object.assign(Object.prototype, polluted)
  try {
    const { baseUrl, keysUrl, activityOrigins } = createServiceConfig({ host: service.host })
    expect([baseUrl, keysUrl, activityOrigins]).toEqual([
      `${service.host}/api/v10`,
      `${service.host}/api/v10/oauth2/keys`,
      undefined,
    ])
    expect(resolveOptions({ service }, undefined, async () => undefined).profile).toBe('default')
  } finally {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name)
  }
})
