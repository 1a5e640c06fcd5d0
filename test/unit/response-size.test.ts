/** Size limit of API responses. */
import type { Fetch } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { codeOf } from '../support/settle'
import { createTokenService } from '../support/token-service'

const MIB = 1024 * 1024
/** The SDK reads at most 32 MiB. */
const PIECES = 40

/** A service with a response in chunks of 1 MiB, counted as they are read. */
function largeResponse(headers: Record<string, string>, pieces = PIECES) {
  const given = { pieces: 0 }
  const chunk = new TextEncoder().encode('x'.repeat(MIB))
  const fetch: Fetch = async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (given.pieces === pieces) return stream.close()
        given.pieces += 1
        stream.enqueue(chunk)
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/json', ...headers } })
  }
  return { fetch, given }
}

it.each([
  ['with an announced length', { 'content-length': String(PIECES * MIB) }],
  ['without an announced length', {}],
  [
    'with the announced length of its compressed form',
    { 'content-length': '5000', 'content-encoding': 'gzip' },
  ],
])(
  'a response of more than 32 MiB %s is rejected before it is read completely',
  async (_, headers: Record<string, string>) => {
    const { fetch, given } = largeResponse(headers)
    const client = createClientAt({ ...(await createTokenService()), fetch })
    const outcome = client.fetchCurrentUser({ accessToken: 'a-token' })
    await expect(outcome).rejects.toMatchObject({ name: 'ProtocolError', code: 'response_too_large' })
    expect(given.pieces).toBeLessThan(PIECES)
  },
)

it('a response of 32 MiB is read to its end, and is then no JSON', async () => {
  const { fetch, given } = largeResponse({}, 32)
  const client = createClientAt({ ...(await createTokenService()), fetch })
  await expect(client.fetchCurrentUser({ accessToken: 'a-token' })).rejects.toMatchObject({
    code: 'malformed_response',
  })
  expect(given.pieces).toBe(32)
})

it.each([
  [65_536, undefined],
  [65_537, 'response_too_large'],
])('a token response of %i characters: %s', async (length, code) => {
  const service = await createTokenService()
  const client = createClientAt(service)
  await service.signIn(client)
  const text = JSON.stringify(await service.tokens())
  service.override = async () =>
    new Response(text.padEnd(length), { headers: { 'content-type': 'application/json' } })
  expect(await codeOf(() => client.refreshToken())).toBe(code)
})

/** A JSON response in chunks of one byte. */
function inSingleBytes(content: object, status = 200): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const byte of bytes) stream.enqueue(Uint8Array.of(byte))
      stream.close()
    },
  })
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}

it('a character that is split between two chunks of a response is read whole', async () => {
  const content = { id: '1', username: 'zoë', global_name: '🦊' }
  const client = createClientAt({
    ...(await createTokenService()),
    fetch: async () => inSingleBytes(content),
  })
  const user = await client.fetchCurrentUser({ accessToken: 'a-token' })
  expect(user).toMatchObject({ id: '1', username: 'zoë', globalName: '🦊' })
})

it('a character that is split between two chunks of a token response is read whole', async () => {
  const service = await createTokenService()
  const errors = { external_auth_token: { _errors: [{ code: 'INVALID', message: 'Schlüssel 🦊' }] } }
  service.override = async () => inSingleBytes({ code: 50_035, message: 'Invalid Form Body', errors }, 400)
  const outcome = createClientAt(service).accounts.getToken({
    externalAuthType: 'OIDC',
    externalAuthToken: 'a-token',
  })
  await expect(outcome).rejects.toMatchObject({ code: 'invalid_body', issues: [{ message: 'Schlüssel 🦊' }] })
})

it('a token response that is announced as JSON and has no body is malformed', async () => {
  const service = await createTokenService()
  service.override = async () => new Response(null, { headers: { 'content-type': 'application/json' } })
  const outcome = createClientAt(service).accounts.getToken({
    externalAuthType: 'OIDC',
    externalAuthToken: 'a-token',
  })
  await expect(outcome).rejects.toMatchObject({ code: 'malformed_response' })
})
