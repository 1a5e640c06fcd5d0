/** How much of an answer of the API is read. */
import type { Fetch } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createTokenService } from '../support/token-service'

const MIB = 1024 * 1024
/** The SDK reads 32 MiB at the most. */
const PIECES = 40

/** A service whose answer is 40 MiB of text, in pieces of one MiB that count as they are asked for. */
function largeAnswer(headers: Record<string, string>) {
  const given = { pieces: 0 }
  const piece = new TextEncoder().encode('x'.repeat(MIB))
  const fetch: Fetch = async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (given.pieces === PIECES) return stream.close()
        given.pieces += 1
        stream.enqueue(piece)
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/json', ...headers } })
  }
  return { fetch, given }
}

it.each([
  ['whose length is announced', { 'content-length': String(PIECES * MIB) }],
  ['whose length is not announced', {}],
  ['whose announced length is that of its compressed form', { 'content-length': '5000', 'content-encoding': 'gzip' }],
])('an answer of more than 32 MiB %s is refused, and not read to its end', async (_, headers: Record<string, string>) => {
  const { fetch, given } = largeAnswer(headers)
  const client = createClientAt({ ...(await createTokenService()), fetch })
  const outcome = client.fetchCurrentUser({ accessToken: 'a-token' })
  await expect(outcome).rejects.toMatchObject({ name: 'ProtocolError', code: 'response_too_large' })
  expect(given.pieces).toBeLessThan(PIECES)
})
