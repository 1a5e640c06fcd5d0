/** Calls of a client inside an Activity: the connection to its host window, and the participants. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ActivityClientOptions, LAUNCH, openActivityClient } from '../support/activity-client'
import { scriptedHost } from '../support/scripted-host'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { codeOf, settle } from '../support/settle'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const PARTICIPANTS = 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
const GET_PARTICIPANTS = 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'
const JOIN = 'ACTIVITY_JOIN'
const ADA = { id: USER_ID, username: 'ada', global_name: 'Ada', nickname: null, avatar: 'abc' }
const BOB = { id: '80351110224678913', username: 'bob' }

let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})
afterEach(() => vi.unstubAllGlobals())

const openGame = (options?: ActivityClientOptions) => openActivityClient(service, options)

describe('activity.connect', () => {
  it('greets the host, subscribes to its events, and resolves with the launch', async () => {
    const host = scriptedHost()
    const { client, events } = openGame()
    expect(await client.activity.connect()).toMatchObject(LAUNCH)
    expect(host.posted[0]).toEqual([0, { v: 1, encoding: 'json', client_id: CLIENT_ID, frame_id: 'f-1' }])
    expect(host.commands('SUBSCRIBE').map(({ evt }) => evt)).toEqual([PARTICIPANTS, JOIN])
    expect(events).toEqual([['activityLaunched', { launch: LAUNCH }]])
  })

  it('connects once for all callers', async () => {
    const host = scriptedHost()
    const { client, events } = openGame()
    const [first, second] = await Promise.all([client.activity.connect(), client.activity.connect()])
    expect([second, await client.activity.connect()]).toEqual([first, first])
    expect(await client.activity.connect()).toBe(first)
    expect(host.posted.filter(([opcode]) => opcode === 0)).toHaveLength(1)
    expect(events).toHaveLength(1)
  })

  it('is refused without launch parameters, and without an application id, before the host receives anything', async () => {
    const host = scriptedHost()
    expect(await codeOf(() => openGame({ launchQuery: '?frame_id=f-1' }).client.activity.connect())).toBe(
      'no_activity_host',
    )
    expect(
      await codeOf(() => openGame({ applicationId: undefined as never }).client.activity.connect()),
    ).toBe('missing_application_id')
    expect(host.posted).toEqual([])
  })

  it('rejects an aborted caller, and connects the others', async () => {
    const host = scriptedHost()
    host.isSilent = true
    const { client } = openGame()
    const stop = new AbortController()
    const [aborted, other] = [
      codeOf(() => client.activity.connect({ signal: stop.signal })),
      client.activity.connect(),
    ]
    await settle()
    stop.abort()
    expect(await aborted).toBe('aborted')
    host.isSilent = false
    host.greet()
    expect(await other).toMatchObject(LAUNCH)
    expect(host.posted.filter(([opcode]) => opcode === 0)).toHaveLength(1)
  })

  it('can be called again after a host that did not respond in time', async () => {
    const host = scriptedHost()
    host.isSilent = true
    const { client, events } = openGame()
    const outcome = codeOf(() => client.activity.connect())
    await settle()
    service.clock.advance(10_000)
    expect(await outcome).toBe('timed_out')
    host.isSilent = false
    expect(await client.activity.connect()).toMatchObject(LAUNCH)
    expect(events.map(([name]) => name)).toEqual(['activityLaunched'])
  })

  it('lets the player sign in through the host, and after its end as before', async () => {
    const host = scriptedHost()
    host.respond = (command) => (command === 'AUTHORIZE' ? new Error('5000') : {})
    const own = scriptedSurface((url) => callbackTo(url))
    const { client, events } = openGame({ surface: own })
    await client.activity.connect()
    expect(await codeOf(() => client.authorize({ scopes: 'identify' }))).toBe('access_denied')
    expect([host.commands('AUTHORIZE').length, own.opened.length]).toEqual([1, 0])
    host.close(4003)
    expect(events.at(-1)).toEqual(['activityClosed', { closeCode: 4003, code: 'token_revoked' }])
    expect((await client.authorize({ scopes: 'identify' })).code.reveal()).toBe('the-code')
    expect([host.commands('AUTHORIZE').length, own.opened.length]).toEqual([1, 1])
  })

  it('connects anew after the host has closed the connection', async () => {
    const host = scriptedHost()
    const { client, events } = openGame()
    const first = await client.activity.connect()
    host.close()
    expect(events.at(-1)).toEqual(['activityClosed', { closeCode: 1000, code: 'activity_closed' }])
    expect(await client.activity.connect()).not.toBe(first)
    expect(host.posted.filter(([opcode]) => opcode === 0)).toHaveLength(2)
    host.event(JOIN, { secret: 'moon' })
    expect(events.filter(([name]) => name === 'activityJoin')).toHaveLength(1)
  })
})

it('activity.launch has the launch parameters inside an Activity, and null elsewhere', () => {
  expect(openGame().client.activity.launch).toEqual(LAUNCH)
  expect(openGame({ launchQuery: '?instance_id=i-1&platform=desktop' }).client.activity.launch).toBeNull()
})

/** Returns true if a client greets a host at this origin, and the ignored hosts that it logs. */
const connects = async (origin: string, options: object) => {
  const host = scriptedHost({ origin })
  const { client, events } = openGame({ service: options })
  const outcome = codeOf(() => client.activity.connect())
  await settle()
  service.clock.advance(10_000)
  await outcome
  vi.unstubAllGlobals()
  return [
    host.posted.length > 0,
    ...events.filter(([name]) => name.includes('ignored')).map(([, data]) => data),
  ]
}

