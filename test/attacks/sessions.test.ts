/** Attacks and failures of time, network, other tabs and storage on a session. */
import { type ClientOptions, memoryStore, Secret, type Session, type TokenStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const DAY = 24 * 3_600_000
const KEY = `foyer:session:${HOST} ${CLIENT_ID} default`
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)

const loseResponse = () => Promise.reject(new TypeError('Failed to fetch'))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  )
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))

function throwing(): never {
  throw new DOMException('quota', 'QuotaExceededError')
}

/** Event that a test triggers. */
function createGate() {
  const gate = { open: (): void => undefined, opened: Promise.resolve() }
  gate.opened = new Promise<void>((resolve) => (gate.open = resolve))
  return gate
}

/** Holds the response to the next refresh until it is released. */
function holdResponse() {
  const [arrival, release] = [createGate(), createGate()]
  service.override = async (_, original) => {
    const response = await original()
    arrival.open()
    await release.opened
    return response
  }
  return { arrived: arrival.opened, releaseResponse: () => release.open() }
}

/** A store whose contents a test can read and change. */
function openStore() {
  const texts = new Map<string, string>()
  const store: TokenStore = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
  return { texts, store }
}

describe('a refresh', () => {
  it('attack/100 attack/101 by concurrent calls is one request', async () => {
    const client = createGame()
    await service.signIn(client)
    // Modules for both calls are loaded: the test measures a single moment.
    await Promise.all([client.fetchCurrentUser(), client.resume()])
    service.clock.advance(8 * DAY)
    const results = await Promise.all([
      ...Array.from({ length: 10 }, () => codeOf(client.fetchCurrentUser())),
      codeOf(client.refreshToken()),
    ])
    expect(new Set(results)).toEqual(new Set(['ok']))
    expect(service.refreshes()).toHaveLength(1)
  })

  it('attack/102 with a lost response is not repeated at once, and its record survives a reload', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    await service.signIn(client)
    service.override = async (_, original) => (await original(), loseResponse())
    expect(await codeOf(client.refreshToken())).toBe('connection_failed')
    expect(JSON.parse(texts.get(KEY) ?? '')).toMatchObject({
      attempt: { tries: 1, outcome: 'lost' },
      refreshToken: 'refresh-1',
    })
    client.close()
    service.override = undefined
    const again = createGame({ tokenStore: store })
    await again.resume()
    expect(await codeOf(again.fetchCurrentUser())).toBe('ok')
    expect(await codeOf(again.refreshToken())).toBe('refresh_in_doubt')
    expect(service.refreshes()).toHaveLength(1)
    service.clock.advance(30_000)
    expect(await codeOf(again.refreshToken())).toBe('refresh_answer_lost')
    expect(service.refreshes()).toHaveLength(2)
    expect(again.session).toBeNull()
  })

  it('attack/102 of a page that died before the response is repeated only once the token has expired', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    await service.signIn(client)
    client.close()
    const now = service.clock.now()
    const attempt = { at: now, tries: 1, outcome: 'sent', retryAt: now + 30_000 }
    texts.set(KEY, JSON.stringify({ ...JSON.parse(texts.get(KEY) ?? ''), expiresAt: now + 10_000, attempt }))
    const again = createGame({ tokenStore: store })
    await again.resume()
    expect(await codeOf(again.refreshToken())).toBe('refresh_in_doubt')
    service.clock.advance(6000)
    expect(await codeOf(again.refreshToken())).toBe('ok')
    expect(service.refreshes()).toHaveLength(1)
  })

  it('attack/103 does not end the session on network failures: it is offline, and recovers', async () => {
    const client = createGame()
    await service.signIn(client)
    // Only the call refreshes, not the timer before it.
    client.pauseRefresh()
    service.clock.advance(8 * DAY)
    service.override = loseResponse
    expect(await codeOf(client.fetchCurrentUser())).toBe('connection_failed')
    expect(client.session?.state).toBe('offline')
    expect(client.status).toBe('reconnecting')
    service.override = undefined
    service.clock.advance(30_000)
    expect(await codeOf(client.fetchCurrentUser())).toBe('ok')
    expect(client.session?.state).toBe('fresh')
    expect(client.status).toBe('ready')
  })

  it('attack/105 times out if the service or the store never responds', async () => {
    // Time advances only for operations that never complete, so signatures may take any time.
    const never = () => {
      setImmediate(() => service.clock.advance(60_000))
      return new Promise<never>(() => {})
    }
    const client = createGame({ tokenStore: { get: never, set: never, delete: never } })
    await service.signIn(client)
    service.override = never
    expect(await codeOf(client.refreshToken())).toBe('timed_out')
    expect(client.session).toMatchObject({ userId: USER_ID, storage: 'memory' })
  })

  it.each(['signs out', 'signs in again'])(
    'attack/106 is discarded if the player %s meanwhile',
    async (what) => {
      const { texts, store } = openStore()
      const client = createGame({ tokenStore: store })
      await service.signIn(client)
      const { arrived, releaseResponse } = holdResponse()
      const outcome = codeOf(client.refreshToken())
      await arrived
      service.override = undefined
      let current: Session | null = null
      if (what === 'signs out') await client.signOut()
      else current = await service.signIn(client)
      releaseResponse()
      await outcome
      await settle()
      expect(client.session).toBe(current)
      expect(texts.get(KEY)).not.toContain('refresh-2')
      expect((await createGame({ tokenStore: store }).resume())?.userId).toBe(current?.userId)
    },
  )

  it('attack/98 is rejected for a user other than the one of the given tokens', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    const { access_token: access, refresh_token: refresh } = await service.tokens()
    const tokens = {
      accessToken: new Secret(String(access)),
      refreshToken: new Secret(String(refresh)),
      scopes: ['openid'],
    }
    await client.updateToken({ ...tokens, tokenType: 'Bearer', expiresAt: service.clock.now() + DAY })
    service.claims = { sub: '123456' }
    expect(await codeOf(client.refreshToken())).toBe('invalid_id_token')
    expect(client.session?.userId).toBe(USER_ID)
    expect(texts.get(KEY)).not.toContain('123456')
  })

  it('attack/113 starts on time, however long the lifetime and however rare the timer', async () => {
    service.override = async () => Response.json(await service.tokens({ expires_in: 60 * 24 * 3600 }))
    const client = createGame()
    await service.signIn(client)
    service.override = undefined
    service.clock.advance(26 * DAY)
    await settle()
    expect(service.refreshes()).toHaveLength(0)
    service.clock.advance(33 * DAY)
    await expect.poll(() => service.refreshes()).toHaveLength(1)
    client.close()
    expect(service.clock.waiting).toBe(0)
  })
})

