/** Follows the remedies of error messages: a call that fails with a remedy works after doing what the remedy says. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { avatarUrl, Client, type ClientOptions, FoyerError, indexedDbStore } from 'foyer-sdk'
import { redisRateLimitStore } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  type ApplicationClientOptions,
  botToken,
  clientCredentials,
  createInteractionHandler,
  createLobbyHub,
  createPlayerVerifier,
  MemoryRateLimitStores,
  toNodeListener,
  undiciTransport,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../support/consent-surface'

/** A page's address: the service issues ID tokens for its sign-ins. */
const CALLBACK = 'http://127.0.0.1:51234/callback'

let emulator: Emulator
let other: Emulator
beforeAll(async () => {
  emulator = await createEmulator()
  other = await createEmulator()
})
afterAll(() => Promise.all([emulator.close(), other.close()]))

type Step = () => unknown

/** Creates a client of the emulator with other options, and closes it after the test. */
function client(options: object = {}): Client {
  const { id: applicationId } = emulator.application
  const made = new Client({
    applicationId,
    service: { host: emulator.url },
    surface: consentSurface(emulator, { redirectUri: CALLBACK }),
    ...options,
  })
  onTestFinished(() => made.close())
  return made
}

/** Creates a client, with nothing but these options. */
function plainClient(options: object): void {
  const made: unknown = Reflect.construct(Client, [options])
  if (made instanceof Client) onTestFinished(() => made.close())
}

function backend(options: Partial<ApplicationClientOptions> = {}): ApplicationClient {
  const { id: applicationId, botToken: token } = emulator.application
  return new ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: botToken(token),
    ...options,
  })
}

const credentials = () =>
  clientCredentials({ clientId: emulator.application.id, clientSecret: emulator.application.clientSecret })
const call = (object: object, method: string, ...args: unknown[]): unknown =>
  Reflect.apply(Reflect.get(object, method) as Step, object, args)

async function signedIn(options?: Partial<ClientOptions>): Promise<Client> {
  const player = client(options)
  await player.signIn()
  return player
}

