/** A lobby of the game's backend linked to a channel that a player chooses from lists, and the invitation to its guild. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client, Lobby } from 'foyer-sdk'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { claimLobby, LobbyGame } from '../support/lobby-game'

const TAVERN = '319560327719026709'
const GENERAL = '319562910281203745'
const CELLAR = '319563701934981153'
const SCOPES = 'openid sdk.social_layer guilds'
let emulator: Emulator
let game: LobbyGame

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(() => {
  emulator.reset()
  game = new LobbyGame(emulator)
})
afterEach(() => game.close())
afterAll(() => emulator.close())

const idOf = (name: string) => findPlayer(emulator, name).id
const guildPlayer = (name: string) => game.player(name, { scopes: SCOPES })

/** A lobby of the backend whose first member may link it. */
async function makeLobby(...names: string[]): Promise<(client: Client) => Promise<Lobby>> {
  const members = names.map((name, index) => ({ id: idOf(name), flags: index === 0 ? 1 : 0 }))
  const created = await game.backend('POST', '', { members })
  return (client) => client.lobbies.add(created)
}

const namesOf = async (client: Client, guildId: string) =>
  (await client.lobbies.fetchGuildChannels(guildId)).map(({ name }) => name)

describe('lobbies.fetchGuilds', () => {
  it('returns the guilds of the player, and in which of them the player manages channels', async () => {
    expect(await (await guildPlayer('ada')).lobbies.fetchGuilds()).toEqual([
      { id: TAVERN, name: 'The Tavern', icon: null, canManageChannels: true },
      { id: '540218736401927171', name: 'Playtesters', icon: null, canManageChannels: false },
    ])
    const bruno = await (await guildPlayer('bruno')).lobbies.fetchGuilds()
    expect(bruno.map(({ name, canManageChannels }) => [name, canManageChannels])).toEqual([
      ['The Tavern', true],
      ['Speedrun Club', false],
    ])
  })

  it('is refused without the scope', async () => {
    const ada = await game.player('ada', { scopes: 'openid identify' })
    await expect(ada.lobbies.fetchGuilds()).rejects.toMatchObject({ code: 'missing_scope' })
    await expect(ada.lobbies.fetchGuildChannels(TAVERN)).rejects.toMatchObject({ code: 'missing_scope' })
  })
})

describe('lobbies.fetchGuildChannels', () => {
  it('returns the channels that the player sees, by position, without threads', async () => {
    expect(await namesOf(await guildPlayer('ada'), TAVERN)).toEqual([
      'general',
      'announcements',
      'backstage',
      'cellar',
    ])
    expect(await namesOf(await guildPlayer('zoe'), TAVERN)).toEqual(['general', 'announcements', 'cellar'])
  })

  it('tells text channels from those that cannot be linked', async () => {
    const channels = await (await guildPlayer('ada')).lobbies.fetchGuildChannels(TAVERN)
    expect(channels[0]).toEqual({ id: GENERAL, name: 'general', type: 0, position: 0, isLinkable: true })
    expect(channels.filter(({ isLinkable }) => !isLinkable).map(({ name }) => name)).toEqual([
      'announcements',
      'cellar',
    ])
  })

  it('rejects an invalid ID, an unknown guild, and one of which the player is no member', async () => {
    const ada = await guildPlayer('ada')
    await expect(ada.lobbies.fetchGuildChannels('the tavern')).rejects.toMatchObject({
      code: 'invalid_argument',
      issues: [{ path: 'guildId' }],
    })
    await expect(ada.lobbies.fetchGuildChannels('42')).rejects.toMatchObject({ code: 'unknown_guild' })
    await expect(ada.lobbies.fetchGuildChannels('1012345678901234567')).rejects.toMatchObject({
      code: 'missing_access',
    })
  })

  it.each([
    ['is no list', {}],
    ['has a guild without a name', [{ id: '1' }]],
    ['has permissions that are no bit set', [{ id: '1', name: 'x', permissions: '-1' }]],
  ])('rejects a response that %s', async (_, body) => {
    const ada = await guildPlayer('ada')
    emulator.faults({ match: { path: '*/@me/guilds' }, times: 1, effect: { status: 200, body } })
    await expect(ada.lobbies.fetchGuilds()).rejects.toMatchObject({ code: 'malformed_response' })
  })
})

