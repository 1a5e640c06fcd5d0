/** Every call that takes an id refuses what is none before a request is sent: no other resource is reached, and never the whole list. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, FoyerError } from 'foyer-sdk'
import {
  ApplicationClient,
  botToken,
  createLobbyHub,
  createPlayerVerifier,
  UserClient,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { claimLobby } from '../support/lobby-game'

const ID = '1287654321098765433'
const GREET = { name: 'greet', description: 'Greets you' }
const INTERACTION = { id: ID as never, token: 'token', application_id: ID as never }

const NO_IDS: readonly (readonly [what: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty text', ''],
  ['the folder above', '..'],
  ['a path', 'a/b'],
  ['an encoded path', '1%2F2'],
  ['a query', '1?with_counts=true'],
  ['a fragment', '1#'],
  ['a word of the service', '@me'],
  ['a blank at its end', `${ID} `],
  ['a line break at its end', `${ID}\n`],
  ['a sign', '-1'],
  ['a zero at its beginning', `0${ID}`],
  ['digits of another script', '١٢٣'],
  ['a number above 64 bits', '18446744073709551616'],
  ['a number', 1_287_654],
  ['a list', [ID]],
  ['an object that prints as an id', { toString: () => ID }],
]

let emulator: Emulator
let client: Client
let backend: ApplicationClient
let user: UserClient
let requests = 0
/** Called without types, as from plain JavaScript. */
type Call = (id: never) => unknown

/** Sends a request, and counts it. */
const count: typeof fetch = async (url, init) => {
  requests++
  return fetch(url, init)
}

beforeAll(async () => {
  emulator = await createEmulator()
  const { id: applicationId, botToken: token } = emulator.application
  const service = { host: emulator.url }
  const surface = consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' })
  client = new Client({ applicationId, service, surface, fetch: (url, init) => count(url, init) })
  backend = new ApplicationClient({
    applicationId,
    service,
    credentials: botToken(token),
    fetch: (url, init) => count(url, init),
  })
  user = new UserClient({ applicationId, service, accessToken: 'x', fetch: (url, init) => count(url, init) })
  await client.signIn()
  // Loads the parts, so that only the calls below send requests.
  await client.lobbies.fetchGuilds()
})
afterAll(async () => {
  client.close()
  backend.close()
  user.close()
  await emulator.close()
})

