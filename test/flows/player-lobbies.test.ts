/** Lobbies of a player against the emulator: joining, leaving, messages, and updates. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type LobbyUpdates, parseLobbyUpdate } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { claimLobby, recordEvents, LobbyGame } from '../support/lobby-game'
import { findPlayer } from '../support/find-player'

const MINUTE = 60_000
const GUILD = {
  id: '319560327719026710',
  name: 'The Workshop',
  ownerId: '175928847299117063',
  channels: [{ id: '319560327719026711', name: 'lobby-talk', type: 0 }],
}
const [CHANNEL] = GUILD.channels
let emulator: Emulator
let game: LobbyGame

beforeAll(async () => {
  emulator = await createEmulator({ seed: { guilds: [GUILD] } })
})
beforeEach(() => {
  emulator.reset()
  emulator.limits('production')
  game = new LobbyGame(emulator)
})
afterEach(() => game.close())
afterAll(() => emulator.close())

const idOf = (name: string) => findPlayer(emulator, name).id
const lobbyIds = (client: Client) => Array.from(client.lobbies, ({ id }) => id)
/** A lobby that the service does not know. */
const lobbyOf = (client: Client) => claimLobby(client, '1')
const requests = (path: RegExp) => emulator.requests.filter((request) => path.test(request.path))

