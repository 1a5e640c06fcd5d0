/** Values of the wrong kind or unit: the message says what is wrong with the value, and what to write instead. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, FoyerError, type Lobby } from 'foyer-sdk'
import { ApplicationClient, botToken, clientCredentials, UserClient } from 'foyer-sdk/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../support/consent-surface'

const ID = '1287654321098765433'
const service = { host: 'https://service.test' }

let emulator: Emulator
let client: Client
let lobby: Lobby
beforeAll(async () => {
  emulator = await createEmulator()
  const surface = consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' })
  const { id: applicationId } = emulator.application
  client = new Client({
    applicationId,
    service: { host: emulator.url },
    surface,
    backendOrigins: [emulator.url],
  })
  await client.signIn()
  lobby = await client.createOrJoinLobby('words')
})
afterAll(async () => {
  client.close()
  await emulator.close()
})

/** Calls without types, as from plain JavaScript. */
const call = (target: object, method: string, ...args: unknown[]): unknown =>
  Reflect.apply(Reflect.get(target, method) as () => unknown, target, args)

const hidden = () => String(client.session?.tokens.accessToken)

async function mistakeOf(act: () => unknown): Promise<string> {
  const error: unknown = await Promise.resolve()
    .then(act)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FoyerError)
  expect(error).toMatchObject({
    code: expect.stringMatching(/^invalid_(argument|body)$/) as string,
    retryable: false,
  })
  return (error as FoyerError).message
}

function backend(): ApplicationClient {
  const { id: applicationId, botToken: token } = emulator.application
  const made = new ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: botToken(token),
  })
  onTestFinished(() => made.close())
  return made
}

describe('options of lobby.watch that are no object are refused with an example:', () => {
  it.each([1000, '5s', true, [5000], () => undefined])('%j', async (options) => {
    expect(await mistakeOf(() => call(lobby, 'watch', options))).toBe(
      'invalid argument: options. Give an object with interval, signal',
    )
  })

  it('and an address in place of those of lobby.inviteLink', async () => {
    expect(await mistakeOf(() => call(lobby, 'inviteLink', 'https://game.example'))).toBe(
      'invalid argument: options. Give an object with url',
    )
  })
})

describe('a lobby is joined with what this service has', () => {
  it.each(['maxMembers', 'max_members', 'maxPlayers', 'capacity'])('%s has no effect', async (name) => {
    const message = await mistakeOf(() => call(client, 'createOrJoinLobby', 'moon', { [name]: 2 }))
    expect(message).toContain(`${name}. A lobby has no size: after the join, look at lobby.members.length`)
  })

  it.each(['isPrivate', 'public', 'visibility'])('%s has no effect', async (name) => {
    const message = await mistakeOf(() => call(client, 'createOrJoinLobby', 'moon', { [name]: true }))
    expect(message).toContain('Whoever has the secret can join')
  })

  it.each([null, undefined])('an invitation that is not there, %j', async (invitation) => {
    const message = await mistakeOf(() => call(client, 'createOrJoinLobby', invitation))
    expect(message).toContain(
      'secret must be a string. Without a link, takeInvitation() returns null: pass invitation?.secret ?? crypto.randomUUID()',
    )
  })
})

describe('times out of their range are refused:', () => {
  it.each([60, 4.5, 604_800_001, '60'])('idleTimeout of a player, %j', async (idleTimeout) => {
    const message = await mistakeOf(() => call(client, 'createOrJoinLobby', 'moon', { idleTimeout }))
    expect(message).toContain('idleTimeout must be 5000 to 604800000 ms')
  })

  it.each([
    [60, 60_000],
    [4.5, undefined],
    [300, 300_000],
    [604_800_001, undefined],
  ])('idleTimeout of a player in seconds, %j, with the same time in ms', async (idleTimeout, inMs) => {
    const message = await mistakeOf(() => client.createOrJoinLobby('moon', { idleTimeout }))
    expect(/for \d+ seconds give (\d+)/.exec(message)?.[1]).toBe(inMs?.toString())
  })

  it.each([1_200_000, 3, 604_801])('idle_timeout_seconds of the backend, %j', async (seconds) => {
    const { lobbies } = backend()
    expect(await mistakeOf(() => lobbies.create({ idle_timeout_seconds: seconds }))).toContain(
      '5 to 604800 seconds',
    )
    expect(await mistakeOf(() => lobbies.edit(ID, { idle_timeout_seconds: seconds }))).toContain(
      '5 to 604800 seconds',
    )
  })

  it.each([60, 300_000, '60'])('idleTimeout in the backend, %j', async (idleTimeout) => {
    expect(await mistakeOf(() => call(backend().lobbies, 'create', { idleTimeout }))).toContain(
      'written as idle_timeout_seconds, in seconds',
    )
  })
})

describe('a blank around an id is named', () => {
  it.each([`${ID} `, ` ${ID}`, `${ID}\n`, `\t${ID}\u00A0`, `\uFEFF${ID}`])('%j', async (id) => {
    expect(await mistakeOf(() => lobby.link(id))).toContain('without blanks')
    expect(await mistakeOf(() => backend().lobbies.get(id))).toContain('without blanks')
    expect(await mistakeOf(() => backend().lobbies.putMember(ID, { id }))).toContain('without blanks')
    expect(await mistakeOf(() => new Client({ applicationId: id, service }))).toContain('without blanks')
    expect(await mistakeOf(() => clientCredentials({ clientId: id, clientSecret: 'x' }))).toContain(
      'without blanks',
    )
    expect(await mistakeOf(() => backend().commands.guild(id).list())).toContain('without blanks')
    expect(await mistakeOf(() => backend().commands.global.delete(id))).toContain('without blanks')
  })
})

describe('a secret that was not revealed is named', () => {
  it.each<[what: string, act: () => unknown]>([
    ['botToken', () => botToken(hidden())],
    ['clientSecret', () => clientCredentials({ clientId: ID, clientSecret: hidden() })],
    [
      'a header of backend.fetch',
      () => client.backend.fetch('/x', { headers: { 'X-Player': `Bearer ${hidden()}` } }),
    ],
    [
      'Authorization of backend.fetch',
      () => client.backend.fetch('/x', { headers: new Headers({ Authorization: hidden() }) }),
    ],
    ['updateToken', () => client.updateToken(hidden())],
    ['accessToken of updateToken', () => client.updateToken({ accessToken: hidden() })],
    [
      'refresh_token of updateToken',
      () => client.updateToken({ access_token: 'a', refresh_token: hidden() }),
    ],
    ['revokeToken', () => client.revokeToken(hidden())],
    ['refreshToken', () => client.refreshToken(hidden())],
    ['accessToken of a user', () => new UserClient({ applicationId: ID, service, accessToken: hidden() })],
  ])('as %s', async (_, act) => {
    expect(await mistakeOf(act)).toContain('It prints as [secret]: pass its reveal()')
  })

  it('a message with the same word is sent', async () => {
    expect(await lobby.send('It is a [secret]')).toMatchObject({ content: 'It is a [secret]' })
  })
})
