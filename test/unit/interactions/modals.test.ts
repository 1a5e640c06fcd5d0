/** Modals that are defined once: which handler a submission reaches, its values, and what happens to one that does not match. */
import type { APIModalSubmitInteraction } from 'discord-api-types/v10'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type DefinedModal,
  defineModal,
  type InteractionHandlerOptions,
  type ModalInteraction,
} from 'foyer-sdk/server'
import { deliverAfter, hold, message, SORRY } from './expected-responses'
import { invocation, Sender, Signer } from './signed-sender'

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

const make = (options: Partial<InteractionHandlerOptions>) => new Sender(signer, options)

/** In the shape of the public typings. */
type Submitted = Pick<APIModalSubmitInteraction['data'], 'components' | 'resolved'>

const submit = (data: Submitted & { custom_id: string }, rest: object = {}) =>
  invocation(data, { type: 5, ...rest })
const text = (customId: string, value: string): Submitted => ({
  components: [{ type: 18, id: 1, component: { type: 4, id: 2, custom_id: customId, value } }],
})

const why = { type: 4, custom_id: 'why', style: 2 } as const
const report = defineModal(
  { custom_id: 'report', title: 'Report', components: [{ type: 18, label: 'Why?', component: why }] },
  ({ values, customId }) => `${customId}: ${values.why}`,
)

const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
] as const

const every = defineModal(
  {
    custom_id: 'every',
    title: 'Everything',
    components: [
      { type: 18, label: 'a', component: { type: 3, custom_id: 'maps', options, max_values: 2 } },
      { type: 18, label: 'b', component: { type: 5, custom_id: 'users' } },
      { type: 18, label: 'c', component: { type: 7, custom_id: 'anybody' } },
      { type: 18, label: 'd', component: { type: 21, custom_id: 'level', options, required: false } },
      { type: 18, label: 'e', component: { type: 19, custom_id: 'proof' } },
    ],
  },
  ({ values: { maps, users, anybody, level, proof } }) =>
    JSON.stringify([
      maps,
      users.map(({ user, member }) => `${user.username} ${member?.nick}`),
      anybody.map((one) => ('role' in one ? one.role.name : one.user.username)),
      level ?? 'none',
      proof.map(({ filename }) => filename),
    ]),
)

const rest = defineModal(
  {
    custom_id: 'rest',
    title: 'Everything else',
    components: [
      { type: 18, label: 'a', component: { type: 6, custom_id: 'roles' } },
      { type: 18, label: 'b', component: { type: 8, custom_id: 'places' } },
      { type: 18, label: 'c', component: { type: 22, custom_id: 'days', options } },
      { type: 18, label: 'd', component: { type: 23, custom_id: 'news' } },
      { type: 1, components: [{ type: 4, custom_id: 'constructor', style: 1, label: 'Old' }] },
    ],
  },
  ({ values }) =>
    JSON.stringify([
      values.roles.map(({ name }) => name),
      values.places.map(({ name }) => name),
      values.days,
      values.news,
      values.constructor,
      Object.getPrototypeOf(values),
    ]),
)

const resolved = {
  users: { 5: { id: '5', username: 'Ann', discriminator: '0', global_name: null, avatar: null } },
  members: { 5: { nick: 'A', roles: [], permissions: '0', joined_at: '' } },
  roles: { 7: { id: '7', name: 'medic' } },
  channels: { 6: { id: '6', name: 'lobby', type: 0, permissions: '0' } },
  attachments: {
    8: { id: '8', filename: 'a.png', size: 1, url: 'https://x.example', proxy_url: 'https://x.example' },
  },
} as unknown as NonNullable<Submitted['resolved']>

const label = <const Field extends object>(component: Field) =>
  ({ type: 18, id: 1, component: { id: 2, ...component } }) as const

const everyField: Submitted['components'] = [
  label({ type: 3, custom_id: 'maps', values: ['a', 'b'] }),
  label({ type: 5, custom_id: 'users', values: ['5'] }),
  label({ type: 7, custom_id: 'anybody', values: ['7', '5'] }),
  label({ type: 21, custom_id: 'level', value: null }),
  label({ type: 19, custom_id: 'proof', values: ['8'] }),
]

