/** Endpoints beside sign-in, lobbies and commands: pages of guilds and purchases, and those that the emulator does not emulate. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn } from './support/sign-in-client.js'

const TAVERN = '319560327719026709'
const guilds = ['9', '10', '1012345678901234567', '1012345678901234568'].map((id) => ({
  id,
  name: `Guild ${id}`,
}))

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

const call = (
  path: string,
  { method = 'GET', authorization = `Bot ${emulator.application.botToken}` } = {},
) =>
  fetch(`${emulator.url}/api/v10${path}`, { method, headers: authorization === '' ? {} : { authorization } })

describe('the guilds of a player', () => {
  let many: Emulator
  let token: string
  beforeAll(async () => {
    many = await createEmulator({ limits: 'off', seed: { guilds } })
    token = (await signIn(many, 'ada', { scope: 'openid guilds' })).accessToken
  })
  afterAll(() => many.close())
  const read = async (query: string) => {
    const response = await fetch(`${many.url}/api/v10/users/@me/guilds${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body: unknown = await response.json()
    return Array.isArray(body)
      ? body.map(({ id }) => String(id).slice(-2))
      : { status: response.status, ...Object(body) }
  }

  it.each([
    // The two guilds of every emulator are between those of this one.
    ['', ['9', '10', '09', '71', '67', '68']],
    ['?limit=2', ['9', '10']],
    ['?after=9', ['10', '09', '71', '67', '68']],
    ['?after=9&limit=1', ['10']],
    ['?before=1012345678901234568', ['9', '10', '09', '71', '67']],
    ['?before=1012345678901234568&limit=1', ['67']],
    ['?before=9', []],
    ['?limit=1&with_counts=true', ['9']],
    ['?limit=1&with_counts=0', ['9']],
  ])('with %j are those of one page, by id and not by text', async (query, expected) => {
    expect(await read(query)).toEqual(expected)
  })

  it.each([
    '?limit=0',
    '?limit=201',
    '?limit=two',
    '?before=x',
    '?after=-1',
    '?with_counts=yes',
    '?with_counts=',
  ])('with %j are refused', async (query) => {
    expect(await read(query)).toMatchObject({ status: 400, code: 50_035 })
  })
})

describe('an endpoint that is documented and not emulated', () => {
  it.each([
    ['GET', '/users/@me/connections'],
    ['PUT', '/users/@me/applications/1/role-connection'],
    ['GET', '/applications/1/role-connections/metadata'],
    ['PATCH', '/applications/@me'],
    ['GET', '/users/@me/connections/'],
    ['PUT', '/partner-sdk/dms/1/2/messages/3/moderation-metadata'],
  ])('answers 501 and says what it is: %s %s', async (method, path) => {
    const response = await call(path, { method })
    expect(response.status).toBe(501)
    expect(await response.json()).toEqual({
      code: 0,
      message: expect.stringMatching(/^The emulator does not emulate .* The service \w+ .+\.$/),
    })
    expect(response.headers.get('x-emulator-rule')).toContain(`not emulated: ${method} `)
  })

  it('is told from one that nobody knows', async () => {
    expect((await call('/users/@me/nothing')).status).toBe(404)
  })
})

describe('purchases', () => {
  it('are listed for a backend, as the host window showed them', async () => {
    const path = `/applications/${emulator.application.id}`
    expect(await (await call(`${path}/entitlements`)).json()).toEqual([])
    const skus: unknown = await (await call(`${path}/skus`)).json()
    expect(skus).toEqual(emulator.activity.skus())
    expect((await call(`${path}/entitlements`, { authorization: '' })).status).toBe(401)
    expect((await call('/applications/42/skus')).status).toBe(403)
    expect((await call(`${path}/entitlements?limit=101`)).status).toBe(400)
  })
  it.each([
    '?only_active=maybe',
    '?exclude_ended=maybe',
    '?exclude_deleted=2',
    '?guild_id=tavern',
    '?user_id=ada',
    '?before=x',
  ])('are refused with %s, as an invalid query', async (query) => {
    const response = await call(`/applications/${emulator.application.id}/entitlements${query}`)
    const name = /\w+/.exec(query)?.[0] ?? ''
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 50_035,
      errors: { [name]: { _errors: [{ code: expect.any(String) }] } },
    })
  })

  it.each(['?exclude_ended=true', '?exclude_deleted=false', '?exclude_deleted=1', `?guild_id=${TAVERN}`])(
    'are listed with %s',
    async (query) => {
      const response = await call(`/applications/${emulator.application.id}/entitlements${query}`)
      expect([response.status, await response.json()]).toEqual([200, []])
    },
  )
})
