/** Common mistakes of developers with the packed SDK: each message names the cause and the correction. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type * as types from 'foyer-sdk'
import type * as serverTypes from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { consentSurface } from '../../support/consent-surface'
import { pack, type PackedPackage } from '../../support/packed-package'

type Sdk = typeof types
type Server = typeof serverTypes

const ID = '1287654321098765433'
const service = { host: 'https://service.test' }
const TOKEN = 'a-token-that-must-not-be-shown'
const CALLBACK = 'http://127.0.0.1:7777/callback'

let packed: PackedPackage
let sdk: Sdk
let server: Server
let emulator: Emulator

beforeAll(async () => {
  packed = pack('.')
  const load = (file: string): Promise<unknown> =>
    import(/* @vite-ignore */ pathToFileURL(join(packed.folder, 'dist', file)).href)
  sdk = (await load('index.js')) as Sdk
  server = (await load('server/index.js')) as Server
  emulator = await createEmulator({})
})
afterAll(async () => {
  await emulator.close()
  packed[Symbol.dispose]()
})
afterEach(() => vi.unstubAllGlobals())

/** Calls without types, as from plain JavaScript. */
type Loose = (...args: unknown[]) => unknown
const make = (Class: unknown, ...args: unknown[]): object =>
  Reflect.construct(Class as new () => object, args)
const group = (client: object, name: string): object => Reflect.get(client, name) as object
const call = (target: object, method: string, ...args: unknown[]): unknown =>
  (Reflect.get(target, method) as Loose).apply(target, args)

interface ReportedError {
  name: string
  message: string
  retryable: boolean
  help: string
}

/** Returns the error of a mistake, whether thrown or rejected. */
async function reportedError(mistake: () => unknown): Promise<ReportedError> {
  try {
    await mistake()
  } catch (error) {
    if (!(error instanceof sdk.FoyerError) && !(error instanceof server.FoyerError)) throw error
    if (`${error.message} ${JSON.stringify(error)}`.includes(TOKEN))
      throw new Error('The token is shown.', { cause: error })
    return error
  }
  throw new Error('The mistake was taken in silence.')
}

const game = (options: object = {}): object => make(sdk.Client, { applicationId: ID, service, ...options })
const backend = (options: object = {}): object =>
  make(server.ApplicationClient, {
    applicationId: ID,
    service,
    credentials: server.botToken(TOKEN),
    ...options,
  })

const resume = (options: object): unknown => call(game(options), 'resume')
/** Looks like `localStorage`. */
const webStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

function signIn(client: object, args: object = { scopes: 'openid' }): unknown {
  const surface = { redirectUri: () => CALLBACK, open: () => new Promise(() => undefined) }
  return call(client, 'signIn', { args, surface })
}

function closed(): unknown {
  const client = game()
  call(client, 'close')
  return call(client, 'signIn')
}

const KEY = 'ab'.repeat(32)
const endpoint = (options: object): unknown =>
  call(server, 'createInteractionHandler', { publicKey: KEY, commands: [], ...options })
const hub = (options: object): unknown =>
  call(server, 'createLobbyHub', { client: backend(), verify: () => undefined, ...options })
const verify = (given: unknown): unknown =>
  server.createPlayerVerifier({ applicationId: ID, service })(given as string)
const request = (token: string) =>
  new Request('https://game.test/', { headers: { authorization: `Bearer ${token}` } })
const lobbiesOf = (client: object): unknown => call(group(client, 'lobbies'), 'get', '1')

/** A page that blocks popups. */
function stubPage(): void {
  const location = new URL('https://game.test/play')
  vi.stubGlobal('location', location)
  vi.stubGlobal('document', { baseURI: location.href })
  vi.stubGlobal('window', { open: () => null })
  vi.stubGlobal('navigator', {})
  for (const name of ['screenX', 'screenY', 'outerWidth', 'outerHeight']) vi.stubGlobal(name, 0)
}

