/** Visibility and use of commands by the members of a guild, including every permission case. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { asPlayer, Caller, fields, list } from './command-client.js'

interface Vector {
  id: string
  guild_id: string
  application_id: string
  default_member_permissions: string | null
  app_overwrites: unknown[]
  command_overwrites: unknown[]
  member: { id: string; roles: string[]; permissions_in_channel: string }
  channel: { id: string; type?: string; parent_id?: string }
  expect: 'allow' | 'deny'
  why: string
  command_type?: number
  before?: { command_overwrites: unknown[] }
}

const tavern = '319560327719026709'
const blep = { name: 'blep', description: 'Send a photo' }
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../cases/data/permission.json', import.meta.url), 'utf8'),
)

/** ms until a change of a global command is visible: longer than any test. */
const delay = 3_600_000

describe('a guild', () => {
  let emulator: Emulator
  let bot: Caller
  beforeAll(async () => {
    emulator = await createEmulator({ limits: 'off', commands: { globalDelay: delay } })
    bot = new Caller(emulator)
  })
  afterAll(() => emulator.close())
  beforeEach(() => {
    emulator.reset()
    emulator.advance(delay)
  })

  const seen = async (as = '') => list((await bot.control(`/guilds/${tavern}/commands${as}`)).body)
  const seenNames = async (as = '') => (await seen(as)).map(({ name }) => name)
  const use = (id: unknown, body: unknown = {}) =>
    bot.control(`/guilds/${tavern}/commands/${String(id)}/use`, { method: 'POST', body })

  it('sees its own commands at once, and global ones after a delay', async () => {
    await bot.post(`/guilds/${tavern}/commands`, { ...blep, name: 'ours' })
    const { id } = fields((await bot.post('/commands', blep)).body)
    expect(await seenNames()).toEqual(['Launch', 'ours'])
    emulator.advance(delay)
    expect(await seenNames()).toEqual(['Launch', 'blep', 'ours'])
    await bot.patch(`/commands/${String(id)}`, { description: 'Changed' })
    expect((await seen())[1]).toMatchObject({ description: 'Send a photo' })
    emulator.advance(delay)
    expect((await seen())[1]).toMatchObject({ description: 'Changed' })
    await bot.delete(`/commands/${String(id)}`)
    expect(await seenNames()).toContain('blep')
    emulator.advance(delay)
    expect(await seenNames()).not.toContain('blep')
  })

  it('that uses an old version of a global command gets an error, and then the new version', async () => {
    const { id, version } = fields((await bot.post('/commands', blep)).body)
    emulator.advance(delay)
    const changed = fields((await bot.patch(`/commands/${String(id)}`, { description: 'Changed' })).body)
    expect(await use(id, { as: 'zoe', version })).toMatchObject({
      status: 400,
      body: { code: 40043 },
      rule: expect.stringContaining('reloaded'),
    })
    expect((await seen())[1]).toMatchObject({ description: 'Changed', version: changed['version'] })
    expect((await use(id, { as: 'zoe', version: changed['version'] })).status).toBe(200)
    expect(list((await bot.control('/guilds/540218736401927171/commands')).body)[1]).toMatchObject({
      description: 'Send a photo',
    })
    await bot.delete(`/commands/${String(id)}`)
    expect((await use(id, { as: 'zoe' })).status).toBe(400)
    expect(await seenNames()).toEqual(['Launch'])
    expect((await use(id, { as: 'zoe' })).status).toBe(404)
  })

  it('has no commands before the application is installed', async () => {
    const club = '1012345678901234567'
    expect((await bot.control(`/guilds/${club}/commands`)).status).toBe(403)
    const install = `${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}&scope=applications.commands&guild_id=${club}`
    await emulator.authorize(install, { as: 'mira.k' })
    expect((await bot.post(`/guilds/${club}/commands`, blep)).status).toBe(201)
    expect(list((await bot.control(`/guilds/${club}/commands`)).body).map(({ name }) => name)).toEqual([
      'Launch',
      'blep',
    ])
  })

  it('hides commands that cannot be used there', async () => {
    await bot.post('/commands', { ...blep, name: 'direct', contexts: [1] })
    await bot.post('/commands', { ...blep, name: 'personal', integration_types: [1] })
    await bot.post('/commands', {
      ...blep,
      name: 'hollow',
      options: [{ type: 2, name: 'group', description: 'x', options: [] }],
    })
    await bot.post('/commands', { ...blep, name: 'closed', default_member_permissions: '0' })
    emulator.advance(delay)
    expect(await seenNames('?as=zoe')).toEqual(['Launch'])
    expect(await seenNames('?as=chiyo')).toEqual(['Launch', 'closed'])
    const stored = list((await bot.get('/commands')).body)
    for (const [name, why] of [
      ['direct', 'contexts'],
      ['personal', 'installation'],
      ['hollow', 'groups'],
    ])
      expect(
        await use(stored.find((command) => command['name'] === name)?.['id'], { as: 'chiyo' }),
      ).toMatchObject({
        body: { code: 50013 },
        rule: expect.stringContaining(String(why)),
      })
  })

  it('shows a player with their own installation the commands for players', async () => {
    const { id } = fields(
      (await bot.post('/commands', { ...blep, name: 'personal', integration_types: [1] })).body,
    )
    emulator.advance(delay)
    const install = `${emulator.url}/oauth2/authorize?client_id=${emulator.application.id}&scope=applications.commands&integration_type=1`
    await emulator.authorize(install, { as: 'zoe' })
    expect(await seenNames('?as=zoe')).toEqual(['Launch', 'personal'])
    expect(await seenNames('?as=chiyo')).toEqual(['Launch'])
    expect([(await use(id, { as: 'zoe' })).status, (await use(id, { as: 'chiyo' })).status]).toEqual([
      200, 403,
    ])
  })

  it('validates members and channels', async () => {
    expect((await bot.control(`/guilds/${tavern}/commands?as=nobody`)).body).toMatchObject({ code: 10007 })
    expect((await bot.control(`/guilds/${tavern}/commands?as=zoe&channel=1`)).body).toMatchObject({
      code: 10003,
    })
  })

  it('allows no USER command to a member without permission to send messages', async () => {
    const { id } = fields((await bot.post(`/guilds/${tavern}/commands`, { type: 2, name: 'Wave' })).body)
    const [general, announcements] = ['319562910281203745', '319563225103499297']
    expect((await use(id, { as: 'zoe', channel: general })).status).toBe(200)
    expect((await use(id, { as: 'zoe', channel: announcements })).body).toMatchObject({ code: 50013 })
  })

  it('allows no USER command to a member without permission to send messages in threads', async () => {
    const [hall, table] = ['700000000000000001', '700000000000000002']
    const seat = async (everyone: bigint) => {
      const channels = [
        { id: hall, name: 'hall' },
        { id: table, name: 'table', type: 11, parentId: hall },
      ]
      const guild = {
        id: '700000000000000000',
        name: 'Inn',
        ownerId: '1',
        everyone: String(everyone),
        channels,
        members: [{ userId: '2' }],
      }
      const users = [
        { id: '1', username: 'owner' },
        { id: '2', username: 'guest' },
      ]
      const inn = await createEmulator({ limits: 'off', seed: { users, guilds: [guild] } })
      try {
        const caller = new Caller(inn)
        const { id } = fields(
          (await caller.post(`/guilds/${guild.id}/commands`, { type: 2, name: 'Wave' })).body,
        )
        const at = async (channel: string) =>
          (
            await caller.control(`/guilds/${guild.id}/commands/${String(id)}/use`, {
              method: 'POST',
              body: { as: 'guest', channel },
            })
          ).status
        return [await at(hall), await at(table)]
      } finally {
        await inn.close()
      }
    }
    const [view, write, writeInThreads] = [1n << 10n, 1n << 11n, 1n << 38n]
    expect(await seat(view | write)).toEqual([200, 403])
    expect(await seat(view | writeInThreads)).toEqual([403, 200])
  })

  it('is visible on the control plane with its token only', async () => {
    for (const path of ['commands', `guilds/${tavern}/commands`, 'events'])
      expect((await fetch(`${emulator.url}/_emulator/${path}`)).status).toBe(401)
    expect(
      (await fetch(`${emulator.url}/_emulator/clock`, { method: 'POST', body: '{"advance":1}' })).status,
    ).toBe(401)
  })

  it('rejects unknown behavior settings', async () => {
    for (const body of [
      { globalDelay: -1 },
      { dailyCreates: 'many' },
      { missingEntryPoint: 'drop' },
      { colour: 'red' },
    ])
      expect((await bot.control('/commands', { method: 'PATCH', body })).status).toBe(400)
    const wrong: unknown = { globalDelay: 'long' }
    await expect(createEmulator({ commands: Object(wrong) })).rejects.toMatchObject({
      code: 'invalid_setting',
    })
    expect((await bot.control('/clock', { method: 'POST', body: { advance: 'far' } })).status).toBe(400)
    expect((await bot.control('/clock', { method: 'POST', body: { advance: 1000 } })).status).toBe(200)
  })
})

