/** Calls of a backend about Activities, invites, moderation and provisional accounts, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type APIUser, Routes } from 'discord-api-types/v10'
import { avatarUrl, Client } from 'foyer-sdk'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  createPlayerVerifier,
  ValidationError,
} from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { findPlayer } from '../support/find-player'
import { LobbyGame } from '../support/lobby-game'

const GUILD = {
  id: '319560327719026710',
  name: 'The Workshop',
  ownerId: '175928847299117063',
  channels: [{ id: '319560327719026711', name: 'lobby-talk', type: 0 }],
}
let emulator: Emulator
let backend: ApplicationClient
let game: LobbyGame

beforeEach(async () => {
  emulator = await createEmulator({
    seed: { guilds: [GUILD] },
    activityUrl: 'http://localhost:9/game/',
    activityPort: 0,
  })
  const { id: applicationId, botToken: token } = emulator.application
  backend = new ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: botToken(token),
  })
  game = new LobbyGame(emulator)
})
afterEach(async () => {
  game.close()
  backend.close()
  await emulator.close()
})

const idOf = (as: string) => findPlayer(emulator, as).id
const issuesOf = (call: Promise<unknown>) =>
  call.catch((error: unknown) => (error instanceof ValidationError ? error.issues : error))

/** Calls `work` with a client of the game. */
async function inGame<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

describe('a backend', () => {
  it('reads who takes part in an Activity, and null if there is none', async () => {
    const { instanceId } = emulator.activity.launch({ as: ['ada', 'bruno'] })
    const instance = await backend.activityInstances.get(instanceId)
    expect(instance).toMatchObject({
      instance_id: instanceId,
      users: [idOf('ada'), idOf('bruno')],
      location: { kind: 'gc' },
    })
    expect(await backend.activityInstances.get('i-1-gc-2-3')).toBe(null)
    for (const odd of ['', '../x', '/a', 'a/b', 'x'.repeat(129)])
      expect(await issuesOf(backend.activityInstances.get(odd))).toHaveLength(1)
  })

  it('reads the names and the picture of a player whose ID token has none', async () => {
    const verify = createPlayerVerifier({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
    })
    const { session } = await game.player('ada')
    const player = await verify(session?.tokens.idToken?.reveal() ?? '')
    expect([player.username, player.globalName]).toEqual([undefined, undefined])
    const user: Pick<APIUser, 'id' | 'username' | 'global_name' | 'avatar'> = await backend.users.get(
      player.id,
    )
    expect(user).toMatchObject({ id: idOf('ada'), username: 'ada', global_name: 'Ada Quinn' })
    const picture = avatarUrl({ cdnUrl: emulator.url }, user)
    expect(picture).toBe(session?.user.avatarUrl)
    expect((await fetch(picture)).headers.get('content-type')).toBe('image/png')
    await expect(backend.users.get('42')).rejects.toMatchObject({ code: 'unknown_user' })
    for (const odd of ['', 'ada', '../@me']) expect(await issuesOf(backend.users.get(odd))).toHaveLength(1)
  })

  it('reads users at the address of public typings, with a bot token only', async () => {
    const { botToken: token } = emulator.application
    const { session } = await game.player('ada')
    const statusWith = async (authorization: string) =>
      (await fetch(`${emulator.url}/api/v10${Routes.user(idOf('bruno'))}`, { headers: { authorization } }))
        .status
    const access = session?.tokens.accessToken.reveal() ?? ''
    expect([await statusWith(`Bot ${token}`), await statusWith(`Bearer ${access}`)]).toEqual([200, 401])
  })

  it('invites a member of a linked lobby', async () => {
    const ada = await game.player('ada')
    const created = await backend.lobbies.create({ members: [{ id: idOf('ada'), flags: 1 }] })
    const { id } = created
    await expect(backend.lobbies.createInvite(id, idOf('ada'))).rejects.toMatchObject({ status: 400 })
    await (await ada.lobbies.add(created)).link(GUILD.channels[0]?.id ?? '')
    expect(await backend.lobbies.createInvite(id, idOf('ada'))).toEqual({
      code: expect.stringMatching(/^[\w-]+$/),
    })
  })

  it('attaches moderation metadata that members see, after a check', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon')
    const { id } = lobby
    const { id: messageId } = await lobby.send('rude')
    await backend.lobbies.setModerationMetadata(id, { messageId, metadata: { hidden: 'true' } })
    expect((await lobby.fetchMessages({ limit: 1 }))[0]?.moderationMetadata).toEqual({ hidden: 'true' })
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [String(index), 'x']))
    for (const metadata of [
      many,
      { a: 'x'.repeat(2001) },
      { ['k'.repeat(1025)]: 'x' },
      { a: 1 } as never,
      null as never,
    ])
      expect(await issuesOf(backend.lobbies.setModerationMetadata(id, { messageId, metadata }))).toHaveLength(
        1,
      )
  })
})

