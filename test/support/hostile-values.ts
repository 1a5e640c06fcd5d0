/** Values that no caller should pass, from a seed: the same seed gives the same values. */

/** Numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const refuse = (): never => {
  throw new TypeError('hostile')
}

/** Throws whatever is done with it. */
const createTrap = (): object =>
  new Proxy(
    {},
    {
      get: refuse,
      has: refuse,
      ownKeys: refuse,
      getOwnPropertyDescriptor: refuse,
      getPrototypeOf: refuse,
      set: refuse,
    },
  )

function createRevoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const createThenable = (then: (resolve: (value: unknown) => void) => void): object =>
  Object.fromEntries(new Map([['then', then]]))

function createCycle(): object {
  const cycle: Record<string, unknown> = { name: 'cycle', type: 1 }
  cycle['self'] = cycle
  cycle['options'] = [cycle]
  return cycle
}

function nest(depth: number): unknown {
  let nested: unknown = []
  for (let level = 0; level < depth; level++) nested = [nested]
  return nested
}

const VALUES: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -1,
  () => 2 ** 53,
  () => 10n ** 30n,
  () => '',
  () => ' ',
  () => '42',
  () => '1287654321098765433 ',
  () => '__proto__',
  () => '\ud800',
  () => 'x\r\ny: z',
  () => 'x'.repeat(100_000),
  () => 'https://evil.test/?code=1&state=2',
  () => 'javascript:alert(1)',
  () => Symbol('hostile'),
  () => () => undefined,
  () => async () => ({ hostile: true }),
  () => Map,
  () => new Date(Number.NaN),
  () => /x/g,
  () => new Map([['a', 1]]),
  () => new Uint8Array(4),
  () => new AbortController(),
  () => new Error('hostile'),
  () => [],
  () => {
    const sparse: unknown[] = []
    sparse[3] = null
    return sparse
  },
  () => nest(5000),
  () => ({}),
  () => Object.create(null) as object,
  () => Object.freeze({ id: 1, name: 2, content: 3 }),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}') as object,
  createCycle,
]

/** Values that throw when they are looked at. */
const TRAPS: readonly (() => unknown)[] = [
  () => ({ toString: refuse, valueOf: refuse, toJSON: refuse }),
  () => ({ [Symbol.toPrimitive]: refuse }),
  () => createThenable(refuse),
  () => createThenable((resolve) => resolve(42)),
  createTrap,
  createRevoked,
]

/** Names of options and fields: a hostile value behind a plausible name gets further. */
const NAMES = [
  'signal',
  'surface',
  'args',
  'scopes',
  'timeout',
  'result',
  'interval',
  'metadata',
  'member',
  'limit',
  'accessToken',
  'revoke',
  'method',
  'headers',
  'body',
  'id',
  'name',
  'type',
  'options',
  'description',
  'content',
  'components',
  'files',
  'commands',
  'publicKey',
  'applicationId',
  'service',
  'credentials',
  'permissions',
  'externalAuthType',
  'externalAuthToken',
] as const

/** Creates arguments for calls. `traps`: false leaves out values that throw when they are looked at. Default: true. */
export function createHostileValues(random: () => number, { traps = true } = {}) {
  const list = traps ? [...VALUES, ...TRAPS] : VALUES
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const value = (): unknown => (random() < 0.3 ? fields() : pick(list)())
  const fields = (): unknown =>
    Object.fromEntries(
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => [pick(NAMES), pick(list)()]),
    )
  return { pick, value, args: (): unknown[] => Array.from({ length: Math.floor(random() * 5) }, value) }
}
