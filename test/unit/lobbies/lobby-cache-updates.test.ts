/** Events of the cache of lobbies, after calls and from a stream. */
import { describe, expect, it } from 'vitest'
import type { LobbyState, LobbyUpdate, UserId } from 'foyer-sdk'
import { readMessage, toLobby, toMember, toMessage } from '../../support/internals'
import {
  ADA,
  BOB,
  LOBBY,
  lobbyPayload as lobby,
  memberPayload as member,
  messagePayload as message,
  ROUTE,
} from '../../support/lobby-payloads'
import { lobbyCacheOf } from '../../support/lobby-cache-of'

/** A cache with the lobby of Ada, and what it has emitted since. */
function cacheWith(...lobbies: LobbyState[]) {
  const events: string[] = []
  const cache = lobbyCacheOf({
    created: (state) => events.push(`created ${state.id}`),
    updated: (state, previous) =>
      events.push(`updated ${previous.members.length} to ${state.members.length}`),
    ended: (id, reason) => events.push(`ended ${id} ${reason}`),
    message: ({ id }) => events.push(`message ${id}`),
  })
  for (const each of lobbies) cache.put(each)
  events.length = 0
  return { cache, events }
}

const [ada, bob] = [ADA, BOB].map((id) => id as UserId)
const withMembers = (...ids: string[]) =>
  toLobby(lobby({ members: ids.map((id) => member(id)) })) as LobbyState
const update = (type: string, more: object) => ({ type, lobbyId: LOBBY, ...more }) as LobbyUpdate

describe('the cache of lobbies', () => {
  it('emits an event only for what is new or has changed', () => {
    const { cache, events } = cacheWith()
    for (const each of [withMembers(ADA), withMembers(ADA), withMembers(ADA, BOB)]) cache.put(each)
    cache.drop(LOBBY, 'left')
    cache.drop(LOBBY, 'deleted')
    expect(events).toEqual([`created ${LOBBY}`, 'updated 1 to 2', `ended ${LOBBY} left`])
  })

  it('knows the secret of a joined lobby until it ends, from its first event on, and no event has it', () => {
    const { cache, events } = cacheWith()
    const known: (string | undefined)[] = []
    const listening = lobbyCacheOf({
      created: ({ id }) => known.push(listening.secretOf(id)),
      updated: (state, previous) => events.push(JSON.stringify([state, previous])),
      ended: (id) => known.push(listening.secretOf(id)),
    })
    listening.putOwn(withMembers(ADA), 'moon-42')
    listening.putOwn(withMembers(ADA, BOB))
    known.push(listening.secretOf(LOBBY))
    listening.drop(LOBBY, 'deleted')
    expect(known).toEqual(['moon-42', 'moon-42', undefined])
    expect(events.join()).not.toContain('moon-42')
    cache.putOwn(withMembers(ADA), 'moon-42')
    cache.clear('signed_out')
    cache.put(withMembers(ADA))
    expect(cache.secretOf(LOBBY)).toBeUndefined()
  })

  it('drops every lobby when it is cleared, and counts that', () => {
    const { cache, events } = cacheWith(withMembers(ADA))
    cache.clear('signed_out')
    expect([cache.generation, cache.all().length, events]).toEqual([1, 0, [`ended ${LOBBY} signed_out`]])
  })

  it('keeps the names and the presence that only a stream reports', () => {
    const { cache, events } = cacheWith({
      ...withMembers(ADA, BOB),
      members: [
        {
          ...(toMember(member()) as LobbyState['members'][0]),
          username: 'ada',
          globalName: null,
          presence: 'away',
        },
        toMember(member(BOB)) as LobbyState['members'][0],
      ],
    })
    cache.putOwn(withMembers(ADA, BOB))
    expect(events).toEqual([])
    expect(cache.get(LOBBY)?.members).toMatchObject([
      { id: ADA, username: 'ada', globalName: null, presence: 'away' },
      { id: BOB },
    ])
    expect(cache.get(LOBBY)?.members[1]).toStrictEqual(toMember(member(BOB)))
  })

  it('stores a response for a lobby that it does not have', () => {
    const { cache, events } = cacheWith()
    cache.putOwn(withMembers(ADA))
    expect([events, cache.get(LOBBY)?.toJSON()]).toEqual([[`created ${LOBBY}`], withMembers(ADA)])
  })

  it('emits messages once, oldest first', () => {
    const { cache, events } = cacheWith()
    const messages = ['11', '9', '10', '9'].map((id) => readMessage(message({ id }), ROUTE))
    cache.addMessages(messages)
    cache.addMessages(messages)
    expect(events).toEqual(['message 9', 'message 10', 'message 11'])
  })

  it.each([
    ['a member is added', update('member', { member: toMember(member(BOB)) }), ['updated 1 to 2']],
    [
      'a member has changed',
      update('member', { member: toMember(member(ADA, { flags: 1 })) }),
      ['updated 1 to 1'],
    ],
    ['a member is the same', update('member', { member: toMember(member(ADA)) }), []],
    ['another member has left', update('memberRemoved', { memberId: bob }), []],
    ['the player has left', update('memberRemoved', { memberId: ada }), [`ended ${LOBBY} removed`]],
    ['the lobby has ended', update('deleted', {}), [`ended ${LOBBY} deleted`]],
    ['the lobby has changed', update('lobby', { lobby: withMembers(ADA, BOB) }), ['updated 1 to 2']],
    [
      'the player is not in the lobby',
      update('lobby', { lobby: withMembers(BOB) }),
      [`ended ${LOBBY} removed`],
    ],
    ['a message has come', update('message', { message: toMessage(message()) }), ['message 2001']],
    ['a message is pending', update('messagePending', { messageId: '2001' }), []],
    [
      'a member of another lobby has changed',
      { ...update('member', { member: toMember(member(BOB)) }), lobbyId: '9' } as LobbyUpdate,
      [],
    ],
  ])('follows a stream: %s', (_, change, expected) => {
    const { cache, events } = cacheWith(withMembers(ADA))
    cache.update(change, ada)
    expect(events).toEqual(expected)
  })

  it('keeps a lobby with a pending message, even if the player is unknown', () => {
    const { cache, events } = cacheWith(withMembers(ADA))
    cache.update(update('messagePending', { messageId: '2001' }), undefined)
    expect(events).toEqual([])
  })

  it('removes a member that has left, and replaces one that has changed in place', () => {
    const { cache } = cacheWith(withMembers(ADA, BOB))
    cache.update(update('member', { member: toMember(member(ADA, { flags: 1 })) }), ada)
    expect(cache.get(LOBBY)?.members.map(({ id, canLinkLobby }) => [id, canLinkLobby])).toEqual([
      [ADA, true],
      [BOB, false],
    ])
    cache.update(update('memberRemoved', { memberId: bob }), ada)
    expect(cache.get(LOBBY)?.members.map(({ id }) => id)).toEqual([ADA])
  })
})
