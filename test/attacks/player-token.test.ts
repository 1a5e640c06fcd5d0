/** attack/163 tokens of other games, expired, unsigned, forged and rotated ones, and tokens in URLs, at a backend's verifier. */
import {
  createPlayerVerifier,
  MemoryRateLimitStores,
  PlayerTokenError,
  type RateLimitStore,
  respondToPlayerError,
  type VerifyPlayer,
} from 'foyer-sdk/server'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settled } from '../support/hub-world'
import { rejection } from '../support/settle'
import {
  base64url,
  CLIENT_ID,
  createKey,
  ISSUER,
  type SigningKey,
  signHeader,
  TokenIssuer,
  USER_ID,
} from '../support/token-issuer'

const KEYS_PATH = '/oauth2/keys'
let key: SigningKey
let next: SigningKey
let issuer: TokenIssuer
let requests: { url: string; authorization: string | null }[]
/** Responses of the service for access tokens. */
let authorization: (token: string) => Response
let verify: VerifyPlayer

beforeAll(async () => {
  key = await createKey('RS256', 'first')
  next = await createKey('ES256', 'second')
})
beforeEach(() => {
  issuer = new TokenIssuer(key)
  requests = []
  authorization = () => Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
  verify = create()
})

const create = (options: { accessTokens?: boolean; rateLimitStore?: RateLimitStore } = {}): VerifyPlayer =>
  createPlayerVerifier({
    applicationId: CLIENT_ID,
    service: { host: ISSUER },
    fetch: serve,
    clock: issuer.clock,
    ...options,
  })

async function serve(url: string, init: RequestInit): Promise<Response> {
  const header = new Headers(init.headers).get('authorization')
  requests.push({ url, authorization: header })
  if (url.endsWith(KEYS_PATH)) return Response.json({ keys: issuer.published })
  return authorization(header?.replace('Bearer ', '') ?? '')
}

/** Part because of which the request is refused, after its code. */
async function refusal(given: string | Request, by: VerifyPlayer = verify): Promise<string> {
  const error = await by(given).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PlayerTokenError) return `${error.code} ${error.path ?? ''}`.trim()
  if (error !== undefined) throw error
  return 'accepted'
}

const claims = (changes: Record<string, unknown> = {}) => ({
  nonce: 'of the sign-in',
  at_hash: 'of-the-access-token',
  ...changes,
})
const sign = (changes: Record<string, unknown> = {}) => issuer.sign(key, claims(changes))
const request = (token: string, url = 'https://game.test/score') =>
  new Request(url, { headers: { authorization: `Bearer ${token}` } })

describe('an ID token', () => {
  it('names the player, from a header as well as alone', async () => {
    const token = await sign({ preferred_username: 'ada', nickname: 'Ada L.' })
    const player = {
      id: USER_ID,
      username: 'ada',
      globalName: 'Ada L.',
      expiresAt: issuer.clock.now() + 3_600_000,
    }
    expect(await verify(token)).toMatchObject(player)
    expect(await verify(request(token))).toMatchObject({ ...player, claims: { aud: CLIENT_ID } })
  })

  it.each([
    ['another game', { aud: '1082700000000000002' }, 'player_token_rejected aud'],
    ['this game and another', { aud: [CLIENT_ID, '1082700000000000002'] }, 'player_token_rejected aud'],
    ['another authorized party', { azp: '1082700000000000002' }, 'player_token_rejected azp'],
    ['another service', { iss: 'https://other.test' }, 'player_token_rejected iss'],
    ['nobody', { sub: 'ada' }, 'player_token_rejected sub'],
  ])('for %s is refused', async (_, changes, expected) => {
    expect(await refusal(await sign(changes))).toBe(expected)
  })

  it('is refused from a minute after its end, and not before', async () => {
    const token = await sign()
    issuer.clock.advance(3_600_000 + 59_000)
    expect(await refusal(token)).toBe('accepted')
    issuer.clock.advance(1000)
    expect(await refusal(token)).toBe('player_token_expired exp')
    expect(await refusal(await sign({ iat: issuer.at(120), exp: issuer.at(3600) }))).toBe(
      'player_token_rejected iat',
    )
  })

  it('that nobody, or somebody else, has signed is refused', async () => {
    const [header, payload] = (await sign()).split('.')
    const unsigned = `${base64url('{"alg":"none"}')}.${payload}.`
    const forged = await issuer.sign(await createKey('RS256', 'first'), claims())
    const changed = `${header}.${base64url(JSON.stringify(issuer.claims({ sub: '1' })))}.${(await sign()).split('.')[2]}`
    expect(await refusal(unsigned)).toBe('player_token_rejected header.alg')
    expect(await refusal(forged)).toBe('player_token_rejected signature')
    expect(await refusal(changed)).toBe('player_token_rejected signature')
    expect(await refusal(await signHeader(key, { typ: 'at+jwt' }, JSON.stringify(issuer.claims())))).toBe(
      'player_token_rejected header.typ',
    )
    expect(await refusal('x'.repeat(20_000))).toBe('player_token_rejected id_token')
  })

  it('is accepted right after the service changed its key, and no more ten minutes after the old key is gone', async () => {
    const old = await sign({ exp: issuer.at(7200) })
    await verify(old)
    issuer.published = [next.jwk]
    expect((await verify(await issuer.sign(next, claims()))).id).toBe(USER_ID)
    expect(requests).toHaveLength(2)
    issuer.clock.advance(600_000)
    expect(await refusal(old)).toBe('player_token_rejected header.kid')
  })

  it('is verified for 1,000 concurrent callers with one request for the keys', async () => {
    const token = await sign()
    const players = await Promise.all(Array.from({ length: 1000 }, () => verify(token)))
    expect(new Set(players.map(({ id }) => id))).toEqual(new Set([USER_ID]))
    expect(requests).toHaveLength(1)
  })

  it('is neither accepted nor called invalid while the keys cannot be fetched', async () => {
    const broken = createPlayerVerifier({
      applicationId: CLIENT_ID,
      service: { host: ISSUER },
      clock: issuer.clock,
      fetch: async () => new Response(null, { status: 503 }),
    })
    const error: unknown = await broken(await sign()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'keys_unavailable', retryable: true })
    expect(respondToPlayerError(error).status).toBe(503)
  })
})

