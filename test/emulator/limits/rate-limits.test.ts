/** The emulator’s rate limits as a client sees them: counting, 429 responses, headers and configuration. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { recordEvents, Lobbies, playerIn, userId } from '../lobbies/lobby-client.js'
import { control, json } from '../support/sign-in-client.js'

const hour = 3_600_000

let emulator: Emulator
let bot: Lobbies
beforeAll(async () => {
  emulator = await createEmulator()
  bot = new Lobbies(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => {
  emulator.limits('production')
  emulator.reset()
})

/** Repeats a request until it gets a 429, and returns the number of successes. */
async function passing(send: () => Promise<{ status: number }>, most = 150): Promise<number> {
  for (let count = 0; count < most; count += 1) if ((await send()).status === 429) return count
  return most
}

describe('the default rate limits', () => {
  it('are those of the interface', () => {
    const { limits, edge } = emulator.limits()
    const figures = Object.entries(limits).flatMap(([name, limit]) =>
      limit === null ? [] : [[name, limit.limit, limit.per, limit.counts]],
    )
    expect(figures).toEqual([
      ['global', 50, 1000, 'application'],
      ['create_lobby', 500, 10_000, 'application'],
      ['get_lobby', 500, 10_000, 'application'],
      ['delete_lobby', 500, 10_000, 'application'],
      ['add_lobby_member', 5000, 10_000, 'application'],
      ['remove_lobby_member', 5000, 10_000, 'application'],
      ['join_lobby', 10, 60_000, 'player'],
      ['send_message', 3000, 2 * hour, 'player'],
    ])
    expect(edge).toBeNull()
  })

  it('allow ten joins per minute for each player', async () => {
    const [ada, bruno] = [await playerIn(emulator, 'ada'), await playerIn(emulator, 'bruno')]
    expect(await passing(() => ada.put('', { secret: 'lantern' }))).toBe(10)
    expect((await bruno.put('', { secret: 'lantern' })).status).toBe(200)
    emulator.advance(60_000)
    expect((await ada.put('', { secret: 'lantern' })).status).toBe(200)
  })

  it('count rejected requests, except those without a valid token', async () => {
    const ada = await playerIn(emulator, 'ada')
    expect(await passing(() => ada.put('', {}))).toBe(10)
    emulator.limits({ global: { limit: 3, per: hour } })
    const otherPage = new Lobbies(emulator, 'Bot wrong')
    for (let count = 0; count < 5; count += 1) expect((await otherPage.get('/1')).status).toBe(401)
  })

  it('count all endpoints and tokens of an application together, and child applications separately', async () => {
    const ada = await playerIn(emulator, 'ada')
    emulator.limits({ global: { limit: 3, per: hour } })
    const commands = { headers: { authorization: bot.caller.authorization } }
    expect((await bot.caller.raw(`${bot.caller.root}/commands`, commands)).status).toBe(200)
    expect((await ada.put('', { secret: 'lantern' })).status).toBe(200)
    expect((await bot.get('/1')).status).toBe(404)
    for (const one of [ada, bot]) expect((await one.get('/1')).status).toBe(429)
    const child = await fetch(`${emulator.url}/api/v10/partner-sdk/child-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        parent_access_token: ada.caller.authorization.replace('Bearer ', ''),
        child_application_id: emulator.application.children[0]?.id,
        parent_client_secret: emulator.application.clientSecret,
      }),
    })
    const other = new Lobbies(emulator, `Bearer ${String((await json(child))['access_token'])}`)
    expect((await other.put('', { secret: 'lantern' })).status).toBe(200)
  })

  it('count different kinds of requests separately', async () => {
    emulator.limits('off')
    emulator.limits({ '*': { limit: 1 } })
    const names = [
      'create_lobby',
      'get_lobby',
      'delete_lobby',
      'add_lobby_member',
      'remove_lobby_member',
    ] as const
    for (const name of names) emulator.limits({ [name]: { limit: 1, per: hour } })
    const id = await bot.create()
    const calls = [
      () => bot.post('', {}),
      () => bot.get(`/${id}`),
      () => bot.put(`/${id}/members/1`, {}),
      () => bot.delete(`/${id}/members/1`),
      () => bot.delete(`/${id}`),
    ]
    expect(await Promise.all(calls.map((call) => passing(call, 3)))).toEqual([0, 1, 1, 1, 1])
  })

  it('prevent any effect of a rejected request', async () => {
    emulator.limits({ create_lobby: { limit: 1, per: hour } })
    await bot.post('', {})
    const events = recordEvents(emulator)
    expect((await bot.post('', {})).status).toBe(429)
    expect(events).toEqual([])
  })
})

describe('the rate limits of an application in development', () => {
  it('are a hundred lobby requests of each kind in two hours, and twenty links', async () => {
    emulator.limits('development')
    emulator.limits({ global: null })
    const [ada, bruno] = [await playerIn(emulator, 'ada'), await playerIn(emulator, 'bruno')]
    const id = await ada.join('lantern')
    await bruno.join('lantern')
    expect(await passing(() => bot.post('', {}))).toBe(100)
    expect(await passing(() => bot.patch(`/${id}`, {}))).toBe(100)
    expect(await passing(() => bot.patch(`/${id}`, {}))).toBe(0)
    expect(await passing(() => ada.patch(`/${id}/channel-linking`, {}))).toBe(20)
    const sent = await passing(() => ada.post(`/${id}/messages`, { content: 'x' }))
    expect([sent, await passing(() => bruno.post(`/${id}/messages`, { content: 'x' }))]).toEqual([100, 0])
    emulator.advance(2 * hour)
    expect((await bot.post('', {})).status).toBe(201)
  })

  it('count joins and both kinds of invitations, each on its own', async () => {
    emulator.limits('development')
    emulator.limits({ global: null, join_lobby: null })
    const ada = await playerIn(emulator, 'ada')
    const id = await ada.join('lantern')
    expect(await passing(() => ada.put('', { secret: 'lantern' }))).toBe(99)
    expect(await passing(() => ada.post(`/${id}/members/@me/invites`))).toBe(100)
    expect(await passing(() => bot.post(`/${id}/members/${userId(emulator, 'ada')}/invites`))).toBe(100)
  })

  it('do not include reading and deleting a lobby, whose usual limits remain', async () => {
    emulator.limits('development')
    emulator.limits({ global: null })
    const id = await bot.create()
    expect(await passing(() => bot.get(`/${id}`))).toBe(150)
    expect(await passing(() => bot.delete(`/${id}`))).toBe(150)
    const { get_lobby: reads, delete_lobby: deletions } = emulator.limits().limits
    for (const limit of [reads, deletions]) expect(limit).toMatchObject({ limit: 500, per: 10_000 })
  })
})

describe('a 429', () => {
  it('for one kind of request has the wait in body and headers', async () => {
    emulator.limits({ get_lobby: { limit: 1, per: hour } })
    await bot.get('/1')
    const { status, body, headers, rule } = await bot.get('/1')
    expect([status, body]).toEqual([
      429,
      { message: 'You are being rate limited.', retry_after: expect.any(Number), global: false },
    ])
    const { retry_after } = Object(body)
    expect(retry_after).toBeGreaterThan(3500)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': String(Math.ceil(retry_after)),
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': expect.stringMatching(/^3[56]\d\d\.\d{3}$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}\.\d{3}$/),
      'x-ratelimit-bucket': expect.stringMatching(/^[\da-f]{32}$/),
      'x-ratelimit-scope': 'user',
    })
    expect(headers.has('x-ratelimit-global')).toBe(false)
    expect(rule).toBe('get_lobby: at most 1 in 3600 s for one application')
  })

  it('of the global limit is marked as global', async () => {
    emulator.limits({ global: { limit: 1, per: hour } })
    await bot.get('/1')
    const { status, body, headers, rule } = await bot.get('/2')
    expect([status, body]).toMatchObject([429, { global: true }])
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-ratelimit-global': 'true',
      'x-ratelimit-scope': 'global',
      'retry-after': expect.stringMatching(/^3[56]\d\d$/),
    })
    expect(headers.has('x-ratelimit-limit')).toBe(false)
    expect(rule).toContain('global: at most 1')
  })

  it('for two exhausted limits has the longer wait', async () => {
    emulator.limits({ global: { limit: 1, per: hour }, get_lobby: { limit: 1, per: 2 * hour } })
    await bot.get('/1')
    expect((await bot.get('/1')).body).toMatchObject({ global: false, retry_after: expect.closeTo(7200, -2) })
  })
})

describe('every response', () => {
  it('has the state of its limit', async () => {
    emulator.limits({ create_lobby: { limit: 3, per: hour } })
    const remaining = []
    for (let count = 0; count < 3; count += 1)
      remaining.push((await bot.post('', {})).headers.get('x-ratelimit-remaining'))
    expect(remaining).toEqual(['2', '1', '0'])
    const { headers } = await bot.get('/1')
    expect([headers.get('x-ratelimit-limit'), headers.has('x-ratelimit-scope')]).toEqual(['500', false])
    const id = await playerIn(emulator, 'ada').then((ada) => ada.join('lantern'))
    expect((await bot.patch(`/${id}`, {})).headers.has('x-ratelimit-limit')).toBe(false)
  })

  it('shows its rate limit headers to pages, hides them, or has none', async () => {
    const exposed = async () => {
      const { headers } = await bot.get('/1')
      const readable = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
      const names = ['x-ratelimit-remaining', 'retry-after']
      return names.map((name) =>
        headers.has(name) ? (readable.includes(name) ? 'visible' : 'hidden') : 'absent',
      )
    }
    emulator.limits({ get_lobby: { limit: 1, per: hour } })
    await bot.get('/1')
    expect(await exposed()).toEqual(['visible', 'visible'])
    emulator.limits({ get_lobby: { headers: 'hidden' } })
    expect(await exposed()).toEqual(['hidden', 'hidden'])
    emulator.limits({ '*': { headers: 'absent' } })
    expect(await exposed()).toEqual(['absent', 'absent'])
    expect((await bot.get('/1')).body).toMatchObject({ retry_after: expect.any(Number) })
  })
})

describe('the request log', () => {
  it('shows the limits of a request', async () => {
    await bot.get('/1')
    await new Lobbies(emulator, 'Bot wrong').get('/1')
    const [first, second] = emulator.requests
    expect(first?.limits).toEqual([
      { name: 'get_lobby', limit: 500, remaining: 499, resetAfter: expect.any(Number) },
      { name: 'global', limit: 50, remaining: 49, resetAfter: expect.any(Number) },
    ])
    expect(second).not.toHaveProperty('limits')
  })
})

describe('a change of the rate limits', () => {
  it('through the control plane equals one in code, and returns their state', async () => {
    const response = await control(emulator, '/limits', {
      profile: 'off',
      join_lobby: { limit: 2, per: hour, window: 'sliding' },
    })
    expect(response.status).toBe(200)
    const ada = await playerIn(emulator, 'ada')
    await ada.join('lantern')
    const { limits } = emulator.limits()
    expect(await json(await control(emulator, '/limits'))).toMatchObject({
      limits: { join_lobby: { limit: 2, window: 'sliding' }, global: null },
    })
    expect(limits.join_lobby).toEqual({
      limit: 2,
      per: hour,
      window: 'sliding',
      headers: 'visible',
      counts: 'player',
      uses: [
        {
          key: `${emulator.application.id} ${userId(emulator, 'ada')}`,
          used: 1,
          remaining: 1,
          resetAfter: expect.any(Number),
        },
      ],
    })
  })

  it('can switch all of them off', async () => {
    emulator.limits('off')
    expect(await passing(() => bot.get('/1'), 120)).toBe(120)
  })

  it('resets changed limits and keeps the state of the others', async () => {
    emulator.limits({ get_lobby: { limit: 1, per: hour }, create_lobby: { limit: 1, per: hour } })
    await bot.get('/1')
    await bot.post('', {})
    emulator.limits({ get_lobby: { limit: 2 }, create_lobby: { headers: 'hidden' } })
    expect(await passing(() => bot.get('/1'))).toBe(2)
    expect(await passing(() => bot.post('', {}))).toBe(0)
    emulator.reset()
    expect(await passing(() => bot.post('', {}))).toBe(1)
  })

  it.each([
    [{ nothing: { limit: 1 } }, 'there is no limit nothing'],
    [{ global: { limit: 0 } }, 'global.limit'],
    [{ global: { per: 1.5 } }, 'global.per'],
    [{ global: { window: 'open' } }, 'global.window'],
    [{ global: { headers: 'loud' } }, 'global.headers'],
    [{ global: { burst: 2 } }, 'global has no burst'],
    [{ edit_lobby: { window: 'sliding' } }, 'edit_lobby.limit'],
    [{ profile: 'none' }, 'profile'],
    [{ global: 5 }, 'global must be an object'],
    [{ edge: { limit: 'x' } }, 'edge.limit'],
  ])('rejects %j and changes nothing', async (body, expectedText) => {
    const before = emulator.limits()
    const response = await control(emulator, '/limits', body)
    expect([response.status, await json(response)]).toMatchObject([
      400,
      { code: 'bad_request', message: expect.stringContaining(expectedText) },
    ])
    expect(emulator.limits()).toEqual(before)
  })

  it('with invalid values is rejected at the start, too', async () => {
    const limits = JSON.parse('{ "global": { "limit": -1 } }')
    await expect(createEmulator({ limits })).rejects.toMatchObject({
      code: 'invalid_setting',
      message: expect.stringContaining('global.limit'),
    })
  })
})

describe('the edge', () => {
  it('blocks an IP address after too many 401, 403 and 429 responses, until they are old enough', async () => {
    emulator.limits({ edge: { limit: 3, per: 600_000 }, get_lobby: { limit: 1, per: hour } })
    const otherPage = new Lobbies(emulator, 'Bot wrong')
    const ada = await playerIn(emulator, 'ada')
    await bot.get('/1')
    expect((await otherPage.get('/1')).status).toBe(401)
    expect((await ada.get('/1')).status).toBe(429)
    emulator.advance(60_000)
    expect((await ada.post('', {})).status).toBe(403)
    expect(emulator.limits().edge?.uses).toMatchObject([
      { address: expect.any(String), used: 3, remaining: 0 },
    ])
    const blocked = await fetch(`${emulator.url}/api/v10/users/@me`)
    expect([blocked.status, blocked.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    expect(await blocked.text()).toMatch(/^<!doctype html>/)
    expect(blocked.headers.get('x-emulator-rule')).toContain('edge: at most 3')
    const wait = Number(blocked.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(500)
    emulator.advance(wait * 1000)
    expect((await bot.delete('/1')).status).toBe(204)
    expect(emulator.limits().edge?.uses[0]?.used).toBeLessThan(3)
  })

  it('is off by default, and has 10,000 in ten minutes if switched on', async () => {
    expect(emulator.limits({ edge: {} }).edge).toMatchObject({ limit: 10_000, per: 600_000 })
    expect(emulator.limits('production').edge).toBeNull()
  })

  it('can respond with an HTML page without CORS, and counts no shared limit', async () => {
    emulator.limits({ edge: { limit: 1, per: hour, headers: 'hidden' } })
    const headers = { 'X-RateLimit-Scope': 'shared', 'Retry-After': '1' }
    emulator.faults({ effect: { status: 429, headers } })
    expect((await bot.get('/1')).status).toBe(429)
    expect((await bot.get('/1')).status).toBe(404)
    await fetch(`${emulator.url}/api/v10/users/@me`)
    const blocked = await fetch(`${emulator.url}/api/v10/users/@me`)
    expect([blocked.status, blocked.headers.has('access-control-allow-origin')]).toEqual([429, false])
    expect((await control(emulator, '/limits')).status).toBe(200)
  })
})

it('a fault can respond to the next two requests of a kind with 429', async () => {
  const body = { message: 'You are being rate limited.', retry_after: 3, global: false }
  emulator.faults({
    match: { method: 'POST', path: '/api/v10/lobbies' },
    times: 2,
    effect: { status: 429, headers: { 'Retry-After': '3' }, body },
  })
  const responses = []
  for (let count = 0; count < 3; count += 1) responses.push(await bot.post('', {}))
  expect(responses.map(({ status }) => status)).toEqual([429, 429, 201])
  expect([responses[0]?.body, responses[0]?.headers.get('retry-after')]).toEqual([body, '3'])
  expect(emulator.limits().limits.create_lobby?.uses).toMatchObject([{ used: 1 }])
})
