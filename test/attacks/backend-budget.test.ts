/** Attacks on what belongs to all: strangers and single accounts that make a backend ask the service (docs/threats.md). */
import type { RateLimitStore } from 'foyer-sdk'
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createLobbyHub,
  createPlayerTickets,
  createPlayerVerifier,
  createSessionHandler,
  MemoryRateLimitStores,
  memorySessionStore,
  type CallerAddress,
  type SessionHandlerOptions,
  type VerifyPlayer,
} from 'foyer-sdk/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { CountingService, passTime, settleWork } from '../support/counting-service'
import { RELAYED_ROUTES, sessionRoutes } from '../support/internals'
import { ManualClock } from '../support/manual-clock'
import { GAME, SessionBrowser, sessionCookieOf } from '../support/session-browser'

const VERIFIER = 'v'.repeat(43)
const SECOND = 1000
let clock: ManualClock
let service: CountingService

beforeEach(() => {
  clock = new ManualClock()
  service = new CountingService(clock)
})

const shared = () => ({
  applicationId: CountingService.applicationId,
  service: { host: CountingService.host },
  fetch: service.fetch,
  clock,
})

function createHandler(options: Partial<SessionHandlerOptions> = {}) {
  return createSessionHandler({
    ...shared(),
    credentials: clientSecret('s'.repeat(32)),
    origins: [GAME],
    store: memorySessionStore({ clock }),
    redirectUri: `${GAME}/session/callback`,
    tokens: 'none',
    ...options,
  })
}

const codeOf = (name: string) => ({
  code: name,
  codeVerifier: VERIFIER,
  redirectUri: `${GAME}/callback.html`,
})
const from = (address: string): Record<string, string> =>
  address === '' ? {} : { 'x-forwarded-for': address }

const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN

async function signIn(browser: SessionBrowser, player: number, address = ''): Promise<number> {
  return (await browser.post('sign-in', codeOf(`honest-${player}`), from(address))).status
}

