/** Edge cases of the rules, beside the given cases: bodies and every path with an error. */
import type { Case } from './cases'

export interface Edge extends Case {
  /** In the notation of the SDK; empty for a body that is accepted. */
  readonly paths: readonly string[]
}

const POST = 'POST global command'
const GUILD_POST = 'POST guild command'
const PATCH = 'PATCH global command'
const GUILD_PATCH = 'PATCH guild command'
const PUT = 'PUT global commands'
const GUILD_PUT = 'PUT guild commands'
const PERMISSIONS = 'PUT guild command permissions'

type Fields = Readonly<Record<string, unknown>>

const slash = (fields: Fields = {}) => ({ name: 'blep', description: 'Send a photo', ...fields })
const user = (fields: Fields = {}) => ({ type: 2, name: 'High Five', ...fields })
const entry = (fields: Fields = {}) => ({ type: 4, name: 'Launch', handler: 2, ...fields })
const option = (type: number, fields: Fields = {}) => ({
  type,
  name: 'animal',
  description: 'Which',
  ...fields,
})
const named = (name: string, localizations: Fields) => option(3, { name, name_localizations: localizations })
const withOption = (...options: unknown[]) => slash({ options })
const choice = (type: number, value: unknown, fields: Fields = {}) =>
  withOption(option(type, { choices: [{ name: 'A', value }], ...fields }))
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const json = (text: string): unknown => JSON.parse(text)

type Row = readonly [endpoint: string, body: unknown, ...paths: string[]]

/** Translations into every locale of the service. */
const EVERY =
  'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko ar he'
const everyLocale = Object.fromEntries(EVERY.split(' ').map((locale) => [locale, 'foo']))
/** With one more, which is none of them: refused, at the dictionary or at its key. */
export const TOO_MANY_LOCALES = slash({ name_localizations: { ...everyLocale, sr: 'foo' } })
const ALL_LOCALES: readonly Row[] = [
  [POST, slash({ name_localizations: everyLocale, description_localizations: everyLocale })],
]

/** Codes that are written like those of the service, and are none: in every dictionary. */
const LOCALES: readonly Row[] = ['en', 'es', 'pt', 'zh', 'EN-us', 'en_US', 'xx'].flatMap((locale): Row[] => [
  [POST, slash({ name_localizations: { [locale]: 'foo' } }), `name_localizations['${locale}']`],
  [POST, slash({ description_localizations: { [locale]: 'foo' } }), `description_localizations['${locale}']`],
  [POST, withOption(named('bar', { [locale]: 'foo' })), `options[0].name_localizations['${locale}']`],
  [
    POST,
    choice(3, 'a', { choices: [{ name: 'A', value: 'a', name_localizations: { [locale]: 'foo' } }] }),
    `options[0].choices[0].name_localizations['${locale}']`,
  ],
])

/** Only letters, digits and - _ ’, in lower case if the letter has one. */
const NAMES: readonly Row[] = [
  ...[
    '__proto__',
    'constructor',
    "'''",
    'ॐ',
    '\u{A8E0}',
    '๏',
    'ー',
    'ℵ',
    '〇',
    '٣',
    'שלום',
    'tiếng',
    'ϒ',
    'ʼ',
  ].map((name): Row => [POST, slash({ name })]),
  ...[
    '\u{951}',
    '\u{1CD0}',
    'தமிழ்',
    'বাংলা',
    'か\u{3099}',
    '\u{200D}',
    '\u{FEFF}',
    'a\u{A0}b',
    '\u{D800}',
    '１\u{FE0F}',
    '・',
    '＿',
    '‐',
    '´',
  ].map((name): Row => [POST, slash({ name }), 'name']),
  ...['\u{212A}', '\u{2126}', 'ᾼ', 'Ↄ', 'Ა', 'ΟΔΟΣ', 'aB'].map((name): Row => [
    POST,
    slash({ name }),
    'name',
  ]),
  [
    POST,
    slash({ name: '𠀀'.repeat(32), name_localizations: { ja: '𠀀'.repeat(33) } }),
    "name_localizations['ja']",
  ],
  [
    POST,
    user({ name: '😀'.repeat(32), name_localizations: { ja: '😀'.repeat(33) } }),
    "name_localizations['ja']",
  ],
  [POST, entry({ name: 'A b!', name_localizations: { de: 'C d?' } })],
  [POST, entry({ name: 'L'.repeat(33), description: 'd'.repeat(101) }), 'name', 'description'],
  [
    POST,
    entry({ description: '', description_localizations: { de: 'd'.repeat(101) } }),
    "description_localizations['de']",
  ],
  [PATCH, { name: 'No Spaces', name_localizations: [] }, 'name', 'name_localizations'],
]

