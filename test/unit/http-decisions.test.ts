/** Decisions of the REST client: retries and their delays, buckets of a call, and the content of an error. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Failure, failureOf, isConnectionFailure, mayRetry, retryDelay } from '../../src/http/retry-policy'
import { bucketsOf, configuredBuckets, fairnessKeyOf } from '../../src/http/route-limits'
import { apiError } from '../../src/http/api-error'
import { type Fetch, requestJson, sendRequest } from '../../src/http/http-client'
import type { TransportAnswer } from '../../src/http/transport'
import { userAgent } from '../../src/http/user-agent'
import { AbortGroup } from '../../src/foundation/abort-group'
import { rejection } from '../support/settle'
import { ManualClock } from '../support/manual-clock'

describe('a response', () => {
  it.each([
    [429, {}, 'refused'],
    [429, undefined, 'refused'],
    [429, { code: 30_034 }, undefined],
    [429, { code: 0 }, 'refused'],
    [502, {}, 'broken'],
    [503, {}, 'broken'],
    [504, {}, 'broken'],
    [500, {}, undefined],
    [501, {}, undefined],
    [200, { code: 30_034 }, undefined],
  ])('with status %i and %o is a failure to retry: %s', (status, body, expected) => {
    expect(failureOf({ status, body })).toBe(expected)
  })
})

const allowed = (failure: Failure, attempts: number, request: { method: string; isRepeatable?: boolean }) =>
  mayRetry(failure, { ...request, attempts: { refused: 0, unsent: 0, lost: 0, broken: 0, [failure]: attempts } })

describe('a retry', () => {
  it.each([
    ['refused', 4],
    ['unsent', 3],
    ['lost', 2],
    ['broken', 2],
  ] as const)('after a request that was %s is made %i times', (failure, times) => {
    expect([allowed(failure, times, { method: 'GET' }), allowed(failure, times + 1, { method: 'GET' })]).toEqual([true, false])
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('of a lost %s is made, since it can be repeated', (method) => {
    expect([allowed('lost', 1, { method }), allowed('broken', 1, { method })]).toEqual([true, true])
  })

  it.each(['POST', 'PATCH'])('of a %s is made only if the service has not processed it, or it can be repeated', (method) => {
    const failures = ['refused', 'unsent', 'lost', 'broken'] as const
    expect(failures.map((failure) => allowed(failure, 1, { method }))).toEqual([true, true, false, false])
    expect(failures.map((failure) => allowed(failure, 1, { method, isRepeatable: true }))).toEqual([true, true, true, true])
    expect(allowed('lost', 1, { method: 'PUT', isRepeatable: false })).toBe(false)
  })

  it('comes after 200 ms, twice that each time, five seconds at most, or half of it', () => {
    expect([1, 2, 3, 5, 6, 9].map((attempts) => retryDelay('lost', attempts, 1))).toEqual([200, 400, 800, 3200, 5000, 5000])
    expect([0, 0.5, 1].map((chance) => retryDelay('unsent', 1, chance))).toEqual([100, 150, 200])
  })

  it('after a 429 has no delay of its own', () => {
    expect(retryDelay('refused', 3, 1)).toBe(0)
  })
})

describe('a connection that was never made', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])('may be %s', (code) => {
    expect(isConnectionFailure({ code })).toBe(true)
  })

  it('is found by the code of an error or of its causes', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    expect(isConnectionFailure(refused)).toBe(true)
    expect(isConnectionFailure(new Error('outer', { cause: new Error('inner', { cause: refused }) }))).toBe(true)
  })

  it.each([
    undefined,
    null,
    'ECONNREFUSED',
    new Error('x'),
    { code: 'ECONNRESET' },
    { code: 7 },
    { code: ['ECONNREFUSED'] },
    { cause: null },
    { cause: 'x' },
  ])('is not %o', (error) => {
    expect(isConnectionFailure(error)).toBe(false)
  })
})

const closedGroup = new AbortGroup()
closedGroup.end()

it.each([
  ['caller has aborted', AbortSignal.abort(), new AbortGroup()],
  ['client is closed', new AbortController().signal, closedGroup],
])('a request whose %s is not sent', async (_, signal, abortGroup) => {
  let sent = 0
  const transport = () => (sent++, { answer: new Promise<never>(() => undefined), abort: () => undefined })
  const request = { method: 'GET', url: 'https://service.test/', route: 'GET /', headers: {}, body: null, timeout: 1000, signal } as const
  const outcome = rejection(() => sendRequest({ transport, clock: new ManualClock(), abortGroup }, request))
  expect(sent).toBe(0)
  expect(await outcome).toMatchObject({ code: 'aborted' })
})

it('a request that was answered is not cancelled when its client is closed', async () => {
  let cancelled = 0
  const answer = Promise.resolve({ status: 204, header: () => null, text: '' })
  const transport = () => ({ answer, abort: () => void cancelled++ })
  const abortGroup = new AbortGroup()
  const request = { method: 'DELETE', url: 'https://service.test/', route: 'DELETE /', headers: {}, body: null, timeout: 1000 } as const
  expect(await sendRequest({ transport, clock: new ManualClock(), abortGroup }, request)).toMatchObject({ status: 204, body: undefined })
  abortGroup.end()
  expect(cancelled).toBe(0)
})

it('a request whose response arrived while the machine slept beyond its deadline is answered', async () => {
  const clock = new ManualClock()
  let respond: (() => void) | undefined
  const answer = new Promise<TransportAnswer>((resolve) => (respond = () => resolve({ status: 204, header: () => null, text: '' })))
  const request = { method: 'PUT', url: 'https://service.test/', route: 'PUT /', headers: {}, body: null, timeout: 1000 } as const
  const outcome = sendRequest({ transport: () => ({ answer, abort: () => undefined }), clock }, request)
  clock.sleep(3_600_000)
  respond?.()
  expect(await outcome).toMatchObject({ status: 204 })
  expect(clock.waiting).toBe(0)
})

it('a page of a proxy instead of JSON is refused without being downloaded', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
  const fetch: Fetch = async () => new Response(body, { status: 502, headers: { 'content-type': 'text/html' } })
  const outcome = requestJson({ fetch, clock: new ManualClock() }, { method: 'GET', url: 'https://service.test/', route: 'GET /' })
  await expect(outcome).rejects.toMatchObject({ code: 'malformed_response', retryable: true })
  expect(isCancelled).toBe(true)
})

describe('the buckets of a call', () => {
  const limit = { limit: 5, per: 1000 }
  const limits = { global: { limit: 50, per: 1000 }, create_lobby: limit, join_lobby: limit, send_message: limit } as unknown as Parameters<
    typeof bucketsOf
  >[1]['limits']
  const buckets = (method: string, route: string, { ids = {}, user }: { ids?: Record<string, string>; user?: string } = {}) =>
    bucketsOf({ method, route, ids }, { limits, ...(user !== undefined && { user }) })

  it('are the documented one of its route, per player, and the global one', () => {
    const global = { name: 'global', key: '', limit: 50, per: 1000 }
    expect(buckets('PUT', '/lobbies', { user: '7' })).toEqual([{ name: 'join_lobby', key: '7', ...limit }, global])
    expect(buckets('POST', '/lobbies')).toEqual([{ name: 'create_lobby', key: '', ...limit }, global])
  })

  it.each([
    ['POST', '/lobbies', 'create_lobby'],
    ['GET', '/lobbies/{lobby.id}', 'get_lobby'],
    ['DELETE', '/lobbies/{lobby.id}', 'delete_lobby'],
    ['PUT', '/lobbies/{lobby.id}/members/{user.id}', 'add_lobby_member'],
    ['DELETE', '/lobbies/{lobby.id}/members/{user.id}', 'remove_lobby_member'],
    ['PUT', '/lobbies', 'join_lobby'],
    ['POST', '/lobbies/{lobby.id}/messages', 'send_message'],
    ['PATCH', '/lobbies/{lobby.id}', 'PATCH /lobbies/{lobby.id}'],
  ])('of %s %s have the documented limit %s', (method, route, name) => {
    expect(buckets(method, route).map((bucket) => bucket.name)).toEqual([name, 'global'])
  })

  it('are one per player and guild for another route, of unknown size unless it is configured', () => {
    const route = '/applications/{application.id}/guilds/{guild.id}/commands'
    const name = `GET ${route}`
    const key = (options: Parameters<typeof buckets>[2]) => buckets('GET', route, options)[0]
    expect(key({ ids: { 'guild.id': '9' } })).toEqual({ name, key: '9', limit: Number.POSITIVE_INFINITY, per: 1000 })
    expect(key({ ids: { 'guild.id': '9' }, user: '7' })).toMatchObject({ key: '7 9' })
    expect(key({ user: '7' })).toMatchObject({ key: '7' })
    const configured = { ...limits, [name]: { limit: 2, per: 500 } } as typeof limits
    expect(bucketsOf({ method: 'GET', route, ids: {} }, { limits: configured })[0]).toEqual({ name, key: '', limit: 2, per: 500 })
  })

  it('that are configured are listed per player, the global one without', () => {
    const some = { global: limits.global, join_lobby: limit, get_lobby: undefined } as unknown as typeof limits
    expect(configuredBuckets({ limits: some, user: '7' })).toEqual([
      { name: 'global', key: '', limit: 50, per: 1000 },
      { name: 'join_lobby', key: '7', ...limit },
    ])
    expect(configuredBuckets({ limits: some }).map(({ key }) => key)).toEqual(['', ''])
  })

  it('are shared fairly among lobbies, or among guilds', () => {
    const keys = [{ 'lobby.id': '1', 'guild.id': '2' }, { 'guild.id': '2' }, {}].map((ids) => fairnessKeyOf({ ids }))
    expect(keys).toEqual(['1', '2', ''])
  })
})

const error = (status: number, body?: unknown, emulatorRule?: string) => apiError({ status, body, route: 'PUT /lobbies', emulatorRule })
const fault = { code: 'BASE', message: 'Wrong' }
const leaf = { _errors: [fault] }

describe('an error response', () => {
  it('has the code that docs/errors.md names for its number', async () => {
    const rows = [...(await readFile('docs/errors.md', 'utf8')).matchAll(/`(\w+)` *\| (\d{5,6}) *\|/g)]
    expect(rows.length).toBeGreaterThan(30)
    for (const [, code, number] of rows) expect(error(400, { code: Number(number) })).toMatchObject({ code, apiCode: Number(number) })
  })

  it('has the code of its number, or of its status', () => {
    expect(error(404, { code: 10_031 })).toMatchObject({ code: 'unknown_lobby', status: 404, apiCode: 10_031 })
    expect(error(404, { code: '10031' })).not.toHaveProperty('apiCode')
    expect(error(418)).toMatchObject({ code: 'http_418', status: 418, retryable: false })
    expect(error(418)).not.toHaveProperty('issues')
    expect(error(423)).toMatchObject({ code: 'account_locked', retryable: true })
  })

  it('is retryable while accounts are merged, and if no name was generated', () => {
    expect(error(400, { code: 530_006 }).retryable).toBe(true)
    expect(error(400, { code: 530_007 }).retryable).toBe(false)
    expect(error(404).retryable).toBe(false)
  })

  it('names the credential as the reason of a 401, and of no other status', () => {
    expect(error(401).message).toContain('credential')
    expect(error(403).message).not.toContain('credential')
  })

  it('has the rule of the emulator, if there is one', () => {
    expect(error(400, {}, 'Rule 7: names').emulatorRule).toBe('Rule 7: names')
    expect(error(400, {}).emulatorRule).toBeUndefined()
  })

  it('lists the issues of its tree with their paths', () => {
    const errors = {
      _errors: [fault],
      options: { 0: { name: leaf }, 12: leaf, '1a': leaf },
      name_localizations: { de: leaf, "a'b\\c": leaf, 7: leaf },
      metadata: { key: leaf },
      metadata2: { key: leaf },
      own_metadata: { key: leaf },
    }
    expect(error(400, { errors }).issues?.map(({ path }) => path)).toEqual([
      '',
      'options[0].name',
      'options[12]',
      'options.1a',
      "name_localizations['7']",
      "name_localizations['de']",
      "name_localizations['a\\'b\\\\c']",
      "metadata['key']",
      'metadata2.key',
      'own_metadata.key',
    ])
  })

  it('has issues with clean texts, even if the service sends none', () => {
    const errors = { a: { _errors: [{ code: 'C'.repeat(65), message: 'm'.repeat(201) }, { code: 7 }, 'x', null] }, b: { _errors: 'x' } }
    const issues = error(400, { errors }).issues ?? []
    expect(issues.map(({ code, message }) => [code.length, message.length])).toEqual([
      [64, 200],
      [7, 0],
      [7, 0],
      [7, 0],
    ])
    expect(issues[1]).toEqual({ path: 'a', code: 'unknown', message: '', params: {}, level: 'error' })
  })

  it('has a hundred issues at most', () => {
    const many = { _errors: Array.from({ length: 60 }, () => fault) }
    expect(error(400, { errors: { a: many, b: many, c: many } }).issues).toHaveLength(100)
    const paths = error(400, { errors: { a: many, b: many } }).issues?.map(({ path }) => path) ?? []
    expect([paths.filter((path) => path === 'a').length, paths.filter((path) => path === 'b').length]).toEqual([60, 40])
  })

  it('has issues down to a depth of 32', () => {
    const nested = (depth: number): object => (depth === 0 ? leaf : { x: nested(depth - 1) })
    expect([32, 33].map((depth) => error(400, { errors: nested(depth) }).issues?.length)).toEqual([1, undefined])
  })
})

describe('the user agent', () => {
  it('names the deployment and the SDK', () => {
    expect(userAgent('service')).toMatch(/^ServiceBot \(https:\/\/\S+, \d+\.\d+\.\d+\)$/)
  })
})
