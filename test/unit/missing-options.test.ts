/** What plain JavaScript forgets: every class and function that a game makes something with says which argument is missing or wrong. */
import * as foyer from 'foyer-sdk'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import * as server from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'

const TOKEN = 'a-token-that-must-not-be-shown'
const ID = '1287654321098765433'
const service = { host: 'https://service.test' }
const backend = { applicationId: ID, service, credentials: server.botToken(TOKEN) }
const endpoint = { publicKey: 'ab'.repeat(32), commands: [] }

/** As a caller without types makes it. */
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

/** `ConfigurationError: missing service host`, or that it is none of the SDK's own errors, or says what nobody may read. */
async function refusal(act: () => unknown): Promise<string> {
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
  ['Client', made(foyer.Client), 'missing service host'],
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
  ])('given %s says what is missing', async (_given, args) => {
    expect(await refusal(() => make(...args))).toBe(`ConfigurationError: ${message}`)
  })

  it.each([
    ['a text', TOKEN],
    ['a number', 42],
    ['a list', []],
    ['a function', () => 'no options'],
  ])('given %s in the place of them refuses with a code', async (_given, wrong) => {
    expect(await refusal(() => make(wrong))).toMatch(/^(ConfigurationError: |nothing is refused$)/)
  })
})

describe('an option of the wrong type', () => {
  it.each<[string, () => unknown, string]>([
    ['a host that is no text', () => made(foyer.Client)({ service: { host: 42 } }), 'missing service host'],
    ['a token where credentials belong', () => made(server.ApplicationClient)({ ...backend, credentials: TOKEN }), 'credentials'],
    ['no credentials', () => made(server.ApplicationClient)({ ...backend, credentials: undefined }), 'credentials'],
    ['a wait in words', () => made(server.ApplicationClient)({ ...backend, maxWait: '5s' }), 'maxWait: ms'],
    [
      'a deadline that is no number',
      () => made(server.UserClient)({ ...backend, accessToken: TOKEN, requestTimeout: Number.NaN }),
      'requestTimeout: ms',
    ],
    ['scopes as one text', () => called(server.clientCredentials)({ clientId: ID, clientSecret: TOKEN, scopes: 'a b' }), 'scopes: a list'],
    ['no secret', () => called(server.clientCredentials)({ clientId: ID }), 'clientSecret'],
    [
      'commands as the service has them',
      () => called(server.createInteractionHandler)({ ...endpoint, commands: [{ name: 'play' }] }),
      'commands[0]: made by defineCommand',
    ],
    ['options that are no list', () => called(server.defineCommand)({ name: 'play', options: {} }, () => 'hello'), 'play: options'],
    ['an option that is none', () => called(server.defineCommand)({ name: 'play', options: [null] }, () => 'hello'), 'play: options'],
    [
      'a request of another kind',
      () => called(server.verifyInteraction)({ headers: { 'x-signature-timestamp': '1' } }, endpoint.publicKey),
      'request: a Request of the Fetch API',
    ],
    [
      'a client that names its commands otherwise',
      () => called(redisRateLimitStore)({ evalSha: () => null }),
      'redis: a client of ioredis',
    ],
    ['a member that is missing', () => called(server.resolveCommandPermission)({ guildId: ID, channel: {} }), 'member'],
    ['a channel that is missing', () => called(server.resolveCommandPermission)({ guildId: ID, member: {} }), 'channel'],
  ])('is refused: %s', async (_, make, subject) => {
    const text = await refusal(make)
    expect(text).toMatch(/^ConfigurationError: /)
    expect(text).toContain(subject)
  })

  it('is a client id as a bigint that is taken as it is', () => {
    expect(called(server.clientCredentials)({ clientId: BigInt(ID), clientSecret: TOKEN })).toBeTypeOf('function')
  })
})

describe('a call of a backend', () => {
  const client = new server.ApplicationClient({ ...backend, fetch: async () => Response.json({}) })
  it.each(['reply', 'followUp', 'editReply', 'deleteReply', 'defer', 'launchActivity'] as const)(
    '%s for no interaction is refused',
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
        expect(await refusal(() => call(wrong, 'hello'))).toBe(
          'ConfigurationError: invalid argument: interaction: id, application_id and token',
        )
    },
  )

  it('reply with no reply is refused', async () => {
    const call = methodOf(client.interactions, 'reply')
    expect(await refusal(() => call({ id: '1', application_id: ID, token: 'a' }))).toBe('ConfigurationError: invalid argument: reply')
  })

  it('putMember without a member names its id', async () => {
    const call = methodOf(client.lobbies, 'putMember')
    expect(await refusal(() => call('1'))).toMatch(/^ValidationError: .*userId/)
  })
})

it('an endpoint tells whoever gives it the request of another library, and still answers', async () => {
  const heard: unknown[] = []
  const handle = server.createInteractionHandler({ ...endpoint, onError: (error) => heard.push(error.cause) })
  expect(((await called(handle)({ headers: {} })) as Response).status).toBe(500)
  expect(heard).toMatchObject([{ name: 'ConfigurationError', code: 'invalid_argument' }])
})
