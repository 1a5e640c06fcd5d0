/** Options that are undefined count as left out: the call does what it does without them. */
import { createEmulator, type Emulator, type EmulatorOptions } from 'foyer-emulator'
import {
  type BackendRequestInit,
  Client,
  type ClientOptions,
  popupSurface,
  redirectSurface,
  type ServiceOptions,
  type SignInOptions,
} from 'foyer-sdk'
import { redisLobbyBroker, redisRateLimitStore, redisStore } from 'foyer-sdk/redis'
import {
  ApplicationClient,
  type ApplicationClientOptions,
  botToken,
  createEventHandler,
  createInteractionHandler,
  createLobbyHub,
  createPlayerVerifier,
  createReplayMemory,
  type EventHandlerOptions,
  type EventListeners,
  type InteractionHandlerOptions,
  type LobbyHubOptions,
  memoryLobbyBroker,
  type PlayerVerifierOptions,
  validateCommand,
  validateMessage,
} from 'foyer-sdk/server'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../support/consent-surface'

/** Names every optional field, so that a new one does not compile until it is here. */
type Undefined<T> = { [Name in keyof T as T extends Record<Name, T[Name]> ? never : Name]-?: undefined }

const CLIENT: Undefined<ClientOptions> = {
  applicationId: undefined,
  redirectUri: undefined,
  surface: undefined,
  fetch: undefined,
  clock: undefined,
  tokenStore: undefined,
  keepLobbies: undefined,
  getToken: undefined,
  backendSession: undefined,
  profile: undefined,
  refuseExtraScopes: undefined,
  requireIdToken: undefined,
  requestTimeout: undefined,
  maxWait: undefined,
  rateLimitStore: undefined,
  lobbyUpdates: undefined,
  backendOrigins: undefined,
  logger: undefined,
}
const SERVICE: Undefined<ServiceOptions> = {
  baseUrl: undefined,
  authorizeUrl: undefined,
  tokenUrl: undefined,
  revokeUrl: undefined,
  deviceUrl: undefined,
  keysUrl: undefined,
  cdnUrl: undefined,
  issuer: undefined,
  issuerInCallback: undefined,
  activityOrigins: undefined,
  brand: undefined,
  developmentHosts: undefined,
  limits: undefined,
}
const SIGN_IN: Undefined<SignInOptions> = {
  surface: undefined,
  timeout: undefined,
  signal: undefined,
  scopes: undefined,
  args: undefined,
  result: undefined,
  codeVerifier: undefined,
}
const ARGS = {
  scopes: 'openid sdk.social_layer',
  clientId: undefined,
  state: undefined,
  nonce: undefined,
  codeChallenge: undefined,
  integrationType: undefined,
  customSchemeParam: undefined,
}
const FETCH: Undefined<BackendRequestInit> = {
  token: undefined,
  body: undefined,
  cache: undefined,
  headers: undefined,
  integrity: undefined,
  keepalive: undefined,
  method: undefined,
  mode: undefined,
  priority: undefined,
  referrer: undefined,
  referrerPolicy: undefined,
  signal: undefined,
  window: undefined,
}
const BACKEND: Undefined<ApplicationClientOptions> = {
  fetch: undefined,
  transport: undefined,
  clock: undefined,
  requestTimeout: undefined,
  maxWait: undefined,
  rateLimitStore: undefined,
  onRateLimited: undefined,
  onRateLimitDelayed: undefined,
  onRateLimitStoreChanged: undefined,
  application: undefined,
  clientSecret: undefined,
}
const EMULATOR: Undefined<EmulatorOptions> = {
  port: undefined,
  host: undefined,
  envFile: undefined,
  seed: undefined,
  state: undefined,
  commands: undefined,
  limits: undefined,
  lobbies: undefined,
  strictRefresh: undefined,
  allowedHeaders: undefined,
  idTokens: undefined,
  interactionsUrl: undefined,
  eventsUrl: undefined,
  activityUrl: undefined,
  activityPort: undefined,
  activityMappings: undefined,
  onRequest: undefined,
  onNotice: undefined,
  pageHeaders: undefined,
}
const FAULT = {
  match: { method: undefined, path: undefined },
  times: undefined,
  effect: { status: 503, headers: undefined, delay: undefined },
}
const HANDLER: Undefined<InteractionHandlerOptions> = {
  onComponent: undefined,
  modals: undefined,
  onModal: undefined,
  errorMessage: undefined,
  visibility: undefined,
  deferAfter: undefined,
  maxAge: undefined,
  maxBodyBytes: undefined,
  replays: undefined,
  clock: undefined,
  service: undefined,
  fetch: undefined,
  onError: undefined,
  logger: undefined,
}
const LISTENERS: Undefined<EventListeners> = {
  APPLICATION_AUTHORIZED: undefined,
  APPLICATION_DEAUTHORIZED: undefined,
  LOBBY_MESSAGE_CREATE: undefined,
  LOBBY_MESSAGE_UPDATE: undefined,
  LOBBY_MESSAGE_DELETE: undefined,
  ENTITLEMENT_CREATE: undefined,
  ENTITLEMENT_UPDATE: undefined,
  ENTITLEMENT_DELETE: undefined,
  other: undefined,
}
const EVENTS: Undefined<EventHandlerOptions> = {
  maxAge: undefined,
  maxBodyBytes: undefined,
  replays: undefined,
  clock: undefined,
  onError: undefined,
  logger: undefined,
}
const HUB: Undefined<LobbyHubOptions> = {
  broker: undefined,
  awayAfter: undefined,
  removeAfter: undefined,
  maxStreams: undefined,
  maxConnectsPerSecond: undefined,
  logger: undefined,
  clock: undefined,
}
const VERIFIER: Undefined<PlayerVerifierOptions> = {
  fetch: undefined,
  clock: undefined,
  accessTokens: undefined,
  rateLimitStore: undefined,
  callerAddress: undefined,
}

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({
    ...EMULATOR,
    seed: {
      application: { id: undefined, name: 'Moon', redirectUris: undefined, children: undefined },
      users: undefined,
      guilds: [
        {
          id: '319560327719026710',
          name: 'The Workshop',
          ownerId: undefined,
          roles: undefined,
          channels: undefined,
          members: undefined,
        },
      ],
    },
    limits: {
      global: { limit: 49, per: undefined, headers: undefined },
      profile: undefined,
      edge: undefined,
    },
    lobbies: { metadataUnit: undefined, secretLife: undefined },
    commands: { globalDelay: 0, readsNeedScope: undefined },
    idTokens: { names: undefined, onRefresh: undefined, forEveryGrant: undefined },
  })
})
afterAll(() => emulator.close())