describe('a lobby', () => {
  it('is linked to a channel from the list, and an age-restricted one is refused', async () => {
    const ada = await guildPlayer('ada')
    const lobby = await (await makeLobby('ada'))(ada)
    const first = (await ada.lobbies.fetchGuildChannels(TAVERN)).find(({ isLinkable }) => isLinkable)
    await lobby.link(first?.id ?? '')
    expect(lobby.linkedChannel).toEqual({ id: GENERAL, name: 'general', type: 0, guildId: TAVERN })
    await expect(lobby.link(CELLAR)).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('age-restricted') as string,
    })
  })

  it('has an invitation to the guild for each member while it is linked, from the player or the backend', async () => {
    const [ada, bruno] = [await guildPlayer('ada'), await guildPlayer('bruno')]
    const enter = await makeLobby('ada', 'bruno')
    const [linked, lobby] = [await enter(ada), await enter(bruno)]
    await expect(lobby.createGuildInvite()).rejects.toMatchObject({ code: 'invalid_body' })
    await linked.link(GENERAL)
    const { code, url } = await lobby.createGuildInvite()
    expect(url).toBe(`${emulator.url}/invite/${code}`)
    const { id: applicationId, botToken: token } = emulator.application
    const bot = new ApplicationClient({
      applicationId,
      service: { host: emulator.url },
      credentials: botToken(token),
    })
    const invited = await bot.lobbies.createInvite(lobby.id, idOf('bruno'))
    bot.close()
    expect(invited.code).not.toBe(code)
    await expect((await claimLobby(bruno, '42')).createGuildInvite()).rejects.toMatchObject({
      code: 'unknown_lobby',
    })
    const stranger = await guildPlayer('chiyo')
    await expect((await claimLobby(stranger, lobby.id)).createGuildInvite()).rejects.toMatchObject({
      code: 'missing_access',
    })
  })

  it('is joined through its guild by who opens the invitation: once, within an hour', async () => {
    const [zoe, ada, bruno] = [await guildPlayer('zoe'), await guildPlayer('ada'), await guildPlayer('bruno')]
    const enter = await makeLobby('zoe', 'bruno')
    const lobby = await enter(bruno)
    const playtesters = (await zoe.lobbies.fetchGuilds()).find(({ name }) => name === 'Playtesters')?.id ?? ''
    const [channel] = await zoe.lobbies.fetchGuildChannels(playtesters)
    await (await enter(zoe)).link(channel?.id ?? '')
    const open = async (url: string, method = 'GET') => {
      const response = await fetch(url, {
        method,
        headers: { accept: 'text/html', ...(method === 'POST' && { origin: emulator.url }) },
      })
      return { status: response.status, text: await response.text() }
    }
    const [late, { url }] = [await lobby.createGuildInvite(), await lobby.createGuildInvite()]
    expect((await open(url)).text).toContain('Join as Bruno')
    await expect(bruno.lobbies.fetchGuildChannels(playtesters)).rejects.toMatchObject({
      code: 'missing_access',
    })
    expect((await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    )
    expect((await open(url, 'POST')).text).toContain('<b>Bruno</b> is now a member of <b>Playtesters</b>')
    expect((await bruno.lobbies.fetchGuildChannels(playtesters)).map(({ name }) => name)).toEqual(['general'])
    expect((await open(url, 'POST')).status).toBe(404)
    emulator.advance(60 * 60_000)
    expect((await open(late.url)).status).toBe(404)
    expect((await ada.lobbies.fetchGuilds()).map(({ name }) => name)).toEqual(['The Tavern', 'Playtesters'])
    emulator.reset()
    const again = await guildPlayer('bruno')
    expect((await again.lobbies.fetchGuilds()).map(({ name }) => name)).toEqual([
      'The Tavern',
      'Speedrun Club',
    ])
  })
})