const TYPES: readonly Row[] = [
  ...[-1, 1.5, '1', null, true, [1], {}, 1e300].map((type): Row => [POST, slash({ type }), 'type']),
  ...[null, [], 'x', 5, true].map((body): Row => [POST, body, '']),
  ...[null, [], 'x', 5].map((body): Row => [PUT, [slash(), body], '[1]']),
  ...[null, {}, 'x', 5].map((options): Row => [PATCH, { options }, 'options']),
  ...[null, [], 'x', 5].map((each): Row => [POST, withOption(each), 'options[0]']),
  [POST, {}, 'name', 'description'],
  [POST, withOption({}), 'options[0].type', 'options[0].name', 'options[0].description'],
  [POST, json('{"description":"x","__proto__":{"name":"a"}}'), 'name'],
  [
    POST,
    json('{"name":"a","description":"x","name_localizations":{"__proto__":"A"}}'),
    "name_localizations['__proto__']",
  ],
  [POST, slash({ nsfw: null, dm_permission: null, default_permission: null, contexts: null }), 'nsfw'],
  [POST, slash({ integration_types: [0, null], contexts: [0, 1.5] }), 'integration_types[1]', 'contexts[1]'],
  [POST, slash({ integration_types: [1, 0, 1], contexts: [] }), 'integration_types[2]', 'contexts'],
  [POST, slash({ default_member_permissions: '9'.repeat(400) })],
  ...['-0', '+1', '1e3', '32\n', '١', '１', '1_000', 'null', 0, []].map((bits): Row => [
    GUILD_PATCH,
    { default_member_permissions: bits },
    'default_member_permissions',
  ]),
]

const OPTIONS: readonly Row[] = [
  ...[3, 5, 6, 7, 8, 9, 11].map((type): Row => [
    POST,
    withOption(option(type, { min_value: 1 })),
    'options[0].min_value',
  ]),
  ...[4, 5, 7, 10, 11].map((type): Row => [
    POST,
    withOption(option(type, { max_length: 1 })),
    'options[0].max_length',
  ]),
  ...[1, 2, 5, 6, 9, 11].map((type): Row => [
    POST,
    withOption(option(type, { autocomplete: true })),
    'options[0].autocomplete',
  ]),
  ...[1, 2, 3, 10, 11].map((type): Row => [
    POST,
    withOption(option(type, { channel_types: [0] })),
    'options[0].channel_types',
  ]),
  ...[1, 5, 7, 11].map((type): Row => [
    POST,
    withOption(option(type, { choices: [], autocomplete: false, channel_types: [] })),
  ]),
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11].map((type): Row => [
    POST,
    withOption(option(2, { options: [option(type)] })),
    'options[0].options[0].type',
  ]),
  [POST, withOption(option(10, { min_value: -(2 ** 53), max_value: 2 ** 53 }))],
  [
    POST,
    withOption(option(10, { min_value: -(2 ** 53) - 2, max_value: 2 ** 53 + 2 })),
    'options[0].min_value',
    'options[0].max_value',
  ],
  [POST, withOption(option(4, { min_value: -(2 ** 53) })), 'options[0].min_value'],
  [POST, withOption(option(4, { min_value: 3, max_value: 3, choices: [{ name: 'A', value: 3 }] }))],
  [POST, withOption(option(3, { min_length: 6000, max_length: 6000 }))],
  [POST, withOption(option(3, { min_length: 6001 })), 'options[0].min_length'],
  [POST, withOption(option(3, { max_length: 6001 })), 'options[0].max_length'],
  [
    POST,
    withOption(option(7, { channel_types: [0, '2', 1.5, 0] })),
    ...[1, 2, 3].map((at) => `options[0].channel_types[${at}]`),
  ],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((type): Row => [
    POST,
    withOption(option(type, { file_types: ['image'] })),
    'options[0].file_types',
  ]),
  [POST, withOption(option(3, { file_types: [] }))],
  [POST, withOption(option(11, { file_types: ['image', 'VIDEO', 'audio', '.tar.gz'] }))],
  [
    POST,
    withOption(option(11, { file_types: ['nonsense', '.', 'png', null, '.png'] })),
    ...[0, 1, 2, 3].map((at) => `options[0].file_types[${at}]`),
  ],
  [POST, withOption(option(11, { file_types: times(10, () => 'image') }))],
  [POST, withOption(option(11, { file_types: times(11, () => 'image') })), 'options[0].file_types'],
  [POST, withOption(option(11, { file_types: 'image' })), 'options[0].file_types'],
  ...[null, true, [], {}, '1', 1.5, 2 ** 53].map((value): Row => [
    POST,
    choice(4, value),
    'options[0].choices[0].value',
  ]),
  [POST, choice(3, '😀'.repeat(100))],
  [POST, choice(3, '😀'.repeat(101)), 'options[0].choices[0].value'],
  [POST, choice(3, '😀😀', { max_length: 2 })],
  [
    POST,
    withOption(option(3, { choices: [{}] })),
    'options[0].choices[0].name',
    'options[0].choices[0].value',
  ],
  [POST, withOption(option(3), option(4), option(5)), 'options[1].name', 'options[2].name'],
  [
    POST,
    slash({
      options: [false, true, true].map((required, index) => option(3, { name: `o${index}`, required })),
    }),
    'options[1].required',
    'options[2].required',
  ],
  [POST, withOption(option(1, { options: [option(2)] })), 'options[0].options[0].type'],
  [
    POST,
    withOption(option(2, { options: [option(1, { required: true })] })),
    'options[0].options[0].required',
  ],
  [
    POST,
    withOption(
      ...times(26, (index) => option(3, { name: `o${index}`, description: index === 25 ? '' : 'x' })),
    ),
    'options',
    'options[25].description',
  ],
]