describe('a submitted modal', () => {
  it('reaches the handler of its definition, also with more after a colon, and the others reach onModal', async () => {
    const inner: DefinedModal = {
      ...report,
      definition: { ...report.definition, custom_id: 'report:bug' },
      run: () => 'a bug',
    }
    const sender = make({
      modals: [report, inner],
      onModal: ({ customId, values }) => `other ${customId} ${String(values['why'])}`,
    })
    const answers = []
    for (const id of [
      'report',
      'report:42',
      'report:42:x',
      'report:bug:7',
      'reports',
      ':report',
      '__proto__',
    ])
      answers.push(await sender.deliver(submit({ custom_id: id, ...text('why', 'spam') })))
    expect(answers).toEqual(
      [
        'report: spam',
        'report:42: spam',
        'report:42:x: spam',
        'a bug',
        'other reports spam',
        'other :report spam',
        'other __proto__ spam',
      ].map(message),
    )
    expect(sender.codes).toEqual([])
  })

  it('has the values of every kind of field, with their objects', async () => {
    const sender = make({ modals: [every, rest] })
    const first = ['["a","b"]', '["Ann A"]', '["medic","Ann"]', '"none"', '["a.png"]'].join()
    expect(await sender.deliver(submit({ custom_id: 'every', components: everyField, resolved }))).toEqual(
      message(`[${first}]`),
    )
    const components: Submitted['components'] = [
      label({ type: 6, custom_id: 'roles', values: ['7'] }),
      label({ type: 8, custom_id: 'places', values: ['6'] }),
      label({ type: 22, custom_id: 'days', values: [] }),
      label({ type: 23, custom_id: 'news', value: false }),
      { type: 1, id: 9, components: [{ type: 4, id: 10, custom_id: 'constructor', value: '' }] },
    ]
    expect(await sender.deliver(submit({ custom_id: 'rest', components, resolved }))).toEqual(
      message('[["medic"],["lobby"],[],false,"",null]'),
    )
    expect(sender.codes).toEqual([])
  })

  it.each<[string, number, object, string]>([
    [
      'an option that is not offered',
      0,
      { type: 3, custom_id: 'maps', values: ['a', 'c'] },
      'invalid_option maps',
    ],
    ['a number among options', 0, { type: 3, custom_id: 'maps', values: [1] }, 'invalid_option maps'],
    ['another type', 0, { type: 4, custom_id: 'maps', value: 'a' }, 'invalid_option maps'],
    ['no list', 0, { type: 3, custom_id: 'maps', values: 'a' }, 'invalid_option maps'],
    ['a field of another name', 0, { type: 3, custom_id: 'map', values: ['a'] }, 'missing_option maps'],
    [
      'a user without an object',
      1,
      { type: 5, custom_id: 'users', values: ['5', '6'] },
      'invalid_option users',
    ],
    [
      'an id that is a name of objects',
      1,
      { type: 5, custom_id: 'users', values: ['__proto__'] },
      'invalid_option users',
    ],
    ['a choice that is not offered', 3, { type: 21, custom_id: 'level', value: 'z' }, 'invalid_option level'],
    ['a file without an object', 4, { type: 19, custom_id: 'proof', values: ['9'] }, 'invalid_option proof'],
  ])(
    'with %s does not reach the handler, and onError has all of it',
    async (...[, at, component, expected]) => {
      const reported: unknown[] = []
      const sender = make({
        modals: [every],
        onError: (error, interaction) => reported.push([error.code, error.message, interaction]),
      })
      const components = everyField.with(at, label(component) as unknown as Submitted['components'][number])
      const payload = submit({ custom_id: 'every', components, resolved })
      expect(await sender.deliver(payload)).toEqual({
        status: 200,
        body: expect.objectContaining(SORRY.body),
      })
      const [code, field] = expected.split(' ')
      expect(reported).toEqual([
        [code, expect.stringContaining(String(field)), expect.objectContaining({ data: payload.data })],
      ])
    },
  )

  it('without a choice in a required radio group is missing_option', async () => {
    const level = { type: 21, custom_id: 'level', options } as const
    const strict = defineModal(
      { custom_id: 'strict', title: 'x', components: [{ type: 18, label: 'x', component: level }] },
      () => 'x',
    )
    const sender = make({ modals: [strict] })
    await sender.deliver(
      submit({ custom_id: 'strict', components: [label({ type: 21, custom_id: 'level', value: null })] }),
    )
    expect(sender.codes).toEqual(['missing_option'])
  })

  it('of no definition has the values that can be read', async () => {
    const seen: ModalInteraction['values'][] = []
    const sender = make({
      onModal: ({ values }) => {
        seen.push(values)
        return 'x'
      },
    })
    const broken = [
      null,
      7,
      { type: 18 },
      { type: 18, component: { type: 99, custom_id: 'new', value: 1 } },
    ] as unknown as typeof everyField
    await sender.deliver(submit({ custom_id: 'x', components: [...everyField, ...broken], resolved }))
    await sender.deliver(submit({ custom_id: 'x', components: 'none' as unknown as [] }))
    expect(seen).toEqual([
      {
        maps: ['a', 'b'],
        users: [expect.objectContaining({ id: '5' })],
        anybody: [expect.objectContaining({ id: '7' }), expect.objectContaining({ id: '5' })],
        level: undefined,
        proof: [expect.objectContaining({ filename: 'a.png' })],
        new: undefined,
      },
      {},
    ])
    expect(sender.codes).toEqual([])
  })
})

