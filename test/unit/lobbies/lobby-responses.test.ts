/** Lobbies, members and messages in responses and streams, and what is malformed. */
import { describe, expect, it } from 'vitest'
import { type ApplicationId, parseLobbyUpdate } from 'foyer-sdk'
import {
  compareIds,
  decodeInvite,
  decodeLobby,
  decodeMember,
  decodeMembers,
  lobbyEvents,
  readInviteCode,
  readLobby,
  readMessage,
  readMessages,
  toLobby,
  toMember,
  toMessage,
} from '../../support/internals'
import { rejection } from '../../support/settle'
import {
  ADA,
  APPLICATION,
  LOBBY,
  lobbyPayload as lobby,
  memberPayload as member,
  messagePayload as message,
  ROUTE,
} from '../../support/lobby-payloads'

const MALFORMED = { code: 'malformed_response' }
const SOURCE = { route: ROUTE, applicationId: APPLICATION as ApplicationId }

describe('a lobby in a response to a player', () => {
  it('is read with its members and its linked channel', () => {
    const channel = { id: '3001', name: 'general', guild_id: '4001' }
    expect(readLobby(lobby({ linked_channel: channel }), SOURCE)).toEqual({
      id: LOBBY,
      applicationId: APPLICATION,
      metadata: { map: 'sea' },
      members: [{ id: ADA, metadata: { role: 'host' }, canLinkLobby: false }],
      linkedChannel: { id: '3001', name: 'general', guildId: '4001' },
    })
  })

  it.each([
    ['null', null, '', 'null'],
    ['without an id', lobby({ id: undefined }), 'id', 'nothing'],
    ['with a number as its id', lobby({ id: 7 }), 'id', 'a number'],
    ['with an application that is no id', lobby({ application_id: 'x' }), 'application_id', 'a string'],
    ['with a number in its metadata', lobby({ metadata: { a: 7 } }), 'metadata', 'an object'],
    ['with a list as its metadata', lobby({ metadata: [] }), 'metadata', 'a list'],
    ['with members that are no list', lobby({ members: {} }), 'members', 'an object'],
    ['with a member that is not one', lobby({ members: [member(), {}] }), 'members[1].id', 'nothing'],
    [
      'with metadata of a member that is not one',
      lobby({ members: [member(ADA, { metadata: 7 })] }),
      'members[0].metadata',
      'a number',
    ],
  ])('%s is malformed', async (...[, body, path, got]) => {
    expect(toLobby(body)).toBeUndefined()
    expect(await rejection(() => readLobby(body, SOURCE))).toMatchObject({ ...MALFORMED, path, got })
  })

  it.each([
    ['no application', { application_id: undefined }],
    ['null as its application', { application_id: null }],
    ['no members', { members: undefined }],
    ['null as its members', { members: null }],
    ['no metadata', { metadata: undefined }],
  ])('may have %s, which the interface leaves open', (_, changes) => {
    const { id, applicationId } = readLobby(lobby(changes), SOURCE)
    expect([id, applicationId]).toEqual([LOBBY, APPLICATION])
  })

  it('of a client without an application must name it', async () => {
    const unknown = { ...SOURCE, applicationId: undefined }
    expect(readLobby(lobby(), unknown).applicationId).toBe(APPLICATION)
    expect(await rejection(() => readLobby(lobby({ application_id: null }), unknown))).toMatchObject({
      path: 'application_id',
      got: 'null',
    })
  })

  it('that is malformed is not lost: the error has its id', async () => {
    expect(await rejection(() => readLobby(lobby({ members: 'x' }), SOURCE))).toMatchObject({
      ...MALFORMED,
      resourceId: LOBBY,
    })
    expect(await rejection(() => readLobby(lobby({ id: 7 }), SOURCE))).not.toHaveProperty('resourceId')
  })

  it.each([
    ['no channel', undefined],
    ['a channel without a name', { id: '3001' }],
    ['a channel without an id', { name: 'general' }],
  ])('may have %s', (_, channel) => {
    expect(toLobby(lobby({ linked_channel: channel }))).not.toHaveProperty('linkedChannel')
  })

  it('may have a channel without a guild, and no metadata', () => {
    const read = toLobby(
      lobby({ linked_channel: { id: '3001', name: 'general' }, metadata: null, members: [{ id: ADA }] }),
    )
    expect(read).toMatchObject({
      linkedChannel: { id: '3001', name: 'general' },
      metadata: {},
      members: [{ metadata: {} }],
    })
    expect(read?.linkedChannel).not.toHaveProperty('guildId')
  })
})

