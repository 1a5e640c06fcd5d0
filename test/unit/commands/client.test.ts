/** Commands of an application: create, list, edit, delete, permissions and tokens. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  ApiError,
  ApplicationClient,
  ConfigurationError,
  NetworkError,
  ProtocolError,
  UserClient,
  ValidationError,
  botToken,
  clientCredentials,
} from 'foyer-sdk/server'
import { APPLICATION, CommandService, GUILD, HOST, json } from './fake-command-service'
import { formOf } from '../../support/form-of'

const GIVE = { name: 'give', description: 'Gives an item' }
const COMMANDS = `/api/v10/applications/${APPLICATION}/commands`
const GUILD_COMMANDS = `/api/v10/applications/${APPLICATION}/guilds/${GUILD}/commands`

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

// The service's embedded SDK, which other files load, lets JSON have bigints.
beforeEach(() => void Reflect.deleteProperty(BigInt.prototype, 'toJSON'))

describe('commands of an application:', () => {
  test('a new command is created, and another of the same name overwrites it', async () => {
    const service = new CommandService()
    const { global } = service.client().commands
    const first = await global.create(GIVE)
    const second = await global.create({ ...GIVE, description: 'Gives two items' })
    expect([first.created, second.created]).toEqual([true, false])
    expect(second.command.id).toBe(first.command.id)
    expect(service.seen[0]).toMatchObject({ method: 'POST', path: COMMANDS, body: GIVE })
  })

  test('every request has an authorization and a JSON body', async () => {
    const service = new CommandService()
    await service.client().commands.global.create(GIVE)
    expect(service.seen[0]?.headers).toMatchObject({
      authorization: 'Bot secret',
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^ServiceBot \(https:\/\/\S+, \d+\.\d+\.\d+\)$/),
    })
  })

  test('a list returns all translations, or the strings of one locale', async () => {
    const service = new CommandService()
    const { global } = service.client({ service: { host: HOST, brand: 'arcade' } }).commands
    await global.list({ withLocalizations: true })
    await global.list({ locale: 'de' })
    expect(service.seen.map(({ path }) => path)).toEqual([`${COMMANDS}?with_localizations=true`, COMMANDS])
    expect(service.seen.map(({ headers }) => headers['x-arcade-locale'])).toEqual([undefined, 'de'])
  })

  test('a command is fetched, edited and deleted by ID', async () => {
    const service = new CommandService()
    const { id } = service.add(GIVE)
    const commands = service.client().commands.guild(GUILD)
    expect((await commands.get(id)).name).toBe('give')
    expect((await commands.edit(id, { description: 'Gives two items' })).description).toBe('Gives two items')
    await commands.delete(id)
    expect(service.commands).toEqual([])
    expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${GUILD_COMMANDS}/${id}`,
      `PATCH ${GUILD_COMMANDS}/${id}`,
      `DELETE ${GUILD_COMMANDS}/${id}`,
    ])
  })

  test('a list replaces all commands', async () => {
    const service = new CommandService()
    service.add({ name: 'old', description: 'Old' })
    const commands = await service.client().commands.global.overwrite([GIVE])
    expect(commands.map(({ name }) => name)).toEqual(['give'])
  })
})

describe('validation before a request rejects', () => {
  test('an invalid command with all issues', async () => {
    const service = new CommandService()
    const error = await rejection(
      service.client().commands.global.create({ name: 'Give it', description: '' }),
    )
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ code: 'invalid_body' })
    expect(
      error instanceof ValidationError && error.issues.map(({ path, code }) => `${path} ${code}`),
    ).toEqual(['name name_characters', 'name name_capitals', 'description length'])
    expect(service.seen).toEqual([])
  })

  const endless: object[] = []
  endless.push(endless)

  test.each<[string, unknown]>([
    ['is circular', endless],
    ['is a bigint', 1n],
  ])('a command that cannot be serialized because an unknown field %s', async (_, extra) => {
    const service = new CommandService()
    const { global } = service.client().commands
    const body = { ...GIVE, extra }
    for (const call of [
      global.create(body),
      global.edit('1', body),
      global.overwrite([body]),
      global.plan([body]),
      global.sync([body]),
    ])
      expect(await rejection(call)).toMatchObject({
        code: 'invalid_body',
        issues: [{ path: '', code: 'unreadable' }],
      })
    expect(service.seen).toEqual([])
  })

  test('an edit that is invalid for the known type', async () => {
    const service = new CommandService()
    const { id } = service.add(GIVE)
    const { global } = service.client().commands
    expect(await rejection(global.edit(id, { name: 'Give' }, { knownType: 1 }))).toBeInstanceOf(
      ValidationError,
    )
    expect((await global.edit(id, { name: 'Give' })).name).toBe('Give')
  })

  test.each(['../users/@me', '', '1?x', '18446744073709551616'])('an invalid ID: %j', async (id) => {
    const service = new CommandService()
    const client = service.client()
    expect(await rejection(client.commands.global.get(id))).toMatchObject({ code: 'invalid_argument' })
    expect(await rejection(client.commands.guild(id).list())).toBeInstanceOf(ConfigurationError)
    expect(service.seen).toEqual([])
  })

  test.each(['', 'a b', 'a\nb', 'ä'])('a bot token that is invalid in a header: %j', (token) => {
    expect(() => botToken(token)).toThrow(ConfigurationError)
  })

  test.each(['de\nfr', '日本'])('a locale that is invalid in a header: %j', async (locale) => {
    const service = new CommandService()
    expect(await rejection(service.client().commands.global.list({ locale }))).toMatchObject({
      code: 'invalid_argument',
    })
    expect(service.seen).toEqual([])
  })

  test('a numeric application ID', () => {
    expect(
      // @ts-expect-error A number loses digits.
      () => new ApplicationClient({ applicationId: 1, service: { host: HOST }, credentials: botToken('x') }),
    ).toThrow(ConfigurationError)
  })
})

describe('an error of the service:', () => {
  test('a tree of errors becomes issues with the paths of the validation', async () => {
    const service = new CommandService()
    const errors = {
      _errors: [{ code: 'APPLICATION_COMMAND_TOO_LARGE', message: 'Command exceeds maximum size (8000)' }],
      options: {
        3: {
          choices: {
            0: { name: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] } },
          },
        },
      },
      name_localizations: { de: { _errors: [{ code: 'STRING_TYPE_REGEX', message: 'No' }] } },
    }
    service.faults.push(() => json({ code: 50_035, message: 'Invalid Form Body', errors }, 400))
    const error = await rejection(service.client().commands.global.create(GIVE))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'invalid_body', status: 400, apiCode: 50_035, retryable: false })
    expect(error instanceof ApiError && error.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual([
      ' APPLICATION_COMMAND_TOO_LARGE',
      'options[3].choices[0].name BASE_TYPE_REQUIRED',
      "name_localizations['de'] STRING_TYPE_REGEX",
    ])
  })

  test('a malformed tree of errors neither throws nor hangs', async () => {
    const service = new CommandService()
    let deep: unknown = { _errors: [null] }
    for (let i = 0; i < 500; i++) deep = { options: deep }
    for (const errors of [
      deep,
      [],
      'x',
      { _errors: 'x' },
      { __proto__: null, constructor: { _errors: [{ code: 1 }] } },
    ]) {
      service.faults.push(() => json({ code: 50_035, errors }, 400))
      expect(await rejection(service.client().commands.global.create(GIVE))).toMatchObject({
        code: 'invalid_body',
      })
    }
  })

  test.each([
    [404, { code: 10_063 }, 'unknown_command', false],
    [403, { code: 50_026 }, 'missing_scope', false],
    [429, { code: 30_034 }, 'daily_creates_used_up', true],
    [500, {}, 'http_500', true],
    [400, [1], 'http_400', false],
  ])('%i %j is reported as %s', async (...[status, body, code, retryable]) => {
    const service = new CommandService()
    service.faults.push(() => json(body, status))
    const error = await rejection(service.client().commands.global.list())
    expect(error).toMatchObject({ name: 'ApiError', code, status, retryable })
    expect(String(error)).toContain('GET /applications/{application.id}/commands')
    expect(JSON.stringify(error)).not.toContain(APPLICATION)
  })

  test('an error page is reported by its status, and a success without JSON as malformed', async () => {
    const service = new CommandService()
    service.faults.push(() => new Response('<h1>Out of order</h1>', { status: 500 }))
    service.faults.push(() => new Response('<h1>Welcome</h1>'))
    service.faults.push(() => json([{ id: 1 }]))
    const { global } = service.client().commands
    expect(await rejection(global.list())).toMatchObject({ code: 'http_500' })
    expect(await rejection(global.list())).toBeInstanceOf(ProtocolError)
    expect(await rejection(global.list())).toMatchObject({ code: 'malformed_response' })
  })

  test.each<[string, unknown]>([
    ['an invalid option', [null]],
    ['invalid choices', [{ type: 3, name: 'item', description: 'x', choices: [1] }]],
    ['channel types that are not a list', [{ type: 7, name: 'where', description: 'x', channel_types: 5 }]],
    ['an invalid option in a subcommand', [{ type: 1, name: 'all', description: 'x', options: ['x'] }]],
  ])('a response whose command has %s is rejected as malformed before comparison', async (_, options) => {
    const service = new CommandService()
    const response = { ...service.add(GIVE), options }
    service.faults.push(() => json([response]))
    expect(await rejection(service.client().commands.global.plan([GIVE]))).toMatchObject({
      code: 'malformed_response',
    })
  })

  test('an empty response is malformed, and another attempt may help', async () => {
    const service = new CommandService()
    service.faults.push(() => new Response('', { status: 200 }))
    expect(await rejection(service.client().commands.global.list())).toMatchObject({
      code: 'malformed_response',
      retryable: true,
    })
  })

  test('an aborted plan sends nothing', async () => {
    const service = new CommandService()
    const aborted = service.client().commands.global.plan([GIVE], { signal: AbortSignal.abort() })
    expect(await rejection(aborted)).toMatchObject({ name: 'NetworkError', code: 'aborted' })
    expect(service.seen).toEqual([])
  })

  test('a failed connection and a cancelled call are reported as such', async () => {
    const service = new CommandService()
    const { global } = service.client({ fetch: () => Promise.reject(new TypeError('no')) }).commands
    expect(await rejection(global.list())).toMatchObject({ name: 'NetworkError', code: 'connection_failed' })
    const aborted = service
      .client({ fetch: () => new Promise(() => {}) })
      .commands.global.list({ signal: AbortSignal.abort() })
    expect(await rejection(aborted)).toBeInstanceOf(NetworkError)
  })
})

const respondWith = (tokens: string[], expiresIn = 3600) => {
  const service = new CommandService()
  const granted: URLSearchParams[] = []
  const fetch = async (url: string, init: RequestInit) => {
    if (!url.endsWith('/oauth2/token')) return service.fetch(url, init)
    granted.push(formOf(init))
    return json({
      access_token: tokens.shift(),
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: 'applications.commands.update',
    })
  }
  const credentials = clientCredentials({ clientId: APPLICATION, clientSecret: 'hush' })
  return { service, granted, client: service.client({ fetch, credentials }) }
}

const unauthorized = () => json({ code: 0, message: '401: Unauthorized' }, 401)

describe('a token from client credentials', () => {
  test('is fetched once for concurrent calls, and cached', async () => {
    const { service, granted, client } = respondWith(['one'])
    await Promise.all([client.commands.global.list(), client.commands.global.list()])
    await client.commands.global.list()
    expect(granted.length).toBe(1)
    expect(granted[0]?.get('scope')).toBe('applications.commands.update')
    expect(service.seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer one',
      'Bearer one',
      'Bearer one',
    ])
  })

  test('is replaced once after a 401', async () => {
    const { service, client } = respondWith(['old', 'new'])
    service.faults.push(() => json({ code: 0, message: '401: Unauthorized' }, 401))
    await client.commands.global.list()
    expect(service.seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer new'])
  })

  test('is replaced once for concurrent calls that got a 401', async () => {
    const { service, granted, client } = respondWith(['old', 'new', 'newer'])
    const gate = new AbortController()
    const opened = new Promise((resolve) => {
      gate.signal.addEventListener('abort', resolve)
    })
    service.faults.push(unauthorized, () => opened.then(unauthorized))
    const [first, second] = [client.commands.global.list(), client.commands.global.list()]
    // The second 401 arrives when the first call has its new token.
    await first
    gate.abort()
    await second
    expect(granted).toHaveLength(2)
    expect(service.seen.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer old',
      'Bearer old',
      'Bearer new',
      'Bearer new',
    ])
  })

  test('is replaced before it expires', async () => {
    const { granted, client } = respondWith(['one', 'two'], 30)
    await client.commands.global.list()
    await client.commands.global.list()
    expect(granted.length).toBe(2)
  })

  test('is requested again by the next call after a failure', async () => {
    const { granted, client } = respondWith([''])
    await rejection(client.commands.global.list())
    await rejection(client.commands.global.list())
    expect(granted.length).toBe(2)
  })
})

describe('permissions of commands', () => {
  const response = {
    id: '1',
    application_id: APPLICATION,
    guild_id: GUILD,
    permissions: [{ id: GUILD, type: 1, permission: false }],
  }

  test('can be read and not changed by an application', async () => {
    const service = new CommandService()
    service.faults.push(() => json([response]))
    service.faults.push(() => json(response))
    const permissions = service.client().commands.permissions(GUILD)
    expect(await permissions.list()).toEqual([response])
    expect(await permissions.get('1')).toEqual(response)
    expect(service.seen.map(({ path }) => path)).toEqual([
      `${GUILD_COMMANDS}/permissions`,
      `${GUILD_COMMANDS}/1/permissions`,
    ])
    // @ts-expect-error A bot token cannot set permissions (docs/interface/command-permissions.md#who-may-edit), so there is no method that would try.
    expect(permissions.set).toBeUndefined()
  })

  test('can be changed by a user with their token', async () => {
    const service = new CommandService()
    service.faults.push(() => json(response))
    const user = new UserClient({
      accessToken: 'theirs',
      applicationId: APPLICATION,
      service: { host: HOST },
      fetch: service.fetch,
    })
    expect(
      await user.commandPermissions(GUILD).set('1', [{ id: GUILD, type: 1, permission: false }]),
    ).toEqual(response)
    expect(service.seen[0]).toMatchObject({
      method: 'PUT',
      path: `${GUILD_COMMANDS}/1/permissions`,
      headers: { authorization: 'Bearer theirs' },
      body: { permissions: response.permissions },
    })
  })

  test('are validated before a request', async () => {
    const service = new CommandService()
    const user = new UserClient({
      accessToken: 'theirs',
      applicationId: APPLICATION,
      service: { host: HOST },
      fetch: service.fetch,
    })
    const twice = { id: '7', type: 1, permission: true } as const
    for (const permissions of [[twice, twice], [Object.assign({ extra: 1n }, twice)]])
      expect(await rejection(user.commandPermissions(GUILD).set('1', permissions))).toMatchObject({
        code: 'invalid_body',
      })
    expect(service.seen).toEqual([])
  })
})

test('the user agent names the version of the package', async () => {
  const service = new CommandService()
  await service.client().commands.global.list()
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  expect(service.seen[0]?.headers['user-agent']).toContain(version)
})
