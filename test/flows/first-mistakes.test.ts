/** Mistakes of the first hour, as plain JavaScript or a wrong cast lets them through: each is answered with what to write instead. */
import { createEmulator, type Emulator } from 'foyer-emulator'

import * as sdk from 'foyer-sdk'
import * as server from 'foyer-sdk/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { gameTest } from '../support/emulator-internals'

const service = { host: 'https://service.test' }
const applicationId = '1287654321098765433'
const SECRET = 'a-secret-that-must-not-be-shown'

let emulator: Emulator
let player: sdk.Client
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  player = playerWith({})
  await player.signIn()
})
afterAll(async () => {
  player.close()
  await emulator.close()
})

const playerWith = (options: Partial<sdk.ClientOptions>): sdk.Client =>
  new sdk.Client({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    surface: consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' }),
    ...options,
  })

/** Calls without types. */
const call = (target: object, method: string, ...args: unknown[]): unknown =>
  Reflect.apply(Reflect.get(target, method) as () => unknown, target, args)

/** The message of the mistake, thrown or rejected. */
async function answerTo(mistake: () => unknown): Promise<string> {
  const error: unknown = await Promise.resolve()
    .then(mistake)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  if (!(error instanceof Error)) throw new Error('The mistake was taken in silence.')
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(SECRET)
  return error.message
}

const sessions = (options: object) =>
  call(server, 'createSessionHandler', {
    applicationId,
    service,
    credentials: server.clientSecret(SECRET),
    origins: ['https://game.test'],
    store: server.memorySessionStore(),
    ...options,
  })

const score = server.defineCommand({ name: 'score', description: 'Your score' }, () => '42')
const backend = () =>
  new server.ApplicationClient({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    credentials: server.botToken(emulator.application.botToken),
  })
const INPUT = { type: 4, custom_id: 'why', style: 1 }
const BUTTON = { type: 2, custom_id: 'again', label: 'Again', style: 1 }
const textsOf = (issues: readonly sdk.Issue[]) => {
  throw new Error(issues.map(({ path, message }) => `${path} ${message}`).join('; '))
}

/** Creates a client as plain JavaScript may. */
const clientOf = (options: object) => Reflect.construct(sdk.Client, [{ applicationId, service, ...options }])

