/** Validation rules beyond the shared cases: knowledge of the application, several issues at once, warnings. */
import { describe, expect, test } from 'vitest'
import {
  measureCommand,
  validateCommand,
  validateCommands,
  validatePermissions,
  type ValidateCommandOptions,
} from 'foyer-sdk/server'

const codes = (body: unknown, options: Partial<ValidateCommandOptions> = {}) =>
  validateCommand(body, { scope: 'global', operation: 'create', ...options }).map(({ path, code }) =>
    `${path} ${code}`.trim(),
  )

const BLEP = { name: 'blep', description: 'x' }
const withOption = (option: object) => ({
  ...BLEP,
  options: [{ type: 3, name: 'a', description: 'x', ...option }],
})

test('all issues of a command are reported at once, with path, code, message and numbers', () => {
  const issues = validateCommand(
    {
      name: 'A b',
      description: '',
      options: [{ type: 3, name: 'x', description: 'x', min_value: 1, choices: [{ name: '', value: 1 }] }],
      nsfw: 'no',
    },
    { scope: 'global', operation: 'create' },
  )
  expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'name name_characters',
    'name name_capitals',
    'description length',
    'options[0].min_value not_for_type',
    'options[0].choices[0].value wrong_type',
    'options[0].choices[0].name length',
    'nsfw wrong_type',
  ])
  expect(issues[2]).toEqual({
    path: 'description',
    code: 'length',
    message: 'must have 1 to 100 characters, has 0',
    params: { min: 1, max: 100, actual: 0 },
    level: 'error',
  })
})

describe('a command of a known application', () => {
  const entry = { type: 4, name: 'Launch', handler: 2 }

  test('without an Activity sets no handler', () => {
    expect(codes(entry, { application: { embedded: false } })).toEqual(['handler not_embedded'])
    expect(codes(entry, { application: { embedded: true } })).toEqual([])
    expect(codes(entry)).toEqual([])
  })

  test('supports only the application’s installation contexts', () => {
    const body = { ...BLEP, integration_types: [0, 1] }
    expect(codes(body, { application: { integrationTypes: [0] } })).toEqual([
      'integration_types[1] not_installable',
    ])
    expect(codes({ ...BLEP, integration_types: [7] }, { application: { integrationTypes: [0, 1] } })).toEqual(
      ['integration_types[0] not_installable'],
    )
    expect(codes({ ...BLEP, integration_types: [7] })).toEqual([
      'integration_types[0] unknown_integration_type',
    ])
  })

  test('in the app directory is not age-restricted', () => {
    expect(codes({ ...BLEP, nsfw: true }, { application: { discoverable: true } })).toEqual([
      'nsfw not_discoverable',
    ])
    expect(codes({ ...BLEP, nsfw: false }, { application: { discoverable: true } })).toEqual([])
  })
})

test('a USER or MESSAGE command is created without a description, and may be edited and listed with an empty one', () => {
  for (const type of [2, 3]) {
    const body = { type, name: 'High Five', description: '' }
    expect(codes(body)).toEqual(['description not_for_type'])
    expect(codes(body, { operation: 'edit', knownType: type })).toEqual([])
    expect(codes(body, { operation: 'overwrite' })).toEqual([])
  }
})

const edit = (body: unknown, knownType?: number) =>
  codes(body, { operation: 'edit', ...(knownType !== undefined && { knownType }) })

describe('an edit of a command', () => {
  test('requires no field, and validates those it has', () => {
    expect(edit({})).toEqual([])
    expect(edit({ name: null, description: 5 })).toEqual(['name wrong_type', 'description wrong_type'])
  })

  test('is validated by a known type', () => {
    expect(edit({ name: 'High Five' })).toEqual([])
    expect(edit({ name: 'High Five' }, 2)).toEqual([])
    expect(edit({ name: 'High Five' }, 1)).toEqual(['name name_characters', 'name name_capitals'])
    expect(edit({ description: 'x' }, 2)).toEqual(['description not_for_type'])
    expect(edit({ description: '' }, 1)).toEqual(['description length'])
    expect(edit({ handler: 1 }, 1)).toEqual(['handler not_for_type'])
    expect(edit({ options: [{}] }, 3)).toEqual(['options not_for_type'])
  })

  test('of a guild command has no handler', () => {
    expect(codes({ handler: 1 }, { operation: 'edit', scope: 'guild' })).toEqual(['handler not_for_type'])
  })
})