describe('a mistake in the code of a page is reported with its correction:', () => {
  it.each<[mistake: string, act: () => unknown, says: string]>([
    [
      '7: http for a real host',
      () => game({ service: { host: 'http://service.test' } }),
      'service.host. It needs https://',
    ],
    [
      '7: a host without a scheme',
      () => game({ service: { host: 'service.test' } }),
      'service.host. It needs https://',
    ],
    [
      '19: an ID that is a number',
      () => game({ applicationId: 1_287_654 }),
      'applicationId. Give its digits as a string or a bigint',
    ],
    [
      '19: clientId instead of applicationId',
      () => game({ applicationId: undefined, clientId: ID }),
      'Did you mean applicationId?',
    ],
    [
      '19: no applicationId',
      () => signIn(game({ applicationId: undefined })),
      'Give applicationId to the client',
    ],
    [
      '20: signIn outside a page',
      () => call(game(), 'signIn'),
      'pass a surface, or use client.accounts.getTokenFromDevice()',
    ],
    [
      '22: no service',
      () => make(sdk.Client, { applicationId: ID }),
      "Name the service: { service: { host: 'https://…' } }",
    ],
    [
      '23: lobbies before the sign-in',
      () => call(game(), 'createOrJoinLobby', 'moon'),
      'Call signIn() first, or resume() when the page starts',
    ],
    [
      '23: the current user before the sign-in',
      () => call(game(), 'fetchCurrentUser'),
      'Call signIn() first, or resume() when the page starts',
    ],
    ['25: a misspelt option', () => game({ tokenstore: {} }), 'Did you mean tokenStore?'],
    [
      '25: a misspelt event',
      () => call(game(), 'on', 'sessionchanged', () => undefined),
      'Did you mean event sessionChanged?',
    ],
    ['33: the host instead of the options', () => make(sdk.Client, service.host), 'Name the service'],
    ['34: the service as a string', () => game({ service: service.host }), 'Name the service'],
    [
      '35: a fragment in the host',
      () => game({ service: { host: 'https://service.test/#/' } }),
      'no fragment',
    ],
    [
      '36: baseURL for baseUrl',
      () => game({ service: { ...service, baseURL: 'https://x.test' } }),
      'Did you mean service.baseUrl?',
    ],
    [
      '37: a code instead of a result',
      () => call(game(), 'getToken', 'the-code'),
      'Pass the result of authorize() or handleCallback()',
    ],
    ['38: a call after close()', closed, 'create a new one'],
    [
      '39: updateToken with an incomplete token set',
      () => call(game(), 'updateToken', { refreshToken: TOKEN }),
      'Pass { accessToken, expiresIn }',
    ],
    [
      '40: a device sign-in without a callback for its code',
      () => call(group(game(), 'accounts'), 'getTokenFromDevice', { scopes: 'openid' }, {}),
      'shows the code to the player',
    ],
    [
      '41: an Activity outside its host',
      () => call(group(game(), 'activity'), 'connect'),
      'check client.activity.launch first',
    ],
    [
      '42: a numeric ID in the arguments',
      () => signIn(game(), { clientId: 1, scopes: 'openid' }),
      'must be a decimal string or a bigint',
    ],
    ['43: scopes as a list', () => signIn(game(), { scopes: ['openid'] }), 'divided by single spaces'],
    [
      '53: an event of another library',
      () => call(game(), 'on', 'signedIn', () => undefined),
      'Events: statusChanged, sessionChanged',
    ],
    [
      '54: a client secret in the page',
      () => game({ clientSecret: TOKEN }),
      'clientSecret. Keep it in your backend',
    ],
    ['54: a bot token in the page', () => game({ botToken: TOKEN }), 'botToken. Keep it in your backend'],
    [
      '55: a token store that was not called',
      () => resume({ tokenStore: sdk.localStorageStore }),
      'for example indexedDbStore()',
    ],
    [
      '55: localStorage as the token store',
      () => resume({ tokenStore: webStorage }),
      'for example indexedDbStore()',
    ],
    [
      '56: a surface that was not called',
      () => call(game(), 'signIn', { surface: sdk.popupSurface }),
      'Is the surface made by a call?',
    ],
    [
      '57: scopes beside args',
      () => call(game(), 'signIn', { scopes: 'openid email', args: { scopes: 'openid' } }),
      'scopes. Give either scopes or args: { scopes }',
    ],
    ['44: a lobby with an empty secret', () => call(game(), 'createOrJoinLobby', ''), 'secret'],
  ])('%s', async (_, act, says) => {
    const { message, retryable, help } = await reportedError(act)
    expect(message).toContain(says)
    expect(retryable).toBe(false)
    expect(help).toMatch(/^docs\/errors\.md#\w+$/)
  })

  it('5: a popup opened after an await', async () => {
    stubPage()
    const { message } = await reportedError(() => call(game(), 'signIn'))
    expect(message).toContain(
      'Call signIn() in the click handler, before any await, or use redirectSurface()',
    )
  })

  it('45: a popup with a callback page on another origin', async () => {
    stubPage()
    const { message } = await reportedError(() =>
      call(game({ redirectUri: 'https://other.test/callback.html' }), 'signIn'),
    )
    expect(message).toContain('Use a callback page on the origin of the game')
  })

  it('10b: a misspelt scope', async () => {
    const { application, url: host } = emulator
    const client = game({ applicationId: application.id, service: { host } })
    const surface = consentSurface(emulator, { redirectUri: application.redirectUris[0] ?? CALLBACK })
    const error = await reportedError(() =>
      call(client, 'signIn', { surface, args: { scopes: 'openid sdk.social_layr' } }),
    )
    expect(error).toMatchObject({
      code: 'invalid_scope',
      retryable: false,
      help: 'docs/errors.md#invalid_scope',
    })
    expect(error.message).toContain('The service does not support a requested scope')
    expect(JSON.stringify(error)).toContain('sdk.social_layr')
  })
})

describe('a mistake in the backend is reported with its correction:', () => {
  it.each<[mistake: string, act: () => unknown, says: string]>([
    ['11: no bot token', () => call(server, 'botToken', undefined), 'is FOYER_BOT_TOKEN set?'],
    ['11: a bot token with its prefix', () => call(server, 'botToken', `Bot ${TOKEN}`), 'without prefix'],
    ['11: a bot token with a line break', () => call(server, 'botToken', `${TOKEN}\n`), 'line breaks'],
    [
      '11: the token instead of credentials',
      () => backend({ credentials: TOKEN }),
      'credentials: botToken(…) or clientCredentials(…)',
    ],
    ['19: an ID that is a number', () => backend({ applicationId: 7 }), 'applicationId. Give its digits'],
    [
      '46: no client secret',
      () => call(server, 'clientCredentials', { clientId: ID }),
      'clientSecret. Pass the token or secret',
    ],
    ['47: a maxWait that is a string', () => backend({ maxWait: '5s' }), 'maxWait: ms. Pass a number'],
    [
      '48: no public key',
      () => call(server, 'createInteractionHandler', { commands: [] }),
      'publicKey: 64 hex digits. Copy it',
    ],
    [
      '49: plain definitions as commands',
      () =>
        call(server, 'createInteractionHandler', { publicKey: 'ab'.repeat(32), commands: [{ name: 'a' }] }),
      'commands[0]: made by defineCommand',
    ],
    [
      '50: a command without a handler',
      () => call(server, 'defineCommand', { name: 'play', description: 'd' }),
      'play: no handler',
    ],
    [
      '51: lobbies with client credentials',
      () =>
        lobbiesOf(backend({ credentials: server.clientCredentials({ clientId: ID, clientSecret: 'x' }) })),
      'Lobbies need botToken(…)',
    ],
    [
      '52: rateLimitstore for rateLimitStore',
      () => backend({ rateLimitstore: {} }),
      'Did you mean rateLimitStore?',
    ],
    [
      '58: the address of Redis instead of a store',
      () => backend({ rateLimitStore: 'redis://127.0.0.1' }),
      'for example redisRateLimitStore(new Redis(url))',
    ],
    [
      '58: the Redis client instead of a store',
      () => backend({ rateLimitStore: { evalsha: () => 0 } }),
      'rateLimitStore. Pass a store',
    ],
    [
      '58: the address of Redis as replays',
      () => endpoint({ replays: 'redis://127.0.0.1' }),
      'for example redisStore(new Redis(url))',
    ],
    [
      '58: the address of Redis as broker',
      () => hub({ broker: 'redis://127.0.0.1' }),
      'for example redisLobbyBroker(new Redis(url))',
    ],
    ['59: a hub without verify', () => hub({ verify: undefined }), 'verify: from createPlayerVerifier(…)'],
    [
      '60: a misspelt event of the service',
      () =>
        call(server, 'createEventHandler', {
          publicKey: KEY,
          on: { lobby_message_created: () => undefined },
        }),
      'Did you mean on.LOBBY_MESSAGE_CREATE?',
    ],
    [
      '61: a guild ID that is a number',
      () => call((Reflect.get(backend(), 'commands') as { guild: (id: unknown) => object }).guild(7), 'list'),
      'guild.id. Give its digits',
    ],
    [
      '62: a token that was not revealed',
      () => verify(String(new sdk.Secret(TOKEN))),
      'the game sends its reveal()',
    ],
    [
      '62: a request with a token that was not revealed',
      () => verify(request('[secret]')),
      'the game sends its reveal()',
    ],
    [
      '63: an access token instead of the ID token',
      () => verify(TOKEN),
      'accept access tokens with accessTokens: true',
    ],
    [
      '64: the header instead of the token',
      () => verify('Bearer a.b.c'),
      'Pass the token without prefix, or the Request',
    ],
    [
      '65: a request without a token',
      () => verify(new Request('https://game.test/')),
      'client.backend.fetch()',
    ],
    ["66: Node's request", () => verify({ url: '/', headers: {} }), 'toNodeListener(…)'],
  ])('%s', async (_, act, says) => {
    const { message, retryable } = await reportedError(act)
    expect(message).toContain(says)
    expect(retryable).toBe(false)
  })

  it('11: a wrong bot token, and a wrong client secret', async () => {
    const own = { applicationId: emulator.application.id, service: { host: emulator.url } }
    const bot = await reportedError(() =>
      call(
        new server.ApplicationClient({ ...own, credentials: server.botToken(TOKEN) }).commands.global,
        'list',
      ),
    )
    expect(bot).toMatchObject({ retryable: false, emulatorRule: expect.any(String) as string })
    expect(bot.message).toContain('check the bot token')
    expect(bot.message).toContain('(emulator: ')
    const credentials = server.clientCredentials({ clientId: own.applicationId, clientSecret: TOKEN })
    const secret = await reportedError(() =>
      call(new server.ApplicationClient({ ...own, credentials }).commands.global, 'list'),
    )
    expect(secret).toMatchObject({ code: 'invalid_client', retryable: false })
    expect(secret.message).toContain('the client secret')
  })

  it('67: two copies of the SDK, loaded as a module and with require, share secrets', () => {
    const other = createRequire(import.meta.url)(join(packed.folder, 'dist/server/index.cjs')) as Server
    expect(backend({ credentials: server.botToken(new other.Secret(TOKEN)) })).toBeInstanceOf(
      server.ApplicationClient,
    )
    expect(backend({ credentials: other.botToken(TOKEN) })).toBeInstanceOf(server.ApplicationClient)
  })

  it('12: the backend entry in a page', async () => {
    stubPage()
    vi.stubGlobal('process', undefined)
    const { message } = await reportedError(() => call(server, 'botToken', TOKEN))
    expect(message).toContain('call this from your backend, and use Client in the page')
  })

  it('26: express.json() before the endpoint', async () => {
    const errors: Error[] = []
    const handle = server.createInteractionHandler({
      publicKey: 'ab'.repeat(32),
      commands: [],
      onError: (error) => errors.push(error),
    })
    const headers = {
      'x-signature-ed25519': 'ab'.repeat(64),
      'x-signature-timestamp': String(Math.floor(Date.now() / 1000)),
    }
    const message = {
      method: 'POST',
      headers,
      complete: true,
      readableDidRead: true,
      body: {},
      async *[Symbol.asyncIterator]() {},
    }
    await server.toNodeListener(handle)(message, {
      statusCode: 0,
      setHeader: () => undefined,
      end: () => undefined,
    })
    expect(errors.map(String)).toEqual([
      'InteractionError: body consumed. A body parser such as express.json() read the body first: put the endpoint before it',
    ])
  })
})

describe('a mistake with the emulator is reported with its correction:', () => {
  it.each<[mistake: string, options: object, says: string]>([
    ['68: a misspelt option', { prot: 4320 }, 'there is no option "prot" (did you mean port?)'],
    [
      '69: an address without a scheme',
      { interactionsUrl: 'localhost:8080' },
      'interactionsUrl must be an http: or https: URL',
    ],
    [
      '70: a seed file that does not exist',
      { seed: 'nowhere.json' },
      'The seed file nowhere.json cannot be read',
    ],
    [
      '71: a misspelt field of the seed',
      { seed: { aplication: {} } },
      'seed has no field "aplication" (did you mean application?)',
    ],
  ])('%s', async (_, options, says) => {
    await expect(createEmulator(options)).rejects.toThrow(says)
  })
})
