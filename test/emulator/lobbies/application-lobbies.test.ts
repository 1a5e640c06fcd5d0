/** Lobbies of a backend with a bot token: create, read, edit, delete. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { sendRaw } from '../support/send-raw.js'
import { asApplication, errorPaths } from '../commands/command-client.js'
import { recordEvents, Lobbies, playerIn, rejectedWith, userId } from './lobby-client.js'

let emulator: Emulator
let bot: Lobbies
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Lobbies(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

describe('a lobby of a backend', () => {
  it('is created with the fields of the body, and read', async () => {
    const created = await bot.post('', {
      metadata: { mode: 'ranked' },
      members: [{ id: '1', metadata: { role: 'tank' }, flags: 1 }, { id: '2' }],
    })
    const lobby = {
      id: expect.stringMatching(/^\d{17,20}$/),
      application_id: emulator.application.id,
      metadata: { mode: 'ranked' },
      flags: 0,
      members: [
        { id: '1', metadata: { role: 'tank' }, flags: 1 },
        { id: '2', metadata: null, flags: 0 },
      ],
    }
    expect([created.status, created.body]).toEqual([201, lobby])
    const read = await bot.get(`/${String(Object(created.body).id)}`)
    expect([read.status, read.body]).toEqual([200, created.body])
  })

  it('is not deleted by a request whose end nobody can see (RFC 9112 section 6.3)', async () => {
    const path = `/${String(Object((await bot.post('')).body).id)}`
    const target = `/api/v10/lobbies${path}`
    for (const coding of ['gzip', 'chunked, gzip', 'identity']) {
      const headers = [
        ['authorization', bot.caller.authorization] as const,
        ['transfer-encoding', coding] as const,
      ]
      const refused = await sendRaw(emulator.url, {
        method: 'DELETE',
        target,
        headers,
        body: new Uint8Array(),
      })
      expect([coding, refused.status]).toEqual([coding, 400])
    }
    expect((await bot.get(path)).status).toBe(200)
    const chunked = [
      ['authorization', bot.caller.authorization] as const,
      ['transfer-encoding', 'chunked'] as const,
    ]
    const body = Buffer.from('0\r\n\r\n')
    expect((await sendRaw(emulator.url, { method: 'DELETE', target, headers: chunked, body })).status).toBe(
      204,
    )
  })

  it('is empty by default', async () => {
    for (const body of [{}, { metadata: null, members: null, idle_timeout_seconds: null }])
      expect((await bot.post('', body)).body).toMatchObject({ metadata: null, members: [] })
  })

  it('needs no body, since every field of a lobby and of a member is optional', async () => {
    const created = await bot.post('')
    expect([created.status, created.body]).toMatchObject([201, { metadata: null, members: [] }])
    const id = String(Object(created.body).id)
    const member = await bot.put(`/${id}/members/${userId(emulator, 'ada')}`)
    expect([member.status, member.body]).toEqual([
      200,
      { id: userId(emulator, 'ada'), metadata: null, flags: 0 },
    ])
    expect(await bot.patch(`/${id}`)).toMatchObject({
      status: 200,
      body: { members: [{ id: userId(emulator, 'ada') }] },
    })
    // A body that is present must be JSON by its content type.
    const headers = { authorization: bot.caller.authorization, 'content-type': 'text/plain' }
    expect((await bot.caller.raw('/lobbies', { method: 'POST', headers, body: '{}' })).status).toBe(400)
  })

  it('is edited field by field, and each field as a whole', async () => {
    const id = await bot.create({
      metadata: { a: '1', b: '2' },
      members: [{ id: '1', metadata: { x: 'y' }, flags: 1 }, { id: '2' }],
    })
    expect((await bot.patch(`/${id}`, { metadata: { c: '3' } })).body).toMatchObject({
      metadata: { c: '3' },
      members: [{ id: '1' }, { id: '2' }],
    })
    const { status, body } = await bot.patch(`/${id}`, { members: [{ id: '3' }, { id: '1' }] })
    expect([status, body]).toMatchObject([200, { metadata: { c: '3' } }])
    expect(
      Object(body)
        .members.map((member: unknown) => Object(member).id)
        .sort(),
    ).toEqual(['1', '3'])
    expect(Object(body).members).toContainEqual({ id: '1', metadata: null, flags: 0 })
    expect((await bot.patch(`/${id}`, { metadata: null, members: [] })).body).toMatchObject({
      metadata: null,
      members: [],
    })
    expect((await bot.patch(`/${id}`, { metadata: {} })).body).toMatchObject({ metadata: {} })
    expect((await bot.patch(`/${id}`, {})).body).toEqual((await bot.get(`/${id}`)).body)
  })

  it('can be deleted repeatedly, and is unknown afterwards', async () => {
    const id = await bot.create()
    for (const one of [id, id, '1'])
      expect(await bot.delete(`/${one}`)).toMatchObject({ status: 204, body: undefined })
    expect(await bot.get(`/${id}`)).toMatchObject(rejectedWith(404, 10031, 'it was deleted'))
    expect(await bot.get('/1')).toMatchObject(rejectedWith(404, 10031, 'no lobby has this id'))
    expect(await bot.patch(`/${id}`, {})).toMatchObject(rejectedWith(404, 10031))
  })
})

describe('a lobby member', () => {
  it('loses the fields that an update leaves out if the emulator is told to reset them', async () => {
    await bot.caller.control('/lobbies', { method: 'PATCH', body: { absentMemberFields: 'reset' } })
    const id = await bot.create({
      members: [{ id: userId(emulator, 'ada'), metadata: { team: 'red' }, flags: 1 }],
    })
    const { body } = await bot.put(`/${id}/members/${userId(emulator, 'ada')}`, {
      metadata: { team: 'blue' },
    })
    expect(body).toMatchObject({ metadata: { team: 'blue' }, flags: 0 })
    const changed = await bot.post(`/${id}/members/bulk`, [{ id: userId(emulator, 'ada'), flags: 1 }])
    expect(changed.body).toMatchObject([{ metadata: null, flags: 1 }])
    await bot.caller.control('/lobbies', { method: 'PATCH', body: { absentMemberFields: 'keep' } })
  })

  it('is added, edited by the fields of the body, and removed repeatedly', async () => {
    const id = await bot.create()
    expect(await bot.put(`/${id}/members/7`, { metadata: { team: 'red' }, flags: 1 })).toMatchObject({
      status: 200,
      body: { id: '7', metadata: { team: 'red' }, flags: 1 },
    })
    expect((await bot.put(`/${id}/members/7`, { additional_name: 'Knight' })).body).toEqual({
      id: '7',
      metadata: { team: 'red' },
      flags: 1,
      additional_name: 'Knight',
    })
    expect(
      (await bot.put(`/${id}/members/7`, { metadata: null, flags: 0, additional_name: null })).body,
    ).toEqual({
      id: '7',
      metadata: null,
      flags: 0,
    })
    for (const path of [`/${id}/members/7`, `/${id}/members/7`])
      expect((await bot.delete(path)).status).toBe(204)
    expect((await bot.get(`/${id}`)).body).toMatchObject({ members: [] })
  })

  it('of an unknown lobby is an error', async () => {
    expect(await bot.put('/1/members/7', {})).toMatchObject(rejectedWith(404, 10031))
    expect(await bot.delete('/1/members/7')).toMatchObject(rejectedWith(404, 10031))
    expect(await bot.post('/1/members/bulk', [{ id: '7' }])).toMatchObject(rejectedWith(404, 10031))
  })

  it('is rejected beyond a thousand members', async () => {
    const id = await bot.create()
    // A few at once: the test is not about a thousand connections.
    for (let first = 1; first <= 1000; first += 25)
      await Promise.all(
        Array.from({ length: 25 }, (_, index) => bot.put(`/${id}/members/${first + index}`, {})),
      )
    expect(await bot.put(`/${id}/members/1001`, {})).toMatchObject(
      rejectedWith(400, 50035, 'at most 1000 members'),
    )
    expect((await bot.put(`/${id}/members/1000`, { flags: 1 })).status).toBe(200)
  })
})

describe('a bulk update of members', () => {
  it('adds, edits and removes members, and returns those that remain', async () => {
    const [ada, ben] = ['ada', 'bruno'].map((name) => userId(emulator, name))
    const id = await bot.create({ members: [{ id: String(ada), metadata: { a: '1' } }] })
    const { status, body } = await bot.post(`/${id}/members/bulk`, [
      { id: ada, flags: 1, additional_name: 'Countess' },
      { id: ben, metadata: { b: '2' } },
    ])
    expect([status, body]).toEqual([
      200,
      [
        { id: ada, metadata: { a: '1' }, flags: 1, additional_name: 'Countess' },
        { id: ben, metadata: { b: '2' }, flags: 0 },
      ],
    ])
    expect(
      (
        await bot.post(`/${id}/members/bulk`, [
          { id: ada, remove_member: true },
          { id: ben, additional_name: 'B' },
        ])
      ).body,
    ).toEqual([{ id: ben, metadata: { b: '2' }, flags: 0, additional_name: 'B' }])
    expect((await bot.get(`/${id}`)).body).toMatchObject({ members: [{ id: ben }] })
  })

  it('requires 1 to 25 users, each once', async () => {
    const id = await bot.create()
    expect(
      await bot.post(`/${id}/members/bulk`, [{ id: userId(emulator, 'ada') }, { id: '1' }]),
    ).toMatchObject(rejectedWith(404, 10013, '[1].id'))
    expect((await bot.get(`/${id}`)).body).toMatchObject({ members: [] })
    const many = Array.from({ length: 26 }, (_, index) => ({ id: String(index + 1) }))
    for (const body of [[], {}, many, [{ id: '1' }, { id: '1' }], [{ id: '1', remove_member: 'yes' }]])
      expect(await bot.post(`/${id}/members/bulk`, body)).toMatchObject(rejectedWith(400, 50035))
  })
})

describe('an invalid body', () => {
  it('is rejected with all errors, each with its path', async () => {
    const members = [{ id: 5 }, { id: '1', metadata: { k: null }, flags: 2 }, { id: '1' }, 'x']
    const { status, body, rule } = await bot.post('', {
      metadata: { n: 5 },
      members,
      idle_timeout_seconds: 4,
    })
    expect([status, Object(body).code, rule]).toEqual([
      400,
      50035,
      "metadata['n'] must be a string (and 6 more)",
    ])
    expect(errorPaths(body).sort()).toEqual([
      '$.idle_timeout_seconds',
      '$.members[0].id',
      '$.members[1].flags',
      "$.members[1].metadata['k']",
      '$.members[2].id',
      '$.members[3]',
      "$.metadata['n']",
    ])
  })

  it('is measured by keys and values of metadata together, in code points', async () => {
    const fits = { ['k'.repeat(500)]: '\u{1f600}'.repeat(500) }
    expect((await bot.post('', { metadata: fits })).status).toBe(201)
    expect(await bot.post('', { metadata: { ...fits, x: '' } })).toMatchObject(
      rejectedWith(400, 50035, 'at most 1000 characters'),
    )
  })

  it('is rejected by the endpoint of one member, too', async () => {
    const id = await bot.create()
    for (const body of [
      { metadata: [] },
      { flags: 'x' },
      { flags: 4 },
      { additional_name: '' },
      { additional_name: 'n'.repeat(81) },
      [],
    ])
      expect(await bot.put(`/${id}/members/1`, body)).toMatchObject(rejectedWith(400, 50035))
    for (const path of ['/abc', '/01', `/${id}/members/x`])
      expect(await bot.delete(path)).toMatchObject(rejectedWith(400, 50035))
  })
})

describe('an endpoint for backends', () => {
  it('accepts only the bot token', async () => {
    const id = await bot.create()
    const player = await playerIn(emulator, 'ada')
    const application = new Lobbies(emulator, (await asApplication(emulator)).authorization)
    for (const one of [player, application]) {
      expect(await one.post('', {})).toMatchObject(rejectedWith(403, 20002))
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(await one.send(method, `/${id}`)).toMatchObject(rejectedWith(403, 20002))
      for (const method of ['PUT', 'DELETE'])
        expect(await one.send(method, `/${id}/members/1`)).toMatchObject(rejectedWith(403, 20002))
      expect(await one.post(`/${id}/members/bulk`, [])).toMatchObject(rejectedWith(403, 20002))
    }
    for (const authorization of ['', emulator.application.botToken, 'Bot wrong'])
      expect(await new Lobbies(emulator, authorization).get(`/${id}`)).toMatchObject(rejectedWith(401, 0))
  })

  it('has no other methods', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/1'],
      ['POST', '/1/members/2'],
      ['GET', '/1/members/2'],
    ] as const)
      expect(await bot.send(method, path)).toMatchObject(rejectedWith(405, 0))
  })
})

it('every change of a lobby emits an event', async () => {
  const events = recordEvents(emulator)
  const id = await bot.create({ members: [{ id: '1' }, { id: '2' }] })
  await bot.patch(`/${id}`, { metadata: { a: 'b' }, members: [{ id: '2', flags: 1 }, { id: '3' }] })
  await bot.patch(`/${id}`, {})
  await bot.delete(`/${id}/members/3`)
  await bot.delete(`/${id}`)
  const member = (name: string, fields: object) => ({
    name,
    data: { lobby_id: id, application_id: emulator.application.id, member: { metadata: null, ...fields } },
  })
  expect(events).toEqual([
    {
      name: 'lobby.created',
      data: expect.objectContaining({ id, members: [expect.anything(), expect.anything()] }),
    },
    { name: 'lobby.updated', data: expect.objectContaining({ id, metadata: { a: 'b' } }) },
    member('lobby.member_added', { id: '3', flags: 0 }),
    member('lobby.member_updated', { id: '2', flags: 1 }),
    member('lobby.member_removed', { id: '1', flags: 0 }),
    member('lobby.member_removed', { id: '3', flags: 0 }),
    { name: 'lobby.deleted', data: { id, application_id: emulator.application.id, reason: 'deleted' } },
  ])
})