describe('a session that is being restored', () => {
  it('attack/106 stays signed out if the player signs out meanwhile', async () => {
    const { store } = openStore()
    await service.signIn(createGame({ tokenStore: store }))
    const client = createGame({ tokenStore: store })
    await client.refreshToken().catch(() => undefined)
    const resuming = client.resume()
    await client.signOut()
    expect(await resuming.catch(() => null)).toBeNull()
    expect(client.session).toBeNull()
  })
})

describe('two accounts', () => {
  it('attack/108 in one store are separated by profile, by application and by service', async () => {
    const { texts, store } = openStore()
    for (const options of [{ profile: 'alice' }, { profile: 'bob' }, { applicationId: '7' }]) {
      service.claims = { aud: options.applicationId ?? CLIENT_ID }
      await service.signIn(createGame({ tokenStore: store, ...options }))
    }
    expect([...texts.keys()].filter((key) => !key.endsWith(' epoch'))).toHaveLength(3)
    expect(await createGame({ tokenStore: store }).resume()).toBeNull()
    const alice = createGame({ tokenStore: store, profile: 'alice' })
    expect((await alice.resume())?.tokens.accessToken.reveal()).toBe('access-1')
  })
})

describe('a store', () => {
  it('attack/109 that is rolled back does not affect a running page, and is reported after a restart', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    await service.signIn(client)
    const old = texts.get(KEY) ?? ''
    await client.refreshToken()
    texts.set(KEY, old)
    await client.refreshToken()
    expect(client.session?.tokens.accessToken.reveal()).toBe('access-3')
    client.close()
    texts.set(KEY, old)
    const again = createGame({ tokenStore: store })
    await again.resume()
    expect(await codeOf(again.refreshToken())).toBe('token_rolled_back')
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"v":0}',
    '{"v":1}',
    '{"v":1,"epoch":-1}',
    '{"v":"2"}',
    '{"__proto__":{"v":1}}',
    'x'.repeat(200_000),
  ])('attack/110 containing %.20j has no session, and stores the next one', async (garbage) => {
    const { texts, store } = openStore()
    texts.set(KEY, garbage)
    texts.set('save-game', 'level 3')
    const client = createGame({ tokenStore: store })
    expect(await client.resume()).toBeNull()
    await service.signIn(client)
    expect(client.session?.storage).toBe('store')
    expect(texts.get('save-game')).toBe('level 3')
    expect((await createGame({ tokenStore: store }).resume())?.userId).toBe(USER_ID)
  })

  it('attack/110 with any changed field of a record has no session', async () => {
    const { texts, store } = openStore()
    await service.signIn(createGame({ tokenStore: store }))
    const record: Record<string, unknown> = JSON.parse(texts.get(KEY) ?? '')
    const wrong: Record<string, unknown> = {
      id: 'x',
      epoch: 1.5,
      clientId: 7,
      userId: 'root',
      asked: 'openid',
      obtainedAt: '1',
      expiresAt: {},
      scopes: ['a b'],
      accessToken: 'x\n',
      refreshToken: 1,
      claims: { sub: '1' },
      attempt: { at: 1 },
    }
    for (const [field, value] of Object.entries(wrong)) {
      texts.set(KEY, JSON.stringify({ ...record, [field]: value }))
      expect([field, await createGame({ tokenStore: store }).resume()]).toEqual([field, null])
    }
  })

  it.each([
    ['fractions of a second', { expires_in: 604_799.123456 }, 0],
    ['a clock with fractions of a millisecond', {}, 0.25],
    ['the longest scope of a token response', { scope: `openid ${'x'.repeat(4089)}` }, 0],
    [
      'the most scopes of a token response',
      { scope: `openid ${Array.from({ length: 800 }, (_, i) => `s${i}`).join(' ')}`.slice(0, 4096) },
      0,
    ],
  ])('with %s restores the session', async (_, changes, fraction) => {
    const { store } = openStore()
    const clock = {
      now: () => service.clock.now() + fraction,
      after: service.clock.after.bind(service.clock),
    }
    const client = createGame({ tokenStore: store, clock })
    service.override = async () => Response.json(await service.tokens(changes))
    await service.signIn(client)
    const again = createGame({ tokenStore: store, clock })
    expect((await again.resume())?.grantedScopes).toEqual(client.session?.grantedScopes)
    service.override = loseResponse
    expect(await codeOf(again.refreshToken())).toBe('connection_failed')
    expect((await createGame({ tokenStore: store, clock }).resume())?.userId).toBe(USER_ID)
  })

  it('attack/110 of a later version is unchanged; the session stays in memory', async () => {
    const { texts, store } = openStore()
    const future = JSON.stringify({ v: 2, something: 'else' })
    texts.set(KEY, future)
    const client = createGame({ tokenStore: store })
    expect(await client.resume()).toBeNull()
    await service.signIn(client)
    await client.refreshToken()
    expect(client.session?.storage).toBe('memory')
    await client.signOut()
    expect(texts.get(KEY)).toBe(future)
  })

  it.each(['get', 'set', 'delete'] as const)(
    'attack/111 that throws on %s does not end the session, and is reported',
    async (method) => {
      const { store } = openStore()
      const steps: string[] = []
      const client = createGame({
        tokenStore: { ...store, [method]: throwing },
        logger: ({ step }) => steps.push(step),
      })
      expect(await client.resume()).toBeNull()
      await service.signIn(client)
      await client.refreshToken()
      expect(await codeOf(client.fetchCurrentUser())).toBe('ok')
      expect(client.session?.storage).toBe(method === 'set' ? 'memory' : 'store')
      expect(steps.includes('session.store_failed')).toBe(method !== 'delete')
      await client.signOut()
      expect(client.session).toBeNull()
    },
  )
})

