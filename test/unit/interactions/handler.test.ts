/** Responses to interactions, and to every failure of a handler. */
import { beforeAll, describe, expect, it } from 'vitest'
import { defineCommand, type InteractionHandlerOptions, type Log, type Reply } from 'foyer-sdk/server'
import { message, SORRY, UNAVAILABLE, fail } from './expected-responses'
import { invocation, MEMBER, PING, slash, USER, Sender, Signer } from './signed-sender'

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

const make = (options: Partial<InteractionHandlerOptions>) => new Sender(signer, options)

const blep = defineCommand(
  {
    name: 'blep',
    description: 'Send a random adorable animal photo',
    options: [
      {
        type: 3,
        name: 'animal',
        description: 'The type of animal',
        required: true,
        choices: [
          { name: 'Dog', value: 'animal_dog' },
          { name: 'Cat', value: 'animal_cat' },
        ],
      },
      { type: 5, name: 'only_smol', description: 'Whether to show only baby animals' },
    ],
  },
  ({ options }) => `${options.animal} ${options.only_smol}`,
)

describe('a command', () => {
  it('receives its options and responds with the return value of its handler', async () => {
    const sender = make({ commands: [blep] })
    const options = [
      { type: 3, name: 'animal', value: 'animal_cat' },
      { type: 5, name: 'only_smol', value: true },
    ]
    expect(await sender.deliver(slash('blep', options))).toEqual(message('animal_cat true'))
    expect(await sender.deliver(slash('blep', options.slice(0, 1)))).toEqual(message('animal_cat undefined'))
    expect(sender.codes).toEqual([])
  })

  it('receives its user, in a guild and in a direct message', async () => {
    const who = defineCommand({ name: 'who', description: 'd' }, ({ user, member, guildId, locale }) =>
      [user.username, member?.permissions, guildId, locale].join(),
    )
    const sender = make({ commands: [who] })
    expect(await sender.deliver(slash('who'))).toEqual(message('Mason,2147483647,290926798626357999,en-US'))
    const direct = {
      ...slash('who'),
      member: undefined,
      guild_id: undefined,
      user: { ...USER, username: 'Ann' },
    }
    expect(await sender.deliver(direct)).toEqual(message('Ann,,,en-US'))
  })

  it('receives resolved objects joined to its options', async () => {
    const give = defineCommand(
      {
        name: 'give',
        description: 'd',
        options: [
          { type: 6, name: 'to', description: 'd', required: true },
          { type: 7, name: 'where', description: 'd' },
          { type: 8, name: 'as', description: 'd' },
          { type: 9, name: 'also', description: 'd' },
          { type: 11, name: 'file', description: 'd' },
        ],
      },
      ({ options: { to, where, as, also, file } }) =>
        [
          to.user.username,
          to.member?.nick,
          where?.name,
          as?.name,
          also && 'role' in also && also.role.name,
          file?.filename,
        ].join(),
    )
    const resolved = {
      users: { 5: { id: '5', username: 'Ann' } },
      members: { 5: { nick: 'A', roles: [], permissions: '0', joined_at: '' } },
      channels: { 6: { id: '6', name: 'lobby', type: 0 } },
      roles: { 7: { id: '7', name: 'medic' } },
      attachments: { 8: { id: '8', filename: 'a.png', size: 1, url: 'https://x.example' } },
    }
    const options = [
      { type: 6, name: 'to', value: '5' },
      { type: 7, name: 'where', value: '6' },
      { type: 8, name: 'as', value: '7' },
      { type: 9, name: 'also', value: '7' },
      { type: 11, name: 'file', value: '8' },
    ]
    const sender = make({ commands: [give] })
    expect(await sender.deliver(slash('give', options, { resolved }))).toEqual(
      message('Ann,A,lobby,medic,medic,a.png'),
    )
  })

  it('may have an option named __proto__ without polluting a prototype', async () => {
    const odd = defineCommand(
      {
        name: 'odd',
        description: 'd',
        options: [
          { type: 3, name: '__proto__', description: 'd', required: true },
          { type: 3, name: 'constructor', description: 'd' },
        ],
      },
      ({ options }) => `${Object.keys(options).join()} ${Object.getPrototypeOf(options)}`,
    )
    const sender = make({ commands: [odd] })
    const options = [{ type: 3, name: '__proto__', value: 'x' }]
    expect(await sender.deliver(slash('odd', options))).toEqual(message('__proto__ null'))
    const user = defineCommand(
      { name: 'u', description: 'd', options: [{ type: 6, name: 'a', description: 'd', required: true }] },
      () => 'x',
    )
    const other = make({ commands: [user] })
    const forged = slash('u', [{ type: 6, name: 'a', value: '__proto__' }], { resolved: { users: {} } })
    expect(await other.deliver(forged)).toEqual(SORRY)
    expect(other.codes).toEqual(['invalid_option'])
  })

  it('finds the handler of a subcommand, also in a group', async () => {
    const permissions = defineCommand(
      {
        name: 'permissions',
        description: 'd',
        options: [
          { type: 1, name: 'reset', description: 'd' },
          {
            type: 2,
            name: 'user',
            description: 'd',
            options: [
              {
                type: 1,
                name: 'get',
                description: 'd',
                options: [{ type: 4, name: 'depth', description: 'd', required: true }],
              },
            ],
          },
        ],
      },
      { reset: () => 'reset', user: { get: ({ options }) => `depth ${options.depth}` } },
    )
    const sender = make({ commands: [permissions] })
    expect(await sender.deliver(slash('permissions', [{ type: 1, name: 'reset' }]))).toEqual(message('reset'))
    const entry = {
      type: 2,
      name: 'user',
      options: [{ type: 1, name: 'get', options: [{ type: 4, name: 'depth', value: 2 }] }],
    }
    expect(await sender.deliver(slash('permissions', [entry]))).toEqual(message('depth 2'))
    for (const wrong of [
      [],
      [{ type: 1, name: 'set' }],
      [{ type: 2, name: 'user' }],
      [{ type: 1, name: 'user' }],
      [{ type: 1, name: '__proto__' }],
    ])
      await sender.deliver(slash('permissions', wrong))
    expect(sender.codes).toEqual(Array(5).fill('unknown_route'))
  })

  it('of a context menu receives its target', async () => {
    const high5 = defineCommand(
      { type: 2, name: 'High Five' },
      ({ target }) => `${target.user.username} ${target.member?.nick}`,
    )
    const keep = defineCommand({ type: 3, name: 'Bookmark' }, ({ target }) => target.content)
    const sender = make({ commands: [high5, keep] })
    const users = { 5: { id: '5', username: 'Ann' } }
    const members = { 5: { nick: 'A' } }
    const user = invocation({ name: 'High Five', type: 2, target_id: '5', resolved: { users, members } })
    expect(await sender.deliver(user)).toEqual(message('Ann A'))
    const bookmark = invocation({
      name: 'Bookmark',
      type: 3,
      target_id: '9',
      resolved: { messages: { 9: { id: '9', content: 'hi' } } },
    })
    expect(await sender.deliver(bookmark)).toEqual(message('hi'))
    await sender.deliver(invocation({ name: 'Bookmark', type: 3, target_id: '9', resolved: {} }))
    expect(sender.codes).toEqual(['malformed_interaction'])
  })

  it('may share its name with a command of another type', async () => {
    const play = defineCommand({ name: 'play', description: 'd' }, () => 'chat')
    const entry = defineCommand({ type: 4, name: 'play', handler: 1 }, () => 'entry')
    const sender = make({ commands: [play, entry] })
    expect(await sender.deliver(slash('play'))).toEqual(message('chat'))
    expect(await sender.deliver(invocation({ name: 'play', type: 4 }))).toEqual(message('entry'))
    expect(() => make({ commands: [play, play] })).toThrow(/twice/)
  })
})

