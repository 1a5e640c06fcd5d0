/** Requests that claim to come from the proxy of an Activity, and do not: each is refused with a reason. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { verifyActivityRequest } from 'foyer-sdk/server'
import { describe, expect, it, vi } from 'vitest'

const NOW = 1_800_000_000
const clock = { now: () => NOW * 1000, after: () => () => undefined }
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hexKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
const payload = { created_at: NOW - 10, expires_at: NOW + 60, user_id: '42' }

interface Signing {
  key?: KeyObject
  encoding?: 'base64' | 'hex'
  brand?: string
}

/** A request as the proxy sends it; `changes` replace or, as undefined, remove its headers. */
function signed(
  content: object | string,
  { key = privateKey, encoding = 'base64', brand = 'service' }: Signing = {},
) {
  const bytes =
    content instanceof Buffer
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return {
    'x-signature-ed25519': sign(null, bytes, key).toString(encoding),
    'x-signature-timestamp': JSON.stringify((content as { created_at?: unknown }).created_at ?? NOW),
    [`x-${brand}-proxy-payload`]: bytes.toString('base64'),
  }
}

/** A payload whose header has this number of characters. */
function sized(characters: number) {
  const more = 'x'.repeat((characters / 4) * 3 - JSON.stringify({ ...payload, more: '' }).length)
  return { ...payload, more }
}

const verify = (headers: Record<string, string>, options: { brand?: string } = {}) =>
  verifyActivityRequest(new Request('https://game.example/api', { headers }), hexKey, { clock, ...options })

describe('verifyActivityRequest', () => {
  it.each(['base64', 'hex'] as const)(
    'accepts a signature in %s, and returns the payload',
    async (encoding) => {
      expect(await verify(signed(payload, { encoding }))).toEqual({ ok: true, payload })
    },
  )

  it('accepts a timestamp five minutes ahead, and an expiry of this second', async () => {
    const limits = { ...payload, created_at: NOW + 300, expires_at: NOW }
    expect(await verify(signed(limits))).toEqual({ ok: true, payload: limits })
  })

  it('accepts a payload of 8,192 characters', async () => {
    expect(await verify(signed(sized(8192)))).toEqual({ ok: true, payload: sized(8192) })
  })

  it('reads the header of the brand', async () => {
    expect(await verify(signed(payload, { brand: 'chat' }), { brand: 'chat' })).toEqual({ ok: true, payload })
    expect(await verify(signed(payload, { brand: 'chat' }))).toEqual({ ok: false, reason: 'missing_header' })
  })

  it('accepts a payload in its last second, and none after it', async () => {
    expect(await verify(signed({ ...payload, expires_at: NOW }))).toMatchObject({ ok: true })
    expect(await verify(signed({ ...payload, expires_at: NOW - 1 }))).toEqual({
      ok: false,
      reason: 'expired',
    })
  })

  it.each([
    ['another key', signed(payload, { key: generateKeyPairSync('ed25519').privateKey }), 'bad_signature'],
    [
      'the signature of another payload',
      { ...signed(payload), 'x-service-proxy-payload': btoa(JSON.stringify({ ...payload, user_id: '43' })) },
      'bad_signature',
    ],
    ['another timestamp', { ...signed(payload), 'x-signature-timestamp': String(NOW) }, 'timestamp_mismatch'],
    ['a timestamp in the future', signed({ ...payload, created_at: NOW + 301 }), 'future_timestamp'],
    ['a payload that never ends', signed({ created_at: NOW }), 'malformed_payload'],
    ['times as text', signed({ created_at: String(NOW), expires_at: String(NOW + 60) }), 'malformed_payload'],
    ['a payload that is no object', signed('null'), 'malformed_payload'],
    ['a payload that is no JSON', signed('{'), 'malformed_payload'],
    [
      'text that is no UTF-8',
      signed(Buffer.from(JSON.stringify({ ...payload, name: 'é' }), 'latin1')),
      'malformed_payload',
    ],
    [
      'a payload that is no base64',
      { ...signed(payload), 'x-service-proxy-payload': '%%%' },
      'malformed_payload',
    ],
    ['a payload of 8,196 characters', signed(sized(8196)), 'malformed_payload'],
    [
      'a signature of 63 bytes',
      { ...signed(payload), 'x-signature-ed25519': Buffer.alloc(63).toString('base64') },
      'malformed_signature',
    ],
    ['no signature', { ...signed(payload), 'x-signature-ed25519': '' }, 'missing_header'],
    ['no timestamp', { ...signed(payload), 'x-signature-timestamp': '' }, 'missing_header'],
  ])('refuses %s', async (_, headers, reason) => {
    expect(await verify(headers)).toEqual({ ok: false, reason })
  })

  it('refuses every request in a runtime without Ed25519', async () => {
    using importKey = vi
      .spyOn(crypto.subtle, 'importKey')
      .mockRejectedValue(new DOMException('Unrecognized name', 'NotSupportedError'))
    expect(await verify(signed(payload))).toEqual({ ok: false, reason: 'key_unusable' })
    expect(importKey).toHaveBeenCalledOnce()
  })

  it('rejects an invalid key and an invalid request as a mistake of the caller', async () => {
    const request = new Request('https://game.example/')
    await expect(verifyActivityRequest(request, 'abc')).rejects.toMatchObject({ code: 'invalid_argument' })
    for (const invalid of [undefined, {}, { headers: {} }])
      await expect(verifyActivityRequest(invalid as Request, hexKey)).rejects.toMatchObject({
        code: 'invalid_argument',
      })
  })
})
