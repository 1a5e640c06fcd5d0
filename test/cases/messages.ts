/** Messages and modals that the service refuses, each with the place of the fault, and ones that it accepts; for SDK, emulator and public validators. */

/** A body to send: a message (a new one or an edit) or a modal. */
export interface MessageCase {
  readonly rule: string
  readonly kind: 'create' | 'edit' | 'modal'
  readonly body: unknown
  /** Names of files that are sent with it, with their content. */
  readonly files?: readonly { readonly name: string; readonly data: Uint8Array<ArrayBuffer> }[]
}

export interface WrongCase extends MessageCase {
  /** Place of the fault in the notation of the SDK; empty for the whole body. */
  readonly path: string
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const button = (fields: object = {}) => ({ type: 2, style: 1, label: 'Press', custom_id: 'press', ...fields })
const row = (...components: readonly object[]) => ({ type: 1, components })
const option = (value: string) => ({ label: value, value })
const select = (fields: object = {}) => ({
  type: 3,
  custom_id: 'pick',
  options: [option('a'), option('b')],
  ...fields,
})
const text = (content = 'Hello') => ({ type: 10, content })
const label = (component: object, fields: object = {}) => ({ type: 18, label: 'Why?', component, ...fields })
const input = (fields: object = {}) => ({ type: 4, custom_id: 'why', style: 1, ...fields })
const modal = (...components: readonly object[]) => ({ custom_id: 'form', title: 'A form', components })
const field = (index: number) => ({ name: `n${index}`, value: 'v' })
const poll = (fields: object = {}) => ({
  question: { text: 'Again?' },
  answers: [{ poll_media: { text: 'Yes' } }],
  ...fields,
})

const message = (rule: string, body: unknown, path: string): WrongCase => ({
  rule,
  kind: 'create',
  body,
  path,
})
const edit = (rule: string, body: unknown, path: string): WrongCase => ({ rule, kind: 'edit', body, path })
const form = (rule: string, body: unknown, path: string): WrongCase => ({ rule, kind: 'modal', body, path })

const INNER = 'components[0].components[0]'
const FIELD = 'components[0].component'

export const WRONG: readonly WrongCase[] = [
  message('nothing at all', {}, ''),
  message('a text of 2,001 characters', { content: 'x'.repeat(2001) }, 'content'),
  message('half of a surrogate pair', { content: 'a\ud800b' }, 'content'),
  message('11 embeds', { embeds: times(11, () => ({ title: 'x' })) }, 'embeds'),
  message(
    '26 fields in an embed',
    { embeds: [{ title: 'x', fields: times(26, field) }] },
    'embeds[0].fields',
  ),
  message(
    'embeds of 6,001 characters',
    { embeds: times(3, () => ({ description: 'x'.repeat(2000) })).concat({ description: 'y' }) },
    'embeds',
  ),
  message('a title of 257 characters', { embeds: [{ title: 'x'.repeat(257) }] }, 'embeds[0].title'),
  message('an embed with a color only', { embeds: [{ color: 1 }] }, 'embeds[0].description'),
  message('a color above 0xFFFFFF', { embeds: [{ title: 'x', color: 0x1000000 }] }, 'embeds[0].color'),
  message(
    'a script as the address of an embed',
    { embeds: [{ title: 'x', url: 'javascript:alert(1)' }] },
    'embeds[0].url',
  ),
  message('a time that is none', { embeds: [{ title: 'x', timestamp: 'yesterday' }] }, 'embeds[0].timestamp'),
  message('a field without a value', { embeds: [{ fields: [{ name: 'x' }] }] }, 'embeds[0].fields[0].value'),
  message(
    'an unknown kind of mention',
    { content: 'x', allowed_mentions: { parse: ['all'] } },
    'allowed_mentions.parse[0]',
  ),
  message(
    'mentions of all users and of given ones',
    { content: 'x', allowed_mentions: { parse: ['users'], users: ['211842960158326785'] } },
    'allowed_mentions.parse',
  ),
  message('a flag that only the service sets', { content: 'x', flags: 128 }, 'flags'),
  message(
    '6 rows',
    { components: times(6, (index) => row(button({ custom_id: `b${index}` }))) },
    'components',
  ),
  message(
    '6 buttons in a row',
    { components: [row(...times(6, (index) => button({ custom_id: `b${index}` })))] },
    'components[0].components',
  ),
  message(
    'a button without custom_id',
    { components: [row({ type: 2, style: 1, label: 'Press' })] },
    `${INNER}.custom_id`,
  ),
  message(
    'a misspelt custom_id',
    { components: [row({ type: 2, style: 1, label: 'Press', customId: 'x' })] },
    `${INNER}.custom_id`,
  ),
  message(
    'a link button with custom_id',
    { components: [row(button({ style: 5, url: 'https://game.example' }))] },
    `${INNER}.custom_id`,
  ),
  message(
    'a button without label and emoji',
    { components: [row({ type: 2, style: 1, custom_id: 'x' })] },
    `${INNER}.label`,
  ),
  message(
    'a custom_id of 101 characters',
    { components: [row(button({ custom_id: 'x'.repeat(101) }))] },
    `${INNER}.custom_id`,
  ),
  message(
    'two buttons with one custom_id',
    { components: [row(button(), button())] },
    'components[0].components[1].custom_id',
  ),
  message('a button outside of a row', { components: [button()] }, 'components[0].type'),
  message('a select beside a button', { components: [row(select(), button())] }, INNER),
  message('a select without options', { components: [row(select({ options: [] }))] }, `${INNER}.options`),
  message(
    'two options with one value',
    { components: [row(select({ options: [option('a'), option('a')] }))] },
    `${INNER}.options[1].value`,
  ),
  message(
    'a least above the greatest number',
    { components: [row(select({ min_values: 2, max_values: 1 }))] },
    `${INNER}.min_values`,
  ),
  message(
    'a least number above the one value that a select allows by default',
    { components: [row(select({ min_values: 2 }))] },
    `${INNER}.min_values`,
  ),
  message('a provider that is a list', { embeds: [{ title: 'x', provider: [1] }] }, 'embeds[0].provider'),
  message('a video that is a text', { embeds: [{ title: 'x', video: 'x' }] }, 'embeds[0].video'),
  message(
    'components of version 2 with content',
    { content: 'x', flags: 32_768, components: [text()] },
    'content',
  ),
  message(
    '41 components of version 2',
    { flags: 32_768, components: times(41, () => text('x')) },
    'components',
  ),
  message(
    '4,001 characters in text displays',
    { flags: 32_768, components: [text('x'.repeat(4000)), text('y')] },
    'components',
  ),
  message(
    'a section without an accessory',
    { flags: 32_768, components: [{ type: 9, components: [text()] }] },
    'components[0].accessory',
  ),
  message(
    'a container in a container',
    { flags: 32_768, components: [{ type: 17, components: [{ type: 17, components: [text()] }] }] },
    `${INNER}.type`,
  ),
  message(
    'a gallery without pictures',
    { flags: 32_768, components: [{ type: 12, items: [] }] },
    'components[0].items',
  ),
  message(
    'a file from elsewhere',
    { flags: 32_768, components: [{ type: 13, file: { url: 'https://game.example/a.txt' } }] },
    'components[0].file.url',
  ),
  message(
    'a file that is not sent',
    { flags: 32_768, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] },
    'components[0].file.url',
  ),
  message('an attachment without its file', { content: 'x', attachments: [{ id: 0 }] }, 'attachments[0].id'),
  message('a poll without answers', { poll: poll({ answers: [] }) }, 'poll.answers'),
  message('a poll of 33 days', { poll: poll({ duration: 792 }) }, 'poll.duration'),
  edit('a text of 2,001 characters in an edit', { content: 'x'.repeat(2001) }, 'content'),
  edit('a number as content of an edit', { content: 7 }, 'content'),
  form(
    'a modal of 6 parts',
    modal(...times(6, (index) => label(input({ custom_id: `i${index}` })))),
    'components',
  ),
  form('a modal without parts', modal(), 'components'),
  form('a title of 46 characters', { ...modal(label(input())), title: 'x'.repeat(46) }, 'title'),
  form('a button in a label', modal(label(button())), `${FIELD}.type`),
  form('a select outside of a label', modal(select()), 'components[0].type'),
  form('a label of 46 characters', modal(label(input(), { label: 'x'.repeat(46) })), 'components[0].label'),
  form(
    'a radio group with one option',
    modal(label({ type: 21, custom_id: 'x', options: [option('a')] })),
    `${FIELD}.options`,
  ),
  form(
    'a checkbox group of 11',
    modal(label({ type: 22, custom_id: 'x', options: times(11, (index) => option(`o${index}`)) })),
    `${FIELD}.options`,
  ),
  form('11 files', modal(label({ type: 19, custom_id: 'x', max_values: 11 })), `${FIELD}.max_values`),
  form(
    'a least number of files above the one that is allowed by default',
    modal(label({ type: 19, custom_id: 'x', min_values: 2 })),
    `${FIELD}.min_values`,
  ),
  form('a required select of 0 values', modal(label(select({ min_values: 0 }))), `${FIELD}.min_values`),
  form('a disabled select', modal(label(select({ disabled: true }))), `${FIELD}.disabled`),
  form(
    'two fields with one custom_id',
    modal(label(input()), label(input())),
    'components[1].component.custom_id',
  ),
  form('a text input without a style', modal(label({ type: 4, custom_id: 'x' })), `${FIELD}.style`),
]