describe('the system clock', () => {
  it.each([-400 * DAY, -DAY, 90 * 60_000, 400 * DAY])(
    'attack/112 set by %d ms ends no session',
    async (jump) => {
      const start = service.clock.now()
      let offset = 0
      const clock = {
        now: () => service.clock.now() + offset,
        after: service.clock.after.bind(service.clock),
      }
      const client = createGame({ clock, tokenStore: memoryStore() })
      await service.signIn(client)
      offset = jump
      expect(await codeOf(client.fetchCurrentUser())).toBe('ok')
      expect(client.session?.userId).toBe(USER_ID)
      await codeOf(client.refreshToken())
      expect(await codeOf(client.fetchCurrentUser())).toBe('ok')
      expect(service.clock.now()).toBe(start)
    },
  )
})

describe('a sign-out', () => {
  it.each([
    ['200 for an unknown token', async () => Response.json({}), { revoked: true }],
    ['503', async () => new Response('', { status: 503 }), { revoked: false, error: { code: 'http_503' } }],
    ['nothing', loseResponse, { revoked: false, error: { code: 'connection_failed' } }],
  ])(
    'attack/114 is done locally first; if the revocation gets %s, it reports that',
    async (_, response, result) => {
      const client = createGame({ tokenStore: memoryStore() })
      await service.signIn(client)
      service.revoked = response
      const outcome = client.signOut({ revoke: true })
      expect(client.session).toBeNull()
      expect(await outcome).toMatchObject(result)
      expect(await client.resume()).toBeNull()
    },
  )

  it('attack/115 revokes nothing without `revoke`', async () => {
    const client = createGame()
    await service.signIn(client)
    expect(await client.signOut()).toEqual({ revoked: false })
    expect(service.sent.filter(({ url }) => url.includes('revoke'))).toEqual([])
  })
})