describe('a request', () => {
  it('without a token in its header is refused, and one with a token in its URL even if the header is valid', async () => {
    const token = await sign()
    expect(await refusal(new Request('https://game.test/score'))).toBe('missing_player_token')
    expect(
      await refusal(new Request('https://game.test/score', { headers: { authorization: `Basic ${token}` } })),
    ).toBe('missing_player_token')
    for (const name of ['access_token', 'id_token', 'token'])
      expect(await refusal(request(token, `https://game.test/score?${name}=${token}`))).toBe('token_in_url')
  })

  it('gets 401 in one line, without its token in body, header or log', async () => {
    const token = await sign({ aud: '1082700000000000002' })
    const error: unknown = await verify(request(token)).catch((reason: unknown) => reason)
    const response = respondToPlayerError(error)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    const text = JSON.stringify([await response.json(), [...response.headers], error, String(error)])
    expect(text).not.toContain(token.slice(0, 20))
    expect(() => respondToPlayerError(new TypeError('a bug'))).toThrow('a bug')
  })
})

/** Response of the service about a valid token. */
const known =
  (changes: Record<string, unknown> = {}) =>
  () =>
    Response.json({
      application: { id: CLIENT_ID },
      expires: new Date(issuer.clock.now() + 86_400_000).toISOString(),
      user: { id: USER_ID, username: 'ada', global_name: null },
      ...changes,
    })

describe('an access token', () => {
  it('is no ID token: without the option it is refused, and never sent to the service', async () => {
    authorization = known()
    expect(await refusal('an-access-token')).toMatch('player_token_rejected')
    expect(requests).toEqual([])
  })

  it('is looked up once a minute, however many call at once', async () => {
    authorization = known()
    const accepting = create({ accessTokens: true })
    const players = await Promise.all(
      Array.from({ length: 100 }, () => accepting(request('an-access-token'))),
    )
    expect(players[0]).toEqual({
      id: USER_ID,
      username: 'ada',
      expiresAt: issuer.clock.now() + 86_400_000,
      claims: {},
    })
    expect(requests).toEqual([
      { url: `${ISSUER}/api/v10/oauth2/@me`, authorization: 'Bearer an-access-token' },
    ])
    issuer.clock.advance(60_000)
    await accepting('an-access-token')
    expect(requests).toHaveLength(2)
  })

  it('of another game, an expired and an unknown one are refused, and the refusal is cached', async () => {
    const accepting = create({ accessTokens: true })
    expect(await refusal('unknown', accepting)).toBe('player_token_rejected access_token')
    expect(await refusal('unknown', accepting)).toBe('player_token_rejected access_token')
    expect(requests).toHaveLength(1)
    authorization = known({ application: { id: '1082700000000000002' } })
    expect(await refusal('of-another-game', accepting)).toBe('player_token_rejected application.id')
    authorization = known({ expires: new Date(issuer.clock.now()).toISOString() })
    expect(await refusal('expired', accepting)).toBe('player_token_expired expires')
  })

  it.each([
    ['a text', () => Response.json('no'), { path: '', expected: 'an object', got: 'a string' }],
    ['no application', known({ application: null }), { path: 'application', got: 'null' }],
    ['a user without an id', known({ user: { username: 'ada' } }), { path: 'user.id', got: 'nothing' }],
    ['no user, here or at the other address', known({ user: null }), { path: 'id', got: 'nothing' }],
  ])(
    'about which the service says %s is refused as malformed, and the field is named',
    async (_, answer, fault) => {
      authorization = answer
      const error = await rejection(() => create({ accessTokens: true })('an-access-token'))
      expect(error).toMatchObject({ code: 'malformed_response', ...fault })
    },
  )
})