const bytes = (size: number) => new Uint8Array(size).map((_, index) => index % 251)
const accepted = (rule: string, body: unknown, files?: MessageCase['files']): MessageCase => ({
  rule,
  kind: 'create',
  body,
  ...(files && { files }),
})
const acceptedForm = (rule: string, body: unknown): MessageCase => ({ rule, kind: 'modal', body })

export const RIGHT: readonly MessageCase[] = [
  accepted('a text of 2,000 characters', { content: '😀'.repeat(2000) }),
  accepted('a silent text without mentions', {
    content: '@everyone',
    flags: 4096,
    allowed_mentions: { parse: [] },
  }),
  accepted('a text that mentions given users', {
    content: 'x',
    allowed_mentions: { parse: ['roles'], users: ['211842960158326785'], replied_user: false },
  }),
  accepted('a whole embed', {
    embeds: [
      {
        title: 'Score',
        description: 'Of **today**',
        url: 'https://game.example/scores?day=1',
        timestamp: '2026-11-25T10:00:00.000Z',
        color: 0xffffff,
        footer: { text: 'Foot', icon_url: 'https://game.example/i.png' },
        image: { url: 'https://game.example/i.png' },
        thumbnail: { url: 'https://game.example/t.png' },
        author: { name: 'Ada', url: 'https://game.example/ada', icon_url: 'https://game.example/a.png' },
        fields: [{ name: 'Wins', value: '3', inline: true }],
      },
    ],
  }),
  accepted('10 embeds of 6,000 characters together', {
    embeds: times(10, () => ({ description: 'x'.repeat(600) })),
  }),
  accepted('25 fields', { embeds: [{ fields: times(25, field) }] }),
  accepted('5 rows of 5 buttons', {
    components: times(5, (line) =>
      row(...times(5, (index) => button({ custom_id: `b${line}-${index}`, style: 1 + (index % 4) }))),
    ),
  }),
  accepted('buttons of every style', {
    components: [
      row(
        button({ emoji: { name: '🔥' }, disabled: true }),
        {
          type: 2,
          style: 5,
          url: 'https://game.example',
          emoji: { id: '41771983429993937', name: 'x', animated: true },
        },
        { type: 2, style: 6, sku_id: '41771983429993937' },
      ),
    ],
  }),
  accepted('a select with 25 options', {
    components: [
      row(
        select({
          placeholder: 'Choose',
          min_values: 0,
          max_values: 25,
          options: times(25, (index) => ({
            ...option(`o${index}`),
            description: 'd',
            emoji: { name: '🐜' },
            default: index === 0,
          })),
        }),
      ),
    ],
  }),
  accepted('a select of each kind', {
    components: [
      row({ type: 5, custom_id: 'u', default_values: [{ id: '211842960158326785', type: 'user' }] }),
      row({ type: 6, custom_id: 'r', max_values: 3 }),
      row({
        type: 7,
        custom_id: 'm',
        max_values: 2,
        default_values: [{ id: '211842960158326785', type: 'user' }],
      }),
      row({ type: 8, custom_id: 'c', channel_types: [0, 2] }),
    ],
  }),
  accepted('a container with everything', {
    flags: 32_768,
    components: [
      {
        type: 17,
        accent_color: 0xff0000,
        spoiler: true,
        components: [
          text('# Title'),
          {
            type: 9,
            components: [text('a'), text('b'), text('c')],
            accessory: {
              type: 11,
              media: { url: 'https://game.example/i.png' },
              description: 'alt',
              spoiler: false,
            },
          },
          { type: 9, components: [text('d')], accessory: button({ custom_id: 'in-section' }) },
          {
            type: 12,
            items: times(10, (index) => ({
              media: { url: `https://game.example/${index}.png` },
              description: 'alt',
            })),
          },
          { type: 14, divider: false, spacing: 2 },
          row(button()),
        ],
      },
    ],
  }),
  accepted('40 components of 4,000 characters', {
    flags: 32_768,
    components: times(40, () => text('x'.repeat(100))),
  }),
  accepted('a poll', {
    poll: poll({
      answers: times(10, (index) => ({ poll_media: { text: `a${index}`, emoji: { name: '🐜' } } })),
      duration: 768,
      allow_multiselect: true,
      layout_type: 1,
    }),
  }),
  accepted('an empty file', { content: 'x' }, [{ name: 'empty.txt', data: bytes(0) }]),
  accepted('a file of 1 MB', {}, [{ name: 'one.bin', data: bytes(1_000_000) }]),
  accepted('a file of 10 MB', {}, [{ name: 'größe "10".bin', data: bytes(10_000_000) }]),
  accepted(
    'files with descriptions, shown by an embed',
    {
      embeds: [{ title: 'x', image: { url: 'attachment://b.png' } }],
      attachments: [{ id: 1, filename: 'b.png', description: 'A picture' }],
    },
    [
      { name: 'a.txt', data: bytes(3) },
      { name: 'b.png', data: bytes(4) },
    ],
  ),
  accepted(
    'a file and a picture of version 2',
    {
      flags: 32_768,
      components: [
        { type: 13, file: { url: 'attachment://a.txt' } },
        { type: 12, items: [{ media: { url: 'attachment://b.png' } }] },
      ],
    },
    [
      { name: 'a.txt', data: bytes(3) },
      { name: 'b.png', data: bytes(4) },
    ],
  ),
  { rule: 'an edit that clears', kind: 'edit', body: { content: null, embeds: [], components: [] } },
  { rule: 'an edit of the components', kind: 'edit', body: { components: [row(button())] } },
  acceptedForm(
    'a text input in a label',
    modal(
      label(input({ min_length: 1, max_length: 4000, placeholder: 'Tell us', value: 'x', required: false }), {
        description: 'd',
      }),
    ),
  ),
  acceptedForm('a text input in a row', modal(row(input({ label: 'Why?', style: 2 })))),
  acceptedForm(
    'a string select, and a text',
    modal(text('Please answer'), label(select({ required: false, min_values: 0, max_values: 2 }))),
  ),
  acceptedForm(
    'selects of users, roles, both and channels',
    modal(...[5, 6, 7, 8].map((type) => label({ type, custom_id: `s${type}`, max_values: 2 }))),
  ),
  acceptedForm(
    'a radio group, checkboxes and files',
    modal(
      label({
        type: 21,
        custom_id: 'radio',
        options: [option('a'), { ...option('b'), description: 'd', default: true }],
      }),
      label({
        type: 22,
        custom_id: 'group',
        options: [option('a')],
        min_values: 0,
        max_values: 1,
        required: false,
      }),
      label({ type: 23, custom_id: 'one', default: true }),
      label({ type: 19, custom_id: 'files', min_values: 1, max_values: 10, file_types: ['image', '.pdf'] }),
    ),
  ),
]
