/** Values of the wrong kind or unit: the message says what is wrong with the value, and what to write instead. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, FoyerError } from 'foyer-sdk'
import { ApplicationClient, botToken, clientCredentials, UserClient } from 'foyer-sdk/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../support/consent-surface'

const ID = '1287654321098765433'
const service = { host: 'https://service.test' }

let emulator: Emulator
let client: Client
beforeAll(async () => {
  emulator = await createEmulator()
  const surface = consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' })
  const { id: applicationId } = emulator.application
  client = new Client({ applicationId, service: { host: emulator.url }, surface, backendOrigins: [emulator.url] })
  await client.signIn()
})
afterAll(async () => {
  client.close()
  await emulator.close()
})

/** Calls without types, as from plain JavaScript. */
const call = (target: object, method: string, ...args: unknown[]): unknown =>
  Reflect.apply(Reflect.get(target, method) as () => unknown, target, args)

const secret = () => client.session?.tokens.accessToken
const hidden = () => String(secret())

async function mistakeOf(act: () => unknown): Promise<string> {
  const error: unknown = await Promise.resolve()
    .then(act)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FoyerError)
  expect(error).toMatchObject({ code: expect.stringMatching(/^invalid_(argument|body)$/) as string, retryable: false })
  return (error as FoyerError).message
}

function backend(): ApplicationClient {
  const { id: applicationId, botToken: token } = emulator.application
  const made = new ApplicationClient({ applicationId, service: { host: emulator.url }, credentials: botToken(token) })
  onTestFinished(() => made.close())
  return made
}

describe('options that are no object are refused with an example:', () => {
  it.each<[method: string, args: unknown[], example: string]>([
    ['watchLobby', [ID, 1000], '{ interval: 5000 }, in ms'],
    ['watchLobby', [ID, '5s'], '{ interval: 5000 }, in ms'],
    ['watchLobby', [ID, true], '{ interval: 5000 }, in ms'],
    ['createOrJoinLobby', ['moon', 60], '{ idleTimeout: 60_000 }, in ms'],
    ['createOrJoinLobby', ['moon', ['ranked']], '{ idleTimeout: 60_000 }, in ms'],
    ['leaveLobby', [ID, 'now'], '{ signal }'],
    ['leaveLobby', [ID, new AbortController().signal], '{ signal }'],
    ['sendLobbyMessage', [ID, 'Hello', {}, () => undefined], '{ signal }'],
    ['getLobbyMessagesWithLimit', [ID, 5, 1], '{ signal }'],
    ['fetchCurrentUser', ['me'], '{ signal }'],
    ['getUserGuilds', [7], '{ signal }'],
    ['revokeToken', ['token', false], '{ signal }'],
    ['fetchBackend', ['/score', 'POST'], "{ method: 'POST' }"],
  ])('%s %j', async (method, args, example) => {
    expect(await mistakeOf(() => call(client, method, ...args))).toContain(`options. Give an object, for example ${example}`)
  })

  it('null and undefined count as none', async () => {
    expect(await call(client, 'getUserGuilds', null)).toEqual(await call(client, 'getUserGuilds', undefined))
  })
})

describe('times are named with their unit:', () => {
  it.each([60, 4.5, 604_800_001, '60'])('idleTimeout of a player, %j', async (idleTimeout) => {
    const message = await mistakeOf(() => call(client, 'createOrJoinLobby', 'moon', { idleTimeout }))
    expect(message).toContain('idleTimeout must be 5000 to 604800000 ms: a minute is 60000')
  })

  it.each([5, 60, 0.5])('interval of watchLobby, %j', async (interval) => {
    expect(await mistakeOf(() => client.watchLobby(ID, { interval }))).toMatch(/interval must be 1000 to \d+ ms: a minute is 60000/)
  })

  it('interval of watchLobby as a text', async () => {
    expect(await mistakeOf(() => call(client, 'watchLobby', ID, { interval: '5s' }))).toContain('interval must be a number of ms')
  })

  it.each([1_200_000, 3, 604_801])('idle_timeout_seconds of the backend, %j', async (seconds) => {
    const { lobbies } = backend()
    expect(await mistakeOf(() => lobbies.create({ idle_timeout_seconds: seconds }))).toContain('5 to 604800 s: a minute is 60')
    expect(await mistakeOf(() => lobbies.edit(ID, { idle_timeout_seconds: seconds }))).toContain('5 to 604800 s: a minute is 60')
  })

  it.each([60, 300_000, '60'])('idleTimeout in the backend, %j', async (idleTimeout) => {
    expect(await mistakeOf(() => call(backend().lobbies, 'create', { idleTimeout }))).toContain('write idle_timeout_seconds, in seconds')
  })
})