describe('the validation of option values reports', () => {
  test.each<[string, object, string[]]>([
    [
      'a fraction within the bounds of a NUMBER',
      { type: 10, min_value: -0.5, choices: [{ name: 'a', value: 0.25 }] },
      [],
    ],
    [
      'a value beyond its option’s bounds',
      { type: 10, max_value: 0.5, choices: [{ name: 'a', value: 0.75 }] },
      ['options[0].choices[0].value out_of_range'],
    ],
    [
      'a value below its option’s minimum length',
      { min_length: 3, choices: [{ name: 'a', value: 'xx' }] },
      ['options[0].choices[0].value length'],
    ],
    ['a fractional length', { min_length: 1.5 }, ['options[0].min_length wrong_type']],
    ['null for a bound', { type: 4, min_value: null }, ['options[0].min_value wrong_type']],
    ['a channel type twice', { type: 7, channel_types: [0, 0] }, ['options[0].channel_types[1] duplicate']],
    [
      'channel types of another option type',
      { channel_types: [0] },
      ['options[0].channel_types not_for_type'],
    ],
    ['empty channel types of another option type', { channel_types: [] }, []],
    [
      'an unknown option type, whose other fields cannot be validated',
      { type: 99, choices: [{ name: 'a', value: true }], min_value: 1 },
      ['options[0].type unknown_value', 'options[0].choices[0].value wrong_type'],
    ],
    ['options of an option that takes none', { options: [{}] }, ['options[0].options not_for_type']],
    ['no options of an option that takes none', { options: [] }, []],
    ['options of an unknown option type', { type: 99, options: [{}] }, ['options[0].type unknown_value']],
    ['autocomplete with empty choices', { autocomplete: true, choices: [] }, []],
  ])('%s', (...[, option, expected]) => {
    expect(codes(withOption(option))).toEqual(expected)
  })
})

test.each([
  ['0', []],
  [String(2n ** 54n - 1n), []],
  [String(2n ** 54n), ['default_member_permissions unknown_permission_bits']],
  ['9'.repeat(100), ['default_member_permissions unknown_permission_bits']],
  ['0x20', ['default_member_permissions wrong_type']],
  [32, ['default_member_permissions wrong_type']],
])('the permissions %s: %j', (bits, expected) => {
  expect(codes({ ...BLEP, default_member_permissions: bits })).toEqual(expected)
})

test('permissions without a target are not duplicates of each other', () => {
  const entries = [{}, {}, { id: '1' }, { id: '1' }].map((target) => ({ ...target, permission: true }))
  const issues = validatePermissions({ permissions: entries })
  expect(issues.filter(({ code }) => code === 'duplicate')).toEqual([])
})

test('a description that is too long is not trimmed like the name of a context menu', () => {
  expect(codes({ ...BLEP, description: `${'x'.repeat(100)} ` })).toEqual(['description length'])
})

describe('validation warns about', () => {
  test.each<[string, object, string[]]>([
    ['a deprecated field', { default_permission: true }, ['default_permission deprecated']],
    ['another deprecated field', { dm_permission: true }, ['dm_permission deprecated']],
    [
      'English translations that hide the default',
      { name_localizations: { 'en-GB': 'colour' } },
      ['name_localizations missing_own_locale'],
    ],
    [
      'the other English translation',
      { name_localizations: { 'en-US': 'color' } },
      ['name_localizations missing_own_locale'],
    ],
    [
      'direct messages that the contexts leave out',
      { dm_permission: true, contexts: [0] },
      ['dm_permission contradicts_contexts', 'dm_permission deprecated'],
    ],
    [
      'direct messages that the contexts allow',
      { dm_permission: true, contexts: [0, 1] },
      ['dm_permission deprecated'],
    ],
    ['two English translations', { name_localizations: { 'en-GB': 'colour', 'en-US': 'color' } }, []],
    ['an English translation equal to the default', { name_localizations: { 'en-GB': 'blep' } }, []],
    [
      'a private context for an application without user installation',
      { contexts: [2], integration_types: [0] },
      ['contexts needs_user_install'],
    ],
  ])('%s', (...[, fields, expected]) => {
    const issues = validateCommand({ ...BLEP, ...fields }, { scope: 'global', operation: 'create' })
    expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual(expected)
    expect(issues.every(({ level }) => level === 'warning')).toBe(true)
  })
})

