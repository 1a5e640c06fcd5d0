/** Remote JWKS: what is fetched, cached, shared and aborted, and when. */
import { createServer } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRemoteJwks, type RemoteJwks } from '../support/internals'
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

/** What is found for each token, one after the other, with the number of requests so far. */
async function asked(...headers: { alg: string; kid?: string }[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const header of headers) {
    const outcome = await keys.find(header).then(
      (found) => (found.length > 0 ? 'key' : 'none'),
      () => 'unavailable',
    )
    outcomes.push(`${outcome} ${issuer.requests.length}`)
  }
  return outcomes
}

/** Times in ms at which tokens with a known and with an unknown key arrive, whether the service answers, and what is found. */
type Visit = readonly [at: number, isUp: boolean, known: string, unknown: string]

const DAY = 86_400_000

it.each<[string, ...Visit[]]>([
  [
    'is searched for an unknown key once in 30 s',
    [1, true, 'key 1', 'none 2'],
    [30_000, true, 'key 2', 'none 2'],
    [30_001, true, 'key 2', 'none 3'],
  ],
  [
    'is fetched after ten minutes despite a search',
    [599_999, true, 'key 1', 'none 2'],
    [1_199_999, true, 'key 3', 'none 4'],
  ],
  [
    'is fetched 30 s after a failure',
    [1, false, 'key 1', 'unavailable 2'],
    [30_000, true, 'key 2', 'unavailable 2'],
    [30_001, true, 'key 2', 'none 3'],
  ],
  [
    'is used for a day while fetches fail',
    [DAY - 1, false, 'key 2', 'unavailable 2'],
    [DAY, false, 'unavailable 3', 'unavailable 4'],
  ],
  ['is fetched if the clock was set back', [-600_000, true, 'key 2', 'none 3']],
])('a remote JWKS %s', async (_, ...visits) => {
  await keys.find(HEADER)
  let now = 0
  for (const [at, isUp, ...expected] of visits) {
    issuer.clock.advance(at - now)
    now = at
    issuer.answer = isUp ? undefined : fail
    expect(await asked(HEADER, UNKNOWN)).toEqual(expected)
  }
})

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
    const [abortingCaller, waitingCaller] = [
      keys.find(HEADER, { signal: controller.signal }),
      keys.find(HEADER),
    ]
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
    await expect(keys.find(HEADER, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
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

  it('is fetched again ten minutes after an expected token has fetched it', async () => {
    await Promise.all([keys.prefetch(), keys.prefetch()])
    await keys.prefetch()
    expect([await keys.find(HEADER), issuer.requests.length]).toEqual([[expect.anything()], 1])
    issuer.clock.advance(600_000)
    await keys.prefetch()
    expect(issuer.requests).toHaveLength(2)
  })

  it('is fetched by the token if an expected one could not', async () => {
    issuer.answer = fail
    await keys.prefetch()
    issuer.answer = undefined
    expect([await keys.find(HEADER), issuer.requests.length]).toEqual([[expect.anything()], 2])
  })

  it('remembers the last hundred unknown key IDs of a fetch, and tokens without one', async () => {
    await keys.find(HEADER)
    const unknown = [
      { alg: 'ES256' },
      ...Array.from({ length: 100 }, (_, index) => ({ alg: 'RS256', kid: `junk-${index}` })),
    ]
    expect(await asked(...unknown.slice(0, 1))).toEqual(['none 2'])
    expect(await asked(...unknown.slice(0, 1), UNKNOWN)).toEqual(['none 2', 'unavailable 2'])
    issuer.clock.advance(30_000)
    await Promise.all(unknown.map((header) => keys.find(header)))
    expect(await asked(...unknown.slice(-1), ...unknown.slice(0, 2))).toEqual([
      'none 3',
      'unavailable 3',
      'none 3',
    ])
  })

  it.each([
    ['not an array', () => Response.json({ keys: {} })],
    ['an error response', () => Response.json({ keys: [] }, { status: 500 })],
  ])('is unavailable if the response is %s', async (_, respond) => {
    issuer.answer = async () => respond()
    const cause = { code: 'malformed_response', path: 'keys' }
    await expect(keys.find(HEADER)).rejects.toMatchObject({ ...UNAVAILABLE, cause })
  })

  it('fetches keys from a server', async () => {
    const server = createServer((_request, response) => {
      response
        .setHeader('content-type', 'application/jwk-set+json')
        .end(JSON.stringify({ keys: issuer.published }))
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
