/** Lobbies of an Activity: the shared one, those of invitations, and the one that a presence follows. */
import type { LobbyUpdates } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ActivityClientOptions, lobbyWith, openActivityClient, QUERY } from '../support/activity-client'
import { scriptedHost } from '../support/scripted-host'
import { codeOf, settle } from '../support/settle'
import { CLIENT_ID, createTokenService, type TokenService, USER_ID } from '../support/token-service'

const JOIN = 'ACTIVITY_JOIN'
const ADA = { id: USER_ID, username: 'ada' }
const AUTHENTICATED = { access_token: 'x', user: ADA, scopes: [], expires: '', application: {} }

let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})
afterEach(() => vi.unstubAllGlobals())

const openGame = (options?: ActivityClientOptions) => openActivityClient(service, options)

/** The secret with which a game joins the lobby of its Activity. */
async function secretOf(options: ActivityClientOptions) {
  const { client, joined } = openGame(options)
  await service.signIn(client)
  await client.activity.joinLobby()
  return joined.at(-1)?.['secret']
}

const ignore: (update: object) => void = () => undefined

/** A stream of lobby updates that the test sends. */
function updatesByHand() {
  const updates = { send: ignore }
  const lobbyUpdates: LobbyUpdates = {
    subscribe(listener) {
      updates.send = listener as never
      return () => undefined
    },
  }
  return { updates, lobbyUpdates }
}

describe('joinActivityLobby', () => {
  it('joins one lobby for all who play together, and another for another instance or application', async () => {
    const secrets = [
      await secretOf({}),
      await secretOf({ launchQuery: QUERY.replace('f-1', 'f-2') }),
      await secretOf({ launchQuery: QUERY.replace('i-1', 'i-2') }),
    ]
    expect(secrets[0]).toMatch(/^[\w-]{43}$/)
    expect(secrets[1]).toBe(secrets[0])
    expect(secrets[2]).not.toBe(secrets[0])
    const { client, joined } = openGame()
    await service.signIn(client)
    client.setApplicationId('1082700000000000009')
    await client.activity.joinLobby()
    expect(joined.at(-1)?.['secret']).not.toBe(secrets[0])
  })

  it('passes the options of the join on', async () => {
    const { client, joined } = openGame()
    await service.signIn(client)
    expect(await client.activity.joinLobby({ metadata: { map: 'sea' } })).toMatchObject({ id: '77' })
    expect(joined[0]).toMatchObject({ lobby_metadata: { map: 'sea' } })
    expect(await codeOf(() => client.activity.joinLobby({ signal: AbortSignal.abort() }))).toBe('aborted')
  })

  it('is refused outside an Activity', async () => {
    const { client, joined } = openGame({ launchQuery: '' })
    expect(await codeOf(() => client.activity.joinLobby())).toBe('no_activity_host')
    expect(joined).toEqual([])
  })
})

