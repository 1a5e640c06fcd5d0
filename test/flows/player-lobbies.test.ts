/** A player's lobbies against the emulator: joined, left, written in, and heard of. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type LobbyUpdates, parseLobbyUpdate } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { recordEvents, LobbyGame } from '../support/lobby-game'
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
const requests = (path: RegExp) => emulator.requests.filter((request) => path.test(request.path))

describe('createOrJoinLobby', () => {
  it('makes the lobby of a secret, and lets the next player in', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const heard = recordEvents(ada, 'lobbyCreated', 'lobbyUpdated')
    const lobby = await ada.createOrJoinLobby('moon')
    expect(lobby).toEqual({
      id: expect.any(String),
      applicationId: emulator.application.id,
      metadata: {},
      members: [{ id: idOf('ada'), metadata: {}, canLinkLobby: false }],
    })
    const joined = await bruno.createOrJoinLobby('moon')
    expect(joined.id).toBe(lobby.id)
    expect(joined.members.map(({ id }) => id)).toEqual([idOf('ada'), idOf('bruno')])
    const again = await ada.createOrJoinLobby('moon')
    // As it was: nothing to tell.
    await ada.createOrJoinLobby('moon')
    expect(heard).toEqual([
      { event: 'lobbyCreated', data: { lobby } },
      { event: 'lobbyUpdated', data: { lobby: again, previous: lobby } },
    ])
  })

  it('that is answered when another player has signed in is no news of theirs', async () => {
    const gate = new EventTarget()
    const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
    let joined = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await globalThis.fetch(input, init)
      if (init?.method !== 'PUT') return answer
      joined++
      await opened
      return answer
    }
    const client = await game.player('ada', { fetch })
    const heard = recordEvents(client, 'lobbyCreated')
    const join = client.createOrJoinLobby('moon')
    await expect.poll(() => joined).toBe(1)
    await client.signIn({ surface: consentSurface(emulator, { as: 'bruno', redirectUri: 'http://127.0.0.1:51234/callback' }) })
    gate.dispatchEvent(new Event('open'))
    expect((await join).members.map(({ id }) => id)).toEqual([idOf('ada')])
    expect([client.getLobbyIds(), heard]).toEqual([[], []])
  })

  it('is known at once, without another request', async () => {
    const ada = await game.player('ada')
    expect([ada.getLobbyIds(), ada.getLobby('1')]).toEqual([[], undefined])
    const lobby = await ada.createOrJoinLobby('moon')
    expect(ada.getLobbyIds()).toEqual([lobby.id])
    expect(ada.getLobby(lobby.id)).toEqual(lobby)
  })

  it('overwrites the metadata that it is given, and leaves the rest', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    await ada.createOrJoinLobbyWithMetadata('moon', { map: 'crater', mode: 'duel' }, { color: 'red' })
    const joined = await bruno.createOrJoinLobbyWithMetadata('moon', { map: 'dunes' }, { color: 'blue' })
    expect(joined.metadata).toEqual({ map: 'dunes' })
    expect(joined.members.map(({ metadata }) => metadata)).toEqual([{ color: 'red' }, { color: 'blue' }])
    const again = await ada.createOrJoinLobby('moon')
    expect([again.metadata, again.members[0]?.metadata]).toEqual([{ map: 'dunes' }, { color: 'red' }])
  })

  it('makes a lobby that ends when it was left alone for as long as it was told', async () => {
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon', { idleTimeout: 10_000 })
    const heard = recordEvents(ada, 'lobbyDeleted')
    emulator.advance(10_001)
    await expect(ada.sendLobbyMessage(lobby.id, 'anyone?')).rejects.toMatchObject({ name: 'ApiError', code: 'unknown_lobby', status: 404 })
    expect([heard, ada.getLobbyIds()]).toEqual([[{ event: 'lobbyDeleted', data: { lobby } }], []])
  })

  it.each<[string, (client: Client) => Promise<unknown>, string[]]>([
    ['an empty secret', (client) => client.createOrJoinLobby(''), ['secret']],
    ['a secret of 251 characters', (client) => client.createOrJoinLobby('x'.repeat(251)), ['secret']],
    ['metadata of 1,001 characters', (client) => client.createOrJoinLobbyWithMetadata('s', { a: 'x'.repeat(1000) }, {}), ['lobbyMetadata']],
    ['metadata that is no text', (client) => client.createOrJoinLobbyWithMetadata('s', {}, { hp: 7 as never }), ["memberMetadata['hp']"]],
    ['a short idle time', (client) => client.createOrJoinLobby('s', { idleTimeout: 4999 }), ['idleTimeout']],
    ['an idle time that is none', (client) => client.createOrJoinLobby('s', { idleTimeout: Number.NaN }), ['idleTimeout']],
    [
      'everything at once',
      (client) => client.createOrJoinLobby('', { idleTimeout: 1, lobbyMetadata: [] as never }),
      ['secret', 'lobbyMetadata', 'idleTimeout'],
    ],
    ['an id that is a number', (client) => client.leaveLobby(7 as never), ['lobbyId']],
    ['an id that is none', (client) => client.sendLobbyMessage('../users', 'hi'), ['lobbyId']],
    ['a message of nothing', (client) => client.sendLobbyMessage('1', ' '), ['content']],
    ['a message of 2,001 characters', (client) => client.sendLobbyMessage('1', 'x'.repeat(2001)), ['content']],
    ['a limit of 201', (client) => client.getLobbyMessagesWithLimit('1', 201), ['limit']],
    ['a channel that is none', (client) => client.linkChannelToLobby('1', 'general'), ['channelId']],
  ])('refuses %s before anything is sent', async (_what, call, paths) => {
    const ada = await game.player('ada')
    const error: unknown = await call(ada).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ValidationError', code: 'invalid_argument' })
    expect((error as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual(paths)
    expect(requests(/lobbies/)).toEqual([])
  })

  it('needs a player', async () => {
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    await expect(client.createOrJoinLobby('moon')).rejects.toMatchObject({ name: 'SessionError', code: 'signed_out' })
    client.close()
  })
})

describe('leaveLobby', () => {
  it('takes the player out, and lets them in again', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const lobby = await ada.createOrJoinLobby('moon')
    const heard = recordEvents(ada, 'lobbyDeleted')
    await ada.leaveLobby(lobby.id)
    expect([heard, ada.getLobbyIds()]).toEqual([[{ event: 'lobbyDeleted', data: { lobby } }], []])
    expect((await bruno.createOrJoinLobby('moon')).members.map(({ id }) => id)).toEqual([idOf('bruno')])
    expect((await ada.createOrJoinLobby('moon')).members).toHaveLength(2)
    await ada.leaveLobby(lobby.id)
    await expect(ada.leaveLobby(lobby.id)).resolves.toBeUndefined()
  })

  it('says of a lobby that a server made that it did, and keeps it', async () => {
    const ada = await game.player('ada')
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada') }] })
    const refusal = { name: 'ApiError', code: 'made_by_server', status: 403, apiCode: 50_001 }
    await expect(ada.leaveLobby(id)).rejects.toMatchObject(refusal)
    expect((await ada.getLobbyMessagesWithLimit(id, 1)).length).toBe(0)
  })
})

describe('messages', () => {
  it('reach everybody in the lobby, newest first', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const { id } = await ada.createOrJoinLobby('moon')
    await bruno.createOrJoinLobby('moon')
    const heard = recordEvents(ada, 'lobbyMessage')
    const sent = await ada.sendLobbyMessage(id, 'Ready?', { mood: 'eager' })
    expect(sent).toMatchObject({
      lobbyId: id,
      content: 'Ready?',
      metadata: { mood: 'eager' },
      author: { id: idOf('ada'), username: 'ada' },
    })
    expect(Math.abs(sent.sentAt - Date.now())).toBeLessThan(MINUTE)
    expect(heard).toEqual([{ event: 'lobbyMessage', data: { message: sent } }])
    await bruno.sendLobbyMessage(id, 'Ready.')
    const history = await ada.getLobbyMessagesWithLimit(id, 10)
    expect(history.map(({ content }) => content)).toEqual(['Ready.', 'Ready?'])
    expect(await ada.getLobbyMessagesWithLimit(id, 1)).toHaveLength(1)
  })

  it('are for members', async () => {
    const [ada, bruno] = [await game.player('ada'), await game.player('bruno')]
    const { id } = await ada.createOrJoinLobby('moon')
    await expect(bruno.sendLobbyMessage(id, 'hi')).rejects.toMatchObject({ code: 'missing_access', status: 403 })
    await expect(bruno.getLobbyMessagesWithLimit(id, 1)).rejects.toMatchObject({ code: 'missing_access' })
  })

  it('are never sent twice, whatever became of the answer', async () => {
    const ada = await game.player('ada')
    const { id } = await ada.createOrJoinLobby('moon')
    emulator.faults({ match: { method: 'POST', path: '*/messages' }, effect: { lostAnswer: true } })
    await expect(ada.sendLobbyMessage(id, 'once')).rejects.toMatchObject({ name: 'NetworkError', code: 'connection_failed' })
    expect(requests(/messages$/)).toHaveLength(1)
  })

  it('that were rejected and arrived all the same are found by a mark in their metadata', async () => {
    const ada = await game.player('ada')
    const { id } = await ada.createOrJoinLobby('moon')
    emulator.faults({ match: { method: 'POST', path: '*/messages' }, times: 1, effect: { lostAnswer: true } })
    await expect(ada.sendLobbyMessage(id, 'once', { mark: 'a' })).rejects.toMatchObject({ name: 'NetworkError' })
    const messages = await ada.getLobbyMessagesWithLimit(id, 200)
    expect(messages.map(({ metadata }) => metadata['mark'])).toEqual(['a'])
  })
})