describe('provisional accounts of a backend', () => {
  const player = { externalUserId: 'sam@game', preferredGlobalName: 'Sam the Brave' }

  it('are found again by the id of the player, and have tokens that a game can use', async () => {
    const first = await backend.provisionalAccounts.getToken(player)
    expect(first).toMatchObject({ tokenType: 'Bearer', scopes: expect.arrayContaining(['sdk.social_layer']) })
    expect(first.refreshToken).toBeUndefined()
    expect(first.expiresAt).toBeGreaterThan(Date.now() + 604_700_000)
    expect(JSON.stringify(first)).not.toContain(first.accessToken.reveal())
    const user = await inGame((client) => client.fetchCurrentUser({ accessToken: first.accessToken }))
    expect(user.globalName).toBe('Sam the Brave')
    const again = await backend.provisionalAccounts.getToken({ externalUserId: player.externalUserId })
    const other = await backend.provisionalAccounts.getToken({ externalUserId: 'kim' })
    const idFrom = async ({ accessToken }: typeof first) =>
      (await inGame((client) => client.fetchCurrentUser({ accessToken }))).id
    expect(await idFrom(again)).toBe(user.id)
    expect(await idFrom(other)).not.toBe(user.id)
    const attached = await backend.provisionalAccounts.getToken({
      externalUserId: 'sam@new',
      provisionalUserId: user.id,
    })
    expect(await idFrom(attached)).toBe(user.id)
  })

  it('start a session in a page that receives only the access token', async () => {
    const { accessToken } = await backend.provisionalAccounts.getToken(player)
    const name = await inGame(async (client) => {
      await client.updateToken(accessToken.reveal())
      return (await client.fetchCurrentUser()).globalName
    })
    expect(name).toBe('Sam the Brave')
  })

  it('are merged by the player, refused from then on, and separated again', async () => {
    const { accessToken } = await backend.provisionalAccounts.getToken(player)
    await expect(backend.provisionalAccounts.unmerge(player.externalUserId)).rejects.toMatchObject({
      code: 'account_provisional',
    })
    const account = { externalAuthType: 'SERVICE_BOT_ISSUED_ACCESS_TOKEN', externalAuthToken: accessToken }
    const merged = await inGame(async (client) => {
      const surface = consentSurface(emulator, { as: 'ada', redirectUri: 'http://127.0.0.1:51234/callback' })
      const result = await client.authorize({ scopes: 'openid sdk.social_layer' }, { surface })
      const tokens = await client.accounts.merge(result, account)
      return { accessToken: tokens.accessToken }
    })
    expect((await inGame((client) => client.fetchCurrentUser(merged))).id).toBe(idOf('ada'))
    await expect(backend.provisionalAccounts.getToken(player)).rejects.toMatchObject({
      code: 'account_not_provisional',
      apiCode: 530_010,
    })
    await backend.provisionalAccounts.unmerge(player.externalUserId)
    await expect(inGame((client) => client.fetchCurrentUser(merged))).rejects.toMatchObject({ status: 401 })
    const tokens = await backend.provisionalAccounts.getToken(player)
    expect(
      (await inGame((client) => client.fetchCurrentUser({ accessToken: tokens.accessToken }))).username,
    ).toMatch(/^guest-/)
  })

  it.each([
    ['not-enabled', 'provisional_accounts_disabled'],
    ['username', 'username_not_generated'],
  ])('are refused by the service because of fault %s as %s', async (fault, code) => {
    await expect(
      backend.provisionalAccounts.getToken({ externalUserId: `emu:sam!${fault}` }),
    ).rejects.toMatchObject({ code })
  })

  it('are not requested with invalid arguments or other credentials', async () => {
    const { provisionalAccounts: accounts } = backend
    const sent = emulator.requests.length
    const wrong = { externalUserId: '', preferredGlobalName: 'x'.repeat(33), provisionalUserId: 'x' }
    expect(await issuesOf(accounts.getToken(wrong))).toMatchObject([
      { path: 'externalUserId' },
      { path: 'preferredGlobalName' },
      { path: 'provisionalUserId' },
    ])
    for (const odd of ['', 'x'.repeat(1025), undefined as never, 7 as never])
      expect(await issuesOf(accounts.unmerge(odd))).toHaveLength(1)
    expect(await issuesOf(accounts.getToken(null as never))).toHaveLength(1)
    const { id: applicationId, clientSecret } = emulator.application
    const credentials = clientCredentials({ clientId: applicationId, clientSecret })
    const other = new ApplicationClient({ applicationId, service: { host: emulator.url }, credentials })
    await expect(other.provisionalAccounts.getToken(player)).rejects.toThrow(/^invalid argument: credentials/)
    other.close()
    expect(emulator.requests).toHaveLength(sent)
  })
})
