/** What a backend sends in Node, exactly: every header with its value, for each kind of call, the player verifier and the hub. */
import { readFileSync } from 'node:fs'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  createLobbyHub,
  createPlayerVerifier,
  type Fetch,
} from 'foyer-sdk/server'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { findPlayer } from '../support/find-player'
import { LobbyGame } from '../support/lobby-game'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const LIBRARY = { 'user-agent': `ServiceBot (https://www.npmjs.com/package/foyer-sdk, ${version})` }
const JSON_BODY = { 'content-type': 'application/json' }
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }

/** Method, path with ids replaced, the whole query, and every header. */
type Recorded = [request: string, headers: Record<string, string>]

let emulator: Emulator
let game: LobbyGame
let recorded: Recorded[]
let backend: ApplicationClient
/** Headers of a call as the application. */
let asBot: Record<string, string>

const record: Fetch = (input, init) => {
  const { pathname, search } = new URL(input)
  const path = pathname.replace('/api/v10', '').replaceAll(/\d{15,}/g, ':id')
  recorded.push([`${init.method} ${path}${search}`, Object.fromEntries(new Headers(init.headers))])
  return fetch(input, init)
}

const options = () => ({
  applicationId: emulator.application.id,
  service: { host: emulator.url },
  fetch: record,
})

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(() => {
  emulator.reset()
  recorded = []
  game = new LobbyGame(emulator)
  const token = emulator.application.botToken
  backend = new ApplicationClient({ ...options(), credentials: botToken(token) })
  asBot = { accept: 'application/json', authorization: `Bot ${token}`, ...LIBRARY }
  onTestFinished(() => {
    game.close()
    backend.close()
  })
})

it('every call as the application has the bot token and the library, and a type only with a body', async () => {
  const ada = findPlayer(emulator, 'ada').id
  const { id } = await backend.lobbies.create({ metadata: { map: 'moon' } })
  await backend.lobbies.get(id)
  await backend.lobbies.edit(id, { metadata: null })
  await backend.lobbies.putMember(id, { id: ada, metadata: { role: 'healer' } })
  await backend.lobbies.updateMembers(id, [{ id: ada, remove_member: true }])
  await backend.lobbies.removeMember(id, ada)
  await backend.lobbies.delete(id)
  await backend.users.get(ada)
  const { command } = await backend.commands.global.create({ name: 'duel', description: 'Duel' })
  await backend.commands.global.list({ withLocalizations: true })
  await backend.commands.global.delete(command.id)
  expect(recorded).toEqual([
    ['POST /lobbies', { ...asBot, ...JSON_BODY }],
    ['GET /lobbies/:id', asBot],
    ['PATCH /lobbies/:id', { ...asBot, ...JSON_BODY }],
    ['PUT /lobbies/:id/members/:id', { ...asBot, ...JSON_BODY }],
    ['POST /lobbies/:id/members/bulk', { ...asBot, ...JSON_BODY }],
    ['DELETE /lobbies/:id/members/:id', asBot],
    ['DELETE /lobbies/:id', asBot],
    ['GET /users/:id', asBot],
    ['POST /applications/:id/commands', { ...asBot, ...JSON_BODY }],
    ['GET /applications/:id/commands?with_localizations=true', asBot],
    ['DELETE /applications/:id/commands/:id', asBot],
  ])
})

it('a token that the application requests for itself is asked for without one, and then sent as Bearer', async () => {
  const { service, fetch: http, applicationId: clientId } = options()
  const credentials = clientCredentials({ clientId, clientSecret: emulator.application.clientSecret })
  const client = new ApplicationClient({ applicationId: clientId, service, fetch: http, credentials })
  onTestFinished(() => client.close())
  await client.commands.global.list()
  const authorization: unknown = expect.stringMatching(/^Bearer [\w-]{20,}$/)
  expect(recorded).toEqual([
    ['POST /oauth2/token', { ...FORM_BODY, ...LIBRARY }],
    ['GET /applications/:id/commands', { accept: 'application/json', authorization, ...LIBRARY }],
  ])
})

it('responses by the token of an interaction carry no token of the application', async () => {
  const interaction = {
    id: '1',
    application_id: emulator.application.id,
    token: 'secret-of-the-interaction',
  } as never
  const calls = [
    () => backend.interactions.followUp(interaction, 'late'),
    () => backend.interactions.deleteReply(interaction),
    () =>
      backend.interactions.followUp(interaction, { files: [{ name: 'a.txt', data: new Uint8Array([1]) }] }),
  ]
  for (const call of calls) await call().catch((error: unknown) => error)
  const headers = { accept: 'application/json', ...LIBRARY }
  const multipart: unknown = expect.stringMatching(/^multipart\/form-data; ?boundary=\S+$/)
  expect(recorded).toEqual([
    [expect.stringMatching(/^POST \/webhooks\/:id\/secret-of-the-interaction/), { ...headers, ...JSON_BODY }],
    ['DELETE /webhooks/:id/secret-of-the-interaction/messages/@original', headers],
    [
      expect.stringMatching(/^POST \/webhooks\/:id\/secret-of-the-interaction/),
      { ...headers, 'content-type': multipart },
    ],
  ])
})

it("the player verifier asks for the keys once, and for the player of an access token with that player's token alone", async () => {
  const verify = createPlayerVerifier({ ...options(), accessTokens: true })
  const { session } = await game.player('ada')
  const { idToken, accessToken } = session?.tokens ?? {}
  for (let call = 0; call < 2; call++) await verify(idToken?.reveal() ?? '')
  await verify(accessToken?.reveal() ?? '')
  expect(recorded).toEqual([
    ['GET /oauth2/keys', LIBRARY],
    [
      'GET /oauth2/@me',
      { accept: 'application/json', authorization: `Bearer ${accessToken?.reveal()}`, ...LIBRARY },
    ],
  ])
})

it('the lobby hub reads a lobby and the names of its members as the application, never with the token of a player', async () => {
  const player = await game.player('ada')
  const { id } = await player.createOrJoinLobby('moon')
  const hub = createLobbyHub({ client: backend, verify: createPlayerVerifier(options()) })
  onTestFinished(() => hub.close())
  const authorization = `Bearer ${player.session?.tokens.idToken?.reveal()}`
  const response = await hub(
    new Request(`http://game.test/lobbies?lobbies=${id}`, { headers: { authorization } }),
  )
  onTestFinished(() => response.body?.cancel())
  expect(response.status).toBe(200)
  await expect.poll(() => recorded.length).toBe(3)
  expect(recorded.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['GET /lobbies/:id', asBot],
    ['GET /oauth2/keys', LIBRARY],
    ['GET /users/:id', asBot],
  ])
})
