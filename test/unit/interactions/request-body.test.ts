/** Reading of request bodies before verification: size limit and accepted encodings. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { verifyInteraction } from 'foyer-sdk/server'
import { PING, Sender, Signer } from './signed-sender'

let signer: Signer
let sender: Sender

beforeAll(async () => {
  signer = await Signer.create()
})
beforeEach(() => {
  sender = new Sender(signer)
})

const rejected = (reason: string) => ({ status: 401, body: { reason } })

/** 16 KiB per read, at most 16 MiB in total. */
function flood() {
  const seen = { parts: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.parts += 1
        if (seen.parts > 1000) controller.close()
        else controller.enqueue(new Uint8Array(16 * 1024))
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

it('an endless request body is cancelled at the size limit', async () => {
  const { body, seen } = flood()
  expect(await sender.deliver(PING, { body, headers: { 'content-length': undefined } })).toEqual(
    rejected('body_too_large'),
  )
  expect(seen).toEqual({ parts: 17, isCancelled: true })
})

it('a request body with an announced length above the limit is not read', async () => {
  const { body, seen } = flood()
  expect(await sender.deliver(PING, { body, headers: { 'content-length': '262145' } })).toEqual(
    rejected('body_too_large'),
  )
  expect(seen.parts).toBe(0)
})

it('a request body may have exactly the maximum size', async () => {
  const small = new Sender(signer, { maxBodyBytes: JSON.stringify(PING).length })
  expect((await small.deliver({ ...PING, id: '2' })).status).toBe(200)
  expect(
    (await small.deliver({ ...PING, id: '3' }, { headers: { 'content-length': undefined } })).status,
  ).toBe(200)
  expect(await small.deliver({ ...PING, id: '22' })).toEqual(rejected('body_too_large'))
})

it.each([{ 'x-signature-timestamp': '1' }, { 'x-signature-ed25519': 'zz' }])(
  'a request body is not read if the headers are invalid: %o',
  async (headers) => {
    const { body, seen } = flood()
    expect((await sender.deliver(PING, { body, headers })).status).toBe(401)
    expect(seen.parts).toBe(0)
  },
)

it('a decompressed request body is not reported as rewritten', async () => {
  const headers = {
    'content-encoding': 'gzip',
    'content-length': '5',
    'x-signature-ed25519': '0'.repeat(128),
  }
  expect(await sender.deliver(PING, { headers })).toEqual(rejected('bad_signature'))
})

it('a request body that is not UTF-8 is rejected as invalid JSON, signed or not', async () => {
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ ...PING, note: '?' })))
  bytes[bytes.indexOf(63)] = 0xff
  expect(await sender.deliver(bytes)).toEqual(rejected('malformed_body'))
})

it.each([0, -1, 2 ** 31, Number.NaN])(
  'a size limit of %s bytes is rejected before anything is read',
  async (maxBodyBytes) => {
    const request = new Request('https://game.test', { method: 'POST', body: '{}' })
    const outcome = verifyInteraction(request, '0'.repeat(64), { maxBodyBytes })
    await expect(outcome).rejects.toMatchObject({ name: 'ConfigurationError', code: 'invalid_argument' })
  },
)
