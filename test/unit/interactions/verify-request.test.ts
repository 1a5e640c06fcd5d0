/** Verification of interaction requests. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createReplayMemory, defineCommand, verifyInteraction } from 'foyer-sdk/server'
import { nextId, PING, Sender, Signer, slash } from './signed-sender'

let signer: Signer
let sender: Sender

beforeAll(async () => {
  signer = await Signer.create()
})
beforeEach(() => {
  sender = new Sender(signer)
})

/** The encodings that libsodium refuses, and the same with the other sign of `x`. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].flatMap((key) => [key, key.slice(0, 62) + (Number.parseInt(key.slice(62), 16) | 128).toString(16)])

const ping = () => ({ ...PING, id: nextId() })
const rejected = (reason: string) => ({ status: 401, body: { reason } })

describe('a request of the service', () => {
  it('gets a response if it is a PING', async () => {
    const response = await sender.send(ping())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ type: 1 })
  })

  it('is verified over its raw bytes, even with unusual formatting and without ASCII', async () => {
    const text = `{ "type":1,\n"id":"1", "application_id":"2","token":"t", "version":1, "note":"日本 \\u00e9 é"}`
    expect(await sender.deliver(text)).toEqual({ status: 200, body: { type: 1 } })
  })

  it('is accepted with or without an announced length, whole or in chunks', async () => {
    const text = JSON.stringify(ping())
    const chunks = new ReadableStream({
      start(controller) {
        for (const letter of text) controller.enqueue(new TextEncoder().encode(letter))
        controller.close()
      },
    })
    expect(await sender.deliver(text, { body: chunks, headers: { 'content-length': undefined } })).toEqual({
      status: 200,
      body: { type: 1 },
    })
  })

  it('is accepted once with a signature in capitals', async () => {
    const request = await sender.request(ping())
    const headers = new Headers(request.headers)
    headers.set('x-signature-ed25519', headers.get('x-signature-ed25519')?.toUpperCase() ?? '')
    const uppercase = new Request(request.clone(), { headers })
    expect((await sender.handle(uppercase)).status).toBe(200)
    expect(await (await sender.handle(request)).json()).toEqual({ reason: 'replayed' })
  })

  it('that is a PING may be repeated, since nothing runs', async () => {
    const first = await sender.request(PING)
    sender.clock.advance(1000)
    const second = await sender.request(PING)
    expect((await sender.handle(first)).status).toBe(200)
    expect((await sender.handle(second)).status).toBe(200)
  })
})

describe('a request is rejected with 401 and its own reason', () => {
  it.each([
    ['missing_header', { 'x-signature-ed25519': undefined }],
    ['missing_header', { 'x-signature-timestamp': undefined }],
    ['malformed_signature', { 'x-signature-ed25519': 'zz' }],
    ['malformed_signature', { 'x-signature-ed25519': 'g'.repeat(128) }],
    ['malformed_timestamp', { 'x-signature-timestamp': 'yesterday' }],
    ['malformed_timestamp', { 'x-signature-timestamp': '1e9' }],
    ['malformed_timestamp', { 'x-signature-timestamp': '-5' }],
    ['malformed_timestamp', { 'x-signature-timestamp': '1767225600000' }],
    ['bad_signature', { 'x-signature-ed25519': '0'.repeat(128) }],
  ])('%s for %o', async (reason, headers) => {
    expect(await sender.deliver(ping(), { headers })).toEqual(rejected(reason))
    expect(sender.codes).toEqual([reason])
  })

  it('if another key signed it', async () => {
    const other = new Sender(await Signer.create())
    expect((await sender.handle(await other.request(ping()))).status).toBe(401)
    expect(sender.codes).toEqual(['bad_signature'])
    // The likely cause is the SDK's own text, and whole: only text of a payload is shortened.
    expect(sender.errors[0]?.message).toMatch(/tests the endpoint with a forged request$/)
  })

  it('if the timestamp differs from the signed one', async () => {
    const timestamp = String(Math.floor(sender.clock.now() / 1000) + 1)
    expect(await sender.deliver(ping(), { headers: { 'x-signature-timestamp': timestamp } })).toEqual(
      rejected('bad_signature'),
    )
  })

  it('if the body was parsed and serialized again', async () => {
    const text = JSON.stringify(ping(), undefined, 1)
    const again = JSON.stringify(JSON.parse(text))
    expect(await sender.deliver(text, { body: again })).toEqual(rejected('body_altered'))
    expect(await sender.deliver(text, { body: again, headers: { 'content-length': undefined } })).toEqual(
      rejected('bad_signature'),
    )
  })

  it('if its timestamp is too old or in the future', async () => {
    const early = await sender.request(ping())
    sender.clock.advance(301_000)
    expect((await sender.handle(early)).status).toBe(401)
    const future = new Sender(signer)
    future.clock.advance(700_000)
    expect((await sender.handle(await future.request(ping()))).status).toBe(401)
    expect(sender.codes).toEqual(['old_timestamp', 'future_timestamp'])
  })

  it('from the millisecond after its lifetime, and not before', async () => {
    const [first, second] = [await sender.request(ping()), await sender.request(ping())]
    const ahead = new Sender(signer)
    ahead.clock.advance(300_000)
    expect((await sender.handle(await ahead.request(ping()))).status).toBe(200)
    sender.clock.advance(300_000)
    expect((await sender.handle(first)).status).toBe(200)
    sender.clock.advance(1)
    expect((await sender.handle(second)).status).toBe(401)
  })

  it('if it is repeated while its timestamp is valid', async () => {
    const request = await sender.request(ping())
    const again = Array.from({ length: 3 }, () => request.clone())
    const responses = await Promise.all(again.map(async (each) => (await sender.handle(each)).status))
    expect(responses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    sender.clock.advance(299_000)
    expect(await (await sender.handle(request)).json()).toEqual({ reason: 'replayed' })
  })

  it('if the same interaction is signed again, in another second and another spelling', async () => {
    const ran: string[] = []
    const once = new Sender(signer, {
      commands: [defineCommand({ name: 'x', description: 'd' }, ({ id }) => (ran.push(id), 'here'))],
    })
    const payload = slash('x')
    const texts = [JSON.stringify(payload), JSON.stringify(payload, undefined, 1), JSON.stringify(payload)]
    const requests: Request[] = []
    for (const text of texts) {
      requests.push(await once.request(text))
      once.clock.advance(1000)
    }
    const responses = await Promise.all(requests.map(async (request) => (await once.handle(request)).json()))
    expect(
      responses.filter((body: unknown) => JSON.stringify(body) === '{"reason":"replayed"}'),
    ).toHaveLength(2)
    expect(ran).toEqual([payload.id])
    expect((await once.deliver(slash('x'))).status).toBe(200)
    expect(ran).toHaveLength(2)
  })

  it('only once: an interaction that was malformed or forged before is still accepted', async () => {
    const payload = slash('x')
    expect(
      (await sender.deliver(payload, { headers: { 'x-signature-ed25519': '0'.repeat(128) } })).status,
    ).toBe(401)
    expect((await sender.deliver({ ...payload, data: [] })).status).toBe(400)
    expect((await sender.deliver(payload)).status).toBe(200)
  })

  it('if it is repeated at another process, for as long as a future timestamp is valid', async () => {
    const remembered = new Map<string, number>()
    const seen = (key: string, ttl: number) => remembered.has(key) || !remembered.set(key, ttl)
    const request = await sender.request(ping())
    const [one, other] = [1, 2].map(() => new Sender(signer, { replays: { seen }, maxAge: 60_000 }))
    expect((await one?.handle(request.clone()))?.status).toBe(200)
    expect(await (await other?.handle(request))?.json()).toEqual({ reason: 'replayed' })
    expect([...remembered.values()]).toEqual([120_000])
  })

  it('if its body is too large, announced or not', async () => {
    const text = JSON.stringify({ ...ping(), filling: 'x'.repeat(1024 * 1024) })
    expect(await sender.deliver(text)).toEqual(rejected('body_too_large'))
    expect(await sender.deliver(text, { headers: { 'content-length': undefined } })).toEqual(
      rejected('body_too_large'),
    )
    expect(await sender.deliver(text, { headers: { 'content-length': '5' } })).toEqual(
      rejected('body_too_large'),
    )
  })

  it('if its body was read before', async () => {
    const request = await sender.request(ping())
    await request.text()
    expect(await (await sender.handle(request)).json()).toEqual({ reason: 'body_consumed' })
  })

  it('if its body breaks off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    expect(await sender.deliver(ping(), { body, headers: { 'content-length': undefined } })).toEqual(
      rejected('body_unreadable'),
    )
  })

  it('if it has no body', async () => {
    expect(await sender.deliver(ping(), { body: null, headers: { 'content-length': undefined } })).toEqual(
      rejected('bad_signature'),
    )
    expect((await sender.handle(new Request('https://game.example/'))).status).toBe(401)
  })

  it.each(['', '{', 'undefined', '"\u0000', '['.repeat(100_000)])(
    'if it is signed but no JSON: %#',
    async (text) => {
      expect(await sender.deliver(text)).toEqual(rejected('malformed_body'))
    },
  )
})

it('a request is answered with 500 if the replay store fails', async () => {
  const failing = new Sender(signer, { replays: { seen: () => Promise.reject(new Error('store down')) } })
  expect(await failing.deliver(ping())).toEqual({ status: 500, body: { reason: 'replay_unknown' } })
})

describe('a signed request that is no interaction', () => {
  it.each([
    ['malformed_interaction', null],
    ['malformed_interaction', []],
    ['malformed_interaction', {}],
    ['malformed_interaction', { ...PING, id: 1 }],
    ['malformed_interaction', { ...PING, token: '..' }],
    ['malformed_interaction', { ...PING, application_id: '..' }],
    [
      'malformed_interaction',
      { ...slash('x'), type: 4, data: { name: 'x', type: 2, target_id: '1', resolved: {} } },
    ],
    ['malformed_interaction', { ...PING, type: '1' }],
    ['malformed_interaction', { ...slash('x'), member: undefined }],
    ['malformed_interaction', { ...slash('x'), data: [] }],
    ['malformed_interaction', { ...slash('x'), data: { name: 'x', type: 9 } }],
    ['unknown_type', { ...PING, type: 6 }],
    ['unknown_type', { ...PING, type: 1e9 }],
  ])('gets 400 and %s: %j', async (reason, payload) => {
    expect(await sender.deliver(payload)).toEqual({ status: 400, body: { reason } })
  })

  it('may be nested to any depth', async () => {
    const deep = `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
    expect((await sender.deliver(deep)).status).toBe(400)
    const text = JSON.stringify(ping()).replace(
      '"version":1',
      `"version":1,"deep":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
    )
    expect(await sender.deliver(text)).toEqual({ status: 200, body: { type: 1 } })
  })
})

describe('verifyInteraction', () => {
  it('returns the interaction', async () => {
    const request = await sender.request(slash('blep'))
    const result = await verifyInteraction(request, signer.publicKey, { clock: sender.clock })
    expect(result).toMatchObject({ ok: true, interaction: { type: 2, data: { name: 'blep' } } })
  })

  it('returns the reason of a rejection, and accepts a replay store', async () => {
    const request = await sender.request(slash('blep'))
    const options = { clock: sender.clock, replays: createReplayMemory({ clock: sender.clock }) }
    await verifyInteraction(request.clone(), signer.publicKey, options)
    expect(await verifyInteraction(request, signer.publicKey, options)).toEqual({
      ok: false,
      reason: 'replayed',
    })
  })

  it.each(['', 'zz'.repeat(32), 'ab'.repeat(31), 'ab'.repeat(33)])(
    'rejects an invalid public key: %j',
    async (key) => {
      const request = await sender.request(ping())
      await expect(verifyInteraction(request, key)).rejects.toMatchObject({ code: 'invalid_argument' })
      expect(() => new Sender(signer, { publicKey: key })).toThrow(/public/)
    },
  )

  it.each(SMALL_ORDER)('rejects a public key of small order: %s', async (key) => {
    const request = await sender.request(ping())
    for (const spelling of [key, key.toUpperCase()]) {
      await expect(verifyInteraction(request, spelling)).rejects.toMatchObject({ code: 'invalid_argument' })
      expect(() => new Sender(signer, { publicKey: spelling })).toThrow(/small order/)
    }
  })

  it('handles no forged request with an imported key of small order', async () => {
    const raw = new Uint8Array(Buffer.from('0'.repeat(64), 'hex'))
    const publicKey = await crypto.subtle.importKey('raw', raw, 'Ed25519', true, ['verify'])
    const fooled = new Sender(signer, { publicKey })
    // The neutral point and zero sign a quarter of all messages for a point of order 4.
    const forged = { 'x-signature-ed25519': `01${'0'.repeat(126)}` }
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => fooled.deliver(ping(), { headers: forged })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(fooled.codes)).toEqual(new Set(['key_unusable']))
  })

  it('refuses every request in a runtime without Ed25519', async () => {
    using importKey = vi
      .spyOn(crypto.subtle, 'importKey')
      .mockRejectedValue(new DOMException('Unrecognized name', 'NotSupportedError'))
    const outcome = await verifyInteraction(await sender.request(ping()), signer.publicKey, {
      clock: sender.clock,
    })
    expect(outcome).toEqual({ ok: false, reason: 'key_unusable' })
    expect(importKey).toHaveBeenCalledOnce()
  })

  it('accepts an imported Ed25519 key for verification', async () => {
    const raw = new Uint8Array(Buffer.from(signer.publicKey, 'hex'))
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    expect((await verifyInteraction(await sender.request(ping()), key, { clock: sender.clock })).ok).toBe(
      true,
    )
    const others = [
      await crypto.subtle.importKey('raw', raw, 'Ed25519', true, []),
      await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']),
    ]
    const lookalikes = [undefined, null, 7, { algorithm: { name: 'Ed25519' }, usages: ['verify'] }] as never[]
    for (const other of [...others, ...lookalikes])
      expect(() => new Sender(signer, { publicKey: other })).toThrow(/publicKey/)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 900_001])(
    'rejects a signature lifetime of %d ms',
    (maxAge) => {
      expect(() => new Sender(signer, { maxAge })).toThrow(/maxAge/)
    },
  )
})