/** Translations must not repeat other names of the list; a translation equal to its own default is ignored. */
const TRANSLATIONS: readonly Row[] = [
  [POST, withOption(named('a', { de: 'x' }), named('x', { de: 'x' })), "options[0].name_localizations['de']"],
  [POST, withOption(named('x', { de: 'x' }), named('a', { de: 'x' })), "options[1].name_localizations['de']"],
  [POST, withOption(named('a', { de: 'a', fr: 'a' }), named('b', { de: 'b' }))],
  [
    POST,
    withOption(...['a', 'b', 'c'].map((name) => named(name, { de: 'x' }))),
    ...[1, 2].map((at) => `options[${at}].name_localizations['de']`),
  ],
  [POST, withOption(named('a', { de: '__proto__' }), named('b', { de: 'constructor' }))],
  [
    POST,
    withOption(named('a', { de: '__proto__' }), named('b', { de: '__proto__' })),
    "options[1].name_localizations['de']",
  ],
  [POST, user({ description_localizations: {} })],
  [POST, user({ description_localizations: { de: 'x' } }), 'description_localizations'],
]

const SCOPES: readonly Row[] = [
  [GUILD_POST, entry({ handler: undefined }), 'type'],
  [GUILD_POST, slash({ contexts: null, dm_permission: null }), 'dm_permission', 'contexts'],
  [GUILD_PATCH, { handler: 1 }, 'handler'],
  [
    GUILD_PUT,
    [slash({ contexts: [3], integration_types: ['0'], dm_permission: 1 })],
    ...['dm_permission', 'integration_types[0]', 'contexts[0]'].map((at) => `[0].${at}`),
  ],
  ...['007', '-1', '', '18446744073709551616', null].map((id): Row => [GUILD_PUT, [slash({ id })], '[0].id']),
  [GUILD_PUT, [slash({ id: '18446744073709551615' })]],
  [PUT, [slash(), user(), slash(), slash({ type: 1 })], '[2].name', '[3].name'],
  [PUT, ['a', 'A'].map((name) => user({ name }))],
  [PUT, [slash({ name: '__proto__' }), slash({ name: 'constructor' })]],
  [
    PERMISSIONS,
    { permissions: [{}] },
    ...['id', 'type', 'permission'].map((field) => `permissions[0].${field}`),
  ],
  [
    PERMISSIONS,
    { permissions: times(101, (index) => ({ id: String(index + 1), type: 1, permission: true })) },
    'permissions',
  ],
]

export const EDGES: readonly Edge[] = [
  ...NAMES,
  ...LOCALES,
  ...ALL_LOCALES,
  ...TYPES,
  ...OPTIONS,
  ...TRANSLATIONS,
  ...SCOPES,
].map(([endpoint, body, ...paths], index) => ({
  id: `edge-${index + 1}`,
  endpoint,
  body,
  paths,
}))
