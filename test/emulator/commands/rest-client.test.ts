/** A public REST client for services of this kind, unchanged except for the URL of the service. */
import { REST } from '@discordjs/rest'
import { Routes } from 'discord-api-types/v10'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signIn } from '../support/sign-in-client.js'
import { fields, list } from './command-client.js'

const tavern = '319560327719026709'
const give = {
  name: 'give',
  name_localizations: { de: 'geben' },
  description: 'Gives an item',
  options: [{ type: 3, name: 'item', description: 'Which', required: true }],
}
const wave = { type: 2, name: 'Wave' }

let emulator: Emulator
let rest: REST
beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())
beforeEach(() => {
  emulator.reset()
  rest = new REST({ api: `${emulator.url}/api`, version: '10' }).setToken(emulator.application.botToken)
})

const names = (response: unknown) => list(response).map(({ name }) => name)

it.each([
  ['global', ''],
  ['a guild’s', `/guilds/${tavern}`],
])(
  'a public REST client registers, lists, edits, overwrites and deletes %s commands',
  async (scope, guild) => {
    const route = `/applications/${emulator.application.id}${guild}/commands` as const
    const launch = scope === 'global' ? list(await rest.get(route)) : []

    const created = fields(await rest.post(route, { body: give }))
    expect(created).toMatchObject({ ...give, type: 1, application_id: emulator.application.id })
    expect(names(await rest.get(route))).toEqual([...launch.map(({ name }) => name), 'give'])
    const query = new URLSearchParams({ with_localizations: 'true' })
    expect(list(await rest.get(route, { query })).at(-1)).toMatchObject(give)
    expect(list(await rest.get(route, { headers: { 'X-Service-Locale': 'de' } })).at(-1)).toMatchObject({
      name_localized: 'geben',
    })
    expect(await rest.get(`${route}/${String(created['id'])}`)).toMatchObject(give)

    const edited = fields(
      await rest.patch(`${route}/${String(created['id'])}`, { body: { description: 'Gives two' } }),
    )
    expect(edited).toMatchObject({ id: created['id'], name: 'give', description: 'Gives two' })
    expect(edited['version']).not.toBe(created['version'])
    expect(fields(await rest.post(route, { body: give }))['id']).toBe(created['id'])

    const replaced = list(await rest.put(route, { body: [...launch, give, wave] }))
    expect(replaced).toHaveLength(launch.length + 2)
    expect(replaced.find(({ name }) => name === 'give')).toMatchObject({ id: created['id'] })

    await rest.delete(`${route}/${String(created['id'])}`)
    expect(names(await rest.get(route))).toEqual([...launch.map(({ name }) => name), 'Wave'])
  },
)

it('a public REST client reads permissions, and gets the reason why it may not set them', async () => {
  const guild = `/applications/${emulator.application.id}/guilds/${tavern}/commands` as const
  const { id } = fields(await rest.post(guild, { body: give }))
  expect(await rest.get(`${guild}/permissions`)).toEqual([])
  const body = { permissions: [{ id: tavern, type: 1, permission: false }] }
  await expect(rest.put(`${guild}/${String(id)}/permissions`, { body })).rejects.toMatchObject({
    status: 403,
    code: 20_001,
  })
})

it('a public REST client parses every error: code, path and message', async () => {
  const route = `/applications/${emulator.application.id}/commands` as const
  await expect(rest.post(route, { body: { ...give, name: 'Give It' } })).rejects.toMatchObject({
    status: 400,
    code: 50_035,
    rawError: { errors: { name: { _errors: expect.any(Array) } } },
    message: expect.stringContaining('name['),
  })
  await expect(rest.get(`${route}/1`)).rejects.toMatchObject({ status: 404, code: 10_063 })
  await expect(rest.setToken('none').get(route)).rejects.toMatchObject({ status: 401 })
})

it('a public REST client fetches the current user with a bot token and with a player’s token', async () => {
  const { id, name } = emulator.application
  const { accessToken } = await signIn(emulator, 'ada', { scope: 'identify' })
  const ofPlayer = new REST({ api: `${emulator.url}/api`, version: '10', authPrefix: 'Bearer' }).setToken(
    accessToken,
  )
  for (const route of [Routes.user(), Routes.user('@me')]) {
    expect(await rest.get(route)).toMatchObject({ id, username: name, bot: true })
    expect(await ofPlayer.get(route)).toMatchObject({ username: 'ada' })
  }
  expect(await rest.get(Routes.currentApplication())).toMatchObject({ id, name })
  expect(await ofPlayer.get(Routes.oauth2CurrentAuthorization())).toMatchObject({
    scopes: ['identify'],
    user: { username: 'ada' },
  })
  expect(await rest.get(Routes.oauth2CurrentApplication())).toMatchObject({ id, name })
})
