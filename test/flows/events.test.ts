/** The emulator delivers events to a backend: signed, repeated until they are acknowledged, forged on purpose, logged and sent again. */
import { createServer } from 'node:http'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  createEventHandler,
  createInteractionHandler,
  type EventHandler,
  toNodeListener,
} from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LobbyGame } from '../support/lobby-game'
import { type Listening, listen } from '../support/loopback'

let emulator: Emulator
let game: LobbyGame
let server: Listening
let url: string
let respond: EventHandler
let received: { type: string; data: unknown }[]

beforeEach(async () => {
  emulator = await createEmulator()
  game = new LobbyGame(emulator)
  received = []
  const record = (type: string) => (data: unknown) => void received.push({ type, data })
  respond = createEventHandler({
    publicKey: emulator.application.publicKey,
    on: {
      APPLICATION_AUTHORIZED: record('authorized'),
      APPLICATION_DEAUTHORIZED: record('deauthorized'),
      LOBBY_MESSAGE_CREATE: record('message'),
      other: ({ type, data }) => received.push({ type, data }),
    },
  })
  const listener = toNodeListener((request) => respond(request))
  server = await listen(createServer((request, response) => void listener(request, response)))
  url = `http://127.0.0.1:${server.port}/events`
})
afterEach(async () => {
  game.close()
  await server.close()
  await emulator.close()
})

const types = () => received.map(({ type }) => type)
const attempts = (type: string) => emulator.webhooks.list().filter((each) => each.type === type)

describe('events', () => {
  it('of players reach the handlers of a backend', async () => {
    await emulator.webhooks.connect(url)
    const ada = await game.player('ada')
    await expect.poll(types).toEqual(['authorized'])
    expect(received[0]?.data).toMatchObject({
      user: { username: 'ada' },
      scopes: expect.arrayContaining(['openid', 'sdk.social_layer']),
    })
    const lobby = await ada.createOrJoinLobby('moon')
    await lobby.send('Ready?')
    await expect.poll(types).toEqual(['authorized', 'message'])
    expect(received[1]?.data).toMatchObject({
      lobby_id: lobby.id,
      content: 'Ready?',
      author: { username: 'ada' },
    })
    emulator.tokens({ user: 'ada', action: 'revoke' })
    await expect.poll(types).toEqual(['authorized', 'message', 'deauthorized'])
    await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: { id: '5' } })
    await expect.poll(types).toContain('ENTITLEMENT_CREATE')
  })

  it('report a message with its metadata, and later its moderation', async () => {
    await emulator.webhooks.connect(url)
    const ada = await game.player('ada')
    const lobby = await ada.createOrJoinLobby('moon')
    const message = await lobby.send('Ready?', { metadata: { team: 'red' } })
    await expect.poll(types).toContain('message')
    expect(received.at(-1)?.data).toMatchObject({ content: 'Ready?', metadata: { team: 'red' } })
    await game.backend('PUT', `/${lobby.id}/messages/${message.id}/moderation-metadata`, { verdict: 'fine' })
    await expect.poll(types).toContain('LOBBY_MESSAGE_UPDATE')
    expect(received.at(-1)?.data).toMatchObject({
      id: message.id,
      content: 'Ready?',
      moderation_metadata: { verdict: 'fine' },
    })
  })

  it('have a time in UTC, although the service omits the zone', async () => {
    const times: string[] = []
    respond = createEventHandler({
      publicKey: emulator.application.publicKey,
      on: { other: ({ timestamp }) => times.push(timestamp) },
    })
    await emulator.webhooks.connect(url)
    const before = emulator.clock().now
    await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: {} })
    await expect.poll(() => times).toHaveLength(1)
    expect(times[0]).toMatch(/Z$/)
    expect(Math.abs(Date.parse(times[0] ?? '') - before)).toBeLessThan(60_000)
  })

  it('are sent to no address that accepts a forged PING, refuses PING, or is silent', async () => {
    respond = async () => new Response(null, { status: 204 })
    await expect(emulator.webhooks.connect(url)).rejects.toMatchObject({
      code: 'endpoint_refused',
      rule: expect.stringContaining('wrong signature'),
    })
    respond = async () => new Response(null, { status: 401 })
    await expect(emulator.webhooks.connect(url)).rejects.toMatchObject({
      code: 'endpoint_refused',
      rule: expect.stringContaining('PING'),
    })
    await expect(emulator.webhooks.connect('http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'endpoint_refused',
    })
    await game.player('ada')
    expect(attempts('APPLICATION_AUTHORIZED')).toEqual([])
    expect(emulator.webhooks.url).toBe(undefined)
  })

  it('print nothing in the terminal of the developer when the endpoints are tested with a forged PING', async () => {
    const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockReturnValue(undefined),
    )
    onTestFinished(() => printed.forEach((each) => each.mockRestore()))
    const { publicKey } = emulator.application
    respond = createEventHandler({ publicKey, on: {} })
    await emulator.webhooks.connect(url)
    respond = createInteractionHandler({ publicKey, commands: [], service: { host: emulator.url } })
    await emulator.interactions.connect(url)
    expect(emulator.interactions.list().map(({ kind }) => kind)).toEqual(['forged ping', 'ping'])
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  it('are repeated until the backend has acknowledged them, for ten minutes, and handled once', async () => {
    await emulator.webhooks.connect(url)
    const working = respond
    // The handler runs, and its response is lost.
    respond = async (request) => {
      await working(request)
      return new Response(null, { status: 503 })
    }
    const { state } = await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: {} })
    expect(state).toBe('pending')
    const count = () => attempts('ENTITLEMENT_CREATE')[0]?.attempts.length
    emulator.advance(1000)
    await expect.poll(count).toBe(2)
    respond = working
    emulator.advance(5000)
    await expect.poll(() => attempts('ENTITLEMENT_CREATE')[0]?.state).toBe('delivered')
    expect(attempts('ENTITLEMENT_CREATE')[0]?.attempts.map(({ status }) => status)).toEqual([503, 503, 204])
    expect(types()).toEqual(['ENTITLEMENT_CREATE'])

    respond = async () => new Response(null, { status: 500 })
    await emulator.webhooks.send({ type: 'ENTITLEMENT_DELETE', data: {} })
    for (let sent = 2; sent <= 7; sent++) {
      emulator.advance(600_000)
      await expect.poll(() => attempts('ENTITLEMENT_DELETE')[0]?.attempts.length).toBe(sent)
    }
    expect(attempts('ENTITLEMENT_DELETE')[0]?.state).toBe('refused')
  })

  it('are forged on purpose, logged, and sent again on request', async () => {
    await emulator.webhooks.connect(url)
    expect(
      await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: {}, forged: true }),
    ).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 401 }],
    })
    expect(received).toEqual([])
    const { id } = await emulator.webhooks.send({ type: 'ENTITLEMENT_CREATE', data: {} })
    expect((await emulator.webhooks.resend(id)).attempts.map(({ status }) => status)).toEqual([204, 204])
    expect(types()).toEqual(['ENTITLEMENT_CREATE'])
    const control = await fetch(`${emulator.url}/_emulator/webhooks`, {
      headers: { authorization: `Bearer ${emulator.controlToken}` },
    })
    expect(await control.json()).toMatchObject({
      url,
      deliveries: [{ type: 'PING', forged: true }, { type: 'PING' }, { forged: true }, { id }],
    })
    expect((await fetch(`${emulator.url}/_emulator/webhooks`)).status).toBe(401)
  })
})