describe('what to write instead is in the answer to', () => {
  it.each<[mistake: string, act: () => unknown, says: string]>([
    [
      'a token with its prefix',
      () => server.createPlayerVerifier({ applicationId, service, accessTokens: true })('Bearer abc'),
      'Pass the token without prefix',
    ],
    [
      'a session handler as verify of a hub',
      () => call(server, 'createLobbyHub', { client: backend(), verify: sessions({}) }),
      'verify: session.verify',
    ],
    [
      'a command in the shape of discord.js',
      () => call(server, 'defineCommand', { data: { name: 'give', description: 'd' }, execute: () => 'x' }),
      'defineCommand(data, ({ options }) => …)',
    ],
    [
      'a command without a handler',
      () => call(server, 'defineCommand', { name: 'give', description: 'd' }),
      'Pass a function as the second argument',
    ],
    [
      'a middleware as verify of a hub',
      () =>
        call(server, 'createLobbyHub', {
          client: backend(),
          verify: (_request: unknown, _response: unknown, next: () => void) => next(),
        }),
      'not as a middleware with next',
    ],
    [
      'a verify of a hub that returns no player',
      async () => {
        const hub = Object(
          call(server, 'createLobbyHub', { client: backend(), verify: async () => true }),
        ) as server.LobbyHub
        await hub(new Request('https://game.test/lobbies')).finally(() => hub.close())
      },
      'Return the player that createPlayerVerifier(…) or session.verify resolves with',
    ],
    [
      'a session handler as verify of tickets',
      () => call(server, 'createPlayerTickets', { applicationId, purposes: ['game'], verify: sessions({}) }),
      'verify: session.verify',
    ],
    [
      'a redirect URI that the session handler does not answer',
      () => sessions({ path: '/auth', redirectUri: 'https://game.test/session/callback' }),
      'The handler answers at /auth/callback',
    ],
    [
      'ids in the wrong order',
      async () => {
        const { id } = await player.createOrJoinLobby('order')
        await backend().lobbies.assertMember(String(player.session?.userId), id)
      },
      'the first argument is the id of the lobby',
    ],
    [
      'a write to the metadata of a lobby',
      async () =>
        Object.assign((await player.createOrJoinLobby('frozen', { metadata: { map: 'moon' } })).metadata, {
          map: 'mars',
        }),
      'read only',
    ],
    ['true as logger', () => clientOf({ logger: true }), 'logger. Give a function'],
    ['the console as logger', () => clientOf({ logger: console }), 'logger. Give a function'],
    ['a text as getToken', () => clientOf({ getToken: SECRET }), 'getToken. Give a function'],
    ['a client of requests as fetch', () => clientOf({ fetch: { get() {} } }), 'fetch. Give a function'],
    ['the name of a surface', () => clientOf({ surface: 'redirect' }), 'surface. Give popupSurface() or'],
    [
      'a surface that was not made',
      () => clientOf({ surface: sdk.redirectSurface }),
      'surface. Give popupSurface()',
    ],
    [
      'one origin as backendOrigins',
      () => clientOf({ backendOrigins: 'https://game.test' }).backend.fetch('/scores'),
      "backendOrigins: a list. Write ['https://game.example']",
    ],
    ['a listener of nothing', () => call(server, 'toNodeListener'), 'toNodeListener: a function. Give the'],
    [
      'the secret as credentials',
      () => sessions({ credentials: SECRET }),
      'credentials: clientSecret(process.env',
    ],
    ['no credentials', () => sessions({ credentials: undefined }), 'credentials: clientSecret(process.env'],
    [
      'a bot token as credentials of sessions',
      () => sessions({ credentials: server.botToken(SECRET) }),
      'credentials: clientSecret(process.env',
    ],
    ['the secret as an option', () => sessions({ clientSecret: SECRET }), 'Pass credentials: clientSecret('],
    [
      'the bot token as an option',
      () =>
        call(server, 'createLobbyHub', {
          client: Reflect.construct(server.ApplicationClient, [{ applicationId, service, botToken: SECRET }]),
        }),
      'Pass credentials: botToken(',
    ],
    [
      'credentials in place of the secret',
      () =>
        call(server, 'clientCredentials', {
          clientId: applicationId,
          clientSecret: server.clientSecret(SECRET),
        }),
      'Pass the text itself',
    ],
    [
      'an origin with a slash',
      () => sessions({ origins: ['https://game.test/'] }),
      "Write ['https://game.test']",
    ],
    [
      'an origin with a path',
      () => sessions({ origins: ['https://game.test/play'] }),
      "Write ['https://game.test']",
    ],
    [
      'one origin without a list',
      () => sessions({ origins: 'https://game.test' }),
      "Write ['https://game.test']",
    ],
    [
      'an origin with a password',
      () => sessions({ origins: [`https://me:${SECRET}@game.test`] }),
      "Write ['https://game.test']",
    ],
    [
      "a page's client for a hub",
      () => call(server, 'createLobbyHub', { client: player, verify: () => undefined }),
      'Pass new ApplicationClient(',
    ],
    [
      'lobbyStream without its address',
      () => call(sdk, 'lobbyStream'),
      "lobbyStream('https://game.example/lobbies')",
    ],
    [
      'an invitation in place of its secret',
      () => call(player, 'createOrJoinLobby', { secret: 'moon' }),
      'pass invitation.secret',
    ],
    [
      'a link in place of its secret',
      () => call(player, 'createOrJoinLobby', 'https://game.test/play#join=moon'),
      'client.takeInvitation() returns it',
    ],
    [
      'the link of an Activity',
      () => call(player, 'createOrJoinLobby', 'https://service.test/activities/1?custom_id=join%3Dmoon'),
      'client.takeInvitation() returns it',
    ],
    [
      'a command with its handlers to sync',
      () => call(backend().commands.global, 'sync', [score]),
      'sync([score.definition])',
    ],
    [
      'a command with its handlers to create',
      () => call(backend().commands.global, 'create', score),
      'Pass the definition',
    ],
    [
      'commands without their scope',
      () => call(backend().commands, 'sync', [score.definition]),
      'Call commands.global.sync(…), or commands.guild(guildId).sync(…)',
    ],
    [
      'a text as a function of sync',
      () => call(backend().commands.global, 'sync', [], { onStep: 'print' }),
      'onStep: a function',
    ],
    [
      'changes in place of the function that returns them',
      () => call(backend().lobbies, 'updateMetadata', '42', { round: '2' }),
      "change: a function. Write ({ round }) => ({ round: '2' })",
    ],
    [
      'braces that return nothing',
      async () => {
        const { lobbies } = backend()
        const { id } = await lobbies.create()
        return call(lobbies, 'updateMetadata', id, () => undefined)
      },
      'change returned no object. Write (',
    ],
    [
      'a text as a listener',
      () => call(backend().lobbies, 'onChanged', 'log'),
      'onChanged: listener: a function',
    ],
    [
      'the id of a member in place of the member',
      () => call(backend().lobbies, 'putMember', '42', '7'),
      'putMember(lobbyId, { id: player.id })',
    ],
    [
      'the id of nobody',
      () => {
        const store = server.memoryPurchaseStore()
        const desk = server.createPurchaseDesk({
          purchases: backend().purchases,
          store,
          grant: () => undefined,
        })
        return call(desk, 'redeem')
      },
      'the id of a player, and not undefined. Pass the id of the verified player: redeem(player.id)',
    ],
    [
      'a name in place of the object with a header',
      () => sessions({ callerAddress: 'x-real-ip' }),
      "Pass an object with the name of the header: { header: 'x-real-ip' }",
    ],
    ['the console as logger of a backend', () => sessions({ logger: console }), 'logger: a function'],
    [
      'a text input without a label',
      () => call(server, 'defineModal', { custom_id: 'm', title: 'M', components: [INPUT] }, () => 'ok'),
      "{ type: 18, label: 'Name', component: it }",
    ],
    [
      'a button without a row',
      () => textsOf(server.validateMessage({ content: 'Again?', components: [BUTTON] })),
      '{ type: 1, components: [it] }',
    ],
    [
      'no application id',
      () => call(playerWith({ applicationId: undefined }), 'signIn'),
      'is its variable set, such as VITE_FOYER_APPLICATION_ID?',
    ],
    [
      'no application id in a backend',
      () =>
        call(server, 'createPlayerTickets', {
          applicationId: undefined,
          verify: async () => undefined,
          purposes: ['match'],
        }),
      'is FOYER_APPLICATION_ID set?',
    ],
  ])('%s', async (_, act, says) => {
    expect(await answerTo(act)).toContain(says)
  })
})