describe('createOrJoinLobby', () => {
  it('creates the lobby of a secret and adds the next player to it', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const received = recordEvents(ada, 'lobbyCreated', 'lobbyUpdated')
    const lobby = await ada.createOrJoinLobby('moon')
    const created = lobby.toJSON()
    expect(created).toEqual({
      id: expect.any(String),
      applicationId: emulator.application.id,
      metadata: {},
      members: [{ id: idOf('ada'), metadata: {}, canLinkLobby: false }],
    })
    const joined = await bruno.createOrJoinLobby('moon')
    expect(joined.id).toBe(lobby.id)
    expect(joined.members.map(({ id }) => id)).toEqual([idOf('ada'), idOf('bruno')])
    const again = await ada.createOrJoinLobby('moon')
    // Unchanged: no event.
    await ada.createOrJoinLobby('moon')
    expect(received).toEqual([
      { event: 'lobbyCreated', data: { lobby: created } },
      { event: 'lobbyUpdated', data: { lobby: joined.toJSON(), previous: created } },
    ])
    expect(again).toBe(lobby)
    expect(lobby.toJSON()).toEqual(joined.toJSON())
  })

  it('emits no event if its response arrives after another player has signed in', async () => {
    const gate = new EventTarget()
    const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
    let joined = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init)
      if (init?.method !== 'PUT') return response
      joined++
      await opened
      return response
    }
    const client = await game.player('ada', { fetch })
    const received = recordEvents(client, 'lobbyCreated')
    const join = client.createOrJoinLobby('moon')
    await expect.poll(() => joined).toBe(1)
    await client.signIn({
      surface: consentSurface(emulator, { as: 'bruno', redirectUri: 'http://127.0.0.1:51234/callback' }),
    })
    gate.dispatchEvent(new Event('open'))
    const lobby = await join
    expect([lobby.members.map(({ id }) => id), lobby.endReason]).toEqual([[idOf('ada')], 'signed_out'])
    await expect(lobby.send('hi')).rejects.toMatchObject({ code: 'unknown_lobby', status: 0 })
    expect([lobbyIds(client), received]).toEqual([[], []])
  })

  it('adds the lobby to the cache without another request', async () => {
    const ada = await game.player('ada')
    expect([lobbyIds(ada), ada.lobbies.get('1')]).toEqual([[], undefined])
    const lobby = await ada.createOrJoinLobby('moon')
    expect(lobbyIds(ada)).toEqual([lobby.id])
    expect(ada.lobbies.get(lobby.id)).toBe(lobby)
  })

  it('replaces the given metadata and keeps the rest', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    await ada.createOrJoinLobby('moon', {
      metadata: { map: 'crater', mode: 'duel' },
      member: { color: 'red' },
    })
    const joined = await bruno.createOrJoinLobby('moon', {
      metadata: { map: 'dunes' },
      member: { color: 'blue' },
    })
    expect(joined.metadata).toEqual({ map: 'dunes' })
    expect(joined.members.map(({ metadata }) => metadata)).toEqual([{ color: 'red' }, { color: 'blue' }])
    const again = await ada.createOrJoinLobby('moon')
    expect([again.metadata, again.members[0]?.metadata]).toEqual([{ map: 'dunes' }, { color: 'red' }])
  })

  it('creates a lobby that is deleted after its idle timeout', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon', { idleTimeout: 10_000 })
    const received = recordEvents(ada, 'lobbyDeleted')
    emulator.advance(10_001)
    await expect(lobby.send('anyone?')).rejects.toMatchObject({
      name: 'ApiError',
      code: 'unknown_lobby',
      status: 404,
    })
    const ended = { event: 'lobbyDeleted', data: { lobby: lobby.toJSON(), reason: 'unknown' } }
    expect([received, lobbyIds(ada)]).toEqual([[ended], []])
  })

  it.each<[string, (client: Client) => Promise<unknown>, string[]]>([
    ['an empty secret', (client) => client.createOrJoinLobby(''), ['secret']],
    ['a secret of 251 characters', (client) => client.createOrJoinLobby('x'.repeat(251)), ['secret']],
    [
      'metadata of 1,001 characters',
      (client) => client.createOrJoinLobby('s', { metadata: { a: 'x'.repeat(1000) } }),
      ['metadata'],
    ],
    [
      'metadata that is not a string',
      (client) => client.createOrJoinLobby('s', { member: { hp: 7 as never } }),
      ["member['hp']"],
    ],
    [
      'an idle time below the minimum',
      (client) => client.createOrJoinLobby('s', { idleTimeout: 4999 }),
      ['idleTimeout'],
    ],
    [
      'an idle time that is not a number',
      (client) => client.createOrJoinLobby('s', { idleTimeout: Number.NaN }),
      ['idleTimeout'],
    ],
    [
      'several invalid options',
      (client) => client.createOrJoinLobby('', { idleTimeout: 1, metadata: [] as never }),
      ['secret', 'metadata', 'idleTimeout'],
    ],
    ['an ID that is a number', async (client) => (await lobbyOf(client)).link(7 as never), ['channelId']],
    ['an invalid ID', async (client) => (await lobbyOf(client)).link('../users'), ['channelId']],
    ['an empty message', async (client) => (await lobbyOf(client)).send(' '), ['content']],
    [
      'a message of 2,001 characters',
      async (client) => (await lobbyOf(client)).send('x'.repeat(2001)),
      ['content'],
    ],
    [
      'a message limit of 201',
      async (client) => (await lobbyOf(client)).fetchMessages({ limit: 201 }),
      ['limit'],
    ],
    ['an invalid channel ID', async (client) => (await lobbyOf(client)).link('general'), ['channelId']],
  ])('rejects %s before it sends a request', async (_what, call, paths) => {
    const ada = await game.player('ada')
    const error: unknown = await call(ada).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ValidationError', code: 'invalid_argument' })
    expect((error as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual(paths)
    expect(requests(/lobbies/)).toEqual([])
  })

  it('requires a signed-in player', async () => {
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    await expect(client.createOrJoinLobby('moon')).rejects.toMatchObject({
      name: 'SessionError',
      code: 'signed_out',
    })
    client.close()
  })
})

describe('lobby.leave', () => {
  it('removes the player, who can join again', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    const received = recordEvents(ada, 'lobbyDeleted')
    await lobby.leave()
    const ended = { event: 'lobbyDeleted', data: { lobby: lobby.toJSON(), reason: 'left' } }
    expect([received, lobbyIds(ada)]).toEqual([[ended], []])
    expect((await bruno.createOrJoinLobby('moon')).members.map(({ id }) => id)).toEqual([idOf('bruno')])
    const again = await ada.createOrJoinLobby('moon')
    expect(again.members).toHaveLength(2)
    await lobby.leave()
    expect(again.endReason).toBeNull()
    await again.leave()
    await expect(again.leave()).resolves.toBeUndefined()
    expect((await bruno.createOrJoinLobby('moon')).members).toHaveLength(1)
  })

  it('leaves a lobby that a backend created, without deleting it', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.lobbies.add(await game.backend('POST', '', { members: [{ id: idOf('ada') }] }))
    const refusal = { name: 'ApiError', code: 'made_by_server', status: 403, apiCode: 50_001 }
    await expect(lobby.leave()).rejects.toMatchObject(refusal)
    expect((await lobby.fetchMessages({ limit: 1 })).length).toBe(0)
  })
})

