/** The control plane, and the API that tests use. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { beginSignIn, call, json, signIn } from './support/sign-in-client.js'

let emulator: Emulator

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(() => emulator.close())

function control(
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const authorization = `Bearer ${emulator.controlToken}`
  const init: RequestInit = { headers: { authorization, ...headers } }
  return fetch(
    `${emulator.url}/_emulator${path}`,
    body === undefined ? init : { ...init, method: 'POST', body: JSON.stringify(body) },
  )
}

async function keyIds({ url }: Emulator): Promise<unknown> {
  const { keys } = await json(await fetch(`${url}/api/v10/oauth2/keys`))
  return Array.isArray(keys) && keys.map(({ kid }: { kid?: unknown }) => kid)
}

describe('the control plane', () => {
  it('approves a sign-in and returns the callback without following it', async () => {
    const { url, state } = await beginSignIn(emulator)
    const { redirect } = await json(await control('/authorize', { body: { url, as: emulator.users[1]?.id } }))
    expect(new URL(String(redirect)).searchParams.get('state')).toBe(state)
    const denied = await json(await control('/authorize', { body: { url, as: 'bruno', deny: true } }))
    expect(new URL(String(denied['redirect'])).searchParams.get('error')).toBe('access_denied')
  })

  it.each([
    ['an unknown player', { as: 'nobody' }, 'unknown_user'],
    [
      'a URL of another service',
      { as: 'ada', url: 'https://service.example/oauth2/authorize' },
      'foreign_url',
    ],
    ['an invalid body', { as: 7 }, 'bad_request'],
  ])('rejects %s with a code', async (_case, changes, code) => {
    const { url } = await beginSignIn(emulator)
    const response = await control('/authorize', { body: { url, ...changes } })
    expect([response.status, (await json(response))['code']]).toEqual([400, code])
  })

  it('reports the rule by which the page rejected', async () => {
    const { url } = await beginSignIn(emulator, { code_challenge_method: 'plain' })
    const response = await control('/authorize', { body: { url, as: 'ada' } })
    expect(response.status).toBe(400)
    expect(await json(response)).toMatchObject({
      code: 'authorize_refused',
      rule: 'code_challenge_method is not S256',
    })
  })

  it.each([
    ['without its token', { authorization: '' }, 401],
    ['with a wrong token', { authorization: 'Bearer emu_control_wrong' }, 401],
    ['from a page of another origin', { origin: 'http://localhost:5173' }, 403],
  ])('rejects requests %s', async (_case, headers, status) => {
    expect((await control('/requests', { headers })).status).toBe(status)
  })

  it('rejects a foreign host name, which could be rebound to this machine', async () => {
    const { port } = new URL(emulator.url)
    const headers = { host: `rebound.example:${port}`, authorization: `Bearer ${emulator.controlToken}` }
    const status = await new Promise((resolve) => {
      request({ host: '127.0.0.1', port, path: '/_emulator/requests', headers }, (response) =>
        resolve(response.resume().statusCode),
      ).end()
    })
    expect(status).toBe(403)
  })

  it('resets tokens and requests, and keeps the credentials', async () => {
    const { accessToken } = await signIn(emulator)
    const before = emulator.application
    expect((await control('/reset', { body: {} })).status).toBe(204)
    expect(emulator.requests).toEqual([])
    expect((await call(emulator, '/users/@me', accessToken)).status).toBe(401)
    expect(emulator.application).toEqual(before)
    expect((await call(emulator, '/users/@me', (await signIn(emulator)).accessToken)).status).toBe(200)
  })
})

describe('the request log', () => {
  it('contains requests and the violated rule, and no secret', async () => {
    const { accessToken, refreshToken } = await signIn(emulator)
    await call(emulator, '/users/@me', 'emu_access_wrong')
    expect(emulator.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/api/v10/users/@me',
      status: 401,
      rule: 'the access token was never issued here',
    })
    expect(emulator.requests.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/oauth2/sign-in/:id', '/oauth2/authorize/:id', '/api/v10/oauth2/token']),
    )
    const written = JSON.stringify(await (await control('/requests')).json())
    for (const secret of [accessToken, refreshToken, emulator.controlToken, 'code_verifier', '?'])
      expect(written).not.toContain(secret)
  })
})

describe('an emulator', () => {
  it('listens on this machine only', () => {
    expect(new URL(emulator.url).hostname).toBe('127.0.0.1')
  })

  it('rejects a busy port with a code', async () => {
    const port = Number(new URL(emulator.url).port)
    await expect(createEmulator({ port })).rejects.toMatchObject({ code: 'port_in_use' })
  })

  it('shares no token, key or cookie with another emulator', async () => {
    const other = await createEmulator()
    const { accessToken } = await signIn(emulator)
    expect((await call(other, '/users/@me', accessToken)).status).toBe(401)
    expect(other.application.botToken).not.toBe(emulator.application.botToken)
    const [own, others] = await Promise.all([emulator, other].map(keyIds))
    expect(own).not.toEqual(others)
    await other.close()
  })

  it('closes despite a half-sent request', async () => {
    const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      'POST /api/v10/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\nhalf',
    )
    await signIn(emulator)
    const ended = new Promise((resolve) => {
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => resolve('closed'))
    })
    await emulator.close()
    expect(await ended).toBe('closed')
  })

  it('can be closed twice, and responds to nothing afterwards', async () => {
    await emulator.close()
    await emulator.close()
    await expect(fetch(emulator.url)).rejects.toThrow('fetch failed')
  })
})