describe('an invitation of a player', () => {
  it('is read', () => {
    expect(readInviteCode({ code: 'abc' }, ROUTE)).toBe('abc')
  })

  it.each([
    ['an empty code', { code: '' }],
    ['a number as its code', { code: 7 }],
    ['no code', {}],
    ['no object', 'abc'],
  ])('with %s is malformed', async (_, body) => {
    expect(await rejection(() => readInviteCode(body, ROUTE))).toMatchObject(MALFORMED)
  })
})

describe('a member in a response to a player', () => {
  it('has what the service and a stream report', () => {
    const body = member(ADA, {
      flags: 1,
      additional_name: 'Captain',
      user: { username: 'ada', global_name: 'Ada' },
      presence: 'away',
    })
    expect(toMember(body)).toEqual({
      id: ADA,
      metadata: { role: 'host' },
      canLinkLobby: true,
      additionalName: 'Captain',
      username: 'ada',
      globalName: 'Ada',
      presence: 'away',
    })
  })

  it.each([1, 3, 5, 2 ** 31 + 1])('may link the lobby if the bit is set among others: %d', (flags) => {
    expect(toMember(member(ADA, { flags }))).toMatchObject({ canLinkLobby: true })
  })

  it.each([
    ['no flag', { flags: 0 }],
    ['flags that are no number', { flags: '1' }],
    ['no flags', { flags: undefined }],
    ['another flag', { flags: 2 }],
    ['a name that is no text', { additional_name: 7 }],
    ['a user that is no object', { user: 'ada' }],
    ['a user without a name', { user: { global_name: 'Ada' } }],
    ['a user whose global name is no text', { user: { username: 'ada', global_name: 7 } }],
    ['an unknown presence', { presence: 'busy' }],
  ])('may have %s', (_, changes) => {
    expect(toMember(member(ADA, changes))).toEqual({
      id: ADA,
      metadata: { role: 'host' },
      canLinkLobby: false,
    })
  })

  it.each([null, 'online'])('may have the global name %o', (name) => {
    const globalName = name === null ? {} : { global_name: name }
    expect(
      toMember(member(ADA, { user: { username: 'ada', ...globalName }, presence: 'online' })),
    ).toMatchObject({
      globalName: name,
      presence: 'online',
    })
  })

  it.each([undefined, {}, { id: 'x' }, { id: ADA, metadata: 'x' }])('is malformed as %o', (body) => {
    expect(toMember(body)).toBeUndefined()
  })
})

