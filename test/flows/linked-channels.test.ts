/** A lobby of the game's backend linked to a channel that a player chooses from lists, and the invitation to its guild. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client } from 'foyer-sdk'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { LobbyGame } from '../support/lobby-game'

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
async function makeLobby(...names: string[]): Promise<string> {
  const members = names.map((name, index) => ({ id: idOf(name), flags: index === 0 ? 1 : 0 }))
  return (await game.backend('POST', '', { members })).id
}

const namesOf = async (client: Client, guildId: string) => (await client.getGuildChannels(guildId)).map(({ name }) => name)

describe('getUserGuilds', () => {
  it('returns the guilds of the player, and in which of them the player manages channels', async () => {
    expect(await (await guildPlayer('ada')).getUserGuilds()).toEqual([
      { id: TAVERN, name: 'The Tavern', icon: null, canManageChannels: true },
      { id: '540218736401927171', name: 'Playtesters', icon: null, canManageChannels: false },
    ])
    const bruno = await (await guildPlayer('bruno')).getUserGuilds()
    expect(bruno.map(({ name, canManageChannels }) => [name, canManageChannels])).toEqual([
      ['The Tavern', true],
      ['Speedrun Club', false],
    ])
  })

  it('is refused without the scope', async () => {
    const ada = await game.player('ada', { scopes: 'openid identify' })
    await expect(ada.getUserGuilds()).rejects.toMatchObject({ code: 'missing_scope' })
    await expect(ada.getGuildChannels(TAVERN)).rejects.toMatchObject({ code: 'missing_scope' })
  })
})

describe('getGuildChannels', () => {
  it('returns the channels that the player sees, by position, without threads', async () => {
    expect(await namesOf(await guildPlayer('ada'), TAVERN)).toEqual(['general', 'announcements', 'backstage', 'cellar'])
    expect(await namesOf(await guildPlayer('zoe'), TAVERN)).toEqual(['general', 'announcements', 'cellar'])
  })

  it('tells text channels from those that cannot be linked', async () => {
    const channels = await (await guildPlayer('ada')).getGuildChannels(TAVERN)
    expect(channels[0]).toEqual({ id: GENERAL, name: 'general', type: 0, position: 0, isLinkable: true })
    expect(channels.filter(({ isLinkable }) => !isLinkable).map(({ name }) => name)).toEqual(['announcements', 'cellar'])
  })

  it('rejects an invalid ID, an unknown guild, and one of which the player is no member', async () => {
    const ada = await guildPlayer('ada')
    await expect(ada.getGuildChannels('the tavern')).rejects.toMatchObject({ code: 'invalid_argument', issues: [{ path: 'guildId' }] })
    await expect(ada.getGuildChannels('42')).rejects.toMatchObject({ code: 'unknown_guild' })
    await expect(ada.getGuildChannels('1012345678901234567')).rejects.toMatchObject({ code: 'missing_access' })
  })

  it.each([
    ['is no list', {}],
    ['has a guild without a name', [{ id: '1' }]],
    ['has permissions that are no bit set', [{ id: '1', name: 'x', permissions: '-1' }]],
  ])('rejects a response that %s', async (_, body) => {
    const ada = await guildPlayer('ada')
    emulator.faults({ match: { path: '*/@me/guilds' }, times: 1, effect: { status: 200, body } })
    await expect(ada.getUserGuilds()).rejects.toMatchObject({ code: 'malformed_response' })
  })
})

describe('a lobby', () => {
  it('is linked to a channel from the list, and an age-restricted one is refused', async () => {
    const ada = await guildPlayer('ada')
    const lobbyId = await makeLobby('ada')
    const first = (await ada.getGuildChannels(TAVERN)).find(({ isLinkable }) => isLinkable)
    const { linkedChannel } = await ada.linkChannelToLobby(lobbyId, first?.id ?? '')
    expect(linkedChannel).toEqual({ id: GENERAL, name: 'general', type: 0, guildId: TAVERN })
    await expect(ada.linkChannelToLobby(lobbyId, CELLAR)).rejects.toMatchObject({
      code: 'invalid_body',
      message: expect.stringContaining('age-restricted') as string,
    })
  })

  it('has an invitation to the guild for each member while it is linked, from the player or the backend', async () => {
    const [ada, bruno] = [await guildPlayer('ada'), await guildPlayer('bruno')]
    const lobbyId = await makeLobby('ada', 'bruno')
    await expect(bruno.joinLinkedLobbyGuild(lobbyId)).rejects.toMatchObject({ code: 'invalid_body' })
    await ada.linkChannelToLobby(lobbyId, GENERAL)
    const { code, url } = await bruno.joinLinkedLobbyGuild(lobbyId)
    expect(url).toBe(`${emulator.url}/invite/${code}`)
    const { id: applicationId, botToken: token } = emulator.application
    const bot = new ApplicationClient({ applicationId, service: { host: emulator.url }, credentials: botToken(token) })
    const invited = await bot.lobbies.createInvite(lobbyId, idOf('bruno'))
    bot.close()
    expect(invited.code).not.toBe(code)
    await expect(bruno.joinLinkedLobbyGuild('42')).rejects.toMatchObject({ code: 'unknown_lobby' })
    const stranger = await guildPlayer('chiyo')
    await expect(stranger.joinLinkedLobbyGuild(lobbyId)).rejects.toMatchObject({ code: 'missing_access' })
  })

  it('is joined through its guild by who opens the invitation: once, within an hour', async () => {
    const [zoe, ada, bruno] = [await guildPlayer('zoe'), await guildPlayer('ada'), await guildPlayer('bruno')]
    const lobbyId = await makeLobby('zoe', 'bruno')
    const playtesters = (await zoe.getUserGuilds()).find(({ name }) => name === 'Playtesters')?.id ?? ''
    const [channel] = await zoe.getGuildChannels(playtesters)
    await zoe.linkChannelToLobby(lobbyId, channel?.id ?? '')
    const open = async (url: string, method = 'GET') => {
      const response = await fetch(url, { method, headers: { accept: 'text/html', ...(method === 'POST' && { origin: emulator.url }) } })
      return { status: response.status, text: await response.text() }
    }
    const [late, { url }] = [await bruno.joinLinkedLobbyGuild(lobbyId), await bruno.joinLinkedLobbyGuild(lobbyId)]
    expect((await open(url)).text).toContain('Join as Bruno')
    await expect(bruno.getGuildChannels(playtesters)).rejects.toMatchObject({ code: 'missing_access' })
    expect((await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await open(url, 'POST')).text).toContain('<b>Bruno</b> is now a member of <b>Playtesters</b>')
    expect((await bruno.getGuildChannels(playtesters)).map(({ name }) => name)).toEqual(['general'])
    expect((await open(url, 'POST')).status).toBe(404)
    emulator.advance(60 * 60_000)
    expect((await open(late.url)).status).toBe(404)
    expect((await ada.getUserGuilds()).map(({ name }) => name)).toEqual(['The Tavern', 'Playtesters'])
    emulator.reset()
    const again = await guildPlayer('bruno')
    expect((await again.getUserGuilds()).map(({ name }) => name)).toEqual(['The Tavern', 'Speedrun Club'])
  })
})
