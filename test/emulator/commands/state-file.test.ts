/** Commands in a state file, and migration of a file from before there were commands. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEmulator } from 'foyer-emulator'
import { asPlayer, Caller, fields, list } from './command-client.js'

const folder = mkdtempSync(join(tmpdir(), 'foyer-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

const tavern = '319560327719026709'

describe('a state file', () => {
  it('stores commands, versions, permissions and the creates of the day', async () => {
    const state = join(folder, 'kept.db')
    const first = await createEmulator({ state, commands: { dailyCreates: 2, globalDelay: 0 } })
    const bot = new Caller(first)
    const { id } = fields(
      (await bot.post('/commands', { name: 'blep', description: 'x', name_localizations: { de: 'bild' } }))
        .body,
    )
    await bot.post(`/guilds/${tavern}/commands`, { type: 2, name: 'Wave' })
    const path = `/guilds/${tavern}/commands/${String(id)}/permissions`
    await (
      await asPlayer(first, 'ada')
    ).put(path, { permissions: [{ id: tavern, type: 1, permission: false }] })
    const [launch] = list((await bot.get('/commands')).body)
    await bot.delete(`/commands/${String(launch?.['id'])}`)
    const paths = ['/commands?with_localizations=true', `/guilds/${tavern}/commands`, path]
    const before = await Promise.all(paths.map(async (one) => (await bot.get(one)).body))
    await first.close()

    const second = await createEmulator({ state, commands: { dailyCreates: 2, globalDelay: 0 } })
    const again = new Caller(second)
    expect(await Promise.all(paths.map(async (one) => (await again.get(one)).body))).toEqual(before)
    expect((await again.post('/commands', { name: 'one', description: 'x' })).status).toBe(201)
    expect((await again.post('/commands', { name: 'two', description: 'x' })).status).toBe(429)
    const { body } = await again.control(`/guilds/${tavern}/commands`)
    expect(list(body).map(({ name }) => name)).toEqual(['blep', 'one', 'Wave'])
    await second.close()
  })

  it('keeps IDs and versions increasing, even after the clock went back', async () => {
    const state = join(folder, 'clock.db')
    const first = await createEmulator({ state })
    first.advance(86_400_000)
    const { id, version } = fields(
      (await new Caller(first).post('/commands', { name: 'blep', description: 'x' })).body,
    )
    await first.close()
    const second = await createEmulator({ state })
    const changed = fields((await new Caller(second).patch(`/commands/${String(id)}`, { nsfw: true })).body)
    expect(BigInt(String(changed['version']))).toBeGreaterThan(BigInt(String(version)))
    await second.close()
  })

  it('of the first version is migrated, and one of a later version is rejected', async () => {
    const state = join(folder, 'old.db')
    const first = await createEmulator({ state })
    await first.close()
    const open = createRequire(new URL('../../../emulator/package.json', import.meta.url))('libsql')
    const change = (statements: string) => {
      const database = new open(state)
      database.exec(statements)
      database.close()
    }
    const tables = [
      'command',
      'command_version',
      'command_reload',
      'command_create',
      'command_permission',
      'account',
      'identity',
      'lobby',
      'lobby_member',
      'lobby_message',
      'guild_invite',
      'guild_joined',
    ]
    change(
      `${tables.map((table) => `DROP TABLE ${table};`).join('')} DELETE FROM setting WHERE name LIKE 'launched%'; PRAGMA user_version = 1;`,
    )
    const second = await createEmulator({ state })
    expect(second.application).toEqual(first.application)
    expect(list((await new Caller(second).get('/commands')).body)).toHaveLength(1)
    await second.close()
    change('PRAGMA user_version = 99;')
    await expect(createEmulator({ state })).rejects.toMatchObject({ code: 'state_unusable' })
  })

  it('loses all commands at a reset, except for the entry point', async () => {
    const emulator = await createEmulator()
    const bot = new Caller(emulator)
    await bot.post('/commands', { name: 'blep', description: 'x' })
    await bot.post(`/guilds/${tavern}/commands`, { name: 'blep', description: 'x' })
    emulator.reset()
    expect(list((await bot.get('/commands')).body).map(({ name }) => name)).toEqual(['Launch'])
    expect((await bot.get(`/guilds/${tavern}/commands`)).body).toEqual([])
    await emulator.close()
  })
})
