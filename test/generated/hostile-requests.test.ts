/** Hostile requests at every route of the emulator: documented answers only, and refusals change nothing. `npm run fuzz` sends 20,000. */
import process from 'node:process'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { fieldsOf } from '../support/emulator-internals'
import { strayErrors } from '../support/stray-errors'
import { createHostileRequests, type Target } from '../emulator/support/hostile-requests'
import { changeOf, createHostileWorld } from '../emulator/support/hostile-world'
import { isCut, sendRaw, type RawRequest, type RawResponse } from '../emulator/support/send-raw'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126)
const CALLS = Number(process.env['HOSTILE_REQUESTS'] ?? 150)
const TIMEOUT = 1_800_000
const stray = strayErrors()
afterAll(() => stray[Symbol.dispose]())

type World = Awaited<ReturnType<typeof createHostileWorld>>

/** What a response must not be. */
function problemOf({ status, headers, body }: RawResponse, request: RawRequest): string | undefined {
  if (status === 0 && !isCut(request)) return 'was not answered'
  if (status >= 500 && !(status === 501 && headers.get('x-emulator-rule')?.startsWith('not emulated')))
    return `answered ${status}: ${body.slice(0, 300)}`
  if (headers.has('x-injected')) return 'took a header out of a value'
  if (/<script>hostile\(\)/.test(body) && headers.get('content-type')?.startsWith('text/html'))
    return 'shows markup of a value'
  const location = headers.get('location')
  if (location !== null && !isOwn(location)) return `redirects to ${location}`
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  if (status >= 400 && isJson && request.method !== 'HEAD' && !isError(JSON.parse(body)))
    return `is no error of the service: ${body}`
  return undefined
}

/** Pages may go on within the emulator, and back to the game. */
const isOwn = (location: string): boolean =>
  ['127.0.0.1', 'localhost'].includes(new URL(location, 'http://localhost').hostname)

function isError(body: unknown): boolean {
  const { code, message, error } = fieldsOf(body)
  return (
    (typeof message === 'string' && typeof code === 'number') ||
    typeof code === 'string' ||
    typeof error === 'string'
  )
}

/** Using an outdated command is refused too, and reloads it (docs/interface/commands.md#propagation). */
const isRefusal = ({ status, body }: RawResponse): boolean => status >= 400 && !body.includes('"code":40043')

interface Fuzz {
  world: World
  url: string
  targets: readonly Target[]
  seed: number
  /** Page that must answer at the end. Default: `/`. */
  home?: string
  check?: (target: Target, response: RawResponse) => string | undefined
}