const serviceOf = () => ({ ...SERVICE, host: emulator.url })

async function signIn(): Promise<Client> {
  const surface = consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' })
  const client = new Client({ ...CLIENT, service: serviceOf() })
  onTestFinished(() => client.close())
  client.setApplicationId(emulator.application.id)
  await client.signIn({ ...SIGN_IN, args: ARGS, surface })
  return client
}

function backend(): ApplicationClient {
  const { id: applicationId, botToken: token } = emulator.application
  const client = new ApplicationClient({
    ...BACKEND,
    applicationId,
    service: serviceOf(),
    credentials: botToken(token),
  })
  onTestFinished(() => client.close())
  return client
}

it('a player signs in, and uses a lobby', async () => {
  const client = await signIn()
  const lobby = await client.createOrJoinLobby('moon', {
    metadata: undefined,
    member: undefined,
    idleTimeout: undefined,
    signal: undefined,
  })
  const stop = await lobby.watch({ interval: undefined, signal: undefined })
  const sent = await lobby.send('Hello', { metadata: undefined, signal: undefined })
  expect(await lobby.fetchMessages({ limit: undefined, signal: undefined })).toMatchObject([{ id: sent.id }])
  stop()
  expect(await client.fetchCurrentUser({ accessToken: undefined, signal: undefined })).toMatchObject({
    username: 'ada',
  })
  await client.signOut({ revoke: undefined, signal: undefined })
})

it('a request to the backend is sent as a plain GET', async () => {
  const seen: RequestInit[] = []
  const client = await signIn()
  const own = new Client({
    ...CLIENT,
    service: serviceOf(),
    applicationId: emulator.application.id,
    backendOrigins: ['https://game.test'],
    fetch: async (_, init) => {
      seen.push({ ...init })
      return new Response('ok')
    },
  })
  onTestFinished(() => own.close())
  const { session } = client
  if (!session) throw new Error('nobody is signed in')
  await own.updateToken(session.tokens)
  await own.backend.fetch('/score', FETCH)
  const names = Object.entries(seen.at(-1) ?? {}).filter(([, value]) => value !== undefined)
  expect(names.map(([name]) => name).toSorted()).toEqual([
    'credentials',
    'headers',
    'redirect',
    'referrerPolicy',
    'signal',
  ])
})

