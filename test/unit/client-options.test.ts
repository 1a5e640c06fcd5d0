/** Options of a client: their names, defaults and values, and services without encryption. */
import { Client, type ClientOptions } from 'foyer-sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createServiceConfig, resolveOptions } from '../support/internals'
import { codeOf, rejection } from '../support/settle'

const HOST = 'https://service.test'

/** Every option with a value. The type check fails if one is missing. */
const OPTIONS: Record<keyof ClientOptions, unknown> = {
  applicationId: '1082700000000000001',
  service: { host: HOST },
  redirectUri: null,
  surface: null,
  fetch: null,
  clock: null,
  tokenStore: null,
  keepLobbies: null,
  getToken: null,
  backendSession: null,
  profile: null,
  refuseExtraScopes: null,
  requireIdToken: null,
  requestTimeout: null,
  maxWait: null,
  rateLimitStore: null,
  lobbyUpdates: null,
  backendOrigins: null,
  logger: null,
}

const resolve = (options: object) =>
  resolveOptions({ service: { host: HOST }, ...options }, undefined, async () => undefined)

describe('the options of a client', () => {
  it.each(Object.entries(OPTIONS))('may contain %s, but not a misspelling of it', async (name, value) => {
    expect(() => resolve({ [name]: value })).not.toThrow()
    expect(await rejection(() => resolve({ [`${name}s`]: value }))).toMatchObject({
      message: expect.stringContaining(`mean ${name}?`),
    })
  })

  it('have defaults, also for undefined, and replace them', () => {
    const options = resolve({ requestTimeout: undefined, profile: undefined })
    expect(options).toMatchObject({
      requestTimeout: 30_000,
      launchQuery: '',
      profile: 'default',
      applicationId: undefined,
    })
    expect([typeof options.fetch, typeof options.clock.now()]).toEqual(['function', 'number'])
    const given = resolve({ applicationId: 1082700000000000001n, requestTimeout: 500, profile: 'ada' })
    expect(given).toMatchObject({ requestTimeout: 500, profile: 'ada', applicationId: '1082700000000000001' })
  })

  it.each([{ tokenstore: {} }, { applicationId: 7 }, { applicationId: 'x' }])(
    'are refused as %j',
    async (options) => {
      expect(await codeOf(() => resolve(options))).toBe('invalid_argument')
    },
  )
})

const DEVELOPMENT = { host: 'http://emulator:4320', developmentHosts: ['emulator'] }
const SECURE = { host: 'https://service.example' }

describe('a service in a container', () => {
  it.each<[string, object, string | undefined, string | undefined]>([
    ['its host named for development', {}, undefined, 'insecure_endpoint'],
    ['no host named', { developmentHosts: undefined }, 'insecure_endpoint', 'insecure_endpoint'],
    [
      'other hosts named',
      { developmentHosts: ['other', 'emulator.example'] },
      'insecure_endpoint',
      'insecure_endpoint',
    ],
    [
      'an endpoint at another host',
      { tokenUrl: 'http://other/token' },
      'insecure_endpoint',
      'insecure_endpoint',
    ],
    ['encryption, and the list left', SECURE, undefined, 'insecure_endpoint'],
    ['encryption, and no list', { ...SECURE, developmentHosts: undefined }, undefined, undefined],
    ['a text as the list', { developmentHosts: 'emulator' }, 'invalid_argument', 'invalid_argument'],
    [
      'an address as a name',
      { developmentHosts: ['http://emulator'] },
      'invalid_argument',
      'invalid_argument',
    ],
    ['a name with a port', { developmentHosts: ['emulator:4320'] }, 'invalid_argument', 'invalid_argument'],
    ['an empty name', { developmentHosts: [''] }, 'invalid_argument', 'invalid_argument'],
    ['a number as a name', { developmentHosts: [7] }, 'invalid_argument', 'invalid_argument'],
  ])('with %s', async (...[, changes, expected, inProduction]) => {
    const create = () => codeOf(() => createServiceConfig({ ...DEVELOPMENT, ...changes }))
    expect(await create()).toBe(expected)
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await create()).toBe(inProduction)
  })
})

const makeWith = (activityOrigins: unknown) =>
  codeOf(() => Reflect.construct(Client, [{ service: { host: 'https://service.example', activityOrigins } }]))

describe('origins of the window around an Activity', () => {
  it.each([
    ['every origin', ['*']],
    ['every host', ['https://*.service.example']],
    ['the origin of a page without one', ['null']],
    ['an empty text', ['']],
    ['a slash', ['https://service.example/']],
    ['a path', ['https://service.example/game']],
    ['a text in place of a list', 'https://service.example'],
    ['a host without a scheme', ['service.example']],
    ['plain http', ['http://service.example']],
    ['a second one that is none', ['https://service.example', '*']],
  ])('are refused when the client is made: %s', async (_, origins) => {
    expect(await makeWith(origins)).toBe('invalid_argument')
  })

  it.each([
    ['one', ['https://service.example']],
    ['a port', ['https://service.example:8443']],
    ['this machine', ['http://localhost:3333', 'http://127.0.0.1:3333', 'http://[::1]:3333']],
    ['left out', undefined],
  ])('are taken: %s', async (_, origins) => {
    expect(await makeWith(origins)).toBeUndefined()
  })
})
