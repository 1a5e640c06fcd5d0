/** Hostile values at every public call: only errors of the SDK, and nothing changes. `npm run fuzz` makes 20,000 calls. */
import process from 'node:process'
import * as foyer from 'foyer-sdk'
import { createEngine } from '../support/internals'
import * as server from 'foyer-sdk/server'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createHostileValues, createRandom } from '../support/hostile-values'
import { silentSurface } from '../support/scripted-surface'
import { strayErrors } from '../support/stray-errors'
import { createTokenService, HOST, USER_ID } from '../support/token-service'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126)
const CALLS = Number(process.env['HOSTILE_CALLS'] ?? 1500)
const TIMEOUT = 1_800_000
const ID = '1287654321098765433'
const stray = strayErrors()
afterAll(() => stray[Symbol.dispose]())

/** Methods that end the session or the client, as they should whatever is passed. */
const ENDING = ['signOut', 'close', 'revokeToken']

/** Of subclasses alone. */
const PROTECTED = 'emit'

/** Methods of an object and of its classes. */
function methodsOf(object: object): string[] {
  const names = new Set<string>()
  for (
    let at: object | null = object;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name)
  return [...names].sort()
}

const fetch = async () => Response.json({ message: 'no', code: 0 }, { status: 400 })

/** A call that is still pending after some turns, and what it was. */
interface Pending {
  settled: Promise<string>
  call: string
}

const SETTLED = 'typed or fine'

const verdict = (error: unknown): string =>
  error instanceof foyer.FoyerError && typeof error.code === 'string'
    ? SETTLED
    : `not typed: ${describe(error)}`

function describe(error: unknown): string {
  try {
    return error instanceof Error ? `${error.stack?.slice(0, 400)}` : String(error)
  } catch {
    return 'what cannot be shown'
  }
}

/** Calls, and waits some turns. Returns the outcome; undefined if the call is still pending. */
async function attempt(work: () => unknown, pending: Pending[], call: string): Promise<string | undefined> {
  const seen: string[] = []
  let returned: unknown
  try {
    returned = work()
  } catch (error) {
    return verdict(error)
  }
  if (!(returned instanceof Promise)) return SETTLED
  const settled = returned.then(
    () => SETTLED,
    (error: unknown) => verdict(error),
  )
  void settled.then((value) => seen.push(value))
  for (let turn = 0; turn < 10 && seen.length === 0; turn++)
    await new Promise((resolve) => void setImmediate(resolve))
  if (seen.length === 0) pending.push({ settled, call })
  return seen[0]
}

const invoke = (target: object, name: string, args: readonly unknown[]): unknown =>
  (Reflect.get(target, name) as (...given: unknown[]) => unknown).apply(target, [...args])

it(
  `a client rejects hostile values with errors of its own, and keeps its session (seed ${SEED}, ${CALLS} calls)`,
  { timeout: TIMEOUT },
  async () => {
    const service = await createTokenService()
    const values = createHostileValues(createRandom(SEED))
    const client = createClientAt(service, { surface: silentSurface() })
    await service.signIn(client)
    const { session } = client
    const groups = {
      client,
      lobbies: client.lobbies,
      accounts: client.accounts,
      activity: client.activity,
      backend: client.backend,
    }
    const methods = Object.entries(groups).flatMap(([group, target]) =>
      methodsOf(target).flatMap((name) =>
        [...ENDING, PROTECTED].includes(name) ? [] : [{ call: `${group}.${name}`, target, name }],
      ),
    )
    const wrong = new Set<string>()
    const pending: Pending[] = []
    for (let count = 0; count < CALLS; count++) {
      const { call, target, name } = values.pick(methods)
      const args = values.args()
      const outcome = await attempt(() => invoke(target, name, args), pending, call)
      if (outcome !== undefined && outcome !== SETTLED) wrong.add(`${call}: ${outcome}`)
      if (client.session?.userId !== session?.userId) wrong.add(`${call} changed the session`)
      if (count % 100 === 99) client.abortAuthorize()
    }
    expect([...wrong]).toEqual([])
    expect(client.session?.userId).toBe(USER_ID)
    expect(Array.from(client.lobbies, ({ id }) => id)).toEqual([])
    client.close()
    service.clock.advance(3_600_000)
    for (const { call, settled } of pending) expect(`${call}: ${await settled}`).toBe(`${call}: ${SETTLED}`)
    expect(await stray.errors()).toEqual([])
  },
)