it('a backend deploys commands, and keeps a lobby', async () => {
  const { commands, lobbies } = backend()
  const greet = {
    name: 'greet',
    type: undefined,
    description: 'Greets you',
    options: undefined,
    contexts: undefined,
    nsfw: undefined,
  }
  const created = await commands.global.create(greet, { signal: undefined })
  expect(
    await commands.global.edit(
      created.command.id,
      { name: undefined, description: 'Waves' },
      { knownType: undefined },
    ),
  ).toMatchObject({
    name: 'greet',
    description: 'Waves',
  })
  expect(
    await commands.global.list({ withLocalizations: undefined, locale: undefined, signal: undefined }),
  ).toMatchObject([{}, { name: 'greet' }])
  await commands.global.sync([{ ...greet, id: undefined }], {
    using: undefined,
    allowEmpty: undefined,
    onPlan: undefined,
    onStep: undefined,
  })
  const lobby = await lobbies.create(
    { metadata: undefined, members: undefined, idle_timeout_seconds: undefined },
    { priority: undefined },
  )
  expect(await lobbies.edit(lobby.id, { metadata: { map: 'moon' }, members: undefined })).toMatchObject({
    metadata: { map: 'moon' },
  })
  expect(
    validateCommand(greet, {
      scope: undefined,
      operation: undefined,
      knownType: undefined,
      application: undefined,
    }),
  ).toEqual([])
  expect(
    validateMessage({ content: 'x', embeds: undefined, files: undefined }, { operation: undefined }),
  ).toEqual([])
})

it('endpoints, hubs and stores are made with their defaults', async () => {
  const { id: applicationId, publicKey } = emulator.application
  const redis = new Redis({ lazyConnect: true })
  onTestFinished(() => redis.disconnect())
  const store = { prefix: undefined, logger: undefined }
  expect(createInteractionHandler({ ...HANDLER, publicKey, commands: [] })).toBeTypeOf('function')
  expect(createEventHandler({ ...EVENTS, publicKey, on: LISTENERS })).toBeTypeOf('function')
  const verify = createPlayerVerifier({ ...VERIFIER, applicationId, service: serviceOf() })
  const hub = createLobbyHub({
    ...HUB,
    client: { applicationId: undefined, users: undefined, limits: undefined, lobbies: backend().lobbies },
    verify,
  })
  onTestFinished(() => hub.close())
  expect(redisRateLimitStore(redis, { ...store, processes: undefined })).toHaveProperty('acquire')
  expect(redisStore(redis, store)).toHaveProperty('seen')
  expect(redisLobbyBroker(redis, store)).toHaveProperty('publish')
  expect(createReplayMemory({ capacity: undefined, clock: undefined })).toHaveProperty('seen')
  expect(memoryLobbyBroker({ clock: undefined })).toHaveProperty('publish')
  expect(
    popupSurface({ redirectUri: undefined, width: undefined, height: undefined, clock: undefined }),
  ).toHaveProperty('open')
  expect(redirectSurface({ redirectUri: undefined })).toHaveProperty('open')
})

it('the emulator is controlled with settings that are undefined', () => {
  const settings = () =>
    Object.entries(emulator.limits().limits).map(([name, each]) => [name, each?.limit, each?.per])
  const before = settings()
  emulator.limits({
    profile: undefined,
    edge: undefined,
    send_message: undefined,
    global: { limit: undefined },
  })
  expect(settings()).toEqual(before)
  expect(emulator.clock({ advance: undefined, skew: undefined, frozen: undefined })).toMatchObject({
    ahead: 0,
    frozen: false,
  })
  expect(emulator.faults(FAULT)).toMatchObject([{ times: 1, effect: { status: 503 } }])
  emulator.faults([])
  emulator.tokens({ user: 'ada', action: 'expire', kind: undefined })
  emulator.activity.setPlayer({
    as: 'ada',
    voice: { mute: true, deaf: undefined },
    locale: undefined,
    globalName: undefined,
  })
})

it('a limit of the service that is undefined keeps its documented value', () => {
  const limits = { global: undefined, send_message: { limit: 5, per: 1000 } }
  const client = new ApplicationClient({
    applicationId: '1',
    service: { ...serviceOf(), limits },
    credentials: botToken('x'),
  })
  onTestFinished(() => client.close())
  expect(client.limits()).toEqual(backend().limits())
})
