/** Attacks by time: an answer for one player arrives after another one has signed in, for each call of a client. */
import type { Client } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { BACKEND, CallOwnerWorld, LOBBY, PLAYERS, sendMessage, slowLine } from '../support/call-owner-world'
import { CALL_PATHS } from '../support/internals'

interface LateCall {
  readonly call: (client: Client) => Promise<unknown>
  /** End of the address whose answer is late. */
  readonly late: string
  /** The late answer, of Ada. */
  readonly answer: object
  /** `dropped`: the call ends with `signed_out`. `stands`: the change has been made, and its caller learns so. */
  readonly result: 'dropped' | 'stands'
}

/** A call that asks nothing for the session's player. */
type NoRequest = 'asks nothing for a session' | 'asks with tokens that the game gives'

const GUILD = '290926798626357999'
const lobby = {
  id: LOBBY,
  application_id: '1082700000000000001',
  metadata: {},
  members: [{ id: PLAYERS.ada }],
}
const message = {
  id: '900',
  type: 0,
  content: 'ada 1',
  lobby_id: LOBBY,
  channel_id: LOBBY,
  author: { id: PLAYERS.ada, username: 'ada' },
}
const theLobby = (client: Client) => {
  const found = client.lobbies.get(LOBBY)
  if (!found) throw new Error('the client is in no lobby')
  return found
}
const token = {
  refresh_token: 'refresh.ada.99',
  access_token: 'access.ada.99',
  expires_in: 3600,
  scope: 'openid',
}
const tokens = { ...token, token_type: 'Bearer' }
const NOTHING = 'asks nothing for a session'
const GIVEN = 'asks with tokens that the game gives'

const LATE: Readonly<Record<keyof typeof CALL_PATHS, LateCall | NoRequest>> = {
  authorize: NOTHING,
  abortAuthorize: NOTHING,
  createAuthorizationCodeVerifier: NOTHING,
  signIn: NOTHING,
  resume: NOTHING,
  handleCallback: NOTHING,
  getToken: NOTHING,
  updateToken: GIVEN,
  pauseRefresh: NOTHING,
  // Electron's main process alone has these. They ask the program of this computer.
  'desktop.setPresence': NOTHING,
  'desktop.followInvitations': NOTHING,
  'desktop.acceptRequest': NOTHING,
  'desktop.refuseRequest': NOTHING,
  takeInvitation: NOTHING,
  clearRateLimitBlocks: NOTHING,
  setApplicationId: NOTHING,
  'accounts.getTokenFromDevice': NOTHING,
  'accounts.abortDevice': NOTHING,
  'accounts.getToken': GIVEN,
  'accounts.merge': GIVEN,
  'accounts.mergeFromDevice': GIVEN,
  'accounts.unmerge': GIVEN,
  'accounts.exchangeChildToken': GIVEN,
  'activity.connect': NOTHING,
  'activity.fetchParticipants': NOTHING,
  // Joins by `createOrJoinLobby`.
  'activity.joinLobby': NOTHING,
  'lobbies.get': NOTHING,
  'lobbies.add': NOTHING,
  'lobby.autoLeave': NOTHING,
  // Reads by `fetchMessages`.
  'lobby.watch': NOTHING,
  'lobby.inviteLink': NOTHING,
  signOut: {
    call: (client) => client.signOut({ revoke: true }),
    late: '/revoke',
    answer: {},
    result: 'stands',
  },
  refreshToken: {
    call: (client) => client.refreshToken(),
    late: '/token',
    answer: tokens,
    result: 'dropped',
  },
  revokeToken: { call: (client) => client.revokeToken(), late: '/revoke', answer: {}, result: 'stands' },
  fetchCurrentUser: {
    call: (client) => client.fetchCurrentUser(),
    late: '/users/@me',
    answer: { id: PLAYERS.ada, username: 'ada', global_name: 'Ada', avatar: 'ada' },
    result: 'dropped',
  },
  fetchGuildMember: {
    call: (client) => client.fetchGuildMember(GUILD),
    late: '/member',
    answer: { nick: 'ada', roles: [] },
    result: 'dropped',
  },
  fetchPurchases: {
    call: (client) => client.fetchPurchases(),
    late: '/entitlements',
    answer: [{ id: '7', sku_id: '8', type: 1 }],
    result: 'dropped',
  },
  createOrJoinLobby: {
    call: (client) => client.createOrJoinLobby('ada 1'),
    late: '/lobbies',
    answer: lobby,
    result: 'stands',
  },
  'backend.fetch': {
    call: (client) => client.backend.fetch(`${BACKEND}/score`),
    late: '/score',
    answer: { of: 'ada' },
    result: 'dropped',
  },
  'backend.fetchTicket': {
    call: (client) => client.backend.fetchTicket(`${BACKEND}/tickets`),
    late: '/tickets',
    answer: { ticket: 'of ada' },
    result: 'dropped',
  },
  'lobbies.fetchGuilds': {
    call: (client) => client.lobbies.fetchGuilds(),
    late: '/guilds',
    answer: [{ id: GUILD, name: 'of ada', permissions: '0' }],
    result: 'dropped',
  },
  'lobbies.fetchGuildChannels': {
    call: (client) => client.lobbies.fetchGuildChannels(GUILD),
    late: '/channels',
    answer: [],
    result: 'dropped',
  },
  'lobby.send': {
    call: (client) => sendMessage(client, 'ada 1'),
    late: '/messages',
    answer: message,
    result: 'stands',
  },
  'lobby.fetchMessages': {
    call: (client) => theLobby(client).fetchMessages(),
    late: '/messages',
    answer: [message],
    result: 'dropped',
  },
  'lobby.leave': {
    call: (client) => theLobby(client).leave(),
    late: '/members/@me',
    answer: {},
    result: 'stands',
  },
  'lobby.link': {
    call: (client) => theLobby(client).link(GUILD),
    late: '/channel-linking',
    answer: lobby,
    result: 'stands',
  },
  'lobby.unlink': {
    call: (client) => theLobby(client).unlink(),
    late: '/channel-linking',
    answer: lobby,
    result: 'stands',
  },
  'lobby.createGuildInvite': {
    call: (client) => theLobby(client).createGuildInvite(),
    late: '/invites',
    answer: { code: 'of-ada' },
    result: 'stands',
  },
}

