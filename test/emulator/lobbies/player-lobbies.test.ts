/** Lobbies of players: join by secret, leave, send messages, link a channel. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { list } from '../commands/command-client.js'
import { merge, provisional } from '../support/provisional-accounts.js'
import { json } from '../support/sign-in-client.js'
import { recordEvents, idOf, Lobbies, playerIn, rejectedWith, userId } from './lobby-client.js'

const guild = {
  id: '500',
  name: 'Castle',
  ownerId: '602934817264025603',
  roles: [{ id: '501', name: 'Keeper', permissions: String((1n << 4n) | (1n << 10n) | (1n << 11n)) }],
  channels: [
    { id: '510', name: 'hall', type: 0 },
    { id: '511', name: 'voice', type: 2 },
    { id: '512', name: 'tower', type: 0 },
  ],
  members: [
    { userId: '175928847299117063', roles: ['501'] },
    { userId: '211842960158326785', roles: [] },
  ],
  everyone: '0',
}

const notices: string[] = []
let emulator: Emulator
let bot: Lobbies
let ada: Lobbies
let bruno: Lobbies
beforeAll(async () => {
  emulator = await createEmulator({
    limits: 'off',
    seed: { guilds: [guild] },
    onNotice: (notice) => notices.push(notice),
  })
  bot = new Lobbies(emulator)
})
afterAll(() => emulator.close())
beforeEach(async () => {
  emulator.reset()
  ada = await playerIn(emulator, 'ada')
  bruno = await playerIn(emulator, 'bruno')
})

describe('a lobby secret', () => {
  it('creates a lobby for the first player, and adds the next one', async () => {
    const first = await ada.put('', {
      secret: 'lantern',
      lobby_metadata: { map: 'harbour' },
      member_metadata: { team: 'red' },
    })
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^\d+$/),
        application_id: emulator.application.id,
        flags: 0,
        metadata: { map: 'harbour' },
        members: [{ id: userId(emulator, 'ada'), metadata: { team: 'red' }, flags: 0 }],
      },
    ])
    const second = await bruno.put('', { secret: 'lantern' })
    expect(second.body).toEqual({
      ...Object(first.body),
      members: [
        expect.objectContaining({ id: userId(emulator, 'ada') }),
        { id: userId(emulator, 'bruno'), metadata: null, flags: 0 },
      ],
    })
    expect(await bruno.join('other')).not.toBe(idOf(first))
  })

  it('that is the id of a lobby makes another lobby, and the log and a notice say so', async () => {
    const id = await ada.join('lantern')
    const joined = await bruno.put('', { secret: id })
    expect(idOf(joined)).not.toBe(id)
    const advice = `the secret is the id of lobby ${id}, so this made another lobby: players share the secret (a text of your own), not the id`
    expect(emulator.requests.map((request) => request.advice)).toContain(advice)
    expect(notices).toEqual([`PUT /lobbies: ${advice}`])
    // It is the secret of that lobby now.
    expect(await ada.join(id)).toBe(idOf(joined))
    expect(notices).toHaveLength(1)
  })

  it('used again by a member changes the given fields only', async () => {
    await ada.join('lantern', { lobby_metadata: { map: 'harbour' }, member_metadata: { team: 'red' } })
    const again = await ada.put('', { secret: 'lantern', lobby_metadata: { map: 'hill' } })
    expect(again.body).toMatchObject({ metadata: { map: 'hill' }, members: [{ metadata: { team: 'red' } }] })
  })

  it('adds a player to a lobby again after leaving it', async () => {
    const id = await ada.join('lantern', { idle_timeout_seconds: 600 })
    expect((await ada.delete(`/${id}/members/@me`)).status).toBe(204)
    expect(await ada.join('lantern')).toBe(id)
    expect((await ada.delete(`/${id}/members/%40me`)).status).toBe(204)
    expect((await bot.get(`/${id}`)).body).toMatchObject({ members: [] })
  })

  it('creates a new lobby after thirty days, while the old one continues', async () => {
    const id = await ada.join('lantern', { idle_timeout_seconds: 604_800 })
    for (let week = 0; week < 5; week += 1) {
      emulator.advance(6 * 86_400_000)
      await bot.patch(`/${id}`, {})
    }
    ada = await playerIn(emulator, 'ada')
    expect(await ada.join('lantern')).not.toBe(id)
    expect((await bot.get(`/${id}`)).status).toBe(200)
  })

  it('is valid for one application', async () => {
    const id = await ada.join('lantern')
    const [child] = emulator.application.children
    expect(child).toBeDefined()
    const body = {
      parent_access_token: ada.caller.authorization.replace('Bearer ', ''),
      child_application_id: child?.id,
    }
    const response = await fetch(`${emulator.url}/api/v10/partner-sdk/child-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, parent_client_secret: emulator.application.clientSecret }),
    })
    const other = new Lobbies(emulator, `Bearer ${String((await json(response))['access_token'])}`)
    expect(await other.join('lantern')).not.toBe(id)
    expect(await other.get(`/${id}/messages`)).toMatchObject(rejectedWith(403, 50001, 'another application'))
  })

  it('that is empty, too long or absent is rejected with its path', async () => {
    for (const secret of ['', 's'.repeat(251), 7, null, undefined])
      expect(await ada.put('', { secret })).toMatchObject(rejectedWith(400, 50035, 'secret'))
    const body = {
      secret: 's',
      lobby_metadata: { a: 1 },
      member_metadata: 'x',
      idle_timeout_seconds: 604_801,
    }
    expect(await ada.put('', body)).toMatchObject(
      rejectedWith(400, 50035, 'idle_timeout_seconds must be from 5 to 604800 (and 2 more)'),
    )
  })

  it('is in no event and no log', async () => {
    const events = recordEvents(emulator)
    await ada.join('very-secret-lantern')
    expect(JSON.stringify([events, emulator.requests])).not.toContain('very-secret')
  })

  it('cannot exceed a configured number of lobbies per player', async () => {
    const small = await createEmulator({ lobbies: { lobbiesPerPlayer: 2 } })
    const player = await playerIn(small, 'ada')
    const first = await player.join('one')
    await player.join('two')
    expect(await player.put('', { secret: 'three' })).toMatchObject(
      rejectedWith(400, 50035, 'at most 2 lobbies'),
    )
    expect(await player.join('one')).toBe(first)
    const app = new Lobbies(small)
    const id = await app.create()
    const items = ['ada', 'bruno'].map((name) => ({ id: userId(small, name) }))
    expect(list((await app.post(`/${id}/members/bulk`, items)).body)).toHaveLength(1)
    await small.close()
  })
})

describe('a player', () => {
  it('can leave repeatedly, except lobbies of a backend and deleted ones', async () => {
    const [mine, servers] = [
      await ada.join('lantern'),
      await bot.create({ members: [{ id: userId(emulator, 'ada') }] }),
    ]
    for (const one of [ada, ada, bruno]) expect((await one.delete(`/${mine}/members/@me`)).status).toBe(204)
    expect(await ada.delete(`/${servers}/members/@me`)).toMatchObject(
      rejectedWith(403, 50001, 'a server made this lobby'),
    )
    expect(await ada.delete('/1/members/@me')).toMatchObject(rejectedWith(404, 10031))
  })

  it('needs the scope sdk.social_layer, and cannot be a bot', async () => {
    const id = await ada.join('lantern')
    const without = await playerIn(emulator, 'ada', 'openid sdk.social_layer_presence')
    const calls = [
      ['PUT', '', { secret: 'lantern' }],
      ['POST', `/${id}/messages`, { content: 'x' }],
      ['GET', `/${id}/messages`],
      ['POST', `/${id}/members/@me/invites`],
    ] as const
    for (const [method, path, body] of calls) {
      expect(await without.send(method, path, body)).toMatchObject(
        rejectedWith(403, 50026, 'sdk.social_layer'),
      )
      expect(await bot.send(method, path, body)).toMatchObject(rejectedWith(403, 20001))
      expect(await new Lobbies(emulator, 'Bearer wrong').send(method, path, body)).toMatchObject(
        rejectedWith(401, 0),
      )
    }
  })

  it('with a provisional account can join, too', async () => {
    const token = await json(await provisional(emulator, 'emu:sam'))
    const guest = new Lobbies(emulator, `Bearer ${String(token['access_token'])}`)
    const id = await guest.join('lantern')
    expect((await guest.post(`/${id}/messages`, { content: 'hi' })).body).toMatchObject({
      author: { username: /^guest-/ },
    })
  })
})

describe('the merge of a provisional account', () => {
  it('transfers its lobby memberships', async () => {
    const guest = async (token: string) => {
      const tokens = await json(await provisional(emulator, token))
      return new Lobbies(emulator, `Bearer ${String(tokens['access_token'])}`)
    }
    const sam = await guest('emu:sam')
    const [alone, both] = [
      await sam.join('alone', { member_metadata: { team: 'red' } }),
      await sam.join('both'),
    ]
    await ada.join('both', { member_metadata: { team: 'blue' } })
    expect((await merge(emulator, 'emu:sam')).status).toBe(200)
    const id = userId(emulator, 'ada')
    expect((await bot.get(`/${alone}`)).body).toMatchObject({ members: [{ id, metadata: { team: 'red' } }] })
    expect(Object((await bot.get(`/${both}`)).body).members).toEqual([
      { id, metadata: { team: 'blue' }, flags: 0 },
    ])
  })
})

describe('a lobby message', () => {
  it('is available to members, newest first', async () => {
    const id = await ada.join('lantern')
    const sent = await ada.post(`/${id}/messages`, {
      content: 'hello \u{1f44b}',
      metadata: { colour: 'red' },
    })
    const message = {
      id: expect.stringMatching(/^\d+$/),
      type: 0,
      content: 'hello \u{1f44b}',
      lobby_id: id,
      channel_id: id,
      author: expect.objectContaining({
        id: userId(emulator, 'ada'),
        username: 'ada',
        global_name: 'Ada Quinn',
      }),
      flags: 0,
      application_id: emulator.application.id,
    }
    expect([sent.status, sent.body]).toEqual([201, message])
    await bot.put(`/${id}/members/${userId(emulator, 'ada')}`, { additional_name: 'Countess' })
    await ada.post(`/${id}/messages`, { content: 'second' })
    const { body } = await ada.get(`/${id}/messages`)
    expect(list(body).map(({ content }) => content)).toEqual(['second', 'hello \u{1f44b}'])
    expect(list(body)).toMatchObject([{ lobby_member: { additional_name: 'Countess' } }, {}])
    expect(await bruno.post(`/${id}/messages`, { content: 'x' })).toMatchObject(
      rejectedWith(403, 50001, 'no member'),
    )
    expect(await bruno.get(`/${id}/messages`)).toMatchObject(rejectedWith(403, 50001))
    expect(await ada.get('/1/messages')).toMatchObject(rejectedWith(404, 10031))
  })

  it('has its metadata in the live event only', async () => {
    const id = await ada.join('lantern')
    const events = recordEvents(emulator)
    const sent = await ada.post(`/${id}/messages`, { content: 'x', metadata: { colour: 'red' } })
    expect(events).toMatchObject([
      { name: 'lobby.message', data: { content: 'x', metadata: { colour: 'red' } } },
    ])
    expect(sent.body).not.toHaveProperty('metadata')
    expect(list((await ada.get(`/${id}/messages`)).body)[0]).not.toHaveProperty('metadata')
    await bot.put(`/${id}/messages/${idOf(sent)}/moderation-metadata`, { verdict: 'fine' })
    expect(events.at(-1)?.data).not.toHaveProperty('metadata')
  })

  it('has its metadata in the history too if the emulator is told to keep it', async () => {
    await bot.caller.control('/lobbies', { method: 'PATCH', body: { messageMetadata: 'history' } })
    const id = await ada.join('lantern')
    const sent = await ada.post(`/${id}/messages`, { content: 'x', metadata: { colour: 'red' } })
    expect(list((await ada.get(`/${id}/messages`)).body)).toEqual([sent.body])
    expect(sent.body).toMatchObject({ metadata: { colour: 'red' } })
    await bot.caller.control('/lobbies', { method: 'PATCH', body: { messageMetadata: 'dispatch' } })
  })

  it('has 1 to 2000 characters, not all blank', async () => {
    const id = await ada.join('lantern')
    expect((await ada.post(`/${id}/messages`, { content: '\u{1f600}'.repeat(2000) })).status).toBe(201)
    for (const content of ['x'.repeat(2001), 5, undefined])
      expect(await ada.post(`/${id}/messages`, { content })).toMatchObject(
        rejectedWith(400, 50035, 'content'),
      )
    for (const content of ['', ' \n'])
      expect(await ada.post(`/${id}/messages`, { content })).toMatchObject(rejectedWith(400, 50006))
    for (const more of [{ metadata: { a: 1 } }, { flags: -1 }, { flags: 'x' }])
      expect(await ada.post(`/${id}/messages`, { content: 'x', ...more })).toMatchObject(
        rejectedWith(400, 50035),
      )
  })

  it('is returned among the last 50, or as many as requested, of the last three days', async () => {
    const id = await ada.join('lantern', { idle_timeout_seconds: 604_800 })
    await ada.post(`/${id}/messages`, { content: 'old' })
    emulator.advance(72 * 3_600_000 - 60_000)
    expect(list((await ada.get(`/${id}/messages`)).body)).toHaveLength(1)
    for (let count = 0; count < 52; count += 1) await ada.post(`/${id}/messages`, { content: `m${count}` })
    expect(list((await ada.get(`/${id}/messages`)).body)).toHaveLength(50)
    expect(list((await ada.get(`/${id}/messages?limit=2`)).body).map(({ content }) => content)).toEqual([
      'm51',
      'm50',
    ])
    expect(list((await ada.get(`/${id}/messages?limit=200`)).body)).toHaveLength(53)
    emulator.advance(61_000)
    expect(list((await ada.get(`/${id}/messages?limit=200`)).body)).toHaveLength(52)
    for (const limit of ['0', '201', 'x', '-1', '1.5', ''])
      expect(await ada.get(`/${id}/messages?limit=${limit}`)).toMatchObject(rejectedWith(400, 50035, 'limit'))
  })

  it('can have moderation metadata of the application', async () => {
    const id = await ada.join('lantern')
    const events = recordEvents(emulator)
    const message = idOf(await ada.post(`/${id}/messages`, { content: 'x' }))
    expect(
      (await bot.put(`/${id}/messages/${message}/moderation-metadata`, { verdict: 'fine' })).status,
    ).toBe(204)
    expect(list((await ada.get(`/${id}/messages`)).body)).toMatchObject([
      { moderation_metadata: { verdict: 'fine' } },
    ])
    expect(events.map(({ name }) => name)).toEqual(['lobby.message', 'lobby.message_updated'])
    expect(await bot.put(`/${id}/messages/1/moderation-metadata`, {})).toMatchObject(rejectedWith(404, 10008))
    const six = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`k${index}`, '']))
    for (const body of [six, { a: 1 }, { a: 'v'.repeat(2001) }, { ['k'.repeat(1025)]: '' }])
      expect(await bot.put(`/${id}/messages/${message}/moderation-metadata`, body)).toMatchObject(
        rejectedWith(400, 50035),
      )
  })
})

describe('linking a lobby to a channel', () => {
  const members = [
    { id: '175928847299117063', flags: 1 },
    { id: '211842960158326785', flags: 1 },
    { id: '602934817264025603', flags: 0 },
  ]

  it('shows the channel, keeps the lobby from being idle, and is undone without a channel', async () => {
    const id = await bot.create({ members })
    const linked = await ada.patch(`/${id}/channel-linking`, { channel_id: '510' })
    const channel = { id: '510', type: 0, flags: 0, guild_id: '500', name: 'hall', position: 0 }
    expect(linked).toMatchObject({ status: 200, body: { id, linked_channel: channel } })
    emulator.advance(6_000_000)
    expect((await bot.get(`/${id}`)).body).toMatchObject({ linked_channel: channel })
    expect((await bruno.patch(`/${id}/channel-linking`, {})).body).not.toHaveProperty('linked_channel')
    emulator.advance(300_000)
    expect((await bot.get(`/${id}`)).status).toBe(404)
  })

  it('requires the flag, an unlinked text channel, and permissions there', async () => {
    const id = await bot.create({ members })
    const zoe = await playerIn(emulator, 'zoe')
    const chiyo = await playerIn(emulator, 'chiyo')
    const link = (who: Lobbies, channel: unknown, lobby = id) =>
      who.patch(`/${lobby}/channel-linking`, { channel_id: channel })
    expect(await link(chiyo, '510')).toMatchObject(rejectedWith(403, 50001))
    expect(await link(zoe, '510')).toMatchObject(rejectedWith(403, 50013, 'CanLinkLobby'))
    expect(await link(bruno, '510')).toMatchObject(rejectedWith(403, 50013, 'MANAGE_CHANNELS'))
    expect(await link(ada, '511')).toMatchObject(rejectedWith(400, 50024))
    expect(await link(ada, '999')).toMatchObject(rejectedWith(404, 10003))
    expect(await link(ada, 510)).toMatchObject(rejectedWith(400, 50035, 'channel_id'))
    expect(await link(bot, '510')).toMatchObject(rejectedWith(403, 20001))
    const other = await bot.create({ members })
    expect((await link(ada, '510', other)).status).toBe(200)
    expect(await link(ada, '510')).toMatchObject(rejectedWith(400, 50035, 'linked to another lobby'))
    const mine = await ada.join('lantern')
    await bot.put(`/${mine}/members/${userId(emulator, 'ada')}`, { flags: 1 })
    expect(await link(ada, '510', mine)).toMatchObject(rejectedWith(403, 50001, 'a player made this lobby'))
  })

  it('returns invitations to the guild', async () => {
    const id = await bot.create({ members })
    expect(await ada.post(`/${id}/members/@me/invites`)).toMatchObject(rejectedWith(400, 50035, 'no channel'))
    await ada.patch(`/${id}/channel-linking`, { channel_id: '510' })
    for (const reply of [
      await ada.post(`/${id}/members/@me/invites`),
      await bot.post(`/${id}/members/${userId(emulator, 'bruno')}/invites`),
    ])
      expect(reply).toMatchObject({ status: 200, body: { code: expect.stringMatching(/^[\w-]{8,}$/) } })
    expect(await bot.post(`/${id}/members/1/invites`)).toMatchObject(rejectedWith(404, 10013))
  })
})

it('lobby changes of players emit events', async () => {
  const id = await ada.join('lantern')
  const events = recordEvents(emulator)
  await bruno.join('lantern', { lobby_metadata: { a: 'b' } })
  await bruno.join('lantern', { member_metadata: { team: 'red' } })
  await bruno.post(`/${id}/messages`, { content: 'hi' })
  await bruno.delete(`/${id}/members/@me`)
  expect(events.map(({ name }) => name)).toEqual([
    'lobby.updated',
    'lobby.member_added',
    'lobby.member_updated',
    'lobby.message',
    'lobby.member_removed',
  ])
  expect(events[3]?.data).toMatchObject({ lobby_id: id, content: 'hi' })
})
