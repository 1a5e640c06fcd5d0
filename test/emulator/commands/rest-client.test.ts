/** A public REST client for services of this kind, as it is: only the address of the service is set. */
import { REST } from '@discordjs/rest'
import { Routes } from 'discord-api-types/v10'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signIn } from '../support/player.js'
import { fields, list } from './support.js'

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

const names = (answer: unknown) => list(answer).map(({ name }) => name)

it.each([
  ['global', ''],
  ['a guild’s', `/guilds/${tavern}`],
])('registers, lists, edits, overwrites and deletes %s commands', async (scope, guild) => {
  const route = `/applications/${emulator.application.id}${guild}/commands` as const
  const launch = scope === 'global' ? list(await rest.get(route)) : []

  const made = fields(await rest.post(route, { body: give }))
  expect(made).toMatchObject({ ...give, type: 1, application_id: emulator.application.id })
  expect(names(await rest.get(route))).toEqual([...launch.map(({ name }) => name), 'give'])
  const query = new URLSearchParams({ with_localizations: 'true' })
  expect(list(await rest.get(route, { query })).at(-1)).toMatchObject(give)
  expect(list(await rest.get(route, { headers: { 'X-Service-Locale': 'de' } })).at(-1)).toMatchObject({ name_localized: 'geben' })
  expect(await rest.get(`${route}/${String(made['id'])}`)).toMatchObject(give)

  const edited = fields(await rest.patch(`${route}/${String(made['id'])}`, { body: { description: 'Gives two' } }))
  expect(edited).toMatchObject({ id: made['id'], name: 'give', description: 'Gives two' })
  expect(edited['version']).not.toBe(made['version'])
  expect(fields(await rest.post(route, { body: give }))['id']).toBe(made['id'])

  const replaced = list(await rest.put(route, { body: [...launch, give, wave] }))
  expect(replaced).toHaveLength(launch.length + 2)
  expect(replaced.find(({ name }) => name === 'give')).toMatchObject({ id: made['id'] })

  await rest.delete(`${route}/${String(made['id'])}`)
  expect(names(await rest.get(route))).toEqual([...launch.map(({ name }) => name), 'Wave'])
})

it('reads permissions, and is told why it may not set them', async () => {
  const guild = `/applications/${emulator.application.id}/guilds/${tavern}/commands` as const
  const { id } = fields(await rest.post(guild, { body: give }))
  expect(await rest.get(`${guild}/permissions`)).toEqual([])
  const body = { permissions: [{ id: tavern, type: 1, permission: false }] }
  await expect(rest.put(`${guild}/${String(id)}/permissions`, { body })).rejects.toMatchObject({ status: 403, code: 20_001 })
})

it('understands every refusal: number, place and words', async () => {
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

it('fetches the current user with a bot token and with a player’s', async () => {
  const { id, name } = emulator.application
  const { accessToken } = await signIn(emulator, 'ada', { scope: 'identify' })
  const ofPlayer = new REST({ api: `${emulator.url}/api`, version: '10', authPrefix: 'Bearer' }).setToken(accessToken)
  for (const route of [Routes.user(), Routes.user('@me')]) {
    expect(await rest.get(route)).toMatchObject({ id, username: name, bot: true })
    expect(await ofPlayer.get(route)).toMatchObject({ username: 'ada' })
  }
  expect(await rest.get(Routes.currentApplication())).toMatchObject({ id, name })
  expect(await ofPlayer.get(Routes.oauth2CurrentAuthorization())).toMatchObject({ scopes: ['identify'], user: { username: 'ada' } })
  expect(await rest.get(Routes.oauth2CurrentApplication())).toMatchObject({ id, name })
})