describe('a typed outcome', () => {
  it.each([
    ['unknown_command', slash('nobody'), UNAVAILABLE],
    ['unknown_command', slash('__proto__'), UNAVAILABLE],
    ['unknown_command', invocation({ name: 'blep', type: 4 }), UNAVAILABLE],
    ['unknown_route', slash('blep', [{ type: 1, name: 'add' }]), UNAVAILABLE],
    ['missing_option', slash('blep'), SORRY],
    ['invalid_option', slash('blep', [{ type: 3, name: 'animal', value: 'animal_horse' }]), SORRY],
    ['invalid_option', slash('blep', [{ type: 3, name: 'animal', value: 7 }]), SORRY],
    ['invalid_option', slash('blep', [{ type: 4, name: 'animal', value: 'animal_dog' }]), SORRY],
  ])('is %s for %j', async (code, payload, response) => {
    const sender = make({ commands: [blep] })
    expect(await sender.deliver(payload)).toEqual(response)
    expect(sender.codes).toEqual([code])
  })

  it('is invalid_option for a fraction in an integer option, and for the first of two options of one name', async () => {
    const options = [{ type: 4, name: 'n', description: 'd', required: true }] as const
    const sender = make({
      commands: [defineCommand({ name: 'x', description: 'd', options }, ({ options: { n } }) => String(n))],
    })
    for (const value of [1.5, 2 ** 53])
      expect(await sender.deliver(slash('x', [{ type: 4, name: 'n', value }]))).toEqual(SORRY)
    expect(sender.codes).toEqual(['invalid_option', 'invalid_option'])
    const twice = [1, 2].map((value) => ({ type: 4, name: 'n', value }))
    expect(await sender.deliver(slash('x', twice))).toEqual(message('1'))
  })

  it('shows payload strings shortened and on one line', async () => {
    const sender = make({})
    await sender.deliver(slash(`a\n\u001b[31m\u202e${'x'.repeat(1000)}`))
    expect(sender.errors[0]?.message).toMatch(/a\?\?\[31m\?x{10,90}\. Add/)
  })

  it('has the game’s messages in the language of the player', async () => {
    const sender = make({ errorMessage: ({ code }, locale) => `${code} ${locale}` })
    const { body } = await sender.deliver({ ...slash('nobody'), locale: 'de' })
    expect(body).toMatchObject({ data: { content: 'unknown_command de', flags: 64 } })
  })
})

describe('a failing handler', () => {
  it.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('later'))],
    ['throws nothing', () => Promise.reject()],
    ['returns a message that the service would refuse', (): Reply => ({ embeds: [JSON.parse('7')] })],
  ])('becomes an error reply visible to the player only, and a log entry, when it %s', async (_, run) => {
    const steps: string[] = []
    const logger: Log = (level, step) => void steps.push(`${level} ${step}`)
    const sender = make({ commands: [defineCommand({ name: 'x', description: 'd' }, run)], logger })
    expect(await sender.deliver(slash('x'))).toEqual(SORRY)
    expect(sender.codes).toEqual(['handler_failed'])
    expect(steps).toEqual(['error interaction.handler_failed'])
  })

  it('does not prevent the response if log listeners fail, too', async () => {
    const sender = make({
      commands: [defineCommand({ name: 'x', description: 'd' }, fail)],
      logger: fail,
      onError: fail,
      errorMessage: fail,
    })
    expect(await sender.deliver(slash('x'))).toEqual(SORRY)
    const later = make({ onError: () => Promise.reject(new Error('listener')) })
    expect(await later.deliver(slash('x'))).toEqual(UNAVAILABLE)
  })

  it('is logged after its response, and the response stays', async () => {
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      await interaction.reply('done')
      fail()
    })
    const sender = make({ commands: [x] })
    expect(await sender.deliver(slash('x'))).toEqual(message('done'))
    await sender.finished()
    expect(sender.codes).toEqual(['handler_failed'])
  })

  it('cannot respond twice', async () => {
    const x = defineCommand({ name: 'x', description: 'd' }, (interaction) => {
      void interaction.reply('one')
      void interaction.reply('two')
    })
    const sender = make({ commands: [x] })
    expect(await sender.deliver(slash('x'))).toEqual(message('one'))
    await sender.finished()
    expect(sender.codes).toEqual(['already_answered'])
  })
})