describe('a list of commands', () => {
  test('reports duplicate names, duplicate IDs, and each element’s own issues', () => {
    const list = [
      { ...BLEP, id: '7' },
      { ...BLEP, name: 'other', id: '7' },
      BLEP,
      { type: 2, name: 'blep' },
      null,
    ]
    expect(validateCommands(list, { scope: 'global' }).map(({ path, code }) => `${path} ${code}`)).toEqual([
      '[1].id duplicate',
      '[2].name duplicate',
      '[4] wrong_type',
    ])
  })

  test('of a guild accepts global fields without effect', () => {
    expect(
      validateCommands([{ ...BLEP, contexts: [0, 1, 2], integration_types: [0], dm_permission: true }], {
        scope: 'guild',
      }),
    ).toMatchObject([{ code: 'deprecated', level: 'warning' }])
  })
})

test('permissions: an entry has an ID, a type and a permission', () => {
  const issues = validatePermissions({
    permissions: [{}, { id: '1', type: 2, permission: true }, { id: '1', type: 1, permission: true }],
  })
  expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'permissions[0].id required',
    'permissions[0].type required',
    'permissions[0].permission required',
  ])
})

test('permissions: the IDs of everyone and of all channels need their own types, other IDs may have any', () => {
  const guildId = '290926798626357999'
  const [everyone, channels] = [guildId, String(BigInt(guildId) - 1n)]
  const warned = (id: string) =>
    [1, 2, 3].filter(
      (type) =>
        validatePermissions({ permissions: [{ id, type, permission: true }] }, { guildId }).length > 0,
    )
  expect([everyone, channels, '7'].map((id) => warned(id))).toEqual([[2, 3], [1, 2], []])
})

test('a list is read up to its thousandth command', () => {
  const [whole = [], issues = []] = [1000, 1002].map((length) =>
    validateCommands(Array(length).fill(null), { scope: 'global' }),
  )
  expect(whole.map(({ code }) => code)).not.toContain('too_many')
  expect(issues.filter(({ code }) => code === 'wrong_type')).toHaveLength(1000)
  expect(issues.at(-1)).toMatchObject({ code: 'too_many', params: { max: 1000, actual: 1002 } })
})

const named = (name: string, texts: Record<string, string>) => ({
  type: 3,
  name,
  description: 'x',
  name_localizations: texts,
})
const shownTwice = (...options: object[]) =>
  validateCommand({ ...BLEP, options }, { scope: 'global', operation: 'create' })
    .filter(({ code }) => code === 'shown_twice')
    .map(({ path, params }) => [path, params])

describe('two options with equal names in a locale that uses a fallback', () => {
  test.each([
    ['first', [named('a', { 'es-ES': 'x' }), named('b', { 'es-419': 'x' })], 0],
    ['second', [named('a', { 'es-419': 'x' }), named('b', { 'es-ES': 'x' })], 1],
  ] as const)('are a warning for the %s, which falls back', (_, options, index) => {
    expect(shownTwice(...options)).toEqual([
      [`options[${index}].name_localizations['es-ES']`, { locale: 'es-419', first: 1 - index }],
    ])
  })

  test('are no such warning if neither falls back', () => {
    expect(shownTwice(named('a', { 'es-419': 'x' }), named('b', { 'es-419': 'x' }))).toEqual([])
  })
})

test('permissions: at most a hundred entries are accepted', () => {
  const permissions = Array.from({ length: 101 }, (_, index) => ({
    id: String(index + 1),
    type: 1,
    permission: true,
  }))
  expect(validatePermissions({ permissions }).map(({ code }) => code)).toEqual(['too_many'])
  expect(validatePermissions({ permissions: permissions.slice(1) })).toEqual([])
})

test('a command is measured by the longest translation of each field', () => {
  const size = measureCommand({
    name: 'color',
    name_localizations: { de: 'farben', fr: '😀😀' },
    description: 'x',
    options: [
      {
        type: 3,
        name: 'a',
        description: 'xx',
        choices: [
          { name: 'n', value: 'vvv' },
          { name: 'm', value: 12345 },
        ],
      },
    ],
  })
  expect(size).toEqual({ total: 15, limit: 8000, left: 7985, names: 9, descriptions: 3, values: 3 })
})