describe('a blank around an id is named', () => {
  it.each([`${ID} `, ` ${ID}`, `${ID}\n`, `\t${ID}\u00A0`, `\uFEFF${ID}`])('%j', async (id) => {
    expect(await mistakeOf(() => client.leaveLobby(id))).toContain('must have no blank around it: trim()')
    expect(await mistakeOf(() => backend().lobbies.get(id))).toContain('must have no blank around it: trim()')
    expect(await mistakeOf(() => backend().lobbies.putMember(ID, { id }))).toContain('must have no blank around it: trim()')
    expect(await mistakeOf(() => new Client({ applicationId: id, service }))).toContain('Remove the blank around it: trim()')
    expect(await mistakeOf(() => clientCredentials({ clientId: id, clientSecret: 'x' }))).toContain('Remove the blank around it: trim()')
    expect(await mistakeOf(() => backend().commands.guild(id).list())).toContain('Remove the blank around it: trim()')
    expect(await mistakeOf(() => backend().commands.global.delete(id))).toContain('Remove the blank around it: trim()')
  })

  it.each([`"${ID}"`, 'party-1', '12 34', `${ID} ${ID}`])('and not in %j, which is no id with one', async (id) => {
    const message = await mistakeOf(() => new Client({ applicationId: id, service }))
    expect(message).toContain('Give its digits')
    expect(message).not.toContain(id)
  })
})

describe('a secret that was not revealed is named', () => {
  it.each<[name: string, headers: () => unknown]>([
    ['authorization', () => ({ Authorization: `Bearer ${hidden()}` })],
    ['authorization', () => ({ authorization: secret() })],
    ['x-token', () => [['X-Token', hidden()]]],
    ['cookie', () => new Headers({ Cookie: `a=1; token=${hidden()}` })],
  ])('in the header %s of fetchBackend', async (name, headers) => {
    const message = await mistakeOf(() => client.fetchBackend('/', { headers: headers() as HeadersInit }))
    expect(message).toContain(`headers.${name}: a secret that was not revealed. Leave it out: fetchBackend sends the token`)
  })

  it.each([(text: string) => `/score?token=${text}`, (text: string) => `/score?token=${encodeURIComponent(text)}`])(
    'in the address of fetchBackend',
    async (address) => {
      expect(await mistakeOf(() => client.fetchBackend(address(hidden())))).toContain('url: a secret that was not revealed')
    },
  )

  it.each<[what: string, act: () => unknown]>([
    ['updateToken', () => client.updateToken('Bearer', hidden())],
    ['revokeToken', () => client.revokeToken(hidden())],
    ['botToken', () => botToken(hidden())],
    ['clientSecret', () => clientCredentials({ clientId: ID, clientSecret: hidden() })],
    ['accessToken of a user', () => new UserClient({ applicationId: ID, service, accessToken: hidden() })],
    ['accessToken of another player', () => client.fetchCurrentUser({ accessToken: hidden() })],
    ['exchangeChildToken', () => client.exchangeChildToken(hidden(), ID)],
  ])('as %s', async (_, act) => {
    expect(await mistakeOf(act)).toContain('a secret that was not revealed')
  })

  it('a message with the same word is sent', async () => {
    const lobby = await client.createOrJoinLobby('words')
    expect(await client.sendLobbyMessage(lobby.id, 'It is a [secret]')).toMatchObject({ content: 'It is a [secret]' })
  })
})