const show = ({ method, target, headers, body }: RawRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${Buffer.from(body).toString().slice(0, 300)}`

/** A path with `.` or `..` is another one, as in every URL. */
const isOf = (target: Target, { method, target: path }: RawRequest): boolean =>
  method === target.method && !/\/\.{1,2}(?=[/?]|$)/.test(path)

async function fuzz({ world, url, targets, seed, home = '/', check }: Fuzz): Promise<string[]> {
  const generator = createHostileRequests(seed, world.vocabulary)
  const wrong: string[] = []
  let accepted = 0
  let before = world.state()
  let previous = 'nothing'
  for (let count = 0; count < CALLS; count++) {
    const target = generator.pick(targets)
    const request = generator.request(target)
    const response = await sendRaw(url, request).catch((error: unknown) => ({
      status: 599,
      headers: new Headers(),
      body: String(error),
    }))
    if (response.status >= 200 && response.status < 300) accepted++
    const problem =
      problemOf(response, request) ?? (isOf(target, request) ? check?.(target, response) : undefined)
    if (problem !== undefined) wrong.push(`${show(request)} → ${problem}`)
    const change = changeOf(before, world.state())
    if (isRefusal(response) && change !== undefined)
      wrong.push(`${show(request)} → ${response.status}, and changed ${change} (after ${previous})`)
    if (change !== undefined) {
      await world.restore()
      before = world.state()
    }
    previous = `${response.status} to ${show(request)}`
    if (wrong.length > 20) break
  }
  expect(
    (await sendRaw(url, { method: 'GET', target: home, headers: [], body: new Uint8Array() })).status,
  ).toBeLessThan(400)
  expect(await stray.errors()).toEqual([])
  // Requests that are all refused at the door would show nothing.
  expect(accepted).toBeGreaterThan(wrong.length > 0 ? 0 : CALLS / 20)
  return wrong
}

async function open(): Promise<World> {
  const world = await createHostileWorld()
  onTestFinished(() => world.close())
  return world
}

it(
  `an operation of the API answers hostile requests as documented (seed ${SEED}, ${CALLS} requests)`,
  { timeout: TIMEOUT },
  async () => {
    const world = await open()
    const { operations } = world.targets
    const undocumented = (target: Target, { status, body }: RawResponse): string | undefined => {
      const responses = operations.find((each) => each === target)?.operation.responses
      if (status < 200 || status >= 300 || responses === undefined) return undefined
      if (!responses.has(String(status))) return `answered ${status}, which is not documented`
      const pointer = responses.get(String(status))?.schema
      const fault = pointer === undefined ? undefined : world.description.faultOf(pointer, JSON.parse(body))
      return fault && `answered ${status} with ${fault.at}: ${fault.message}`
    }
    expect(
      await fuzz({ world, url: world.emulator.url, targets: operations, seed: SEED, check: undocumented }),
    ).toEqual([])
  },
)

it(
  `every route, page and control answers hostile requests (seed ${SEED}, ${CALLS} requests)`,
  { timeout: TIMEOUT },
  async () => {
    const world = await open()
    const { routes } = world.targets
    expect(routes.length).toBeGreaterThan(100)
    expect(await fuzz({ world, url: world.emulator.url, targets: routes, seed: SEED + 1 })).toEqual([])
  },
)

it(
  `the host page of an Activity answers hostile requests (seed ${SEED}, ${CALLS} requests)`,
  { timeout: TIMEOUT },
  async () => {
    const world = await open()
    const { origin } = new URL(world.emulator.activity.url ?? '')
    expect(
      await fuzz({
        world,
        url: origin,
        targets: world.targets.hostPages,
        seed: SEED + 2,
        home: '/_activity/',
      }),
    ).toEqual([])
  },
)

it('time that passes does not change the world, so that every change is that of a request', async () => {
  const world = await open()
  const [lobby = ''] = world.vocabulary.ids['lobbies'] ?? []
  const [operation] = world.targets.operations
  const authorization = operation?.credentials.find((each) => each.startsWith('Bearer ')) ?? ''
  const before = world.state()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await world.restore()
  for (const [method, target, text] of [
    ['POST', '/api/v10/lobbies', '{"idle_timeout_seconds":5,"prototype":"then"}'],
    ['DELETE', `/api/v10/lobbies/${lobby}?as=ada`, ''],
  ] as const) {
    const body = Buffer.from(text)
    const entity =
      text === '' ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }
    const headers = Object.entries({ authorization, ...entity })
    expect(await sendRaw(world.emulator.url, { method, target, headers, body })).toMatchObject({
      status: 403,
    })
    expect(changeOf(before, world.state())).toBeUndefined()
  }
})

/** Sends a form that is none; returns status and location. */
const ask = async (url: string, method: string, target: string) => {
  const headers = [
    ['origin', url] as const,
    ['content-type', 'multipart/form-data; boundary='] as const,
    ['content-length', '1'] as const,
  ]
  const response = await sendRaw(url, { method, target, headers, body: Buffer.from('x') })
  return [response.status, response.headers.get('location')]
}

it('a browser without a session, and a form that is none, are no failure of the emulator', async () => {
  const { emulator, targets } = await open()
  const [{ origin } = { origin: '' }] = targets.hostPages
  const id = emulator.application.id
  expect(await ask(emulator.url, 'POST', '/activate')).toEqual([303, '/activate'])
  expect(await ask(emulator.url, 'GET', '/activate/gone')).toEqual([303, '/activate'])
  expect(await ask(emulator.url, 'GET', `/oauth2/authorize/gone?client_id=${id}`)).toEqual([400, null])
  expect(await ask(emulator.url, 'POST', '/oauth2/authorize?client_id=1&scope=bot')).toEqual([400, null])
  expect(await ask(origin, 'POST', '/_activity/')).toEqual([400, null])
})