const PLAIN = { name: 'x', description: 'd' }
const OPTION = { type: 3, name: 'a', description: 'd' }

describe('an interaction endpoint', () => {
  it.each<[string, object, unknown]>([
    ['no handler', { name: 'x', description: 'd' }, undefined],
    ['no handler', { name: 'x', description: 'd', options: [{ type: 1, name: 'a', description: 'd' }] }, {}],
    [
      'no autocomplete',
      {
        name: 'x',
        description: 'd',
        options: [{ type: 3, name: 'constructor', description: 'd', autocomplete: true }],
      },
      () => 'x',
    ],
    ['SERVICE_LAUNCH_ACTIVITY', { name: 'x', type: 4, handler: 2 }, () => 'x'],
    ["x: options must be [{ type: 3, name: 'weapon', ", { ...PLAIN, options: { type: 3 } }, () => 'x'],
    ["x: options[0] must be { type: 3, name: 'weapon', ", { ...PLAIN, options: ['a'] }, () => 'x'],
    [
      "x a: options[1] must be { type: 3, name: 'weapon', ",
      { ...PLAIN, options: [{ type: 1, name: 'a', description: 'd', options: [OPTION, null] }] },
      { a: () => 'x' },
    ],
    ...[
      ['sword', "[0] must be { name: 'sword', value: 'sword' }"],
      [7, "[0] must be { name: '7', value: 7 }"],
      ["'); drop", "[0] must be { name: 'sword', value: 'sword' }"],
      [['sword', 'sword'], "[0] must be { name: 'sword', value: 'sword' }"],
    ].map(([choice, text]): [string, object, unknown] => [
      `x a: choices${String(text)}`,
      { ...PLAIN, options: [{ ...OPTION, choices: [choice] }] },
      () => 'x',
    ]),
    [
      'x a: choices must be [{ name: ',
      { ...PLAIN, options: [{ ...OPTION, choices: { sword: 1 } }] },
      () => 'x',
    ],
  ])('reports %s when plain JavaScript defines a command', (expectedText, definition, handlers) => {
    const define = defineCommand as (...args: unknown[]) => unknown
    expect(() => define(definition, handlers)).toThrow(expectedText)
  })

  it('leaves nothing behind after a PING', async () => {
    const sender = make({})
    await sender.deliver(PING)
    expect(sender.clock.waiting).toBe(0)
    expect(MEMBER.user).toBe(USER)
  })
})