describe('a host window', () => {
  const LOCAL = 'http://127.0.0.1:3333'

  it('is trusted at the origin of the service, and at any on this machine for a service on this machine', async () => {
    expect(await connects(HOST, {})).toEqual([true])
    expect(await connects('http://localhost:3333', { host: LOCAL })).toEqual([true])
    expect(await connects('http://localhost:4444', { host: LOCAL })).toEqual([true])
  })

  it('is ignored elsewhere, and its origin is logged with the accepted ones', async () => {
    const evil = 'https://evil.test'
    expect(await connects(evil, {})).toEqual([false, { origin: evil, accepted: HOST }])
    expect(await connects('http://localhost:3333', {})).toEqual([
      false,
      { origin: 'http://localhost:3333', accepted: HOST },
    ])
    expect(await connects(evil, { host: LOCAL })).toEqual([
      false,
      { origin: evil, accepted: `${LOCAL} http://localhost:3333` },
    ])
  })

  it('is trusted at the configured origins only', async () => {
    const activityOrigins = ['https://host.test', 'https://ptb.test']
    expect(await connects('https://ptb.test', { activityOrigins })).toEqual([true])
    expect(await connects(HOST, { activityOrigins })).toEqual([
      false,
      { origin: HOST, accepted: activityOrigins.join(' ') },
    ])
    expect(await connects('http://localhost:4444', { host: LOCAL, activityOrigins })).toMatchObject([
      false,
      {},
    ])
  })
})

