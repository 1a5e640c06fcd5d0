/** Remote JWKS: shared fetches, aborts, cache times and cleanup. */
import { createServer } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRemoteJwks, type RemoteJwks } from '../../src/tokens/id-token/remote-jwks'
import { createKey, type SigningKey, TokenIssuer } from '../support/token-issuer'

const HEADER = { alg: 'RS256', kid: 'rsa' }
const UNKNOWN = { alg: 'RS256', kid: 'unknown' }
const UNAVAILABLE = { code: 'keys_unavailable', retryable: true }

let rsa: SigningKey
let issuer: TokenIssuer
let keys: RemoteJwks

beforeAll(async () => {
  rsa = await createKey('RS256', 'rsa')
})
beforeEach(() => {
  issuer = new TokenIssuer(rsa)
  keys = issuer.keySet()
})

/** Holds the response to every request until the test releases it. */
function holdResponses() {
  const gate = new AbortController()
  const held = new Promise((resolve) => {
    gate.signal.addEventListener('abort', resolve)
  })
  const signals: AbortSignal[] = []
  issuer.answer = async (signal) => {
    signals.push(signal)
    await held
    return Response.json({ keys: issuer.published })
  }
  return { release: () => gate.abort(), signals }
}

const fail = () => Promise.reject(new TypeError('offline'))

describe('a remote JWKS', () => {
  it('fetches nothing before it is used, and at most once in ten minutes', async () => {
    expect(issuer.requests).toHaveLength(0)
    await keys.find(HEADER)
    issuer.clock.advance(599_999)
    expect(await keys.find(HEADER)).toHaveLength(1)
    expect(issuer.requests).toHaveLength(1)
    issuer.clock.advance(1)
    await keys.find(HEADER)
    expect(issuer.requests).toHaveLength(2)
  })

  it('shares one fetch between simultaneous callers', async () => {
    const found = await Promise.all([keys.find(HEADER), keys.find(HEADER), keys.find(UNKNOWN)])
    expect(found.map((each) => each.length)).toEqual([1, 1, 0])
    expect(issuer.requests).toHaveLength(1)
  })

  it('lets a caller abort while the fetch continues for the others', async () => {
    const { release } = holdResponses()
    const controller = new AbortController()
    const [abortingCaller, waitingCaller] = [keys.find(HEADER, { signal: controller.signal }), keys.find(HEADER)]
    controller.abort()
    await expect(abortingCaller).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' })
    release()
    expect(await waitingCaller).toHaveLength(1)
  })

  it('continues for the next caller after an abort', async () => {
    const { release, signals } = holdResponses()
    const controller = new AbortController()
    const given = keys.find(HEADER, { signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toMatchObject({ code: 'aborted' })
    const next = keys.find(HEADER)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    release()
    expect(await next).toHaveLength(1)
    expect(signals).toHaveLength(1)
    expect(issuer.clock.waiting).toBe(0)
  })

  it('does not count an abort as a failure of the service', async () => {
    await keys.find(HEADER)
    issuer.clock.advance(600_000)
    const { release } = holdResponses()
    const controller = new AbortController()
    const given = keys.find(HEADER, { signal: controller.signal })
    controller.abort()
    await expect(given).rejects.toMatchObject({ code: 'aborted' })
    issuer.published = []
    release()
    expect(await keys.find(HEADER)).toEqual([])
  })

  it('rejects a caller whose signal is already aborted', async () => {
    await expect(keys.find(HEADER, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    expect(issuer.clock.waiting).toBe(0)
  })

  it('times out when no response arrives', async () => {
    holdResponses()
    const found = keys.find(HEADER)
    issuer.clock.advance(5000)
    await expect(found).rejects.toMatchObject(UNAVAILABLE)
    expect(issuer.clock.waiting).toBe(0)
  })

  it('uses cached keys while the service is unavailable, without delaying every sign-in', async () => {
    await keys.find(HEADER)
    issuer.clock.advance(600_000)
    issuer.answer = fail
    for (let i = 0; i < 5; i++) expect(await keys.find(HEADER)).toHaveLength(1)
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(30_000)
    await keys.find(HEADER)
    expect(issuer.requests).toHaveLength(3)
  })

  it('does not reject an unknown key ID while the service is unavailable', async () => {
    await keys.find(HEADER)
    issuer.answer = fail
    await expect(keys.find(UNKNOWN)).rejects.toMatchObject(UNAVAILABLE)
    await expect(keys.find(UNKNOWN)).rejects.toMatchObject(UNAVAILABLE)
    expect(issuer.requests).toHaveLength(2)
    issuer.clock.advance(30_000)
    issuer.answer = undefined
    expect(await keys.find(UNKNOWN)).toEqual([])
  })

  it('looks up an unknown key ID at once after an outage', async () => {
    issuer.answer = fail
    await expect(keys.find(HEADER)).rejects.toMatchObject(UNAVAILABLE)
    issuer.answer = undefined
    await keys.find(HEADER)
    expect(await keys.find(UNKNOWN)).toEqual([])
    expect(issuer.requests).toHaveLength(3)
  })

  it('does not extend the life of cached keys when a clock was set back', async () => {
    await keys.find(HEADER)
    issuer.clock.advance(-3_600_000)
    await keys.find(HEADER)
    expect(issuer.requests).toHaveLength(2)
  })

  it('fetches keys from a server', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify({ keys: issuer.published }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const http = { fetch: (url: string, init: RequestInit) => fetch(url, init), clock: issuer.clock }
    const found = await createRemoteJwks(http, `http://127.0.0.1:${port}/oauth2/keys`).find(HEADER)
    expect(found).toEqual([{ kty: 'RSA', n: rsa.jwk.n, e: rsa.jwk.e }])
    await new Promise((resolve) => server.close(resolve))
  })
})