describe('a component or a modal', () => {
  const component = { ...invocation({}), type: 3, data: { custom_id: 'buy', component_type: 2 } }
  const modal = { ...invocation({}), type: 5, data: { custom_id: 'buy', components: [] } }

  it('reaches its own callback', async () => {
    const sender = make({
      onComponent: ({ customId }) => `component ${customId}`,
      onModal: ({ customId }) => `modal ${customId}`,
    })
    expect(await sender.deliver(component)).toEqual(message('component buy'))
    expect(await sender.deliver(modal)).toEqual(message('modal buy'))
  })

  it('is unavailable without that callback', async () => {
    const [onlyComponents, onlyModals] = [make({ onComponent: () => 'x' }), make({ onModal: () => 'x' })]
    expect(await onlyComponents.deliver(modal)).toEqual(UNAVAILABLE)
    expect(await onlyModals.deliver(component)).toEqual(UNAVAILABLE)
    expect([onlyComponents.codes, onlyModals.codes]).toEqual([['unknown_route'], ['unknown_route']])
  })
})

const handle = () => 'x'

const sub = (name: string) => ({ type: 1, name, description: 'x' })

describe('a definition', () => {
  const loose = defineCommand as unknown as (
    definition: object,
    handlers?: unknown,
  ) => { routes: ReadonlyMap<string, unknown> }
  const codeOf = (definition: object, handlers?: unknown) => {
    try {
      return [...loose(definition, handlers).routes.keys()]
    } catch (error) {
      return Reflect.get(Object(error), 'code')
    }
  }

  it.each([
    ['an entry point that the service handles', { type: 4, name: 'Launch', handler: 2 }, undefined, []],
    ['an entry point of the game', { type: 4, name: 'Launch', handler: 1 }, handle, ['']],
    ['an entry point without a handler field', { type: 4, name: 'Launch' }, handle, ['']],
    ['a user command, whatever its handler field', { type: 2, name: 'Poke', handler: 2 }, handle, ['']],
    ['a command', { name: 'a', description: 'x' }, handle, ['']],
    [
      'a command with an empty list of options',
      { name: 'a', description: 'x', options: [] },
      { run: handle },
      [''],
    ],
  ])('of %s has its routes', (...[, definition, handlers, routes]) => {
    expect(codeOf(definition, handlers)).toEqual(routes)
  })

  it.each([
    ['an entry point that the service handles', { type: 4, name: 'Launch', handler: 2 }, handle],
    ['an entry point of the game without a handler', { type: 4, name: 'Launch', handler: 1 }, undefined],
    ['a user command without a handler', { type: 2, name: 'Poke', handler: 2 }, undefined],
    ['a subcommand without a handler', { name: 'a', options: [{ type: 1, name: 'b' }] }, { c: handle }],
    ['a handler that is inherited', { name: 'a', options: [{ type: 1, name: 'constructor' }] }, {}],
    [
      'an option that suggests values without a handler',
      { name: 'a', options: [{ type: 3, name: 'b', autocomplete: true }] },
      handle,
    ],
  ])('of %s is refused', (_, definition, handlers) => {
    expect(codeOf(definition, handlers)).toBe('invalid_argument')
  })

  it('has a route for each subcommand, also in groups, and none for an empty group', () => {
    const definition = {
      name: 'a',
      options: [sub('b'), { type: 2, name: 'c', options: [sub('d'), sub('e')] }, { type: 2, name: 'f' }],
    }
    expect(codeOf(definition, { b: handle, c: { d: handle, e: { run: handle } } })).toEqual([
      'b',
      'c d',
      'c e',
    ])
  })
})