describe('the ids of a player and of a lobby in the wrong order are answered with the order:', () => {
  it.each<
    [call: string, act: (lobbies: server.ApplicationLobbies, ids: [string, string]) => Promise<unknown>]
  >([
    ['assertMember', (lobbies, ids) => lobbies.assertMember(...ids)],
    ['removeMember', (lobbies, ids) => lobbies.removeMember(...ids)],
    ['createInvite', (lobbies, ids) => lobbies.createInvite(...ids)],
    ['putMember', (lobbies, [first, id]) => lobbies.putMember(first, { id })],
  ])('%s', async (_, act) => {
    const { lobbies } = backend()
    const { id } = await lobbies.create()
    const playerId = String(player.session?.userId)
    expect(await answerTo(() => act(lobbies, [playerId, id]))).toContain(
      'the first argument is the id of the lobby, the second that of the player',
    )
  })
})

describe('a stream', () => {
  it('that is only an address is refused with the call that makes one', async () => {
    const client = playerWith({ lobbyUpdates: 'https://game.test/lobbies' as never })
    await client.signIn()
    expect(await answerTo(() => client.createOrJoinLobby('moon'))).toContain(
      "Give lobbyStream('https://game.example/lobbies')",
    )
    client.close()
  })
})

describe('an outcome of the emulator', () => {
  it('says what a press takes', async () => {
    const press = { as: 'ada', message: { id: '1' } as never, component: 'Join' }
    const said = await answerTo(() => emulator.interactions.press(press))
    expect(said).toContain("message: 'the id in outcome.message'")
  })

  it('narrows by its kind', async () => {
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'nothing' })
    const text: string =
      outcome.kind === 'message'
        ? outcome.message.content
        : outcome.kind === 'refused'
          ? outcome.because
          : outcome.kind
    expect(text).toContain('no command')
  })

  it('says when a command that was just registered can be used', async () => {
    await backend().commands.global.sync([score.definition])
    const { because } = await emulator.interactions.use({ as: 'ada', command: 'score' })
    expect(because).toMatch(
      /arrives here in \d+ ms: call emulator\.advance\(\d+\), or create the emulator with commands: \{ globalDelay: 0 \}/,
    )
    emulator.advance(1000)
    expect((await emulator.interactions.use({ as: 'ada', command: 'score' })).because ?? '').not.toContain(
      'arrives',
    )
  })
})

// oxlint-disable vitest/no-standalone-expect -- they are in a test, which gameTest makes
const test = gameTest()
test('a test of a game uses a command right after it has registered it', async ({ emulator: own }) => {
  const { id, botToken } = own.application
  const client = new server.ApplicationClient({
    applicationId: id,
    service: { host: own.url },
    credentials: server.botToken(botToken),
  })
  await client.commands.global.sync([score.definition])
  expect((await own.interactions.use({ as: 'ada', command: 'score' })).because ?? '').not.toContain(
    'no command',
  )
})

test('players without the function that makes a client say how to write it', async ({ players }) => {
  expect(await answerTo(() => call({ players }, 'players', 2))).toContain(
    'players(2, (settings) => new Client(settings))',
  )
})

test('players whose function returns no client say how to write it', async ({ players }) => {
  expect(await answerTo(() => call({ players }, 'players', 1, () => undefined))).toContain(
    'Return a client for each player: players(2, (settings) => new Client(settings))',
  )
})