test.each([
  ['a command of the type 1', { type: 1, name: 'abc', description: 'x' }, 4],
  ['a USER command', { type: 2, name: 'abc', description: '' }, 0],
  ['no object', null, 0],
])('%s has its size in characters', (_, body, total) => {
  expect(measureCommand(body).total).toBe(total)
})

test.each([
  ['a pair of surrogates', '\u{1f600}', 1],
  ['the first surrogate of a pair without the second', '\ud83dx', 2],
  ['the second surrogate of a pair without the first', 'x\ude00', 2],
])('%s has the size of its code points', (_, description, total) => {
  expect(measureCommand({ name: '', description }).total).toBe(total)
})

test('translations that are no text do not conflict with each other, unlike equal names', () => {
  const option = { type: 3, name: 'a', description: 'x', name_localizations: { de: 5 } }
  const wrongTypes = [0, 1].map((index) => `options[${index}].name_localizations['de'] wrong_type`)
  expect(codes({ ...BLEP, options: [option, option] })).toEqual([...wrongTypes, 'options[1].name name_taken'])
})

test('inherited fields of a dictionary are no translations', () => {
  expect(codes({ ...BLEP, name_localizations: Object.create({ klingon: 'x' }) as object })).toEqual([])
})

test('options deeper than a subcommand in a group do not count', () => {
  const nested = (depth: number): object => ({
    type: 1,
    name: 'abc',
    description: 'x',
    ...(depth > 0 && { options: [nested(depth - 1)] }),
  })
  expect([0, 1, 2, 3, 4].map((depth) => measureCommand(nested(depth)).total)).toEqual([4, 8, 12, 16, 16])
})

test('a list with two entry points has an issue for each violated rule', () => {
  const play = { type: 4, name: 'play', handler: 1 } as const
  const faults = (name: string) =>
    validateCommands([play, { ...play, name }], { scope: 'global', operation: 'overwrite' }).map(
      ({ path, code, params }) => [path, code, params],
    )
  expect(faults('launch')).toEqual([['', 'too_many', { type: 4, max: 1, actual: 2 }]])
  expect(faults('play')).toEqual([
    ['[1].name', 'duplicate', { first: 0 }],
    ['', 'too_many', { type: 4, max: 1, actual: 2 }],
  ])
})

describe('options that are left out', () => {
  const command = { name: 'roll', description: 'Rolls dice' }

  test.each([undefined, {}, null])('%j validates a new global command', (options) => {
    const check = (body: object) => validateCommand(body, options as ValidateCommandOptions)
    expect(check(command)).toEqual([])
    expect(check({ name: 'roll' })).toMatchObject([{ path: 'description', code: 'required' }])
    expect(check({ ...command, integration_types: [0] })).toEqual([])
  })

  test.each([undefined, {}, null])('%j validates a list that replaces all global commands', (options) => {
    const check = (list: object[]) => validateCommands(list, options as ValidateCommandOptions)
    expect(check([command])).toEqual([])
    expect(check([{ name: 'Report', type: 3, description: '' }])).toEqual([])
    expect(check([command, command])).toMatchObject([{ path: '[1].name', code: 'duplicate' }])
  })
})
const option = (name: string, texts?: unknown) => ({
  type: 3,
  name,
  description: 'x',
  name_localizations: texts,
})

const issuesOf = (...options: object[]) =>
  validateCommand({ ...BLEP, options }, { scope: 'global', operation: 'create' }).map(
    ({ path, code, params }) => `${path} ${code} ${String(params['first'])}`,
  )

const of = (...list: object[]) =>
  validateCommands(list, { scope: 'global' })
    .filter(({ code }) => code === 'duplicate')
    .map(({ path, params }) => `${path} ${String(params['first'])}`)