describe('the participants', () => {
  it('are those that the host lists', async () => {
    scriptedHost({ respond: (command) => (command === GET_PARTICIPANTS ? { participants: [ADA, BOB] } : {}) })
    const { client } = openGame()
    expect(await client.activity.fetchParticipants()).toEqual([
      { id: USER_ID, username: 'ada', globalName: 'Ada', nickname: null, avatar: 'abc' },
      { id: BOB.id, username: 'bob', globalName: null, nickname: null, avatar: null },
    ])
  })

  it('are refused if the list is malformed, and the call can be aborted', async () => {
    const host = scriptedHost()
    const { client } = openGame()
    expect(await codeOf(() => client.activity.fetchParticipants())).toBe('malformed_response')
    host.isSilent = true
    const stop = new AbortController()
    const outcome = codeOf(() => client.activity.fetchParticipants({ signal: stop.signal }))
    await settle()
    stop.abort()
    expect(await outcome).toBe('aborted')
  })

  it.each([
    [{ config: { cdn_host: 'cdn.test' } }, 'https://cdn.test/avatars'],
    [{ config: { cdn_host: 'http://localhost:1/cdn' } }, 'http://localhost:1/cdn/avatars'],
    [{ config: { cdn_host: 'cdn.test/http:80' } }, 'https://cdn.test/http:80/avatars'],
    [{ config: { cdn_host: 'https.test' } }, 'https://https.test/avatars'],
    [{ config: { cdn_host: 7 } }, 'https:///avatars'],
    [{ config: 'x' }, 'https:///avatars'],
    [null, 'https:///avatars'],
  ])('are the players of the host from the start, with avatars as READY says: %j', async (ready, avatars) => {
    scriptedHost({
      ready: ready as object,
      respond: (command) => (command === GET_PARTICIPANTS ? { participants: [ADA, BOB] } : {}),
    })
    const { client } = openGame()
    const host = await client.activity.connect()
    await expect
      .poll(() => host.players)
      .toEqual([
        { id: USER_ID, name: 'Ada', avatarUrl: `${avatars}/${USER_ID}/abc.png` },
        { id: BOB.id, name: 'bob', avatarUrl: null },
      ])
  })

  it('change with the events of the host, which a late list does not undo', async () => {
    let subscriptions = 0
    const host = scriptedHost({
      respond() {
        // The list of players is requested after the two subscriptions, and gets no response yet.
        host.isSilent = ++subscriptions === 2
        return {}
      },
    })
    const { client, events } = openGame()
    const connected = await client.activity.connect()
    expect(connected.players).toEqual([])
    const [late] = host.commands(GET_PARTICIPANTS)
    host.event(PARTICIPANTS, { participants: [BOB] })
    expect(connected.players.map(({ name }) => name)).toEqual(['bob'])
    expect(events.at(-1)).toMatchObject([
      'activityParticipants',
      { participants: [{ id: BOB.id, username: 'bob' }] },
    ])
    host.send([1, { cmd: GET_PARTICIPANTS, nonce: late?.['nonce'], data: { participants: [ADA] } }])
    await settle()
    expect(connected.players.map(({ name }) => name)).toEqual(['bob'])
  })

  it('do not change with other events, whatever data these have', async () => {
    const host = scriptedHost()
    const { client } = openGame()
    const connected = await client.activity.connect()
    host.event(JOIN, { participants: [BOB] })
    expect(connected.players).toEqual([])
  })

  it('stay unknown, without an error, if the host does not list them', async () => {
    scriptedHost({ respond: (command) => (command === GET_PARTICIPANTS ? new Error('4002') : {}) })
    const { client } = openGame()
    const host = await client.activity.connect()
    await settle()
    expect(host.players).toEqual([])
  })

  it('reach the listeners that the game has added itself', async () => {
    const host = scriptedHost()
    const { client } = openGame()
    const connected = await client.activity.connect()
    const seen: unknown[] = []
    await connected.subscribe(PARTICIPANTS as never, (data) => seen.push(data))
    host.event(PARTICIPANTS, { participants: [] })
    expect(seen).toEqual([{ participants: [] }])
    expect(host.commands('SUBSCRIBE')).toHaveLength(2)
  })

  it.each([
    [PARTICIPANTS, { participants: [{ id: 'x' }] }],
    [PARTICIPANTS, null],
    [JOIN, {}],
    [JOIN, { secret: 7 }],
    [JOIN, null],
  ])('and invitations that are malformed are logged and ignored: %s %j', async (event, data) => {
    const host = scriptedHost()
    const { client, events } = openGame()
    await client.activity.connect()
    host.event(event, data)
    host.event('SPEAKING_START', { secret: 'moon', participants: [ADA] })
    expect(events.slice(1)).toEqual([['warn activity.malformed_event', { event }]])
  })
})