describe('a forged ID token with an invented key ID', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a word', { kid: 'junk' }],
    ['nothing', { kid: '' }],
    ['no text', { kid: 5 }],
    ['a name of every object', { kid: '__proto__' }],
    ['ten thousand letters', { kid: 'k'.repeat(10_000) }],
  ])(
    'that is %s keeps out no player whose key is new: 503 until the keys are fetched again',
    async (_, header) => {
      await verify(await sign())
      const junk = await signHeader(key, header, JSON.stringify(issuer.claims()))
      expect(await refusal(junk, verify)).toMatch('player_token_rejected')
      issuer.published = [key.jwk, next.jwk]
      issuer.clock.advance(10_000)
      const token = await issuer.sign(next, claims())
      const early = await refusal(token).catch(({ code }: { code: string }) => code)
      expect(['keys_unavailable', 'accepted']).toContain(early)
      issuer.clock.advance(20_000)
      await refusal(junk, verify).catch(() => undefined)
      expect(await refusal(token)).toBe('accepted')
      expect(requests.length).toBeLessThanOrEqual(3)
    },
  )
})

/** Sends invented tokens, 25 in each second, and a known player's token every ten. Returns what became of each kind. */
async function flood(accepting: VerifyPlayer, invent: (number: number) => string, seconds = 200) {
  const [strangers, players] = [new Set<string>(), new Set<string>()]
  const outcome = (token: string) =>
    accepting(token).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    )
  for (let second = 0; second < seconds; second++) {
    for (let i = 0; i < 25; i++) void outcome(invent(second * 25 + i)).then((each) => strangers.add(each))
    if (second % 10 === 0) void outcome('of-ada').then((each) => players.add(each))
    issuer.clock.advance(1000)
    await settled()
  }
  return { strangers: [...strangers].toSorted(), players: [...players] }
}

const isKnown = (token: string) => token === 'of-ada' || token === 'of-bruno'

describe('strangers', () => {
  it.each([
    ['invented', (i: number) => `invented-${i}`],
    ['invented, some of which look like no token', (i: number) => (i % 3 ? `invented-${i}` : `ä-${i}`)],
    ['invented, each of which is sent twice', (i: number) => `invented-${i >> 1}`],
  ])(
    'with 5,000 access tokens that are %s keep no known player out',
    { timeout: 60_000 },
    async (_, invent) => {
      authorization = (token) =>
        isKnown(token) ? known()() : Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
      const accepting = create({ accessTokens: true })
      expect(await refusal('of-ada', accepting)).toBe('accepted')
      const { strangers, players } = await flood(accepting, invent)
      expect(players).toEqual(['accepted'])
      expect(strangers).toEqual(['player_token_rejected', 'rate_limited'])
      // 200 s with ten lookups each.
      expect(requests.length).toBeLessThan(2100)
      // A player who was never here comes in too, as soon as a lookup is free.
      const bruno = refusal('of-bruno', accepting)
      for (let second = 0; second < 5; second++) {
        issuer.clock.advance(1000)
        await settled()
      }
      expect(await bruno).toBe('accepted')
      expect(await refusal(await issuer.sign(key, claims()), accepting)).toBe('accepted')
    },
  )

  it.each<[string, () => Response | Promise<Response>]>([
    ['are of another game', () => known({ application: { id: '1082700000000000002' } })()],
    ['lack the scope', () => Response.json({ message: 'Missing Access', code: 50_001 }, { status: 403 })],
    ['make the service fail', () => new Response(null, { status: 500 })],
    [
      'make the service ask for a pause',
      () => Response.json({ retry_after: 30, global: false }, { status: 429 }),
    ],
  ])('whose tokens %s keep no known player out', async (_, answer) => {
    const answers = (token: string) => (isKnown(token) ? known()() : answer())
    authorization = answers as typeof authorization
    const accepting = create({ accessTokens: true })
    expect(await refusal('of-ada', accepting)).toBe('accepted')
    const { players } = await flood(accepting, (i) => `invented-${i}`, 70)
    expect(players).toEqual(['accepted'])
  })

  it('whose tokens are refused count for no circuit breaker, of this process or of others', async () => {
    authorization = () => Response.json({ message: '401: Unauthorized', code: 0 }, { status: 401 })
    const counts: number[] = []
    const rateLimitStore: RateLimitStore = {
      ...new MemoryRateLimitStores(issuer.clock).store(),
      countRefusals: async (count) => ({ total: counts.push(count), oldest: 0 }),
    }
    const accepting = create({ accessTokens: true, rateLimitStore })
    for (let i = 0; i < 5; i++)
      expect(await refusal(`invented-${i}`, accepting)).toBe('player_token_rejected access_token')
    expect(counts).toEqual([])
  })
})