describe('an accepted invitation', () => {
  it('is emitted, and joined while the game follows invitations, the last earlier one too', async () => {
    const host = scriptedHost()
    const { client, events, joined } = openGame()
    await service.signIn(client)
    const connected = await client.activity.connect()
    const invite = async (secret: string) => {
      host.event(JOIN, { secret })
      await settle()
    }
    await invite('sun')
    await invite('moon')
    expect(events.at(-1)).toEqual(['activityJoin', { secret: 'moon' }])
    expect(joined).toEqual([])
    const [stop, stopOther] = [connected.followInvitations(), connected.followInvitations()]
    await expect.poll(() => events.at(-1)).toMatchObject(['activityLobby', { lobby: { id: '77' } }])
    stop()
    stop()
    await invite('mars')
    await expect.poll(() => joined).toHaveLength(2)
    stopOther()
    await invite('venus')
    expect(joined.map(({ secret }) => secret)).toEqual(['moon', 'mars'])
  })

  it('is joined after the one before, and of those that wait only the last', async () => {
    const host = scriptedHost()
    const answers: (() => void)[] = []
    const { client, events, joined } = openGame({
      fetch: async (url, init) => {
        if (!url.endsWith('/lobbies')) return service.fetch(url, init)
        joined.push((await new Request(url, init).json()) as Record<string, unknown>)
        await new Promise<void>((resolve) => answers.push(resolve))
        return Response.json(lobbyWith(1))
      },
    })
    await service.signIn(client)
    ;(await client.activity.connect()).followInvitations()
    for (const secret of ['sun', 'moon', 'mars']) host.event(JOIN, { secret })
    await expect.poll(() => answers).toHaveLength(1)
    answers[0]?.()
    await expect.poll(() => answers).toHaveLength(2)
    answers[1]?.()
    await expect.poll(() => events.filter(([name]) => name === 'activityLobby')).toHaveLength(2)
    expect(joined.map(({ secret }) => secret)).toEqual(['sun', 'mars'])
  })

  it('that was accepted while nobody was signed in is joined by the player who signs in', async () => {
    const host = scriptedHost()
    const { client, events, joined } = openGame()
    ;(await client.activity.connect()).followInvitations()
    host.event(JOIN, { secret: 'moon' })
    await settle()
    expect([joined, events.at(-1)]).toEqual([[], ['activityJoin', { secret: 'moon' }]])
    await service.signIn(client)
    await expect.poll(() => events.at(-1)).toMatchObject(['activityLobby', { lobby: { id: '77' } }])
  })

  it('that cannot be joined is logged with its code', async () => {
    const host = scriptedHost()
    const { client, events } = openGame({
      fetch: async (url, init) =>
        url.endsWith('/lobbies') ? Response.json({}, { status: 403 }) : service.fetch(url, init),
    })
    await service.signIn(client)
    ;(await client.activity.connect()).followInvitations()
    host.event(JOIN, { secret: 'moon' })
    await expect.poll(() => events.at(-1)).toEqual(['warn activity.join_failed', { code: 'http_403' }])
  })
})

/** A game in a lobby of one player, with a presence that follows it. */
async function openPresence() {
  const host = scriptedHost()
  host.respond = (command) => (command === 'AUTHENTICATE' ? AUTHENTICATED : {})
  const { updates, lobbyUpdates } = updatesByHand()
  const { client, events } = openGame({ lobbyUpdates })
  await service.signIn(client)
  await client.createOrJoinLobby('moon')
  const connected = await client.activity.connect()
  await connected.setPresence({ state: 'In the lobby', party: { lobbyId: '77', max: 4 } })
  const sizes = () =>
    host.commands('SET_ACTIVITY').map(({ args }) => Reflect.get(Object(args), 'activity')?.party?.size)
  const change = (members: number, id?: string) =>
    updates.send({
      type: 'lobby',
      lobby: { ...lobbyWith(members, id), applicationId: CLIENT_ID, linkedChannel: null },
    })
  return { host, client, events, sizes, change, updates }
}

describe('a presence with a lobby', () => {
  it('follows the size of that lobby, for the player of the session', async () => {
    const { host, client, sizes, change } = await openPresence()
    expect(host.commands('AUTHENTICATE').map(({ args }) => args)).toEqual([
      { access_token: client.session?.tokens.accessToken.reveal() },
    ])
    change(3)
    await expect.poll(sizes).toEqual([
      [1, 4],
      [3, 4],
    ])
    change(1, '8')
    change(2, '8')
    change(2)
    await expect.poll(sizes).toEqual([
      [1, 4],
      [3, 4],
      [2, 4],
    ])
  })

  it('is removed when the lobby ends, and not sent again', async () => {
    const { host, client, sizes, change, updates } = await openPresence()
    updates.send({ type: 'deleted', lobbyId: '77' })
    await expect.poll(sizes).toEqual([[1, 4], undefined])
    expect(Reflect.get(Object(host.commands('SET_ACTIVITY')[1]?.['args']), 'activity')).toBeNull()
    await client.createOrJoinLobby('moon')
    change(3)
    await settle()
    expect(sizes()).toHaveLength(2)
  })

  it('that cannot be updated is logged with its code', async () => {
    const { host, events, change } = await openPresence()
    host.respond = () => new Error('4006')
    change(2)
    await expect
      .poll(() => events.at(-1))
      .toEqual(['warn activity.presence_failed', { code: 'invalid_permissions' }])
  })

  it('is refused without a session', async () => {
    scriptedHost()
    const connected = await openGame().client.activity.connect()
    expect(await codeOf(() => connected.setPresence({ state: 'Alone' }))).toBe('signed_out')
  })
})
