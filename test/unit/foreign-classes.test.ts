/** Classes of another realm or of a polyfill, as test environments and old shells bring them: abort signals, forms. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Window as HappyWindow } from 'happy-dom'
import { type AuthorizationSurface, type Client, FoyerError } from 'foyer-sdk'
import { JSDOM } from 'jsdom'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../support/loopback'
import { createClientAt } from '../support/local-client'
import { REDIRECT_URI, silentSurface } from '../support/scripted-surface'
import { createTokenService, type TokenService } from '../support/token-service'

let service: TokenService
let client: Client

beforeEach(async () => {
  service = await createTokenService()
  client = createClientAt(service)
})
afterEach(() => vi.unstubAllGlobals())

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof FoyerError ? error.code : `not typed: ${String(error)}`),
  )

/** A polyfill without events of the platform, whose `addEventListener` knows no options. */
function createPolyfill() {
  const listeners = new Set<() => void>()
  const signal = {
    aborted: false,
    addEventListener(_: string, listener: () => void, options?: unknown) {
      if (options) throw new TypeError('no options here')
      listeners.add(listener)
    },
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }
  const abort = () => {
    signal.aborted = true
    for (const listener of listeners) listener()
  }
  return { signal, abort, listeners }
}

const CONTROLLERS: [string, () => { signal: unknown; abort: () => void }][] = [
  ['jsdom', () => new new JSDOM().window.AbortController()],
  ['happy-dom', () => new new HappyWindow().AbortController()],
  ['a polyfill', createPolyfill],
]

const CALLS: [string, (signal: AbortSignal) => Promise<unknown>][] = [
  ['signIn', (signal) => client.signIn({ surface: silentSurface(), signal })],
  ['authorize', (signal) => client.authorize({ scopes: 'openid' }, { surface: silentSurface(), signal })],
  ['refreshToken', (signal) => client.refreshToken(null, { signal })],
  ['fetchCurrentUser', (signal) => client.fetchCurrentUser({ signal })],
  ['createOrJoinLobby', (signal) => client.createOrJoinLobby('moon', { signal })],
]

describe.each(CONTROLLERS)('an abort signal of %s', (_, create) => {
  it.each(CALLS)('aborts %s', async (name, call) => {
    if (!/signIn|authorize/.test(name)) await service.signIn(client)
    service.fetch = () => new Promise(() => undefined)
    service.override = () => new Promise(() => undefined)
    const controller = create()
    const outcome = codeOf(call(controller.signal as AbortSignal))
    controller.abort()
    expect(await outcome).toBe('aborted')
  })
})

it('a signal is left without a listener when its call ends', async () => {
  const { signal, listeners } = createPolyfill()
  await service.signIn(client)
  await client.fetchCurrentUser({ signal: signal as unknown as AbortSignal })
  await client.refreshToken(null, { signal: signal as unknown as AbortSignal })
  expect(listeners.size).toBe(0)
})

/** As a game writes one without a class: its methods use `this`. */
const createCountingSurface = () => ({
  opened: 0,
  redirectUri: () => REDIRECT_URI,
  open(): Promise<string> {
    this.opened += 1
    return Promise.reject(new Error('closed'))
  },
})

it.each<[string, (surface: AuthorizationSurface) => Promise<unknown>]>([
  ['signIn', (surface) => client.signIn({ surface })],
  ['authorize', (surface) => client.authorize({ scopes: 'openid' }, { surface })],
])('%s uses the very surface that it was given, which keeps its state in itself', async (_, call) => {
  const surface = createCountingSurface()
  expect(await codeOf(call(surface))).not.toBe('ok')
  expect(surface.opened).toBe(1)
})

describe.each<[string, unknown]>([
  ['a controller', new AbortController()],
  ['an empty object', {}],
  ['a number', 42],
])('%s instead of a signal', (_, wrong) => {
  it.each(CALLS)('is refused by %s', async (name, call) => {
    if (!/signIn|authorize/.test(name)) await service.signIn(client)
    expect(await codeOf(call(wrong as AbortSignal))).toBe('invalid_argument')
  })
})

describe('the machine’s fetch', () => {
  it.each<[string, () => Record<string, unknown>]>([
    [
      'jsdom',
      () => ({
        ...pick(new JSDOM().window, ['URLSearchParams', 'Blob', 'AbortController', 'AbortSignal', 'Headers']),
      }),
    ],
    [
      'happy-dom',
      () => ({ ...pick(new HappyWindow(), ['URLSearchParams', 'Blob', 'AbortController', 'AbortSignal']) }),
    ],
    ['a polyfill', () => ({ URLSearchParams: PolyfilledParams })],
  ])('sends a form as a form beside the classes of %s', async (_, classes) => {
    const received: [string | undefined, string][] = []
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      received.push([request.headers['content-type'], await text(request)])
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
    }
    const { port, close } = await listen(createServer((request, response) => void answer(request, response)))
    onTestFinished(close)
    const { fetch } = globalThis
    for (const [name, value] of Object.entries(classes())) if (value) vi.stubGlobal(name, value)
    const game = createClientAt({ ...service, fetch }, { service: { host: `http://127.0.0.1:${port}` } })
    expect(await codeOf(game.refreshToken('a b&c=é'))).toBe('invalid_grant')
    expect(await codeOf(game.revokeToken('a b'))).toBe('http_400')
    expect(
      await codeOf(game.accounts.getToken({ externalAuthType: 'OIDC', externalAuthToken: 'x' })),
    ).not.toMatch('not typed')
    expect(received.map(([type]) => type)).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'application/json',
    ])
    expect(received[0]?.[1]).toContain('refresh_token=a+b%26c%3D%C3%A9')
    expect(JSON.parse(received[2]?.[1] ?? '')).toMatchObject({ external_auth_token: 'x' })
  })
})

const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(from, name)]))

/** As old core-js installs it: the machine does not know the class. */
class PolyfilledParams {
  readonly #own: URLSearchParams
  constructor(init?: Record<string, string> | string) {
    this.#own = new NativeParams(init)
  }
  get(name: string) {
    return this.#own.get(name)
  }
  set(name: string, value: string) {
    this.#own.set(name, value)
  }
  toString() {
    return this.#own.toString()
  }
}
const NativeParams = URLSearchParams