describe('equal names', () => {
  test('of options are found in every locale, with the index of the first', () => {
    expect(issuesOf(option('a'), option('b'), option('a'))).toEqual(['options[2].name name_taken 0'])
    const many = Array.from('abcdefghijklmnop', (name) => option(name))
    expect(issuesOf(...many, option('c'))).toEqual(['options[16].name name_taken 2'])
    expect(issuesOf(option('a', { de: 'x' }), option('b', { de: 'x' }))).toContain(
      "options[1].name_localizations['de'] name_taken 0",
    )
    expect(issuesOf(option('a', { de: 'x' }), option('b', { fr: 'x' }))).toEqual([])
    expect(issuesOf(option('a'), option('b', { de: 'a' }))).toContain(
      "options[1].name_localizations['de'] name_taken 0",
    )
  })

  test('of an option and its own translation, and translations that are no text, are no conflict', () => {
    expect(issuesOf(option('a', { de: 'a' }), option('b', { de: 'b' }))).toEqual([])
    const numbers = issuesOf(option('a', { de: 7 }), option('b', { de: 7 }))
    expect(numbers.filter((issue) => issue.includes('name_taken'))).toEqual([])
    expect(issuesOf(option('a', { de: 'c', fr: 'c' }))).toEqual([])
  })

  test('of commands are found by type, and only among commands with a type and a name', () => {
    expect(of(BLEP, { type: 2, name: 'blep' }, { ...BLEP, type: 1 })).toEqual(['[2].name 0'])
    expect(of({ ...BLEP, type: 'x' }, { ...BLEP, type: 'x' })).toEqual([])
    expect(of({ description: 'x' }, { description: 'x' })).toEqual([])
    expect(of({ ...BLEP, id: 7 }, { ...BLEP, name: 'other', id: 7 })).toEqual([])
    expect(of({ ...BLEP, id: '7' }, { ...BLEP, name: 'other', id: '7' })).toEqual(['[1].id 0'])
  })
})

const menu = (changes: object, operation: ValidateCommandOptions['operation'] = 'create') =>
  codes({ type: 2, name: 'Poke', ...changes }, { operation })

describe('fields of a context menu command', () => {
  test('include no description, except the empty one that the service returns, outside of a create', () => {
    expect(menu({})).toEqual([])
    expect(menu({ description: 'x' })).toEqual(['description not_for_type'])
    expect(menu({ description: '' })).toEqual(['description not_for_type'])
    expect(menu({ description: '' }, 'overwrite')).toEqual([])
    expect(menu({ description: 'x' }, 'overwrite')).toEqual(['description not_for_type'])
  })

  test('include no translated descriptions, but an empty list of them', () => {
    for (const none of [undefined, null, {}]) expect(menu({ description_localizations: none })).toEqual([])
    for (const some of [{ de: 'x' }, 'x', []])
      expect(menu({ description_localizations: some })).toContain('description_localizations not_for_type')
  })
})

test('a negative installation type is an error, also for a known application', () => {
  expect(codes({ ...BLEP, integration_types: [-1] })).toHaveLength(1)
  expect(
    validateCommand({ ...BLEP, integration_types: [-1] }, { scope: 'global', operation: 'create' })[0],
  ).toMatchObject({
    level: 'error',
    path: 'integration_types[0]',
  })
})

test('permissions without their list are incomplete', () => {
  expect(validatePermissions({}).map(({ path, code }) => `${path} ${code}`)).toEqual(['permissions required'])
})

test.each([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['pt', 'pt-BR'],
  ['zh', 'zh-CN'],
  ['zh-tw', 'zh-TW'],
  ['en_GB', 'en-GB'],
  ['de-AT', 'de'],
  ['xx', undefined],
])('the locale %s is refused, and %s named instead', (locale, meant) => {
  const [issue, ...others] = validateCommand({
    name: 'a',
    description: 'A',
    description_localizations: { [locale]: 'x' },
  })
  expect([issue?.code, issue?.level, issue?.params['meant'], others]).toEqual([
    'unknown_locale',
    'error',
    meant,
    [],
  ])
  expect(issue?.message).toContain(meant === undefined ? 'they are id, ' : `did you mean ${meant}?`)
})

test('a bare value in place of an option or a choice is answered with what to write', () => {
  const choices = validateCommand(withOption({ choices: ['sword', 7] }))
  expect(choices.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "options[0].choices[0] must be { name: 'sword', value: 'sword' }",
    "options[0].choices[1] must be { name: '7', value: 7 }",
  ])
  expect(validateCommand({ ...BLEP, options: ['weapon'] })).toMatchObject([
    {
      path: 'options[0]',
      message: "must be { type: 3, name: 'weapon', description: 'Your weapon' }",
    },
  ])
})