const CALLS: Readonly<Record<string, Call>> = {
  setApplicationId: (id) => client.setApplicationId(id),
  'client.lobbies.add': (id) => claimLobby(client, id),
  'lobby.link': async (id) => (await claimLobby(client, ID)).link(id),
  'client.lobbies.fetchGuildChannels': (id) => client.lobbies.fetchGuildChannels(id),
  'client.accounts.exchangeChildToken': (id) => client.accounts.exchangeChildToken('parent', id),

  'commands.global.get': (id) => backend.commands.global.get(id),
  'commands.global.edit': (id) => backend.commands.global.edit(id, GREET),
  'commands.global.delete': (id) => backend.commands.global.delete(id),
  'commands.guild().get': (id) => backend.commands.guild(ID).get(id),
  'commands.guild().edit': (id) => backend.commands.guild(ID).edit(id, GREET),
  'commands.guild().delete': (id) => backend.commands.guild(ID).delete(id),
  'commands.guild, list': (id) => backend.commands.guild(id).list(),
  'commands.guild, create': (id) => backend.commands.guild(id).create(GREET),
  'commands.guild, overwrite': (id) => backend.commands.guild(id).overwrite([GREET]),
  'commands.guild, plan': (id) => backend.commands.guild(id).plan([GREET]),
  'commands.guild, sync': (id) => backend.commands.guild(id).sync([GREET]),
  'commands.guild, delete': (id) => backend.commands.guild(id).delete(ID),
  'commands.permissions, list': (id) => backend.commands.permissions(id).list(),
  'commands.permissions, get': (id) => backend.commands.permissions(id).get(ID),
  'commands.permissions().get': (id) => backend.commands.permissions(ID).get(id),
  'commandPermissions, list': (id) => user.commandPermissions(id).list(),
  'commandPermissions, set': (id) => user.commandPermissions(id).set(ID, []),
  'commandPermissions().get': (id) => user.commandPermissions(ID).get(id),
  'commandPermissions().set': (id) => user.commandPermissions(ID).set(id, []),

  'lobbies.get': (id) => backend.lobbies.get(id),
  'lobbies.edit': (id) => backend.lobbies.edit(id, { metadata: {} }),
  'lobbies.delete': (id) => backend.lobbies.delete(id),
  'lobbies.putMember, its lobby': (id) => backend.lobbies.putMember(id, { id: ID }),
  'lobbies.putMember, its member': (id) => backend.lobbies.putMember(ID, { id }),
  'lobbies.removeMember, its lobby': (id) => backend.lobbies.removeMember(id, ID),
  'lobbies.removeMember, its member': (id) => backend.lobbies.removeMember(ID, id),
  'lobbies.updateMembers, its lobby': (id) => backend.lobbies.updateMembers(id, [{ id: ID }]),
  'lobbies.updateMembers, its member': (id) => backend.lobbies.updateMembers(ID, [{ id }]),
  'lobbies.create, its member': (id) => backend.lobbies.create({ members: [{ id }] }),
  'lobbies.createInvite, its lobby': (id) => backend.lobbies.createInvite(id, ID),
  'lobbies.createInvite, its member': (id) => backend.lobbies.createInvite(ID, id),
  'lobbies.setModerationMetadata, its lobby': (id) =>
    backend.lobbies.setModerationMetadata(id, { messageId: ID, metadata: {} }),
  'lobbies.setModerationMetadata, its message': (id) =>
    backend.lobbies.setModerationMetadata(ID, { messageId: id, metadata: {} }),
  'lobbies.updateMetadata': (id) => backend.lobbies.updateMetadata(id, () => ({})),
  'users.get': (id) => backend.users.get(id),
  'interactions.reply, its interaction': (id) => backend.interactions.reply({ ...INTERACTION, id }, 'Hello'),
  'interactions.defer, its interaction': (id) => backend.interactions.defer({ ...INTERACTION, id }),
  'interactions.followUp, its application': (id) =>
    backend.interactions.followUp({ ...INTERACTION, application_id: id }, 'Hello'),
  'interactions.editReply, its application': (id) =>
    backend.interactions.editReply({ ...INTERACTION, application_id: id }, 'Hello'),
  'interactions.deleteReply, its application': (id) =>
    backend.interactions.deleteReply({ ...INTERACTION, application_id: id }),
}

describe.each(Object.entries(CALLS))('%s', (_, call) => {
  it.each(NO_IDS)('refuses %s, and sends nothing', async (_what, value) => {
    const before = requests
    const error: unknown = await Promise.resolve(value as never)
      .then(call)
      .then(
        () => 'nothing was refused',
        (reason: unknown) => reason,
      )
    expect(error).toBeInstanceOf(FoyerError)
    expect(error).toMatchObject({
      code: expect.stringMatching(/^invalid_(argument|body)$/) as string,
      retryable: false,
    })
    expect(requests).toBe(before)
  })
})

it.each(['', '..', 'a/b', '.', '%2e%2e', '1?x=1', '1 ', undefined, null, 7])(
  'activityInstances.get refuses %j',
  async (id) => {
    const before = requests
    await expect(backend.activityInstances.get(id as never)).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(requests).toBe(before)
  },
)

it.each(NO_IDS)('a hub that is told of %s reads nothing', async (_, id) => {
  const { id: applicationId } = emulator.application
  const hub = createLobbyHub({
    client: backend,
    verify: createPlayerVerifier({ applicationId, service: { host: emulator.url } }),
  })
  const before = requests
  onTestFinished(() => hub.close())
  await expect(hub.changed(id as never)).rejects.toMatchObject({ code: 'invalid_argument' })
  await expect(hub.deliverMessage({ lobby_id: id as never })).rejects.toMatchObject({
    code: 'invalid_argument',
  })
  expect(requests).toBe(before)
})
