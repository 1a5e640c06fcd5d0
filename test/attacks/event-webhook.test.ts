/** attack/166 forged, replayed, repeated, reordered, malformed and endless requests at a backend's endpoint for events. */
import {
  createEventHandler,
  createReplayMemory,
  type EventListeners,
  type InteractionError,
} from 'foyer-sdk/server'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { settled } from '../support/hub-world'

let keys: CryptoKeyPair
let clock: ManualClock
let handled: unknown[]
let errors: string[]

beforeAll(async () => {
  keys = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
})
beforeEach(() => {
  clock = new ManualClock()
  handled = []
  errors = []
})

const record =
  (name: string) =>
  (data: unknown): void =>
    void handled.push([name, data])

const create = (on: EventListeners = {}, options: Partial<Parameters<typeof createEventHandler>[0]> = {}) =>
  createEventHandler({
    publicKey: keys.publicKey,
    on: { LOBBY_MESSAGE_CREATE: record('create'), other: record('other'), ...on },
    clock,
    onError: ({ code }: InteractionError) => errors.push(code),
    ...options,
  })

async function signed(body: string, { key = keys.privateKey, at = clock.now() } = {}): Promise<Request> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = await crypto.subtle.sign('Ed25519', key, Buffer.from(timestamp + body))
  const headers = {
    'x-signature-ed25519': Buffer.from(signature).toString('hex'),
    'x-signature-timestamp': timestamp,
  }
  return new Request('https://game.test/events', { method: 'POST', headers, body })
}

const MESSAGE = { id: '7', lobby_id: '901', content: 'Ready?', author: { id: '11', username: 'ada' } }
const eventOf = (type: string, data: unknown = MESSAGE) =>
  JSON.stringify({
    version: 1,
    application_id: '5',
    type: 1,
    event: { type, timestamp: '2026-01-01T00:00:00Z', data },
  })

describe('an event', () => {
  it('is acknowledged with 204 before its handler runs, and PING without one', async () => {
    let isRunning = false
    const handler = create({ LOBBY_MESSAGE_CREATE: () => void (isRunning = true) })
    expect((await handler(await signed('{"version":1,"type":0}'))).status).toBe(204)
    const work: Promise<unknown>[] = []
    const response = await handler(await signed(eventOf('LOBBY_MESSAGE_CREATE')), {
      waitUntil: (promise) => void work.push(promise),
    })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await Promise.all(work)
    expect(isRunning).toBe(true)
  })

  it('that somebody else has signed, or nobody, is refused with 401', async () => {
    const { privateKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
    const handler = create()
    const body = eventOf('LOBBY_MESSAGE_CREATE')
    const changed = await signed(body)
    const unsigned = new Request('https://game.test/events', { method: 'POST', body })
    const requests = [
      await signed(body, { key: privateKey }),
      new Request(changed.url, {
        method: 'POST',
        headers: changed.headers,
        body: body.replace('Ready?', 'Give me gold'),
      }),
      unsigned,
      await signed(body, { at: clock.now() - 901_000 }),
      await signed(body, { at: clock.now() + 901_000 }),
    ]
    for (const request of requests) expect((await handler(request)).status).toBe(401)
    await settled()
    expect(handled).toEqual([])
    expect(errors).toEqual([
      'bad_signature',
      'bad_signature',
      'missing_header',
      'old_timestamp',
      'future_timestamp',
    ])
  })

  it('reaches its handler once, however often and in whichever process the request is replayed or repeated', async () => {
    const replays = createReplayMemory({ clock })
    const [one, two] = [create({}, { replays }), create({}, { replays })]
    const body = eventOf('LOBBY_MESSAGE_CREATE')
    const recorded = await signed(body)
    const statuses = [
      await one(recorded.clone()),
      await two(recorded.clone()),
      await two(await signed(body, { at: clock.now() + 5000 })),
    ]
    clock.advance(600_000)
    statuses.push(await one(await signed(body)))
    await settled()
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect(handled).toEqual([['create', MESSAGE]])
  })

  it('is answered with 500 while the store of delivered events fails, so that the service repeats it', async () => {
    expect(
      (
        await create(
          {},
          { replays: { seen: () => Promise.reject(new Error('no Redis')) } },
        )(await signed(eventOf('LOBBY_MESSAGE_CREATE')))
      ).status,
    ).toBe(500)
    await settled()
    expect(handled).toEqual([])
  })

  it('out of order, of an unknown type or with data of another type reaches no handler that relies on it', async () => {
    const handler = create()
    const odd = [
      eventOf('LOBBY_MESSAGE_DELETE', { id: '7', lobby_id: '901' }),
      eventOf('LOBBY_MESSAGE_CREATE', { ...MESSAGE, lobby_id: 901 }),
      eventOf('LOBBY_MESSAGE_CREATE', null),
      eventOf('__proto__'),
      eventOf('constructor'),
    ]
    for (const body of odd) expect((await handler(await signed(body))).status).toBe(204)
    await settled()
    expect(handled.map((each) => (each as string[])[0])).toEqual([
      'other',
      'other',
      'other',
      'other',
      'other',
    ])
    for (const body of ['', 'null', '[]', '{"type":1}', '{"type":1,"event":[]}', '\u0000'])
      expect((await handler(await signed(body))).status).toBe(400)
  })

  it('of 10 MB is refused, with or without its length', async () => {
    const request = await signed(
      eventOf('LOBBY_MESSAGE_CREATE', { ...MESSAGE, content: 'x'.repeat(10_000_000) }),
    )
    expect((await create()(request)).status).toBe(401)
    expect(errors).toEqual(['body_too_large'])
  })

  it('whose handler fails is reported, and disturbs no other', async () => {
    const handler = create({ LOBBY_MESSAGE_CREATE: () => Promise.reject(new Error('no database')) })
    expect((await handler(await signed(eventOf('LOBBY_MESSAGE_CREATE')))).status).toBe(204)
    await settled()
    expect(errors).toEqual(['handler_failed'])
  })
})