const calls = Object.entries(LATE).flatMap(([path, row]) =>
  typeof row === 'string' ? [] : [{ path, ...row }],
)

it('attack/291 every call of a client is either in the list, or asks nothing for a session', () => {
  expect(Object.keys(LATE).toSorted()).toEqual(Object.keys(CALL_PATHS).toSorted())
})

describe.each(calls)(
  'attack/291 $path, whose answer arrives after the next player',
  ({ call, late, answer, result }) => {
    it(`is ${result === 'dropped' ? 'dropped' : 'told to its caller alone'}, and shows nobody else anything`, async () => {
      const world = new CallOwnerWorld()
      const { line, release, waiting } = slowLine()
      let isLate = false
      const { fetch } = world.options
      const client = world.tab({
        fetch: (url, init) => (isLate && new URL(url).pathname.endsWith(late) ? line() : fetch(url, init)),
      })
      await world.signIn(client, 'ada')
      await world.enterLobby(client)
      isLate = true
      const outcome = call(client).then(
        () => 'a result',
        (error: { code?: string }) => error.code,
      )
      await expect.poll(waiting).toBe(1)
      isLate = false
      const before = client.session
      if (before) await client.signOut()
      await world.signIn(client, 'bruno')
      const shown: string[] = []
      for (const name of [
        'sessionChanged',
        'statusChanged',
        'lobbyCreated',
        'lobbyUpdated',
        'lobbyMessage',
      ] as const)
        client.on(name, (event: object) => shown.push(JSON.stringify(event)))
      release(() => Response.json(answer))
      expect(await outcome).toBe(result === 'dropped' ? 'signed_out' : 'a result')
      expect(client.session?.userId).toBe(PLAYERS.bruno)
      expect(client.session?.user.username).not.toBe('ada')
      expect(shown).toEqual([])
      expect([...client.lobbies]).toEqual([])
    })
  },
)