describe('messages of a lobby', () => {
  it('are visible to all members, newest first', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    const theirs = await bruno.createOrJoinLobby('moon')
    const received = recordEvents(ada, 'lobbyMessage')
    const sent = await lobby.send('Ready?', { metadata: { mood: 'eager' } })
    expect(sent).toMatchObject({
      lobbyId: lobby.id,
      content: 'Ready?',
      metadata: { mood: 'eager' },
      author: { id: idOf('ada'), username: 'ada' },
    })
    expect(Math.abs(sent.sentAt - Date.now())).toBeLessThan(MINUTE)
    expect(received).toEqual([{ event: 'lobbyMessage', data: { message: sent } }])
    await theirs.send('Ready.')
    const history = await lobby.fetchMessages({ limit: 10 })
    expect(history.map(({ content }) => content)).toEqual(['Ready.', 'Ready?'])
    expect(await lobby.fetchMessages({ limit: 1 })).toHaveLength(1)
  })

  it('are available to members only', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const { id } = await ada.createOrJoinLobby('moon')
    const claimed = await claimLobby(bruno, id)
    await expect(claimed.send('hi')).rejects.toMatchObject({ code: 'missing_access', status: 403 })
    await expect(claimed.fetchMessages({ limit: 1 })).rejects.toMatchObject({ code: 'missing_access' })
  })

  it('are never sent twice, even if the response is lost', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon')
    emulator.faults({ match: { method: 'POST', path: '*/messages' }, effect: { lostAnswer: true } })
    await expect(lobby.send('once')).rejects.toMatchObject({
      name: 'NetworkError',
      code: 'connection_failed',
    })
    expect(requests(/messages$/)).toHaveLength(1)
  })

  it('that arrived although the call rejected can be found by a mark in their content', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon')
    emulator.faults({ match: { method: 'POST', path: '*/messages' }, times: 1, effect: { lostAnswer: true } })
    const content = JSON.stringify({ text: 'once', mark: 'a' })
    await expect(lobby.send(content)).rejects.toMatchObject({ name: 'NetworkError' })
    const messages = await lobby.fetchMessages({ limit: 200 })
    expect(messages.filter((message) => message.content === content)).toHaveLength(1)
  })

  it('return their metadata to the sender, and it is not in the history', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon')
    expect(await lobby.send('hi', { metadata: { mark: 'a' } })).toMatchObject({
      content: 'hi',
      metadata: { mark: 'a' },
    })
    expect(await lobby.fetchMessages({ limit: 1 })).toMatchObject([{ content: 'hi', metadata: {} }])
  })
})

describe('a linked channel', () => {
  it('is linked and unlinked by a member with permission', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.lobbies.add(
      await game.backend('POST', '', { members: [{ id: idOf('ada'), flags: 1 }] }),
    )
    await lobby.link(CHANNEL?.id ?? '')
    expect(lobby.linkedChannel).toEqual({ id: CHANNEL?.id, name: 'lobby-talk', type: 0, guildId: GUILD.id })
    expect(lobby.members[0]?.canLinkLobby).toBe(true)
    await lobby.unlink()
    expect(lobby.linkedChannel).toBeNull()
    expect(lobby.toJSON()).not.toHaveProperty('linkedChannel')
  })

  it('is rejected without the flag, and if the channel is unknown', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.lobbies.add(await game.backend('POST', '', { members: [{ id: idOf('ada') }] }))
    await expect(lobby.link(CHANNEL?.id ?? '')).rejects.toMatchObject({ code: 'missing_permission' })
    const other = await ada.lobbies.add(
      await game.backend('POST', '', { members: [{ id: idOf('ada'), flags: 1 }] }),
    )
    await expect(other.link('42')).rejects.toMatchObject({ code: 'unknown_channel' })
  })
})