describe('update', () => {
  const editing: DefinedModal = { ...report, run: (interaction) => interaction.update({ content: 'edited' }) }
  const source = { id: '9', channel_id: '1', content: 'old', flags: 64 }

  it('of a modal that a button opened edits the message of the button', async () => {
    const sender = make({ modals: [editing] })
    const payload = submit({ custom_id: 'report', ...text('why', 'x') }, { message: source })
    expect(await sender.deliver(payload)).toEqual({
      status: 200,
      body: { type: 7, data: { content: 'edited' } },
    })
    expect(sender.codes).toEqual([])
  })

  it('of a modal that a command opened is message_missing, and the player gets an answer', async () => {
    const sender = make({ modals: [editing] })
    expect(await sender.deliver(submit({ custom_id: 'report', ...text('why', 'x') }))).toEqual(SORRY)
    expect(sender.codes).toEqual(['message_missing'])
    expect(sender.errors[0]?.message).toContain('Call reply')
  })

  it('still edits the message after the automatic deferral', async () => {
    const { held, release } = hold()
    const slow: DefinedModal = {
      ...report,
      async run(interaction) {
        await held
        await interaction.update({ content: 'late' })
      },
    }
    const sender = make({ modals: [slow] })
    const payload = submit({ custom_id: 'report', ...text('why', 'x') }, { message: source })
    expect(await deliverAfter(sender, payload, 2000)).toEqual({ status: 200, body: { type: 6 } })
    release()
    await sender.finished()
    expect(sender.calls).toMatchObject([{ method: 'PATCH', body: { content: 'late' } }])
    expect(sender.codes).toEqual([])
  })
})

describe('defineModal', () => {
  it('refuses what the service would refuse, at once and with the place', () => {
    expect(() => defineModal({ ...report.definition, components: [] }, () => 'x')).toThrow(
      expect.objectContaining({ code: 'invalid_body' }),
    )
    const field = { ...why, placholder: 'x' }
    const misspelt = {
      ...report.definition,
      components: [{ type: 18, label: 'Why?', component: field }],
    } as const
    expect(() => defineModal(misspelt, () => 'x')).toThrow(/components\[0\]\.component\.placholder/)
  })

  it.each([
    ['no handler', () => defineModal(report.definition, undefined as unknown as () => 'x')],
    ['no definition', () => defineModal(undefined as unknown as typeof report.definition, () => 'x')],
    [
      'an unknown visibility',
      () => defineModal(report.definition, () => 'x', { visibility: 'secret' as 'private' }),
    ],
    ['two of one name', () => make({ modals: [report, report] })],
    ['a definition alone', () => make({ modals: [report.definition as unknown as DefinedModal] })],
    ['no list', () => make({ modals: report as unknown as DefinedModal[] })],
  ])('and the endpoint refuse %s', (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
  })

  it('declares who sees the answers', async () => {
    const secret = defineModal(report.definition, () => 'x', { visibility: 'private' })
    const sender = make({ modals: [secret] })
    const { body } = await sender.deliver(submit({ custom_id: 'report', ...text('why', 'x') }))
    expect(body).toEqual({ type: 4, data: { content: 'x', flags: 64 } })
  })
})