it.each(ENDING)(`%s takes hostile values (seed ${SEED})`, { timeout: TIMEOUT }, async (name) => {
  const service = await createTokenService()
  const values = createHostileValues(createRandom(SEED + 1))
  for (let count = 0; count < CALLS / 100; count++) {
    const client = createClientAt(service)
    await service.signIn(client)
    expect(`${await attempt(() => invoke(client, name, values.args()), [], name)}`).toBe(SETTLED)
    client.close()
  }
})

it(
  `a backend rejects hostile values with errors of its own (seed ${SEED}, ${CALLS} calls)`,
  { timeout: TIMEOUT },
  async () => {
    const values = createHostileValues(createRandom(SEED + 2))
    // What a backend builds at its start is written by its developer: values of the wrong kind, but none that throws when it is looked at.
    const readable = createHostileValues(createRandom(SEED + 4), { traps: false })
    const backend = new server.ApplicationClient({
      applicationId: ID,
      service: { host: HOST },
      credentials: server.botToken('x'),
      fetch,
      maxWait: 0,
    })
    onTestFinished(() => backend.close())
    const parts = Object.entries(backend).flatMap(([part, target]: [string, unknown]) =>
      typeof target === 'object' && target !== null
        ? methodsOf(target).map((name) => ({ part, target, name }))
        : [],
    )
    const functions = Object.entries(server).flatMap(([name, target]) =>
      typeof target === 'function' && !/^class\b/.test(String(target)) && name !== 'respondToPlayerError'
        ? [{ part: 'server', target: server, name }]
        : [],
    )
    const constructors = Object.entries(server).flatMap(([name, target]) =>
      typeof target === 'function' && /^class\b/.test(String(target)) && !name.endsWith('Error')
        ? [target]
        : [],
    )
    const wrong = new Set<string>()
    const pending: Pending[] = []
    for (let count = 0; count < CALLS; count++) {
      const { part, target, name } = values.pick([...parts, ...functions])
      const args = part === 'server' ? readable.args() : values.args()
      const outcome = await attempt(() => invoke(target, name, args), pending, `${part}.${name}`)
      if (outcome !== undefined && outcome !== SETTLED) wrong.add(`${part}.${name}: ${outcome}`)
      const made = await attempt(
        () => void Reflect.construct(values.pick(constructors), values.args()),
        pending,
        'new',
      )
      if (made !== SETTLED) wrong.add(`new: ${made}`)
    }
    expect([...wrong]).toEqual([])
    expect(await stray.errors()).toEqual([])
  },
)

it(
  `an engine answers hostile values with a result for each call (seed ${SEED}, ${CALLS} calls)`,
  { timeout: TIMEOUT },
  async () => {
    const values = createHostileValues(createRandom(SEED + 3))
    const engine = createEngine(foyer)
    const service = await createTokenService()
    const client = createClientAt(service)
    await service.signIn(client)
    engine.use(client)
    const wrong = new Set<string>()
    const names = methodsOf(client).filter((name) => !ENDING.includes(name))
    for (let count = 0; count < CALLS; count++) {
      const method = values.pick([values.value(), values.pick(names)])
      const outcome = await attempt(
        () => invoke(engine, values.pick(['call', 'cancel', 'on', 'poll']), [method, values.value()]),
        [],
        'engine',
      )
      if (outcome !== SETTLED) wrong.add(`${outcome}`)
    }
    expect([...wrong]).toEqual([])
    expect(client.session?.userId).toBe(USER_ID)
    // A hostile value may be a listener that throws. Its error is the game's own, and is reported as such.
    const errors = await stray.errors()
    expect(errors.filter((text) => text !== "TypeError: Constructor Map requires 'new'")).toEqual([])
  },
)
