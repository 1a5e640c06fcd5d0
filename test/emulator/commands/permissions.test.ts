/** Changing the permissions of commands, and events that delete them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, type ServiceEvent } from 'foyer-emulator'
import { asApplication, asPlayer, Caller, errorPaths, fields, list } from './command-client.js'

const tavern = '319560327719026709'
const [regular, keeper, host] = ['319561002948493345', '319561839302123553', '319562001983963169']
const [ada, bruno, zoe] = ['175928847299117063', '211842960158326785', '602934817264025603']
const [general, backstage] = ['319562910281203745', '319563408822321185']
const ofTavern = `/guilds/${tavern}/commands`

let emulator: Emulator
let bot: Caller
let commandId: string
let path: string
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off', commands: { globalDelay: 0 } })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(async () => {
  emulator.reset()
  commandId = await created('/commands', { name: 'blep', description: 'Send a photo' })
  path = `${ofTavern}/${commandId}/permissions`
})

const created = async (at: string, body: unknown) => String(fields((await bot.post(at, body)).body)['id'])
const forRole = (id: string, permission = true) => ({ permissions: [{ id, type: 1, permission }] })
const rejectedWith = (status: number, code: number) => ({
  status,
  body: expect.objectContaining({ code }),
  rule: expect.any(String),
})

const many = (count: number) => ({
  permissions: Array.from({ length: count }, (_, id) => ({ id: `${id + 1}`, type: 2, permission: true })),
})
const left = async () => list((await bot.get(`${ofTavern}/permissions`)).body).length

describe('permissions of a command', () => {
  it('are set as a whole by a player who manages the guild and its roles, and read by the application', async () => {
    const player = await asPlayer(emulator, 'bruno')
    const permissions = [
      { id: regular, type: 1, permission: true },
      { id: zoe, type: 2, permission: false },
      { id: general, type: 3, permission: true },
    ]
    const whole = { id: commandId, application_id: emulator.application.id, guild_id: tavern, permissions }
    expect(await player.put(path, { permissions })).toMatchObject({ status: 200, body: whole })
    for (const caller of [bot, player, await asApplication(emulator)])
      expect((await caller.get(path)).body).toEqual(whole)
    expect((await bot.get(`${ofTavern}/permissions`)).body).toEqual([whole])
    expect((await player.put(path, forRole(regular, false))).body).toMatchObject(forRole(regular, false))
    expect((await player.put(path, { permissions: [] })).body).toMatchObject({ permissions: [] })
    expect((await bot.get(`${ofTavern}/permissions`)).body).toEqual([])
    expect(await bot.get(path)).toMatchObject(rejectedWith(404, 10066))
  })

  it('mark it as Not Synced on the chat page, unlike those of the application', async () => {
    const player = await asPlayer(emulator, 'ada')
    const label = async (channel: string) => {
      const response = await fetch(`${emulator.url}/chat/api/view?as=ada&channel=${channel}`)
      return list(fields(await response.json())['commands']).find(({ id }) => id === commandId)?.[
        'permissions'
      ]
    }
    await player.put(`${ofTavern}/${emulator.application.id}/permissions`, forRole(regular))
    expect(await label(general)).toBeUndefined()
    await player.put(path, forRole(regular))
    expect(await label(general)).toBe('Not Synced')
    await player.put(path, { permissions: [] })
    expect(await label(general)).toBeUndefined()
  })

  it('are sent to listeners as a whole', async () => {
    const received: ServiceEvent[] = []
    const player = await asPlayer(emulator, 'ada')
    const undo = emulator.subscribe((event) => received.push(event))
    const { body } = await player.put(path, forRole(regular))
    undo()
    await player.put(path, forRole(regular, false))
    expect(received).toEqual([{ name: 'APPLICATION_COMMAND_PERMISSIONS_UPDATE', data: body }])
  })

  it('are streamed to tools as server-sent events', async () => {
    const player = await asPlayer(emulator, 'ada')
    const headers = { authorization: `Bearer ${emulator.controlToken}` }
    const leave = new AbortController()
    const stream = await fetch(`${emulator.url}/_emulator/events`, { headers, signal: leave.signal })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const { body } = await player.put(path, forRole(regular))
    let text = ''
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    while (!text.includes('data:')) text += (await reader?.read())?.value ?? ''
    expect(text).toContain(`event: APPLICATION_COMMAND_PERMISSIONS_UPDATE\ndata: ${JSON.stringify(body)}\n\n`)
    leave.abort()
  })

  it('cannot be set by bots or with tokens without the scope', async () => {
    expect(await bot.put(path, forRole(regular))).toMatchObject(rejectedWith(403, 20001))
    const player = await asPlayer(emulator, 'ada', 'identify')
    expect(await player.put(path, forRole(regular))).toMatchObject(rejectedWith(403, 50026))
    expect(await player.get(path)).toMatchObject(rejectedWith(403, 50026))
    expect(await (await asApplication(emulator)).put(path, forRole(regular))).toMatchObject(
      rejectedWith(403, 50026),
    )
  })

  it('can be set by the application with the permissions of its owner', async () => {
    const caller = await asApplication(emulator, 'applications.commands.permissions.update')
    expect((await caller.put(path, forRole(host))).status).toBe(200)
  })

  it.each([
    ['mira.k', 'MANAGE_GUILD'],
    ['lukasz', 'MANAGE_GUILD'],
  ])('cannot be set by %s, who has no %s', async (as, right) => {
    const reply = await (await asPlayer(emulator, as)).put(path, forRole(regular))
    expect(reply).toMatchObject(rejectedWith(403, 50013))
    expect(reply.rule).toContain(right)
  })

  it('cannot be set by a player of another guild', async () => {
    expect(
      await (
        await asPlayer(emulator, 'mira.k')
      ).put(`/guilds/540218736401927171/commands/${commandId}/permissions`, forRole('1')),
    ).toMatchObject(rejectedWith(403, 50013))
  })

  it('apply only to roles, members and channels that the player manages', async () => {
    const player = await asPlayer(emulator, 'bruno')
    const put = (id: string, type: number) =>
      player.put(path, { permissions: [{ id, type, permission: true }] })
    for (const [id, type] of [
      [tavern, 1],
      [regular, 1],
      [zoe, 2],
      [bruno, 2],
      [general, 3],
      [String(BigInt(tavern) - 1n), 3],
      ['5', 1],
      ['5', 2],
    ] as const)
      expect((await put(id, type)).status).toBe(200)
    for (const [id, type] of [
      [keeper, 1],
      [host, 1],
      [ada, 2],
      [backstage, 3],
    ] as const)
      expect(await put(id, type)).toMatchObject(rejectedWith(403, 50013))
    expect((await (await asPlayer(emulator, 'ada')).put(path, forRole(host))).status).toBe(200)
  })

  it('can be set only by a player who may use the command', async () => {
    const closed = await created('/commands', {
      name: 'closed',
      description: 'x',
      default_member_permissions: '0',
    })
    const at = `${ofTavern}/${closed}/permissions`
    expect(await (await asPlayer(emulator, 'bruno')).put(at, forRole(regular))).toMatchObject(
      rejectedWith(403, 50013),
    )
    expect((await (await asPlayer(emulator, 'chiyo')).put(at, forRole(keeper))).status).toBe(200)
    expect((await (await asPlayer(emulator, 'bruno')).put(at, forRole(regular))).status).toBe(200)
  })

  it('apply to the whole application under its own ID', async () => {
    const player = await asPlayer(emulator, 'ada')
    const { body } = await player.put(
      `${ofTavern}/${emulator.application.id}/permissions`,
      forRole(tavern, false),
    )
    expect(body).toMatchObject({ id: emulator.application.id, ...forRole(tavern, false) })
    const { body: seen } = await bot.control(`/guilds/${tavern}/commands?as=zoe`)
    expect(seen).toEqual([])
    await player.put(path, { permissions: [{ id: zoe, type: 2, permission: true }] })
    const { body: opened } = await bot.control(`/guilds/${tavern}/commands?as=zoe`)
    expect(list(opened).map(({ name }) => name)).toEqual(['blep'])
  })

  it('are changed for one command per request', async () => {
    expect(await (await asPlayer(emulator, 'ada')).put(`${ofTavern}/permissions`, [])).toMatchObject(
      rejectedWith(405, 0),
    )
  })

  it('are limited to commands of this guild and global ones', async () => {
    const other = await created('/guilds/540218736401927171/commands', { name: 'theirs', description: 'x' })
    const player = await asPlayer(emulator, 'ada')
    expect(await player.put(`${ofTavern}/${other}/permissions`, forRole(regular))).toMatchObject(
      rejectedWith(404, 10063),
    )
    expect(await player.put(`/guilds/7/commands/${commandId}/permissions`, forRole(regular))).toMatchObject(
      rejectedWith(404, 10004),
    )
  })

  it('have at most 100 entries, without duplicate targets', async () => {
    const player = await asPlayer(emulator, 'ada')
    expect((await player.put(path, many(100))).status).toBe(200)
    expect(errorPaths((await player.put(path, many(101))).body)).toEqual(['$.permissions'])
    const twice = [
      { id: '1', type: 1, permission: true },
      { id: '1', type: 1, permission: false },
    ]
    expect(errorPaths((await player.put(path, { permissions: twice })).body)).toEqual(['$.permissions[1].id'])
  })
})

describe('permissions of a command are deleted', () => {
  beforeEach(async () => {
    await (await asPlayer(emulator, 'ada')).put(path, forRole(tavern, false))
  })

  it('with their command, even if it is created again', async () => {
    await bot.delete(`/commands/${commandId}`)
    expect(await left()).toBe(0)
    const again = await created('/commands', { name: 'blep', description: 'Send a photo' })
    expect(again).not.toBe(commandId)
    const { status } = await bot.control(`/guilds/${tavern}/commands/${again}/use`, {
      method: 'POST',
      body: { as: 'zoe' },
    })
    expect(status).toBe(200)
  })

  it('with a change of its name, and with no other change', async () => {
    await bot.patch(`/commands/${commandId}`, {
      name: 'blep',
      description: 'Other',
      name_localizations: { de: 'bild' },
    })
    await bot.post('/commands', { name: 'blep', description: 'Third' })
    expect(await left()).toBe(1)
    await bot.patch(`/commands/${commandId}`, { name: 'photo' })
    expect(await left()).toBe(0)
  })

  it('when a list renames the command by its ID, or omits it', async () => {
    const launch = { type: 4, name: 'Launch', handler: 2 }
    await bot.put('/commands', [launch, { name: 'blep', description: 'Same', id: commandId }])
    expect(await left()).toBe(1)
    await bot.put('/commands', [launch, { name: 'photo', description: 'Same', id: commandId }])
    expect(await left()).toBe(0)
    await (await asPlayer(emulator, 'ada')).put(path, forRole(tavern, false))
    await bot.put('/commands', [launch])
    expect(await left()).toBe(0)
  })
})
