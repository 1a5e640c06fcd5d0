/** Attacks on what a caller gives: a polluted prototype, and arguments and options that are changed later, reach no request of any public call. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ENDING, NAMES, Pollution } from '../support/polluted-names'
import {
  BACKEND_ARGUMENTS,
  backendPaths,
  CallWorld,
  findFunction,
  openBackend,
  openPage,
  PAGE_ARGUMENTS,
  pagePaths,
} from '../support/public-calls'
import { settle } from '../support/settle'

/** Each is taken where the others are refused. */
const VALUES = [
  ['a text', 'access_token'],
  ['true', true],
  ['an object', { evil: 'yes' }],
] as const

/** The random part of a request of a sign-in: 256 bits in base64url. */
const RANDOM = /[\w-]{43}(?![\w-])/g

interface Manner {
  readonly pollution?: Pollution
  /** Leaves all signals out, so that options without any other field are empty. */
  readonly isBare?: boolean
  /** Changes arguments as soon as the call has begun, and options as soon as the object is made. */
  readonly isChanging?: boolean
}

/** The requests of a call. */
async function run(
  path: string,
  { pollution, isBare = false, isChanging = false }: Manner = {},
): Promise<readonly unknown[]> {
  const world = new CallWorld((work) => (pollution ? pollution.pause(work) : work()))
  const isPage = path in PAGE_ARGUMENTS
  const args = (isPage ? PAGE_ARGUMENTS : BACKEND_ARGUMENTS)[path]?.() ?? []
  if (isBare) for (const each of args) Reflect.deleteProperty(Object(each), 'signal')
  pollution?.begin()
  try {
    const { root, options, close } = isPage ? await openPageFor(world) : openBackendFor(world)
    if (isChanging) change(options)
    world.requests.length = 0
    const { call } = findFunction(root, path)
    const begun = attempt(() => call(...args))
    if (isChanging) change(args)
    const state = { isSettled: false }
    void begun.finally(() => (state.isSettled = true))
    // As a device that waits for its player's approval.
    for (let turn = 0; turn < 40 && !state.isSettled; turn++) {
      await settle()
      if (turn > 20) world.clock.advance(1000)
    }
    pollution?.end()
    close()
    return JSON.parse(JSON.stringify(world.requests).replace(RANDOM, '*')) as readonly unknown[]
  } finally {
    pollution?.end()
  }
}

/** Resolves when the call has ended, however it does. */
async function attempt(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {}
}

async function openPageFor(world: CallWorld) {
  const { client, lobby, options } = await openPage(world)
  return {
    root: Object.assign(Object.create(client) as object, { lobby }),
    options,
    close: () => client.close(),
  }
}

function openBackendFor(world: CallWorld) {
  const { ApplicationClient, UserClient, options } = openBackend(world)
  const close = () => {
    ApplicationClient.close()
    UserClient.close()
  }
  return { root: { ApplicationClient, UserClient }, options, close }
}

/** Changes all plain data within a value: texts and numbers are others, fields are gone, lists are longer. */
function change(value: unknown): void {
  if (Array.isArray(value)) {
    for (const each of value) change(each)
    value.push('evil')
    value[0] = 'evil'
  } else if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    for (const [name, held] of Object.entries(value)) {
      change(held)
      Reflect.set(value, name, typeof held === 'number' ? 99 : 'evil')
    }
  } else if (value instanceof Uint8Array) value.fill(33)
}

/** The names that change a request, found by halves. */
async function findCulprits(tried: Tried, names: readonly string[]): Promise<string[]> {
  const { path, value, isBare, plain } = tried
  const polluted = await run(path, { isBare, pollution: new Pollution(names, value) })
  if (isDeepStrictEqual(polluted, plain)) return []
  if (names.length === 1) return [...names]
  const half = names.length >> 1
  const found = [
    ...(await findCulprits(tried, names.slice(0, half))),
    ...(await findCulprits(tried, names.slice(half))),
  ]
  return found.length === 0 ? [...names] : found
}

interface Tried {
  readonly path: string
  readonly value: unknown
  readonly isBare: boolean
  /** Without the pollution. */
  readonly plain: readonly unknown[]
}

it('attack/150 every public function of a client and of a backend is in the list', async () => {
  expect(Object.keys(PAGE_ARGUMENTS).toSorted()).toEqual((await pagePaths()).toSorted())
  expect(Object.keys(BACKEND_ARGUMENTS).toSorted()).toEqual(backendPaths().toSorted())
  expect(NAMES.length).toBeGreaterThan(400)
})

describe.each([...Object.keys(PAGE_ARGUMENTS), ...Object.keys(BACKEND_ARGUMENTS)])(
  'attack/150 %s',
  (path) => {
    it.each(VALUES)(
      'sends the same while Object.prototype has %s under every name of an option',
      async (kind, value) => {
        const isBare = kind === 'an object'
        const plain = await run(path, { isBare })
        const find = (names: readonly string[]) => findCulprits({ path, value, isBare, plain }, names)
        expect(await find(NAMES)).toEqual([])
      },
    )

    it('sends the same when its arguments are changed as soon as it has begun, and options after construction', async () => {
      expect(await run(path, { isChanging: true })).toEqual(await run(path))
    })
  },
)

it.each(ENDING)('attack/150 an inherited %s may end calls, and changes no request', async (name) => {
  for (const path of [
    'fetchCurrentUser',
    'backend.fetch',
    'ApplicationClient.lobbies.create',
    'ApplicationClient.commands.global.sync',
  ])
    for (const [, value] of VALUES) {
      const plain = await run(path)
      const sent = await run(path, { pollution: new Pollution([name], value) }).catch(() => [])
      expect(plain.slice(0, sent.length)).toEqual(sent)
    }
})