describe('attack/240 invented codes', () => {
  it.each([
    { perSecond: 20, attacker: '', who: 'whom nobody can tell apart from players' },
    { perSecond: 20, attacker: '203.0.113.9', who: 'of one address' },
    { perSecond: 200, attacker: '203.0.113.9', who: 'of one address' },
  ])(
    '$perSecond a second for a minute, $who, delay no sign-in by 5 s',
    { timeout: 60_000 },
    async ({ perSecond, attacker }) => {
      const handler = createHandler()
      const waits: number[] = []
      const statuses: number[] = []
      const invented = new Map<number, number>()
      for (let tick = 0; tick < 600; tick++) {
        for (let i = 0; i < perSecond / 10; i++) {
          const answer = new SessionBrowser(handler).post(
            'sign-in',
            codeOf(`invented-${tick}-${i}`),
            from(attacker),
          )
          void answer.then(({ status }) => invented.set(status, (invented.get(status) ?? 0) + 1))
        }
        if (tick % 30 === 0) {
          const began = clock.now()
          const address = attacker && `198.51.100.${tick / 30}`
          void signIn(new SessionBrowser(handler), tick, address).then(
            (status) => waits.push(clock.now() - began) && statuses.push(status),
          )
        }
        await passTime(clock, 100)
      }
      await passTime(clock, 6 * SECOND)
      expect(statuses).toEqual(Array(20).fill(200))
      expect(Math.max(...waits)).toBeLessThanOrEqual(5 * SECOND)
      // Nothing waits for longer, and nothing is left behind.
      expect([...invented.values()].reduce((sum, each) => sum + each, 0)).toBe(60 * perSecond)
      expect(service.most('/oauth2/token', SECOND)).toBeLessThanOrEqual(26)
      expect(clock.waiting).toBeLessThan(10)
    },
  )

  it.each([
    { addresses: 100, processes: 1 },
    { addresses: 100, processes: 4 },
    { addresses: 1, processes: 4 },
  ])(
    '200 a second of $addresses addresses delay no sign-in by 5 s, with $processes processes',
    { timeout: 60_000 },
    async ({ addresses, processes }) => {
      const limits = new MemoryRateLimitStores(clock)
      const handlers = Array.from({ length: processes }, () =>
        createHandler({ rateLimitStore: limits.store() }),
      )
      const browserAt = (index: number) =>
        new SessionBrowser(handlers[index % processes] ?? createHandler({}))
      const signIns: { status: number; took: number }[] = []
      for (let tick = 0; tick < 200; tick++) {
        for (let i = 0; i < 20; i++) {
          const count = tick * 20 + i
          const address = `203.0.113.${count % addresses}`
          const each = browserAt(count + Math.floor(count / addresses))
          void each.post('sign-in', codeOf(`invented-${count}`), from(address))
        }
        if (tick % 10 === 0) {
          const began = clock.now()
          const index = tick / 10
          void signIn(browserAt(index), index, `198.51.100.${index}`).then((status) =>
            signIns.push({ status, took: clock.now() - began }),
          )
        }
        await passTime(clock, 100)
      }
      await passTime(clock, 6 * SECOND)
      expect(signIns.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(Math.max(...signIns.map(({ took }) => took))).toBeLessThanOrEqual(5 * SECOND)
      expect(service.most('/oauth2/token', SECOND)).toBeLessThanOrEqual(26)
    },
  )

  it.each([
    { addresses: 1, processes: 1, slowest: SECOND / 2 },
    { addresses: 1, processes: 4, slowest: SECOND / 2 },
    // Their shares are more than what all strangers have: sign-ins wait for a place, and then for a slot.
    { addresses: 10, processes: 1, slowest: 3 * SECOND },
    { addresses: 10, processes: 4, slowest: 3 * SECOND },
  ])(
    'what $addresses addresses send beyond their shares is refused at once, and holds no place of others, at $processes processes',
    { timeout: 60_000 },
    async ({ addresses, processes, slowest }) => {
      const limits = new MemoryRateLimitStores(clock)
      const handlers = Array.from({ length: processes }, () =>
        createHandler({ rateLimitStore: limits.store() }),
      )
      const browserAt = (index: number) =>
        new SessionBrowser(handlers[index % processes] ?? createHandler({}))
      const refused: number[] = []
      const signIns: { status: number; took: number }[] = []
      for (let tick = 0; tick < 200; tick++) {
        for (let i = 0; i < 20; i++) {
          const count = tick * 20 + i
          const began = clock.now()
          const answer = browserAt(count + Math.floor(count / addresses)).post(
            'sign-in',
            codeOf(`invented-${count}`),
            from(`203.0.113.${count % addresses}`),
          )
          void answer.then(({ status }) => status === 503 && refused.push(clock.now() - began))
        }
        if (tick % 10 === 0) {
          const began = clock.now()
          const index = tick / 10
          void signIn(browserAt(index), index, `198.51.100.${index}`).then((status) =>
            signIns.push({ status, took: clock.now() - began }),
          )
        }
        await passTime(clock, 100)
      }
      await passTime(clock, 6 * SECOND)
      expect(signIns.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(Math.max(...signIns.map(({ took }) => took))).toBeLessThanOrEqual(slowest)
      // Those within their shares wait for their turn. Nine of ten are beyond.
      expect(percentile(refused, 0.8)).toBeLessThanOrEqual(100)
    },
  )

  it('beyond the share of an address are refused with the seconds until it has one again', async () => {
    const handler = createHandler({ rateLimitStore: new MemoryRateLimitStores(clock).store() })
    const answers: Response[] = []
    for (let round = 0; round < 60; round++)
      void new SessionBrowser(handler)
        .post('sign-in', codeOf(`invented-${round}`), from('203.0.113.9'))
        .then((answer) => answers.push(answer))
    await passTime(clock, SECOND)
    for (let round = 60; round < 63; round++) {
      const began = new SessionBrowser(handler).post(
        'sign-in',
        codeOf(`invented-${round}`),
        from('203.0.113.9'),
      )
      await passTime(clock, 100)
      const answer = await began
      expect(await answer.json()).toEqual({ error: 'rate_limited' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(4)
    }
    // The rest of what is under way.
    await passTime(clock, 2 * SECOND)
    expect(answers.length).toBe(60)
  })

  it('200 a second, each of another address, are answered soon: the newest goes first, and the oldest gives way', async () => {
    const handler = createHandler()
    const took: number[] = []
    for (let tick = 0; tick < 100; tick++) {
      for (let i = 0; i < 20; i++) {
        const began = clock.now()
        const address = `203.0.${tick}.${i}`
        void new SessionBrowser(handler)
          .post('sign-in', codeOf(`invented-${tick}-${i}`), from(address))
          .then(() => took.push(clock.now() - began))
      }
      await passTime(clock, 100)
    }
    // Of it up to a second for a slot, after the turn.
    expect(percentile(took, 0.9)).toBeLessThanOrEqual(1.5 * SECOND)
    expect(service.count('/oauth2/token')).toBeGreaterThan(225)
  })

  it(
    '200 invented tokens a second of 100 addresses delay no look-up by 5 s, at four processes',
    { timeout: 60_000 },
    async () => {
      const limits = new MemoryRateLimitStores(clock)
      const checks = Array.from({ length: 4 }, () =>
        createPlayerVerifier({ ...shared(), accessTokens: true, rateLimitStore: limits.store() }),
      )
      const ask = (index: number, token: string, address: string) =>
        checks[index % 4]?.(
          new Request(GAME, { headers: { authorization: `Bearer ${token}`, ...from(address) } }),
        )
      const found: { id: string; took: number }[] = []
      const failures: unknown[] = []
      for (let tick = 0; tick < 200; tick++) {
        for (let i = 0; i < 20; i++) {
          const count = tick * 20 + i
          const address = `203.0.113.${count % 100}`
          void ask(count + Math.floor(count / 100), `invented-${count}`, address)?.catch(() => undefined)
        }
        if (tick % 10 === 0) {
          const began = clock.now()
          const index = tick / 10
          void ask(index, `access-${index}-1`, `198.51.100.${index}`)?.then(
            ({ id }) => found.push({ id, took: clock.now() - began }),
            (error: unknown) => failures.push(error),
          )
        }
        await passTime(clock, 100)
      }
      await passTime(clock, 6 * SECOND)
      expect(failures).toEqual([])
      expect(found.length).toBe(20)
      expect(Math.max(...found.map(({ took }) => took))).toBeLessThanOrEqual(5 * SECOND)
    },
  )

  it('2,000 at once leave at most a hundred of them waiting', async () => {
    const handler = createHandler()
    let refused = 0
    for (let i = 0; i < 2000; i++) {
      const answer = new SessionBrowser(handler).post('sign-in', codeOf(`invented-${i}`))
      void answer.then(({ status }) => (refused += status === 503 ? 1 : 0))
    }
    await settleWork()
    expect(refused).toBeGreaterThanOrEqual(2000 - 100 - 30)
    expect(clock.waiting).toBeLessThan(200)
  })
})

/** One stranger, whose address a proxy writes in another way at each connection. */
const WRITINGS: Record<string, (round: number) => Record<string, string>> = {
  'an IPv4 address with the port of the connection': (round) => from(`203.0.113.9:${40_000 + round}`),
  'an IPv6 address with the port of the connection': (round) => from(`[2001:db8::9]:${40_000 + round}`),
  'addresses of one network, with zeros left out': (round) => from(`2001:db8::${round.toString(16)}`),
  'addresses of one network, in capitals and with zeros before': (round) =>
    from(round % 2 ? `2001:0DB8:1:2::${round}` : `2001:db8:0001:0002::${round}`),
  'an IPv4 address, also as one of IPv6': (round) =>
    from(round % 2 ? '203.0.113.9' : `::${'ffff:'.repeat(round % 4)}203.0.113.9`),
  'an address beside an invented one in a less reliable header': (round) => ({
    ...from('[2001:db8::9]:443'),
    'x-real-ip': `198.51.100.${round}`,
  }),
  'an address in x-real-ip alone, beside invented ones in x-forwarded-for': (round) => ({
    ...from(`198.51.100.${round}`),
    'x-real-ip': '203.0.113.9',
  }),
  'no address that can be read, beside an invented one': (round) => ({
    ...from('unknown'),
    'cf-connecting-ip': `198.51.100.${round}`,
  }),
}

describe('attack/240 one address', () => {
  it.each(Object.entries(WRITINGS))('as %s causes 30 requests at once', async (_, headers) => {
    const handler = createHandler({ logger: () => undefined })
    expect(await costOf(handler, headers)).toBe(30)
  })
})

/** How a proxy may write one address, and texts of which nobody knows whose they are. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  'an IPv4 address': [
    '203.0.113.9',
    ' 203.0.113.9 ',
    '203.0.113.9:1',
    '203.000.113.009',
    '::ffff:203.0.113.9',
    '::FFFF:203.0.113.9',
    '[::ffff:203.0.113.9]:443',
    '0:0:0:0:0:ffff:203.0.113.9',
    '::ffff:cb00:7109',
    '0000:0000:0000:0000:0000:FFFF:CB00:7109',
    `${'198.51.100.7, '.repeat(2000)}203.0.113.9`,
  ],
  'a network of IPv6': [
    '2001:db8:1:2::9',
    '2001:db8:1:2:0:0:0:9',
    '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff',
    '[2001:db8:1:2::9]',
    '[2001:db8:1:2::a]:8080',
    '2001:db8:1:2::9%eth0',
    '2001:db8:1:2::',
  ],
}
const UNREADABLE = [
  'unknown',
  '_hidden',
  '999',
  '1.2.3',
  '1.2.3.4.5',
  '0x7f.1',
  ':::',
  '1::2::3',
  '2001:db8',
  'g::1',
  '['.repeat(64),
  'for=203.0.113.9',
  '__proto__',
  'a'.repeat(16_000),
]

it.each(Object.entries(SAME))('attack/240 %s is one caller, however it is written', async (_, texts) => {
  expect(await costOf(createHandler(), (round) => from(texts[round % texts.length] ?? ''))).toBe(30)
})

it.each(UNREADABLE)(
  'attack/240 what is no address (%#) is one caller with all that are unknown',
  async (text) => {
    const handler = createHandler()
    for (let round = 0; round < 100; round++)
      for (const each of [text, 'unknown'])
        void new SessionBrowser(handler).post(
          'sign-in',
          codeOf(`invented-${round}-${each.length}`),
          from(each),
        )
    await passTime(clock, 100)
    const began = clock.now()
    let took = Number.POSITIVE_INFINITY
    void new SessionBrowser(handler)
      .post('sign-in', codeOf('honest-1'), from('192.0.2.1'))
      .then(({ status }) => status === 200 && (took = clock.now() - began))
    await passTime(clock, 3 * SECOND)
    // A second for a place, and one for a slot.
    expect(took).toBeLessThanOrEqual(2.2 * SECOND)
    expect(service.most('/oauth2/token', SECOND)).toBeLessThanOrEqual(26)
  },
)

const never = () => new Promise<never>(() => undefined)
const fails = () => Promise.reject(new Error('of the store'))

it.each<[string, Partial<RateLimitStore>]>([
  ['acquire never answers', { acquire: never }],
  ['acquire fails', { acquire: fails }],
  ['settle never answers', { settle: never }],
  ['settle fails', { settle: fails }],
  ['nothing ever answers', { acquire: never, settle: never, block: never, countRefusals: never }],
])('attack/240 a store of limits whose %s delays a sign-in by 2 s at most', async (_, faults) => {
  const handler = createHandler({
    rateLimitStore: {
      ...new MemoryRateLimitStores(clock).store(),
      forApplication: undefined,
      ...faults,
    } as never,
  })
  const began = new SessionBrowser(handler).post('sign-in', codeOf('honest-1'), from('192.0.2.1'))
  await passTime(clock, 4 * SECOND)
  const again = new SessionBrowser(handler).post('sign-in', codeOf('honest-2'), from('192.0.2.1'))
  await passTime(clock, 3 * SECOND)
  expect([(await began).status, (await again).status]).toEqual([200, 200])
})

/** Requests at the service that 100 invented codes cause. */
async function costOf(
  handler: ReturnType<typeof createHandler>,
  headers: (round: number) => Record<string, string>,
): Promise<number> {
  const before = service.requests.length
  for (let round = 1; round <= 100; round++)
    void new SessionBrowser(handler).post('sign-in', codeOf(`invented-${round}`), headers(round))
  await passTime(clock, 100)
  await settleWork()
  await passTime(clock, 5 * SECOND)
  return service.requests.length - before
}

describe('attack/471 the header of the proxy', () => {
  it.each<[string, CallerAddress, (round: number) => Record<string, string>]>([
    [
      'x-real-ip, beside invented addresses in x-forwarded-for',
      { header: 'X-Real-IP' },
      (round) => ({ ...from(`198.51.100.${round}`), 'x-real-ip': '203.0.113.9' }),
    ],
    [
      'x-real-ip, to which the proxy adds instead of replacing it',
      { header: 'x-real-ip' },
      (round) => ({ 'x-real-ip': `198.51.100.${round}, 203.0.113.9` }),
    ],
    [
      'x-forwarded-for of two proxies, before which the caller has written',
      { header: 'x-forwarded-for', proxies: 2 },
      (round) => from(`198.51.100.${round}, 203.0.113.9, 192.0.2.${round % 3}`),
    ],
    [
      'x-forwarded-for, beside invented addresses in all others',
      { header: 'x-forwarded-for' },
      (round) => ({
        ...from('203.0.113.9'),
        'x-real-ip': `198.51.100.${round}`,
        'cf-connecting-ip': `198.51.100.${round}`,
      }),
    ],
  ])('%s: one caller causes 30 requests at once', async (_, callerAddress, headers) => {
    expect(await costOf(createHandler({ callerAddress }), headers)).toBe(30)
  })

  it('that nobody has named is reported once, and unclear callers leave the others alone', async () => {
    const steps: string[] = []
    const handler = createHandler({ logger: (_level, step) => void steps.push(step) })
    void costOf(handler, (round) => ({ ...from(`198.51.100.${round}`), 'x-real-ip': '203.0.113.9' }))
    const began = new SessionBrowser(handler).post('sign-in', codeOf('honest-1'), {
      'x-real-ip': '192.0.2.1',
    })
    await passTime(clock, 5 * SECOND)
    expect((await began).status).toBe(200)
    expect(steps.filter((step) => step === 'session.caller_unclear').length).toBe(1)
  })

  it.each<[string, unknown, RegExp]>([
    ['a text', 'x-real-ip', /Pass an object with the name of the header/],
    ['a header that holds no address', { header: 'x-forwarded-host' }, /one header in which your proxy/],
    ['the header of all proxies together', { header: 'Forwarded' }, /one header in which your proxy/],
    ['several headers', { header: 'x-real-ip, x-forwarded-for' }, /one header in which your proxy/],
    ['a list of headers', { header: ['x-real-ip'] }, /one header in which your proxy/],
    ['no header', {}, /one header in which your proxy/],
    ['several proxies that replace', { header: 'x-real-ip', proxies: 2 }, /replaces x-real-ip/],
    ['no proxy', { header: 'x-forwarded-for', proxies: 0 }, /from 1 to 10/],
    ['half a proxy', { header: 'x-forwarded-for', proxies: 1.5 }, /from 1 to 10/],
    [
      'a misspelt name',
      { header: 'x-forwarded-for', proxy: 2 },
      /callerAddress.proxy. No such option. Known: header, proxies/,
    ],
  ])('is refused if it is %s', (_, callerAddress, message) => {
    const given = { callerAddress } as object
    expect(() => createHandler(given)).toThrow(message)
    expect(() => createPlayerVerifier({ ...shared(), ...given })).toThrow(message)
  })
})

describe('attack/470 callers behind one address', () => {
  it('sign in beside a flood from it if they have had a session: it counts for their player, also after its end', async () => {
    const limits = new MemoryRateLimitStores(clock)
    const store = memorySessionStore({ clock })
    const handlers = [0, 1].map(() => createHandler({ store, rateLimitStore: limits.store() }))
    const [first = createHandler(), second = first] = handlers
    const dormitory = from('203.0.113.9')
    const before = [1, 2].map(() => new SessionBrowser(first))
    for (const [index, browser] of before.entries()) {
      const began = browser.post('sign-in', codeOf(`honest-${index}`), dormitory)
      await passTime(clock, SECOND)
      expect((await began).status).toBe(200)
      await first.end(String(7_000_000 + index))
    }
    const statuses: number[] = []
    for (let tick = 0; tick < 100; tick++) {
      for (let i = 0; i < 20; i++)
        void new SessionBrowser(i % 2 ? first : second).post(
          'sign-in',
          codeOf(`invented-${tick}-${i}`),
          dormitory,
        )
      if (tick % 20 === 10)
        for (const [index, browser] of before.entries()) {
          const back = new SessionBrowser(tick % 40 === 10 ? first : second)
          for (const cookie of browser.cookies) back.cookies.set(...cookie)
          void back
            .post('sign-in', codeOf(`honest-${index}`), dormitory)
            .then(({ status }) => statuses.push(status))
        }
      await passTime(clock, 100)
    }
    await passTime(clock, SECOND)
    expect(statuses).toEqual(Array(10).fill(200))
  })

  it('with the cookie of an ended session cause what one player may, however many such cookies they have', async () => {
    const handler = createHandler()
    const cookies: SessionBrowser[] = []
    for (let round = 0; round < 8; round++) {
      const browser = new SessionBrowser(handler)
      const began = browser.post('sign-in', codeOf('honest-1'), from(`198.51.100.${round}`))
      await passTime(clock, SECOND)
      await began
      cookies.push(browser)
    }
    await handler.end('7000001')
    const cost = await costOf(handler, (round) => ({
      ...from(`203.0.113.${round}`),
      cookie: [...(cookies[round % 8]?.cookies ?? [])].map((pair) => pair.join('=')).join('; '),
    }))
    expect(cost).toBe(30)
  })
})

/** Everything that a signed-in page can make its backend ask, each as often as it likes. */
const PLAYER_DOORS: Record<string, (browser: SessionBrowser, round: number) => Promise<Response>> = {
  'POST revoke': (browser, round) => browser.post('revoke', { token: `invented-${round}` }),
  'POST sign-in': (browser, round) => browser.post('sign-in', codeOf(`invented-${round}`)),
  'GET api/users/@me': (browser) => browser.send('/session/api/users/@me', { headers: { origin: GAME } }),
}

describe('attack/241 one account', () => {
  it.each(Object.entries(PLAYER_DOORS))(
    'sends 400 times %s at four processes: 30 reach the service, then five a second',
    async (_, ask) => {
      const limits = new MemoryRateLimitStores(clock)
      const store = memorySessionStore({ clock })
      const handlers = Array.from({ length: 4 }, () =>
        createHandler({ store, rateLimitStore: limits.store() }),
      )
      const browsers = handlers.map((handler) => new SessionBrowser(handler))
      const [first] = browsers
      if (!first) throw new Error('no handler')
      const began = signIn(first, 1)
      await passTime(clock, SECOND)
      expect(await began).toBe(200)
      for (const browser of browsers) for (const cookie of first.cookies) browser.cookies.set(...cookie)
      const before = service.requests.length
      for (let round = 0; round < 400; round++) void ask(browsers[round % 4] ?? first, round)
      await passTime(clock, SECOND)
      expect(service.requests.length - before).toBeLessThanOrEqual(35)
      await passTime(clock, 9 * SECOND)
      expect(service.requests.length - before).toBeGreaterThan(10)
      expect(service.requests.length - before).toBeLessThanOrEqual(30 + 5 * 10)
    },
  )

  it('signs in and out with a revocation as often as it likes: 30 revocations, then five a second', async () => {
    const handler = createHandler()
    for (let round = 0; round < 60; round++) {
      const browser = new SessionBrowser(handler)
      const began = signIn(browser, 1)
      await passTime(clock, 100)
      await began
      void browser.post('sign-out', { revoke: true })
      await settleWork()
    }
    await passTime(clock, SECOND)
    expect(service.count('/revoke')).toBeLessThanOrEqual(30 + 5 * 7)
  })

  it('fifty accounts with 200 calls a second at four processes delay no call of others by 5 s', async () => {
    const limits = new MemoryRateLimitStores(clock)
    const store = memorySessionStore({ clock })
    const handlers = Array.from({ length: 4 }, () => createHandler({ store, rateLimitStore: limits.store() }))
    const browserAt = (index: number) =>
      new SessionBrowser(handlers[index % handlers.length] ?? createHandler())
    const players = Array.from({ length: 60 }, (_, index) => browserAt(index))
    for (const [index, browser] of players.entries()) {
      void signIn(browser, index, `198.51.100.${index}`)
      await passTime(clock, 200)
    }
    const call = (player: number, process: number) => {
      const browser = browserAt(process)
      for (const cookie of players[player]?.cookies ?? []) browser.cookies.set(...cookie)
      return browser.send('/session/api/users/@me', { headers: { origin: GAME } })
    }
    const calls: { status: number; took: number }[] = []
    for (let tick = 0; tick < 100; tick++) {
      for (let i = 0; i < 20; i++) {
        const count = tick * 20 + i
        void call(count % 50, count + Math.floor(count / 50))
      }
      if (tick % 10 === 0) {
        const began = clock.now()
        const index = tick / 10
        void call(50 + index, index).then(({ status }) => calls.push({ status, took: clock.now() - began }))
      }
      await passTime(clock, 100)
    }
    await passTime(clock, 6 * SECOND)
    expect(calls.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(Math.max(...calls.map(({ took }) => took))).toBeLessThanOrEqual(5 * SECOND)
  })

  it('leaves the calls of others as fast as they are in quiet times', async () => {
    const handler = createHandler()
    const [loud, quiet] = [new SessionBrowser(handler), new SessionBrowser(handler)]
    const began = [signIn(loud, 1), signIn(quiet, 2)]
    await passTime(clock, SECOND)
    await Promise.all(began)
    for (let round = 0; round < 400; round++) void loud.post('revoke', { token: `invented-${round}` })
    const started = clock.now()
    let waited = Number.POSITIVE_INFINITY
    void quiet
      .send('/session/api/users/@me', { headers: { origin: GAME } })
      .then(() => (waited = clock.now() - started))
    await passTime(clock, 100)
    await expect.poll(() => waited).toBeLessThanOrEqual(100)
  })
})

it(
  'attack/240 invented codes and reads for false reports leave a part of the limit: calls of the bot, and reads for honest reports, go at once',
  { timeout: 60_000 },
  async () => {
    const limits = new MemoryRateLimitStores(clock)
    const session = createHandler({ rateLimitStore: limits.store() })
    const clients = Array.from(
      { length: 4 },
      () =>
        new ApplicationClient({ ...shared(), credentials: botToken('bot'), rateLimitStore: limits.store() }),
    )
    const waits: number[] = []
    for (let tick = 0; tick < 200; tick++) {
      for (let i = 0; i < 20; i++) {
        const count = tick * 20 + i
        void new SessionBrowser(session).post(
          'sign-in',
          codeOf(`invented-${count}`),
          from(`203.0.113.${count % 100}`),
        )
        // As a hub reads lobbies that players report of whom it knows nothing.
        void clients[count % 4]?.lobbies.get(String(1000 + count), { priority: 'low' }).catch(() => undefined)
      }
      if (tick % 7 === 0) {
        const began = clock.now()
        const note = () => void waits.push(clock.now() - began)
        void clients[tick % 4]?.lobbies.edit('5', { metadata: { at: String(tick) } }).then(note)
        void clients[tick % 3]?.lobbies.get('6').then(note)
      }
      await passTime(clock, 100)
    }
    for (const client of clients) client.close()
    expect(Math.max(...waits)).toBeLessThanOrEqual(100)
    expect(service.most('', SECOND)).toBeLessThanOrEqual(50)
  },
)

it('attack/250 reads on behalf of a player, and checks of members, are 30 at once and five a second, whatever route of the game asks for them', async () => {
  const client = new ApplicationClient({ ...shared(), credentials: botToken('bot') })
  for (let round = 0; round < 200; round++) {
    const id = String(1000 + round)
    void client.lobbies.get(id, { onBehalfOf: '7000001' }).catch(() => undefined)
    void client.lobbies.assertMember(id, '7000001').catch(() => undefined)
  }
  await settleWork()
  expect(service.requests.length).toBe(30)
  // Those of another player, and of the game itself, go at once.
  void client.lobbies.get('5', { onBehalfOf: '7000002' })
  void client.lobbies.get('6')
  await settleWork()
  expect(service.requests.length).toBe(32)
  await expect(client.lobbies.get('7', { onBehalfOf: '7000001' })).rejects.toMatchObject({
    code: 'rate_limited',
    scope: 'user',
  })
  await expect(client.lobbies.get('7', { onBehalfOf: 'ada' })).rejects.toMatchObject({
    code: 'invalid_argument',
  })
  client.close()
})

interface Door {
  readonly name: string
  /** Sends one request with everything invented. */
  readonly ask: (round: number) => Promise<unknown>
}

/** Requests at once that a stranger may cause at the service by each door of a backend, however many are sent. */
const COSTS: Readonly<Record<string, number>> = {
  'POST sign-in': 25,
  'POST token': 0,
  'POST revoke': 0,
  'POST sign-out': 0,
  'GET start': 0,
  'GET callback': 25,
  'relay PUT /lobbies': 0,
  'relay DELETE /lobbies/{lobby.id}/members/@me': 0,
  'relay POST /lobbies/{lobby.id}/members/@me/invites': 0,
  'relay GET /lobbies/{lobby.id}/messages': 0,
  'relay POST /lobbies/{lobby.id}/messages': 0,
  'relay PATCH /lobbies/{lobby.id}/channel-linking': 0,
  'relay GET /users/@me': 0,
  'relay GET /users/@me/guilds': 0,
  'relay GET /users/@me/guilds/{guild.id}/member': 0,
  'relay GET /users/@me/applications/{application.id}/entitlements': 0,
  'relay GET /guilds/{guild.id}/channels': 0,
  'session.verify of a cookie': 0,
  'session.verify of an access token': 10,
  'session.verify of an ID token': 1,
  'verify of an access token': 10,
  'verify of an ID token': 1,
  tickets: 10,
  'hub GET': 10,
  'hub POST': 10,
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const junkIdToken = (round: number): string => {
  return `${part({ alg: 'RS256', kid: `invented-${round}` })}.${part({ sub: '1' })}.${part({})}`
}

const bearer = (path: string, token: string, method = 'GET'): Request =>
  new Request(`${GAME}${path}`, { method, headers: { authorization: `Bearer ${token}`, origin: GAME } })

const quietly = (check: VerifyPlayer, request: Request) => check(request).catch(() => undefined)
const cookie = (round: number) => ({
  cookie: `${sessionCookieOf(CountingService.applicationId)}=invented-${round}`,
  origin: GAME,
})
const hostileBody = (round: number) => ({
  ...codeOf(`invented-${round}`),
  token: `invented-${round}`,
  revoke: true,
  refused: `x${round}`,
})
const hostileHeaders = (round: number) => ({ ...cookie(round), 'content-type': 'application/json' })

/** The doors of a backend that has everything, by the lists of the parts themselves. */
function allDoors(): Door[] {
  const handler = createHandler()
  const stranger = () => new SessionBrowser(handler)
  const verify = createPlayerVerifier({ ...shared(), accessTokens: true })
  const lobbies = {
    get: () => Promise.reject(new Error('not found')),
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  }
  const hub = createLobbyHub({
    client: { applicationId: CountingService.applicationId, lobbies },
    verify,
    clock,
  })
  const tickets = createPlayerTickets({
    applicationId: CountingService.applicationId,
    verify,
    purposes: ['match'],
    clock,
  })
  const session = sessionRoutes().map((name): Door => {
    const [method = '', path = ''] = name.split(' ')
    if (name === 'GET callback') return { name, ask: async (round) => completeAttempt(stranger(), round) }
    return {
      name,
      ask: (round) =>
        method === 'POST'
          ? stranger().post(path, hostileBody(round), cookie(round))
          : stranger().send(`/session/${path}`),
    }
  })
  const relay = RELAYED_ROUTES.map(({ method, route }): Door => {
    const path = route.replaceAll(/\{[^}]+\}/g, '1575683824195469312')
    const init = { method, ...(method !== 'GET' && { body: '{}' }) }
    return {
      name: `relay ${method} ${route}`,
      ask: (round) => stranger().send(`/session/api${path}`, { ...init, headers: hostileHeaders(round) }),
    }
  })
  return [
    ...session,
    ...relay,
    {
      name: 'session.verify of a cookie',
      ask: (round) => quietly(handler.verify, new Request(GAME, { headers: cookie(round) })),
    },
    {
      name: 'session.verify of an access token',
      ask: (round) => quietly(handler.verify, bearer('/', `invented-${round}`)),
    },
    {
      name: 'session.verify of an ID token',
      ask: (round) => quietly(handler.verify, bearer('/', junkIdToken(round))),
    },
    { name: 'verify of an access token', ask: (round) => quietly(verify, bearer('/', `invented-${round}`)) },
    { name: 'verify of an ID token', ask: (round) => quietly(verify, bearer('/', junkIdToken(round))) },
    {
      name: 'tickets',
      ask: (round) => tickets(bearer('/tickets?purpose=match', `invented-${round}`, 'POST')),
    },
    ...['GET', 'POST'].map((method) => ({
      name: `hub ${method}`,
      ask: (round: number) => hub(bearer('/lobbies', `invented-${round}`, method)),
    })),
  ]
}

/** An attempt of the attacker's own, completed with an invented code. */
async function completeAttempt(browser: SessionBrowser, round: number): Promise<Response> {
  const started = await browser.send('/session/start')
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const query = new URLSearchParams({ code: `invented-${round}`, state, iss: CountingService.host })
  return browser.send(`/session/callback?${query.toString()}`)
}

describe('attack/242 every door of a backend', () => {
  it('has a stated cost for strangers, and no door lacks one', () => {
    expect(
      allDoors()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(COSTS).toSorted())
  })

  it.each(Object.entries(COSTS))(
    '%s costs a stranger who sends 300 at once at most %d requests, and as many in each further second',
    async (name, cost) => {
      const door = allDoors().find((each) => each.name === name)
      for (let round = 0; round < 300; round++) void door?.ask(round)
      for (let i = 0; i < 20; i++) await settleWork()
      expect(service.requests.length).toBeLessThanOrEqual(cost)
      expect(service.requests.length > 0).toBe(cost > 0)
      await passTime(clock, 3 * SECOND)
      expect(service.requests.length).toBeLessThanOrEqual(cost * 4)
    },
  )
})

it('attack/243 a store of limits that one game shares with another keeps the limits of both apart', async () => {
  const limits: RateLimitStore = new MemoryRateLimitStores(clock).store()
  const handlers = ['1287654321098765433', '1287654321098765434'].map((applicationId) =>
    createHandler({ applicationId, rateLimitStore: limits }),
  )
  for (let round = 0; round < 300; round++)
    void new SessionBrowser(handlers[0] ?? createHandler()).post('sign-in', codeOf(`invented-${round}`))
  await settleWork()
  const before = service.requests.length
  const began = signIn(new SessionBrowser(handlers[1] ?? createHandler()), 2)
  await settleWork()
  expect(service.requests.length).toBeGreaterThan(before)
  await passTime(clock, SECOND)
  expect(await began).toBe(200)
})