describe('a channel', () => {
  it('is linked by a member who may, and taken away again', async () => {
    const ada = await game.player('ada')
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada'), flags: 1 }] })
    const linked = await ada.linkChannelToLobby(id, CHANNEL?.id ?? '')
    expect(linked.linkedChannel).toEqual({ id: CHANNEL?.id, name: 'lobby-talk', guildId: GUILD.id })
    expect(linked.members[0]?.canLinkLobby).toBe(true)
    expect(await ada.unlinkChannelFromLobby(id)).not.toHaveProperty('linkedChannel')
  })

  it('is refused without the flag, and when it is none', async () => {
    const ada = await game.player('ada')
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada') }] })
    await expect(ada.linkChannelToLobby(id, CHANNEL?.id ?? '')).rejects.toMatchObject({ code: 'missing_permission' })
    const { id: other } = await game.backend('POST', '', { members: [{ id: idOf('ada'), flags: 1 }] })
    await expect(ada.linkChannelToLobby(other, '42')).rejects.toMatchObject({ code: 'unknown_channel' })
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

  it('tells of lobbies that others make and change', async () => {
    const ada = await game.player('ada', { lobbyUpdates: updates })
    const bruno = await game.player('bruno')
    const { id: own } = await ada.createOrJoinLobby('moon')
    const heard = recordEvents(ada, 'lobbyCreated', 'lobbyUpdated', 'lobbyDeleted', 'lobbyMessage')
    await bruno.createOrJoinLobby('moon')
    expect(ada.getLobby(own)?.members).toHaveLength(2)
    await bruno.sendLobbyMessage(own, 'hi')
    await bruno.leaveLobby(own)
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada') }], metadata: { map: 'crater' } })
    expect(ada.getLobby(id)?.metadata).toEqual({ map: 'crater' })
    await game.backend('POST', '', { members: [{ id: idOf('bruno') }] })
    await game.backend('DELETE', `/${id}`)
    expect(heard.map(({ event }) => event)).toEqual(['lobbyUpdated', 'lobbyMessage', 'lobbyUpdated', 'lobbyCreated', 'lobbyDeleted'])
    expect(ada.getLobbyIds()).toEqual([own])
    expect(ada.getLobby(own)?.members).toHaveLength(1)
  })

  it('tells when the player was taken out', async () => {
    const ada = await game.player('ada', { lobbyUpdates: updates })
    await ada.fetchCurrentUser()
    await expect(ada.leaveLobby('42')).rejects.toMatchObject({ code: 'unknown_lobby' })
    const { id } = await game.backend('POST', '', { members: [{ id: idOf('ada') }] })
    expect(ada.getLobbyIds()).toEqual([id])
    await game.backend('DELETE', `/${id}/members/${idOf('ada')}`)
    expect(ada.getLobbyIds()).toEqual([])
  })

  it('tells when a lobby has the player no more', async () => {
    const tellers: ((data: object) => void)[] = []
    const subscribe: LobbyUpdates['subscribe'] = (listener) => {
      tellers.push((data) => {
        const update = parseLobbyUpdate('lobby.updated', data)
        if (update) listener(update)
      })
      return () => undefined
    }
    const tell = (data: object) => tellers.forEach((each) => each(data))
    const ada = await game.player('ada', { lobbyUpdates: { subscribe } })
    await ada.fetchCurrentUser()
    await expect(ada.leaveLobby('42')).rejects.toMatchObject({ code: 'unknown_lobby' })
    const lobby = { id: '7', application_id: emulator.application.id, metadata: {} }
    tell({ ...lobby, members: [{ id: idOf('ada') }] })
    expect(ada.getLobbyIds()).toEqual(['7'])
    tell({ ...lobby, members: [] })
    expect(ada.getLobbyIds()).toEqual([])
  })

  it.each([
    ['lobby.created', { id: 7 }],
    ['lobby.created', { id: '1', application_id: '2', metadata: { a: 1 }, members: [] }],
    ['lobby.deleted', null],
    ['lobby.member_added', { lobby_id: '1', member: { id: 'x' } }],
    ['lobby.message', { id: '1', lobby_id: '1', content: 7, author: {} }],
    ['constructor', {}],
    ['lobby.exploded', {}],
  ])('reads nothing from %s %j', (name, data) => {
    expect(parseLobbyUpdate(name, data)).toBeUndefined()
  })

  it('keeps a key that is named like a part of every object', () => {
    const metadata: unknown = JSON.parse('{"__proto__":"x"}')
    const update = parseLobbyUpdate('lobby.created', { id: '1', application_id: '2', metadata, members: [] })
    expect(JSON.stringify(update)).toContain('"__proto__":"x"')
  })
})

describe('a session that ends', () => {
  it('takes its lobbies along', async () => {
    const ada = await game.player('ada')
    await ada.createOrJoinLobby('moon')
    const heard = recordEvents(ada, 'lobbyDeleted')
    await ada.signOut()
    expect([heard.length, ada.getLobbyIds()]).toEqual([1, []])
  })
})