describe('a message', () => {
  it('is read with the time of its id', () => {
    const more = {
      channel_id: '3001',
      metadata: { a: 'b' },
      moderation_metadata: { c: 'd' },
      lobby_member: { additional_name: 'Captain' },
    }
    const id = String(5000n << 22n)
    expect(
      readMessage(message({ id, ...more, author: { id: ADA, username: 'ada', global_name: 'Ada' } }), ROUTE),
    ).toEqual({
      id,
      type: 0,
      lobbyId: LOBBY,
      channelId: '3001',
      author: { id: ADA, username: 'ada', globalName: 'Ada', avatar: null },
      additionalName: 'Captain',
      content: 'Hi',
      metadata: { a: 'b' },
      moderationMetadata: { c: 'd' },
      sentAt: Date.UTC(2015, 0, 1) + 5000,
    })
  })

  it('has the lobby as its channel, and no names or metadata, unless they are there', () => {
    const odd = { metadata: 7, moderation_metadata: { a: 7 }, lobby_member: { additional_name: 7 } }
    for (const body of [message(), message(odd), message({ lobby_member: 'x' })])
      expect(toMessage(body)).toEqual({
        id: '2001',
        type: 0,
        lobbyId: LOBBY,
        channelId: LOBBY,
        author: { id: ADA, username: 'ada', globalName: null, avatar: null },
        content: 'Hi',
        metadata: {},
        moderationMetadata: {},
        sentAt: Date.UTC(2015, 0, 1),
      })
  })

  it.each([
    ['null', null, '[1]'],
    ['without an id', message({ id: 7 }), '[1].id'],
    ['without a lobby', message({ lobby_id: 'x', channel_id: '3001' }), '[1].lobby_id'],
    ['with a channel that is none', message({ channel_id: 'x' }), '[1].channel_id'],
    ['without content', message({ content: undefined }), '[1].content'],
    ['without an author', message({ author: undefined }), '[1].author'],
    ['with an author without an id', message({ author: { username: 'ada' } }), '[1].author.id'],
    ['with an author without a name', message({ author: { id: ADA } }), '[1].author.username'],
  ])('%s is malformed', async (...[, body, path]) => {
    expect(toMessage(body)).toBeUndefined()
    expect(await rejection(() => readMessages([message(), body], ROUTE))).toMatchObject({
      ...MALFORMED,
      path,
    })
  })

  it('has the type, and the avatar of its author', () => {
    const author = { id: ADA, username: 'ada', global_name: 'Ada', avatar: 'a1b2' }
    expect(toMessage(message({ type: 19, author }))).toMatchObject({
      type: 19,
      author: { globalName: 'Ada', avatar: 'a1b2' },
    })
  })

  it('is one of a list, newest first', async () => {
    const ids = ['9', '10', '1001', '100', '11'].map((id) => message({ id }))
    expect(readMessages(ids, ROUTE).map(({ id }) => id)).toEqual(['1001', '100', '11', '10', '9'])
    expect(await rejection(() => readMessages({}, ROUTE))).toMatchObject({
      ...MALFORMED,
      path: '',
      expected: 'a list',
    })
  })

  it('is older with a smaller id', () => {
    expect(
      [
        compareIds('9', '10'),
        compareIds('10', '9'),
        compareIds('10', '11'),
        compareIds('11', '10'),
        compareIds('7', '7'),
      ].map(Math.sign),
    ).toEqual([-1, 1, -1, 1, 0])
  })
})