/** Address of a game's backend that answers all requests with `ok`. */
async function startBackend(): Promise<string> {
  const server = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const idToken = async () => (await signedIn()).session?.tokens.idToken?.reveal() ?? ''
const accessToken = async () => (await signedIn()).session?.tokens.accessToken.reveal() ?? ''
const verifier = (options: object = {}) =>
  createPlayerVerifier({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    ...options,
  })
const requestWith = (token: string) =>
  new Request('https://game.example/me', { headers: { authorization: `Bearer ${token}` } })

const ID = '1287654321098765433'
const service = { host: 'https://service.test' }

const FOLLOWED: readonly (readonly [remedy: string, wrong: Step, right: Step])[] = [
  [
    'Give its digits as a string or a bigint',
    () => plainClient({ applicationId: Number(ID), service }),
    () => [ID, BigInt(ID)].map((applicationId) => plainClient({ applicationId, service })),
  ],
  [
    "Name the service: { service: { host: 'https://…' } }",
    () => plainClient({ applicationId: ID }),
    () => plainClient({ applicationId: ID, service: { host: 'https://service.test' } }),
  ],
  [
    'It needs https:// (http:// on localhost and 127.0.0.1 only)',
    () => plainClient({ applicationId: ID, service: { host: 'http://service.test' } }),
    () =>
      ['https://service.test', 'http://localhost:1', 'http://127.0.0.1:1'].map((host) =>
        plainClient({ applicationId: ID, service: { host } }),
      ),
  ],
  [
    'Origins have no path and no slash at the end. Give the API',
    () => plainClient({ applicationId: ID, service: { host: 'https://service.test/api/v10' } }),
    () =>
      plainClient({
        applicationId: ID,
        service: { host: 'https://service.test', baseUrl: 'https://service.test/api/v10' },
      }),
  ],
  [
    "List host names, for example ['emulator']",
    () =>
      plainClient({
        applicationId: ID,
        service: { host: 'http://emulator:4320', developmentHosts: 'emulator' },
      }),
    () =>
      plainClient({
        applicationId: ID,
        service: { host: 'http://emulator:4320', developmentHosts: ['emulator'] },
      }),
  ],
  [
    'Keep it in your backend',
    () => plainClient({ applicationId: ID, service, clientSecret: 'x' }),
    () => [plainClient({ applicationId: ID, service }), credentials()],
  ],
  [
    'Did you mean applicationId?',
    () => plainClient({ applicationID: ID, service }),
    () => plainClient({ applicationId: ID, service }),
  ],
  [
    'Events: ',
    () => call(client(), 'on', 'tokens', () => {}),
    () => call(client(), 'on', 'sessionChanged', () => {}),
  ],
  [
    'Give a store, for example indexedDbStore()',
    () => client({ tokenStore: {} }).resume(),
    () => client({ tokenStore: indexedDbStore() }).resume(),
  ],
  [
    'Pass a store, for example',
    async () => (await signedIn({ rateLimitStore: {} } as object)).fetchCurrentUser(),
    async () => (await signedIn({ rateLimitStore: new MemoryRateLimitStores().store() })).fetchCurrentUser(),
  ],
  [
    'It was closed: create a new one',
    () => {
      const player = client()
      player.close()
      return player.signIn()
    },
    () => signedIn(),
  ],
  [
    'Call signIn() first',
    () => client().fetchCurrentUser(),
    async () => (await signedIn()).fetchCurrentUser(),
  ],
  [
    'No page is available here: pass a surface',
    () => client({ surface: undefined }).authorize({ scopes: 'openid' }),
    () => client().authorize({ scopes: 'openid' }, { surface: consentSurface(emulator) }),
  ],
  [
    'Give either scopes or args: { scopes }',
    () => client().signIn({ scopes: 'openid', args: { scopes: 'openid' } }),
    async () => {
      await client().signIn({ scopes: 'openid' })
      await client().signIn({ args: { scopes: 'openid' } })
    },
  ],
  [
    'Give the signal of an AbortController: controller.signal',
    () => client().signIn({ signal: new AbortController() } as object),
    () => client().signIn({ signal: new AbortController().signal }),
  ],
  [
    'Did you mean tokenStore?',
    () => plainClient({ applicationId: ID, service, tokenStor: indexedDbStore() }),
    () => plainClient({ applicationId: ID, service, tokenStore: indexedDbStore() }),
  ],
  [
    'Pass a number, for example 30_000',
    () => client({ requestTimeout: -1 }),
    () => client({ requestTimeout: 30_000 }),
  ],
  [
    'Give a function',
    () => call(client(), 'on', 'sessionChanged', 1),
    () => client().on('sessionChanged', () => undefined),
  ],
  [
    'Events: ',
    () => call(client(), 'on', 'signedIn', () => 1),
    () => client().on('sessionChanged', () => undefined),
  ],
  [
    'Pass the service, or { host }, and a user with an id',
    () => call({ avatarUrl }, 'avatarUrl', {}, { avatar: 'a' }),
    () => avatarUrl({ cdnUrl: 'https://cdn.test' }, { id: ID, avatar: 'a' }),
  ],
  [
    'Pass a function that shows the code',
    () => call(client().accounts, 'getTokenFromDevice', { scopes: 'openid' }),
    showDeviceCode,
  ],
  [
    'a token set, or an access token as a string',
    () => call(client(), 'updateToken', {}),
    async () => client().updateToken(await accessToken()),
  ],
  [
    'Pass the result of authorize() or handleCallback()',
    () => client().signIn({ result: {} } as object),
    async () => {
      const player = client()
      return player.signIn({ result: await player.authorize({ scopes: 'openid' }) })
    },
  ],
  [
    'It belongs to a client with another service, application id or profile',
    async () => client({ profile: 'two' }).signIn({ result: await client().authorize({ scopes: 'openid' }) }),
    async () => client().signIn({ result: await client().authorize({ scopes: 'openid' }) }),
  ],
  [
    'The service does not support a requested scope',
    () => client().signIn({ args: { scopes: 'openid no.such.scope' } }),
    () => client().signIn({ args: { scopes: 'openid' } }),
  ],
  [
    'they must be equal, and service.issuer sets it',
    () => client({ service: { host: emulator.url, issuer: other.url } }).authorize({ scopes: 'openid' }),
    () => client({ service: { host: emulator.url, issuer: emulator.url } }).authorize({ scopes: 'openid' }),
  ],
  [
    "Name the backend in the client's options",
    async () => (await signedIn()).backend.fetch(await startBackend()),
    async () => {
      const origin = await startBackend()
      return (await signedIn({ backendOrigins: [origin] })).backend.fetch(origin)
    },
  ],
  [
    'Nothing listens there: start the service, or correct the port',
    () => backend({ service: { host: 'http://127.0.0.1:2' } }).commands.global.list(),
    () => backend({ service: { host: emulator.url } }).commands.global.list(),
  ],
  [
    'Pass the token or secret as a string, without prefix',
    () => botToken('Bot x y'),
    () => botToken(emulator.application.botToken),
  ],
  [
    'The service rejected the credential',
    () => backend({ credentials: botToken('x'.repeat(60)) }).commands.global.list(),
    () => backend().commands.global.list(),
  ],
  [
    'Check the application id and, in a backend, the client secret',
    () =>
      backend({
        credentials: clientCredentials({ clientId: emulator.application.id, clientSecret: 'wrong' }),
      }).commands.global.list(),
    () => backend({ credentials: credentials() }).commands.global.list(),
  ],
  [
    'Lobbies need botToken(…)',
    () => backend({ credentials: credentials() }).lobbies.create(),
    () => backend().lobbies.create(),
  ],
  [
    'Provisional accounts need botToken(…)',
    () =>
      backend({ credentials: credentials() }).provisionalAccounts.getToken({ externalUserId: 'player-1' }),
    () => backend().provisionalAccounts.getToken({ externalUserId: 'player-1' }),
  ],
  [
    'Pass a number',
    () => backend({ requestTimeout: '5' } as object),
    () => backend({ requestTimeout: 5000 }),
  ],
  [
    'The list is empty, which would delete 1 commands',
    syncNothing,
    () => backend().commands.global.sync([], { allowEmpty: true }),
  ],
  [
    'Pass a number, for example 500',
    () => hub({ maxConnectsPerSecond: 0 }),
    () => hub({ maxConnectsPerSecond: 5 }),
  ],
  [
    'Pass new Redis(url)',
    () => redisRateLimitStore(new Map() as never),
    () => redisRateLimitStore(new Redis({ lazyConnect: true })),
  ],
  [
    'Use a Pool of the package undici',
    () => undiciTransport({} as never),
    () => undiciTransport(new Pool('https://service.test')),
  ],
  [
    "Copy it from the application's settings",
    () => interactions('ab'),
    () => interactions(emulator.application.publicKey),
  ],
  [
    'is FOYER_PUBLIC_KEY set?',
    () => interactions(undefined),
    () => interactions(emulator.application.publicKey),
  ],
  [
    'It is no ID token: send session.tokens.idToken.reveal()',
    async () => verifier()(await accessToken()),
    async () => verifier()(await idToken()),
  ],
  [
    'or accept access tokens with accessTokens: true',
    async () => verifier()(await accessToken()),
    async () => verifier({ accessTokens: true })(await accessToken()),
  ],
  [
    'Pass the token without prefix, or the Request',
    async () => verifier()(`Bearer ${await idToken()}`),
    async () => verifier()(requestWith(await idToken())),
  ],
  [
    'use the applicationId of the client',
    async () => verifier({ applicationId: ID.replace('3', '4') })(await idToken()),
    async () => verifier()(await idToken()),
  ],
  [
    'use the service of the client',
    async () => verifier({ service: { host: emulator.url, issuer: other.url } })(await idToken()),
    async () => verifier()(await idToken()),
  ],
  [
    'Call the backend with client.backend.fetch()',
    () => verifier()(new Request('https://game.example/me')),
    () => callBackend(''),
  ],
  ['send it in the Authorization header', () => callBackend('?token=x'), () => callBackend('')],
  [
    'In Node, Express and Koa give the handler to toNodeListener(…)',
    () => verifier()({ headers: {}, url: '/' } as never),
    () => callBackend(''),
  ],
]

it.each(FOLLOWED)('%s', async (remedy, wrong, right) => {
  const error: unknown = await Promise.resolve()
    .then(wrong)
    .then(
      () => 'nothing was refused',
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(FoyerError)
  expect((error as FoyerError).message).toContain(remedy)
  await right()
})

/** Ends when the player would see the code. */
async function showDeviceCode(): Promise<string> {
  const player = client()
  return new Promise((resolve, reject) => {
    const onUserCode = ({ userCode }: { userCode: string }) => {
      resolve(userCode)
      void player.accounts.abortDevice()
    }
    player.accounts.getTokenFromDevice({ scopes: 'openid' }, { onUserCode }).catch(reject)
  })
}

async function syncNothing(): Promise<void> {
  await backend().commands.global.sync([{ name: 'greet', description: 'Greets you' }])
  await backend().commands.global.sync([])
}

function hub(options: object): void {
  const made = createLobbyHub({ client: backend(), verify: verifier(), ...options })
  onTestFinished(() => made.close())
}

const interactions = (publicKey: unknown) =>
  createInteractionHandler({ publicKey: publicKey as string, commands: [], service: { host: emulator.url } })

/** A player's call of a backend that verifies the player, by way of Node's http server. */
async function callBackend(query: string): Promise<void> {
  let refused: unknown
  const listener = toNodeListener(async (request: Request) => {
    await verifier()(request).catch((error: unknown) => (refused = error))
    return new Response('ok')
  })
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  await (await signedIn({ backendOrigins: [origin] })).backend.fetch(`${origin}/me${query}`)
  if (refused) throw refused
}