describe('lobbyUpdates', () => {
  const updates: LobbyUpdates = {
    subscribe: (listener) =>
      emulator.subscribe(({ name, data }) => {
        const update = parseLobbyUpdate(name, data)
        if (update) listener(update)
      }),
  }

  it('updates the cache and emits events for changes by others', async () => {
    const ada = await game.player('ada', { lobbyUpdates: updates })
    const bruno = await game.player('bruno')
    const { id: own } = await ada.createOrJoinLobby('moon')
    const received = recordEvents(ada, 'lobbyCreated', 'lobbyUpdated', 'lobbyDeleted', 'lobbyMessage')
    const theirs = await bruno.createOrJoinLobby('moon')
    expect(ada.lobbies.get(own)?.members).toHaveLength(2)
    await theirs.send('hi')
    await theirs.leave()
    const { id } = await game.backend('POST', '', {
      members: [{ id: idOf('ada') }],
      metadata: { map: 'crater' },
    })
    expect(ada.lobbies.get(id)?.metadata).toEqual({ map: 'crater' })
    await game.backend('POST', '', { members: [{ id: idOf('bruno') }] })
    await game.backend('DELETE', `/${id}`)
    expect(received.map(({ event }) => event)).toEqual([
      'lobbyUpdated',
      'lobbyMessage',
      'lobbyUpdated',
      'lobbyCreated',
      'lobbyDeleted',
    ])
    expect(lobbyIds(ada)).toEqual([own])
    expect(ada.lobbies.get(own)?.members).toHaveLength(1)
  })

  it('removes the lobby from the cache when the player is removed', async () => {
    const ada = await game.player('ada', { lobbyUpdates: updates })
    await ada.fetchCurrentUser()
    await expect((await claimLobby(ada, '42')).leave()).rejects.toMatchObject({ code: 'unknown_lobby' })
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada') }] })
    expect(lobbyIds(ada)).toEqual([id])
    await game.backend('DELETE', `/${id}/members/${idOf('ada')}`)
    expect(lobbyIds(ada)).toEqual([])
  })

  it('removes the lobby from the cache when an update has no such member', async () => {
    const listeners: ((data: object) => void)[] = []
    const subscribe: LobbyUpdates['subscribe'] = (listener) => {
      listeners.push((data) => {
        const update = parseLobbyUpdate('lobby.updated', data)
        if (update) listener(update)
      })
      return () => undefined
    }
    const emit = (data: object) => listeners.forEach((each) => each(data))
    const ada = await game.player('ada', { lobbyUpdates: { subscribe } })
    await ada.fetchCurrentUser()
    await expect((await claimLobby(ada, '42')).leave()).rejects.toMatchObject({ code: 'unknown_lobby' })
    const lobby = { id: '7', application_id: emulator.application.id, metadata: {} }
    emit({ ...lobby, members: [{ id: idOf('ada') }] })
    expect(lobbyIds(ada)).toEqual(['7'])
    emit({ ...lobby, members: [] })
    expect(lobbyIds(ada)).toEqual([])
  })

  it.each([
    ['lobby.created', { id: 7 }],
    ['lobby.created', { id: '1', application_id: '2', metadata: { a: 1 }, members: [] }],
    ['lobby.deleted', null],
    ['lobby.member_added', { lobby_id: '1', member: { id: 'x' } }],
    ['lobby.message', { id: '1', lobby_id: '1', content: 7, author: {} }],
    ['constructor', {}],
    ['lobby.exploded', {}],
  ])('parses nothing from %s %j', (name, data) => {
    expect(parseLobbyUpdate(name, data)).toBeUndefined()
  })

  it('keeps a metadata key named __proto__', () => {
    const metadata: unknown = JSON.parse('{"__proto__":"x"}')
    const update = parseLobbyUpdate('lobby.created', { id: '1', application_id: '2', metadata, members: [] })
    expect(JSON.stringify(update)).toContain('"__proto__":"x"')
  })
})

describe('the end of a session', () => {
  it('removes its lobbies', async () => {
    const ada = await game.player('ada')
    await ada.createOrJoinLobby('moon')
    const received = recordEvents(ada, 'lobbyDeleted')
    await ada.signOut()
    expect([received.length, lobbyIds(ada)]).toEqual([1, []])
  })
})