describe('a response to an application', () => {
  const whole = { id: LOBBY, application_id: APPLICATION, metadata: { a: 'b' }, members: [member()] }
  const linked_channel = { id: '3001', type: 0, name: 'general' }

  it.each([
    whole,
    { ...whole, metadata: null },
    { ...whole, members: [] },
    { ...whole, linked_channel, flags: 4 },
  ])('may be the lobby %o', (body) => {
    expect(decodeLobby(body, SOURCE)).toEqual(body)
  })

  it('is filled in where the interface leaves a lobby open', () => {
    const empty = { id: LOBBY, application_id: APPLICATION, metadata: null, members: [] }
    expect(decodeLobby({ id: LOBBY }, SOURCE)).toEqual(empty)
    expect(decodeLobby({ ...empty, application_id: null, members: null }, SOURCE)).toEqual(empty)
    expect(decodeLobby({ id: LOBBY, application_id: '5' }, SOURCE).application_id).toBe('5')
  })

  it.each([
    [null, ''],
    [{ ...whole, id: 7 }, 'id'],
    [{ ...whole, application_id: 'x' }, 'application_id'],
    [{ ...whole, metadata: { a: 7 } }, 'metadata'],
    [{ ...whole, metadata: 'x' }, 'metadata'],
    [{ ...whole, members: {} }, 'members'],
    [{ ...whole, members: [member(), { id: 7 }] }, 'members[1].id'],
    [{ ...whole, members: [member(ADA, { metadata: { a: null } })] }, 'members[0].metadata'],
  ])('is no lobby as %o', async (body, path) => {
    expect(await rejection(() => decodeLobby(body, SOURCE))).toMatchObject({ ...MALFORMED, path })
  })

  it('may be members and an invite', async () => {
    expect(decodeMember(member(), ROUTE)).toEqual(member())
    expect(decodeMembers([member()], ROUTE)).toEqual([member()])
    expect(decodeInvite({ code: 'abc', else: 1 }, ROUTE)).toEqual({ code: 'abc' })
    expect(await rejection(() => decodeMember({}, ROUTE))).toMatchObject({
      ...MALFORMED,
      path: 'id',
      got: 'nothing',
    })
    expect(await rejection(() => decodeMembers({}, ROUTE))).toMatchObject({
      ...MALFORMED,
      path: '',
      expected: 'a list',
    })
    expect(await rejection(() => decodeMembers([member(), 5], ROUTE))).toMatchObject({
      ...MALFORMED,
      path: '[1]',
      got: 'a number',
    })
    for (const body of [null, { code: 7 }])
      expect(await rejection(() => decodeInvite(body, ROUTE))).toMatchObject(MALFORMED)
  })

  it('is named in the message by its field, and never quoted', async () => {
    const error = await rejection(() => decodeLobby({ ...whole, members: [{ id: 'Bot abc.def' }] }, SOURCE))
    expect(String(error)).toContain(
      'members[0].id must be an id as a string of digits, and the service sent a string',
    )
    expect(JSON.stringify(error) + String(error)).not.toContain('abc.def')
  })
})

describe('events of a stream', () => {
  it('have these names', () => {
    expect(lobbyEvents()).toEqual([
      'lobby.created',
      'lobby.updated',
      'lobby.deleted',
      'lobby.member_added',
      'lobby.member_updated',
      'lobby.member_removed',
      'lobby.message',
      'lobby.message_pending',
    ])
  })

  const inLobby = { lobby_id: LOBBY, member: member() }
  it.each([
    ['lobby.created', lobby(), { type: 'lobby', lobby: { id: LOBBY } }],
    ['lobby.updated', lobby(), { type: 'lobby', lobby: { id: LOBBY } }],
    ['lobby.deleted', { id: LOBBY }, { type: 'deleted', lobbyId: LOBBY }],
    ['lobby.member_added', inLobby, { type: 'member', lobbyId: LOBBY, member: { id: ADA } }],
    ['lobby.member_updated', inLobby, { type: 'member', lobbyId: LOBBY, member: { id: ADA } }],
    ['lobby.member_removed', inLobby, { type: 'memberRemoved', lobbyId: LOBBY, memberId: ADA }],
    ['lobby.message', message(), { type: 'message', message: { id: '2001' } }],
    [
      'lobby.message_pending',
      { lobby_id: LOBBY, message_id: '2001' },
      { type: 'messagePending', lobbyId: LOBBY, messageId: '2001' },
    ],
  ])('%s is parsed, and nothing malformed', (name, data, expected) => {
    expect(parseLobbyUpdate(name, data)).toMatchObject(expected)
    for (const bad of [
      null,
      undefined,
      'x',
      {},
      { ...data, lobby_id: 'x', id: 'x' },
      { ...data, id: 7, member: {}, message_id: 7 },
    ])
      expect(parseLobbyUpdate(name, bad)).toBeUndefined()
  })

  it('with other names are ignored', () => {
    expect([parseLobbyUpdate('lobby.else', lobby()), parseLobbyUpdate('constructor', lobby())]).toEqual([
      undefined,
      undefined,
    ])
  })
})
