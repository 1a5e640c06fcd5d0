/** Injected faults: effects of the network, a proxy or a broken service on a given number of requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, type FaultRule } from 'foyer-emulator'
import { call, control, json, refresh, rejectionOf, signIn } from './support/sign-in-client.js'

const token = { method: 'POST', path: '/api/v10/oauth2/token' }
const portal = '<!doctype html><title>Welcome to the airport</title>'
let emulator: Emulator
let accessToken: string

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(async () => {
  emulator.reset()
  accessToken = (await signIn(emulator)).accessToken
})
afterAll(() => emulator.close())

const me = () => call(emulator, '/users/@me', accessToken)
const seen = () => emulator.requests.slice(-1).map(({ path, status, fault }) => [path, status, fault])

describe('a fault', () => {
  it('affects as many requests as configured, and no other path or method', async () => {
    emulator.faults({
      match: { method: 'get', path: '/api/v10/users/@me' },
      times: 2,
      effect: { status: 503 },
    })
    const statuses = []
    for (const path of ['/oauth2/@me', '/users/@me', '/users/@me', '/users/@me'])
      statuses.push((await call(emulator, path, accessToken)).status)
    expect(statuses).toEqual([200, 503, 503, 200])
    expect(emulator.faults()).toEqual([])
  })

  it('affects exactly that many of concurrent requests', async () => {
    emulator.faults({ times: 7, effect: { status: 500 } })
    const responses = await Promise.all(Array.from({ length: 20 }, me))
    expect(responses.filter(({ status }) => status === 500)).toHaveLength(7)
  })

  it('is followed by the next one, in the order of configuration', async () => {
    emulator.faults([
      { effect: { status: 500 } },
      { match: { path: '/api/*/users/*' }, effect: { status: 502 } },
    ])
    expect([(await me()).status, (await me()).status, (await me()).status]).toEqual([500, 502, 200])
  })

  it('responds with the page of a captive portal, without CORS headers if configured', async () => {
    emulator.faults({
      effect: {
        status: 200,
        body: portal,
        headers: { 'access-control-allow-origin': null, 'x-portal': 'yes' },
      },
    })
    const response = await me()
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      portal,
    ])
    expect([response.headers.get('access-control-allow-origin'), response.headers.get('x-portal')]).toEqual([
      null,
      'yes',
    ])
    expect(seen()).toEqual([['/api/v10/users/@me', 200, 'replaced']])
  })

  it('responds with JSON, with the service’s CORS headers', async () => {
    emulator.faults({
      effect: {
        status: 429,
        headers: { 'retry-after': '2' },
        body: { message: 'Slow down', retry_after: 2 },
      },
    })
    const response = await me()
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
    expect(await json(response)).toEqual({ message: 'Slow down', retry_after: 2 })
  })

  it('changes a header of the real response, of API and OAuth endpoints alike', async () => {
    emulator.faults({ times: 2, effect: { headers: { 'content-type': 'text/plain', date: null } } })
    for (const path of ['/users/@me', '/oauth2/userinfo']) {
      const response = await call(emulator, path, accessToken)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
    }
    expect(seen()).toEqual([['/api/v10/oauth2/userinfo', 200, 'changed']])
  })

  it('cuts a response in half', async () => {
    emulator.faults({ effect: { body: '{"access_tok', headers: { 'content-length': '400' } } })
    const response = await me()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('drops a connection before the request is processed', async () => {
    const { refreshToken } = await signIn(emulator)
    emulator.faults({ match: token, effect: { drop: true } })
    await expect(refresh(emulator, refreshToken)).rejects.toThrow('fetch failed')
    expect(seen()).toEqual([['/api/v10/oauth2/token', 0, 'dropped']])
    expect((await refresh(emulator, refreshToken)).status).toBe(200)
  })

  it('loses the response of a processed request', async () => {
    const { refreshToken } = await signIn(emulator)
    emulator.faults({ match: token, effect: { lostAnswer: true } })
    await expect(refresh(emulator, refreshToken)).rejects.toThrow('fetch failed')
    expect(seen()).toEqual([['/api/v10/oauth2/token', 200, 'answer_lost']])
    expect((await rejectionOf(await refresh(emulator, refreshToken))).rule).toMatch(
      /^refresh_token was used before/,
    )
    emulator.faults({ effect: { lostAnswer: true } })
    await expect(me()).rejects.toThrow('fetch failed')
  })

  it('delays a request in real time, and then processes it', async () => {
    emulator.faults({ effect: { delay: 120 } })
    const started = performance.now()
    expect((await me()).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThanOrEqual(115)
  })

  it('affects a preflight only if it matches OPTIONS', async () => {
    const sendPreflight = () => fetch(`${emulator.url}/api/v10/users/@me`, { method: 'OPTIONS' })
    emulator.faults({ effect: { status: 500 } })
    expect((await sendPreflight()).status).toBe(204)
    emulator.faults({ match: { method: 'OPTIONS' }, effect: { status: 500 } })
    expect((await sendPreflight()).status).toBe(500)
  })

  it('affects pages, too, and never the control plane', async () => {
    emulator.faults({ times: 3, effect: { status: 503, body: 'closed' } })
    expect((await fetch(`${emulator.url}/oauth2/authorize`)).status).toBe(503)
    expect((await control(emulator, '/requests')).status).toBe(200)
  })

  it('is set, counted and cleared through the control plane', async () => {
    const rule: FaultRule = { match: token, times: 3, effect: { status: 500, body: { message: 'no' } } }
    expect(await (await control(emulator, '/faults', rule)).json()).toEqual([rule])
    expect(await (await control(emulator, '/faults', [rule, rule])).json()).toHaveLength(2)
    await refresh(emulator, 'any')
    expect(await (await control(emulator, '/faults')).json()).toEqual([{ ...rule, times: 2 }, rule])
    await control(emulator, '/reset', {})
    expect(emulator.faults()).toEqual([])
  })

  it.each([
    ['without an effect', { times: 1 }],
    ['with an invalid status', { effect: { status: 99 } }],
    ['with half a status', { effect: { status: 500.5 } }],
    ['with a header name that HTTP does not allow', { effect: { headers: { 'a b': 'c' } } }],
    ['with a header without a name', { effect: { headers: { '': 'c' } } }],
    ['with a header that begins a second line', { effect: { headers: { 'x-a': 'b\r\nset-cookie: c' } } }],
    ['with a header outside Latin-1', { effect: { headers: { 'x-a': '✓' } } }],
    ['with a removed header that HTTP does not allow', { effect: { headers: { 'a\n': null } } }],
    ['with a misspelt field', { effect: { lostAnwser: true } }],
    ['that never applies', { times: 0, effect: { drop: true } }],
  ])('%s is rejected with a message', async (_case, rule) => {
    const response = await control(emulator, '/faults', rule)
    expect([response.status, (await json(response))['code']]).toEqual([400, 'bad_request'])
    expect((await me()).status).toBe(200)
  })

  it('headers of pages that HTTP does not allow are refused at the start', async () => {
    await expect(createEmulator({ pageHeaders: { 'x y': 'z' } })).rejects.toMatchObject({
      code: 'invalid_setting',
    })
    await expect(createEmulator({ pageHeaders: { 'x-y': 'z\n' } })).rejects.toMatchObject({
      code: 'invalid_setting',
    })
  })
})
