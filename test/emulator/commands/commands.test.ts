/** Lifecycle of commands: create, edit, overwrite as a list, delete, and count. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Caller, errorPaths, fields, list } from './command-client.js'

const tavern = '319560327719026709'
const playtesters = '540218736401927171'
const ofTavern = `/guilds/${tavern}/commands`
const blep = { name: 'blep', description: 'Send a photo' }
const day = 86_400_000

let emulator: Emulator
let bot: Caller
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

const numbered = (count: number, prefix = 'c') =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, description: 'x' }))
const menu = (count: number, type: number) =>
  Array.from({ length: count }, (_, index) => ({ type, name: `Menu ${index}` }))
const launch = { type: 4, name: 'Launch', handler: 2 }
const make = async (path: string, body: unknown) => fields((await bot.post(path, body)).body)
const names = async (path: string) => list((await bot.get(path)).body).map(({ name }) => name)

describe('creating a command', () => {
  it('responds with 201 and the whole command, with all defaults', async () => {
    const { status, body } = await bot.post('/commands', blep)
    expect(status).toBe(201)
    const { id } = fields(body)
    expect(body).toEqual({
      id: expect.stringMatching(/^\d{17,20}$/),
      application_id: emulator.application.id,
      version: id,
      type: 1,
      ...blep,
      name_localizations: null,
      description_localizations: null,
      default_member_permissions: null,
      default_permission: true,
      nsfw: false,
      dm_permission: true,
      integration_types: [0, 1],
      contexts: null,
    })
    expect((await bot.get(`/commands/${String(id)}`)).body).toEqual(body)
  })

  it('returns the guild of a guild command, and no field of global ones', async () => {
    const body = await make(ofTavern, { type: 2, name: 'High Five' })
    expect(body).toMatchObject({ guild_id: tavern, type: 2, description: '' })
    for (const name of ['dm_permission', 'integration_types', 'handler'])
      expect(body).not.toHaveProperty(name)
  })

  it('returns null for the contexts of a guild command, whatever its body', async () => {
    const made = await make(ofTavern, blep)
    expect(made).toHaveProperty('contexts', null)
    const overwritten = await bot.put(ofTavern, [{ ...blep, contexts: [0, 1, 2], integration_types: [0] }])
    const edited = await bot.patch(`${ofTavern}/${String(made['id'])}`, { description: 'Other words' })
    const fetched = await bot.get(`${ofTavern}/${String(made['id'])}`)
    for (const body of [
      list(overwritten.body)[0],
      edited.body,
      fetched.body,
      list((await bot.get(ofTavern)).body)[0],
    ])
      expect(body).toHaveProperty('contexts', null)
  })

  it.each([2, 3])(
    'accepts an empty description of type %s for a fetched command in a list, and not in a create',
    async (type) => {
      const body = { type, name: 'High Five', description: '' }
      const created = await bot.post('/commands', body)
      expect([created.status, errorPaths(created.body)]).toEqual([400, ['$.description']])
      const [made] = list((await bot.put('/commands', [body, { type: 4, name: 'Launch' }])).body)
      expect(made).toMatchObject({ ...body })
      expect((await bot.patch(`/commands/${String(made?.['id'])}`, { description: '' })).status).toBe(200)
    },
  )

  it('rejects installation contexts that the application does not support', async () => {
    const rejected = await bot.post('/commands', { ...blep, integration_types: [0, 7] })
    expect([rejected.status, errorPaths(rejected.body)]).toEqual([400, ['$.integration_types[1]']])
  })

  it('overwrites a command of the same name, type and place, and responds with 200', async () => {
    const first = await make('/commands', {
      ...blep,
      nsfw: true,
      options: [{ type: 3, name: 'a', description: 'A' }],
    })
    const { status, body } = await bot.post('/commands', { ...blep, description: 'Another' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: first['id'], description: 'Another', nsfw: false })
    expect(body).not.toHaveProperty('options')
    expect(BigInt(String(fields(body)['version']))).toBeGreaterThan(BigInt(String(first['version'])))
    expect(await names('/commands')).toEqual(['Launch', 'blep'])
  })

  it('keeps types, guilds and global commands separate', async () => {
    const made = [
      await make('/commands', blep),
      await make('/commands', { type: 2, name: 'blep' }),
      await make('/commands', { type: 3, name: 'blep' }),
      await make(ofTavern, blep),
      await make(`/guilds/${playtesters}/commands`, blep),
    ]
    expect(new Set(made.map(({ id }) => id)).size).toBe(5)
    expect(await names(ofTavern)).toEqual(['blep'])
  })

  it('reports all errors at once, each at its field', async () => {
    const options = [
      { type: 3, name: 'A', description: '' },
      { type: 12, name: 'b', description: 'x' },
    ]
    const { status, body, rule } = await bot.post('/commands', {
      name: 'Blep',
      description: 'x',
      nsfw: 'yes',
      options,
    })
    expect([status, fields(body)['code'], fields(body)['message']]).toEqual([400, 50035, 'Invalid Form Body'])
    expect(errorPaths(body).sort()).toEqual([
      '$.name',
      '$.nsfw',
      '$.options[0].description',
      '$.options[0].name',
      '$.options[1].type',
    ])
    expect(fields(body)['errors']).toMatchObject({
      options: { 0: { description: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] } } },
    })
    expect(rule).toBe('name must use the lowercase form of each letter that has one (and 4 more)')
  })

  it('reports the path of an error in a translation, and keeps file types', async () => {
    const { rule } = await bot.post('/commands', { ...blep, name_localizations: { de: 'Bild' } })
    expect(rule).toBe("name_localizations['de'] must use the lowercase form of each letter that has one")
    const options = [
      { type: 11, name: 'file', description: 'x', file_types: ['image', '.png'] },
      { type: 3, name: 'text', description: 'x', file_types: [] },
    ]
    expect((await make('/commands', { ...blep, options }))['options']).toEqual([
      options[0],
      { type: 3, name: 'text', description: 'x' },
    ])
  })

  it.each([
    [['nonsense'], 11, ['$.options[0].file_types[0]']],
    [['image'], 3, ['$.options[0].file_types']],
    [Array.from({ length: 11 }, (_, index) => `.x${index}`), 11, ['$.options[0].file_types']],
    ['image', 11, ['$.options[0].file_types']],
    [[], 3, []],
    [['image', 'VIDEO', '.tar.gz'], 11, []],
  ])('takes as file types %j of an option of type %i what a form takes', async (file_types, type, paths) => {
    const options = [{ type, name: 'file', description: 'x', file_types }]
    const { body } = await bot.post('/commands', { ...blep, options })
    expect(errorPaths(body)).toEqual(paths)
  })

  it.each([
    ['en', 'en-US'],
    ['es', 'es-ES'],
    ['pt', 'pt-BR'],
    ['pt_PT', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh-tw', 'zh-TW'],
    ['EN-us', 'en-US'],
    ['de-AT', 'de'],
  ])('refuses the locale %s wherever a text is translated, and names %s', async (locale, nearest) => {
    const text = { [locale]: 'word' }
    const both = { name_localizations: text, description_localizations: text }
    const choices = [{ name: 'a', value: 'a', name_localizations: text }]
    const options = [{ type: 3, name: 'a', description: 'x', ...both, choices }]
    const { status, body, rule } = await bot.post('/commands', { ...blep, ...both, options })
    expect([status, rule]).toEqual([
      400,
      `name_localizations['${locale}'] is no locale of the service: use ${nearest} (and 4 more)`,
    ])
    expect(errorPaths(body)).toHaveLength(5)
  })

  it('names all locales for one that nobody knows, and keeps it if told to', async () => {
    const body = { ...blep, name_localizations: { 'xx-XX': 'word' } }
    expect((await bot.post('/commands', body)).rule).toMatch(
      /is no locale of the service: they are ar, .*zh-TW$/,
    )
    await bot.control('/commands', { method: 'PATCH', body: { otherLocales: 'accept' } })
    expect((await bot.post('/commands', body)).status).toBe(201)
    const many = Object.fromEntries(Array.from({ length: 35 }, (_, index) => [`l${index}`, 'word']))
    const { status, body: answer } = await bot.post('/commands', { ...blep, name_localizations: many })
    expect([status, errorPaths(answer)]).toEqual([400, ['$.name_localizations']])
    await bot.control('/commands', { method: 'PATCH', body: { otherLocales: 'refuse' } })
  })

  it('rejects endless nesting quickly', async () => {
    const depth = 20_000
    const open = '{"type":1,"name":"a","description":"x","options":['.repeat(depth)
    for (const body of [
      `{"name":"deep","description":"x","options":[${open}${']}'.repeat(depth)}]}`,
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
    ]) {
      const headers = { authorization: bot.authorization, 'content-type': 'application/json' }
      const response = await bot.raw(`${bot.root}/commands`, { method: 'POST', headers, body })
      expect([response.status, fields(response.body)['code']]).toEqual([400, 50035])
    }
    const long = Array.from({ length: 100_000 }, () => 0)
    const options = [{ type: 7, name: 'a', description: 'x', channel_types: long }]
    expect((await bot.post('/commands', { ...blep, options, contexts: long })).status).toBe(400)
  })

  it('compares names by every character', async () => {
    const both = [
      { type: 2, name: 'a\u0000b' },
      { type: 2, name: 'a\u0000c' },
    ]
    expect(list((await bot.put(ofTavern, both)).body).map(({ name }) => name)).toEqual([
      'a\u0000b',
      'a\u0000c',
    ])
    expect(await names(ofTavern)).toHaveLength(2)
  })

  it('handles locales named like Object.prototype members', async () => {
    const dictionary: unknown = JSON.parse('{"__proto__": "eins", "constructor": "zwei", "_errors": "drei"}')
    await bot.control('/commands', { method: 'PATCH', body: { otherLocales: 'accept' } })
    const { id } = await make('/commands', { ...blep, name_localizations: dictionary })
    await bot.control('/commands', { method: 'PATCH', body: { otherLocales: 'refuse' } })
    const { body } = await bot.get(`/commands/${String(id)}`)
    expect(JSON.stringify(fields(body)['name_localizations'])).toBe(
      '{"__proto__":"eins","_errors":"drei","constructor":"zwei"}',
    )
    const wrong: unknown = JSON.parse('{"__proto__": 5, "_errors": 5}')
    const response = await bot.post('/commands', { ...blep, name_localizations: wrong })
    expect(errorPaths(response.body)).toContain("$.name_localizations['__proto__']")
    expect(response.status).toBe(400)
  })
})

describe('editing a command', () => {
  it('replaces each field of the body completely, and keeps the others', async () => {
    const { id } = await make('/commands', {
      ...blep,
      name_localizations: { de: 'eins', fr: 'un' },
      default_member_permissions: '0008',
    })
    const { status, body } = await bot.patch(`/commands/${String(id)}`, {
      name_localizations: { fr: 'deux' },
      contexts: [0],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...blep,
      name_localizations: { fr: 'deux' },
      default_member_permissions: '8',
      contexts: [0],
    })
  })

  it('creates a new version for a change and none without one', async () => {
    const { id, version } = await make('/commands', {
      ...blep,
      options: [{ type: 3, name: 'a', description: 'A', required: false }],
    })
    const path = `/commands/${String(id)}`
    const versionAfter = async (body: unknown) => fields((await bot.patch(path, body)).body)['version']
    expect(await versionAfter({})).toBe(version)
    expect(
      await versionAfter({ description: blep.description, default_permission: null, name_localizations: {} }),
    ).toBe(version)
    expect(await versionAfter({ options: [{ name: 'a', type: 3, description: 'A' }] })).toBe(version)
    expect(
      fields(
        (await bot.post('/commands', { ...blep, options: [{ type: 3, name: 'a', description: 'A' }] })).body,
      )['version'],
    ).toBe(version)
    expect(BigInt(String(await versionAfter({ nsfw: true })))).toBeGreaterThan(BigInt(String(version)))
  })

  it('validates the resulting command', async () => {
    const wide = Array.from({ length: 25 }, (_, index) => ({
      type: 3,
      name: `o${index}`,
      description: 'd'.repeat(100),
    }))
    const choices = Array.from({ length: 25 }, (_, index) => ({
      name: `${index}${'n'.repeat(90)}`,
      value: 'v'.repeat(100),
    }))
    const { id } = await make('/commands', {
      ...blep,
      options: [
        { ...wide[0], choices },
        { ...wide[1], choices: choices.slice(1, 14) },
      ],
    })
    expect(id).toEqual(expect.any(String))
    const response = await bot.patch(`/commands/${String(id)}`, {
      description_localizations: { de: 'd'.repeat(100) },
    })
    expect([response.status, errorPaths(response.body)]).toEqual([200, []])
    const over = await bot.patch(`/commands/${String(id)}`, {
      options: [{ ...wide[0], choices }, { ...wide[1], choices: choices.slice(1, 14) }, ...wide.slice(2)],
    })
    expect([over.status, errorPaths(over.body)]).toEqual([400, ['$']])
  })

  it('rejects a name in use, and ignores a type', async () => {
    await make('/commands', blep)
    const { id } = await make('/commands', { ...blep, name: 'other' })
    expect(await bot.patch(`/commands/${String(id)}`, { name: 'blep' })).toMatchObject({
      status: 400,
      body: { code: 40041 },
    })
    expect((await bot.patch(`/commands/${String(id)}`, { type: 2 })).body).toMatchObject({ type: 1 })
  })
})

describe('deleting a command', () => {
  it('responds with 204 once, and with 404 from then on', async () => {
    const { id } = await make('/commands', blep)
    expect(await bot.delete(`/commands/${String(id)}`)).toMatchObject({ status: 204, body: undefined })
    expect((await bot.delete(`/commands/${String(id)}`)).status).toBe(404)
    expect((await make('/commands', blep))['id']).not.toBe(id)
  })
})

describe('overwriting a list of commands', () => {
  it('replaces commands of all types, and keeps IDs by ID first, then by type and name', async () => {
    const [one, two] = [
      await make('/commands', { ...blep, name: 'one' }),
      await make('/commands', { ...blep, name: 'two' }),
    ]
    await make('/commands', { type: 2, name: 'Gone' })
    const { status, body } = await bot.put('/commands', [
      launch,
      { ...blep, name: 'two', id: one['id'] },
      { ...blep, name: 'one', id: '1' },
      { ...blep, name: 'two-again', id: two['id'] },
    ])
    expect(status).toBe(200)
    const byName = new Map(list(body).map((command) => [command['name'], command['id']]))
    expect(byName.get('two')).toBe(one['id'])
    expect(byName.get('two-again')).toBe(two['id'])
    expect([one['id'], two['id']]).not.toContain(byName.get('one'))
    expect(new Set(await names('/commands'))).toEqual(new Set(['Launch', 'one', 'two', 'two-again']))
  })

  it('allows two commands to swap their names', async () => {
    const [one, two] = [
      await make(ofTavern, { ...blep, name: 'one' }),
      await make(ofTavern, { ...blep, name: 'two' }),
    ]
    const { body } = await bot.put(ofTavern, [
      { ...blep, name: 'two', id: one['id'] },
      { ...blep, name: 'one', id: two['id'] },
    ])
    expect(list(body).map(({ id, name }) => [id, name])).toEqual([
      [one['id'], 'two'],
      [two['id'], 'one'],
    ])
  })

  it('keeps the versions of unchanged commands', async () => {
    const [one, two] = numbered(2)
    const before = list((await bot.put(ofTavern, [one, two])).body)
    const after = list((await bot.put(ofTavern, [one, { ...two, nsfw: true }])).body)
    expect(after[0]).toEqual(before[0])
    expect(after[1]?.['version']).not.toBe(before[1]?.['version'])
  })

  it('rejects duplicate names and IDs', async () => {
    const { id } = await make(ofTavern, blep)
    const response = await bot.put(ofTavern, [
      { ...blep, id },
      { ...blep, name: 'other', id },
      { ...blep, name: 'third' },
      { ...blep, name: 'third' },
    ])
    expect([response.status, errorPaths(response.body)]).toEqual([400, ['$[1].id', '$[3].name']])
  })

  it('changes nothing if one entry is invalid', async () => {
    await make(ofTavern, blep)
    expect((await bot.put(ofTavern, [{ ...blep, name: 'new' }, { name: 'x' }])).status).toBe(400)
    expect(await names(ofTavern)).toEqual(['blep'])
  })

  it('rejects a list without the entry point, unless configured to keep it', async () => {
    expect(await bot.put('/commands', [blep])).toMatchObject({ status: 400, body: { code: 50240 } })
    expect(await names('/commands')).toEqual(['Launch'])
    await bot.control('/commands', { method: 'PATCH', body: { missingEntryPoint: 'keep' } })
    expect(list((await bot.put('/commands', [blep])).body).map(({ name }) => name)).toEqual([
      'blep',
      'Launch',
    ])
    await bot.control('/commands', { method: 'PATCH', body: { missingEntryPoint: 'refuse' } })
  })
})

describe('the limits of commands', () => {
  it('are 100, 15 and 15 in a guild, and 1 entry point', async () => {
    expect((await bot.put(ofTavern, [...numbered(100), ...menu(15, 2), ...menu(15, 3)])).status).toBe(200)
    for (const body of [
      { name: 'more', description: 'x' },
      { type: 2, name: 'More' },
      { type: 3, name: 'More' },
    ])
      expect(await bot.post(ofTavern, body)).toMatchObject({
        status: 400,
        body: { code: 30032 },
        rule: expect.stringContaining('at most'),
      })
    expect((await bot.post(ofTavern, { name: 'c0', description: 'changed' })).status).toBe(200)
    expect(await bot.post('/commands', { type: 4, name: 'Second' })).toMatchObject({
      status: 400,
      body: { code: 30032 },
    })
  })

  it('are 200 creates in 24 hours, for each guild and for global commands; edits are not counted', async () => {
    expect((await bot.put(ofTavern, numbered(100))).status).toBe(200)
    emulator.advance(day / 2)
    expect((await bot.put(ofTavern, numbered(100, 'd'))).status).toBe(200)
    const rejected = await bot.put(ofTavern, [...numbered(99, 'd'), { name: 'new', description: 'x' }])
    expect(rejected).toMatchObject({
      status: 429,
      body: { code: 30034, global: false },
      rule: expect.any(String),
    })
    const retryAfter = Number(fields(rejected.body)['retry_after'])
    expect(retryAfter).toBeGreaterThan(day / 2000 - 60)
    expect(retryAfter).toBeLessThanOrEqual(day / 2000)
    expect(Number(rejected.headers.get('retry-after'))).toBe(Math.ceil(retryAfter))
    expect(
      (
        await bot.put(
          ofTavern,
          numbered(100, 'd').map((one) => ({ ...one, nsfw: true })),
        )
      ).status,
    ).toBe(200)
    expect((await bot.post('/commands', blep)).status).toBe(201)
    emulator.advance(retryAfter * 1000)
    expect((await bot.put(ofTavern, [...numbered(99, 'd'), { name: 'new', description: 'x' }])).status).toBe(
      200,
    )
  })
})

describe('the entry point', () => {
  it('exists with the Activity until it is deleted', async () => {
    const [found] = list((await bot.get('/commands')).body)
    expect(found).toMatchObject(launch)
    expect(
      (await bot.patch(`/commands/${String(found?.['id'])}`, { handler: 1, name: 'Play now' })).body,
    ).toMatchObject({ handler: 1 })
    await bot.delete(`/commands/${String(found?.['id'])}`)
    expect(await names('/commands')).toEqual([])
    emulator.reset()
    expect(await names('/commands')).toEqual(['Launch'])
  })

  it('is made of a global command by an edit, unless there is one', async () => {
    const { id } = await make('/commands', { type: 2, name: 'Play' })
    expect(await bot.patch(`/commands/${String(id)}`, { type: 4 })).toMatchObject({
      status: 400,
      body: { code: 30_032 },
    })
    await bot.delete(`/commands/${String(list((await bot.get('/commands')).body)[0]?.['id'])}`)
    expect(await bot.patch(`/commands/${String(id)}`, { type: 4, handler: 2 })).toMatchObject({
      status: 200,
      body: { id, type: 4, name: 'Play', handler: 2 },
    })
  })

  it('cannot be made of a command of a guild, and no other type can be set', async () => {
    const { id } = await make(ofTavern, { type: 2, name: 'Play' })
    expect((await bot.patch(`${ofTavern}/${String(id)}`, { type: 4 })).body).toMatchObject({ type: 2 })
    const { id: global } = await make('/commands', { type: 2, name: 'Play' })
    expect((await bot.patch(`/commands/${String(global)}`, { type: 3 })).body).toMatchObject({ type: 2 })
  })

  it('is missing without an Activity, and its handler is rejected', async () => {
    const plain = await createEmulator({
      seed: { application: { activities: false, discoverable: true, integrationTypes: [0] } },
    })
    const caller = new Caller(plain)
    expect((await caller.get('/commands')).body).toEqual([])
    expect(errorPaths((await caller.post('/commands', launch)).body)).toEqual(['$.handler'])
    const wrong = await caller.post('/commands', { ...blep, nsfw: true, integration_types: [1] })
    expect(errorPaths(wrong.body)).toEqual(['$.nsfw', '$.integration_types[0]'])
    await plain.close()
  })
})