describe('permission cases in a guild', () => {
  const owner = '1'
  const threadType = 11

  /** The member’s permissions are those of @everyone; the owner of the guild is another player. */
  const guildOf = ({ guild_id, member, channel }: Vector) => ({
    id: guild_id,
    name: 'Case',
    ownerId: owner,
    everyone: member.permissions_in_channel,
    roles: member.roles.map((id) => ({ id, name: id })),
    channels:
      channel.parent_id === undefined
        ? [{ id: channel.id, name: 'c' }]
        : [
            { id: channel.parent_id, name: 'c' },
            { id: channel.id, name: 't', type: threadType, parentId: channel.parent_id },
          ],
    members: [{ userId: owner }, { userId: member.id, roles: member.roles }],
  })

  it.each(vectors.map((vector) => [`${vector.id} ${vector.expect}: ${vector.why}`, vector] as const))(
    '%s',
    async (_, vector) => {
      const emulator = await createEmulator({
        commands: { globalDelay: 0 },
        seed: {
          application: { id: vector.application_id },
          users: [
            { id: owner, username: 'owner' },
            { id: vector.member.id, username: 'member' },
          ],
          guilds: [guildOf(vector)],
        },
      })
      try {
        const bot = new Caller(emulator)
        const ofGuild = `/guilds/${vector.guild_id}/commands`
        const type = vector.command_type ?? 1
        const body = {
          type,
          ...(type === 1 ? blep : { name: 'blep' }),
          default_member_permissions: vector.default_member_permissions,
        }
        const make = async () => String(fields((await bot.post('/commands', body)).body)['id'])
        const player = await asPlayer(emulator, 'owner')
        const set = async (id: string, permissions: unknown[]) =>
          expect((await player.put(`${ofGuild}/${id}/permissions`, { permissions })).status).toBe(200)
        let id = await make()
        if (vector.before !== undefined) {
          await set(id, vector.before.command_overwrites)
          await bot.delete(`/commands/${id}`)
          id = await make()
        }
        if (vector.command_overwrites.length > 0) await set(id, vector.command_overwrites)
        if (vector.app_overwrites.length > 0) await set(emulator.application.id, vector.app_overwrites)
        const response = await bot.control(`/guilds/${vector.guild_id}/commands/${id}/use`, {
          method: 'POST',
          body: { as: 'member', channel: vector.channel.id },
        })
        const { code } = fields(response.body)
        expect([response.status, code]).toEqual(vector.expect === 'allow' ? [200, undefined] : [403, 50013])
      } finally {
        await emulator.close()
      }
    },
  )
})
