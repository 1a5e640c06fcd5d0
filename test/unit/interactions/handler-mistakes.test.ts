/** Mistakes of handlers from plain JavaScript, whose messages say what to do instead, and the declared visibility of answers. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type CommandInteraction,
  defineCommand,
  type DefinedCommand,
  defineModal,
  type InteractionHandlerOptions,
} from 'foyer-sdk/server'
import { deliverAfter, hold, message, SORRY } from './expected-responses'
import { invocation, Sender, Signer, slash } from './signed-sender'

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

const make = (options: Partial<InteractionHandlerOptions>) => new Sender(signer, options)
const definition = { name: 'x', description: 'd' }

const flagsOf = async (command: DefinedCommand, visibility?: 'private' | 'public') => {
  const { body } = await make({ commands: [command], ...(visibility && { visibility }) }).deliver(slash('x'))
  return (body as { data: { flags?: number } }).data.flags ?? 0
}

describe('a handler', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [42, 'a number'],
    [10n, 'a bigint'],
    [true, 'a boolean'],
    [['x'], 'a list'],
    [() => 'x', 'a function'],
  ])('that returns %s is told so, and what to return', async (result, words) => {
    const sender = make({
      commands: [defineCommand({ name: 'x', description: 'd' }, () => result as unknown as string)],
    })
    expect(await sender.deliver(slash('x'))).toEqual(SORRY)
    expect(sender.codes).toEqual(['no_answer'])
    const text = sender.errors[0]?.message ?? ''
    expect(text).toContain(`x: the handler returned ${words}`)
    expect(text).toMatch(
      /Return a text.* or a message, or await a call of reply, defer, showModal or launchActivity/,
    )
    expect(text.includes('String(value)')).toBe(['number', 'bigint', 'boolean'].includes(typeof result))
  })

  it.each([
    ['reply', undefined, 'nothing'],
    ['reply', 42, 'a number'],
    ['reply', null, 'null'],
    ['followUp', undefined, 'nothing'],
    ['editReply', ['x'], 'a list'],
  ] as const)('that calls %s with %s is told so, and what to pass', async (call, given, words) => {
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      if (call !== 'reply') await interaction.reply('one')
      await interaction[call](given as unknown as string)
    })
    const sender = make({ commands: [x] })
    expect(await sender.deliver(slash('x'))).toEqual(call === 'reply' ? SORRY : message('one'))
    await sender.finished()
    expect(sender.codes).toEqual(['handler_failed'])
    const cause = sender.errors[0]?.cause as Error & { code: string }
    expect(cause.code).toBe('invalid_argument')
    expect(cause.message).toContain(`${call} got ${words}`)
    expect(cause.message).toContain('Pass a text')
    expect(sender.calls).toEqual([])
  })

  it.each([
    [
      'returns a text after a reply',
      async (interaction: CommandInteraction) => (await interaction.reply('one'), 'two'),
    ],
    [
      'replies again',
      async (interaction: CommandInteraction) => (await interaction.reply('one'), interaction.reply('two')),
    ],
  ])('that %s is told what to call instead', async (_, run) => {
    const sender = make({ commands: [defineCommand({ name: 'x', description: 'd' }, run)] })
    expect(await sender.deliver(slash('x'))).toEqual(message('one'))
    await sender.finished()
    expect(sender.codes).toEqual(['already_answered'])
    expect(sender.errors[0]?.message).toMatch(/followUp .* editReply .* return nothing after replying/)
  })
})

const watchWarnings = (): unknown[] => {
  const printed: unknown[] = []
  const spy = vi.spyOn(console, 'warn').mockImplementation((text) => printed.push(text))
  onTestFinished(() => spy.mockRestore())
  return printed
}

describe('without logger and onError, the terminal names', () => {
  const click = invocation({ custom_id: 'again', component_type: 2 }, { type: 3 })
  const form = invocation({ custom_id: 'report:7', components: [] }, { type: 5 })
  const why = { type: 4, custom_id: 'why', style: 2 } as const
  const give = defineCommand({ name: 'give', description: 'd' }, () => 'x')
  const other = defineModal(
    { custom_id: 'edit', title: 'Edit', components: [{ type: 18, label: 'Why?', component: why }] },
    () => 'x',
  )
  const talker = defineCommand(definition, async (interaction) => (await interaction.reply('1'), 'two'))

  it.each<[string, Partial<InteractionHandlerOptions>, object, string | RegExp]>([
    ['a button without a handler', {}, click, /again\. Pass onComponent to createInteractionHandler/],
    ['a modal that is not listed', { modals: [other] }, form, /report:7\. .* `modals` .* There are: edit/],
    ['a modal without any', {}, form, /onModal\. There are none/],
    ['a command that is not listed', { commands: [give] }, slash('gibe'), /gibe\. .* `commands` .*: give$/],
    ['a text that is returned after a reply', { commands: [talker] }, slash('x'), /x: reply\. Call followUp/],
  ])('%s, and what to do', async (_, options, payload, line) => {
    const printed = watchWarnings()
    const sender = make({ ...options, onError: undefined })
    await sender.deliver(payload)
    await sender.finished()
    expect(printed).toEqual([expect.stringMatching(line)])
  })

  it('a modal that opens after the automatic deferral', async () => {
    const printed = watchWarnings()
    const { held, release } = hold()
    const slow = defineCommand(definition, async (interaction) => {
      await held
      await interaction.showModal(other)
    })
    const sender = make({ commands: [slow], onError: undefined })
    await deliverAfter(sender, slash('x'), 2000)
    release()
    await sender.finished()
    expect(printed).toEqual([
      expect.stringMatching(
        /x: showModal, after the automatic deferral of a slow handler\. It must be the first/,
      ),
    ])
  })
})

/** The names of discord.js, which TypeScript does not know. */
type Foreign = Record<
  | 'deferReply'
  | 'deferUpdate'
  | 'isChatInputCommand'
  | 'isAutocomplete'
  | 'isButton'
  | 'isStringSelectMenu'
  | 'isModalSubmit',
  () => unknown
> & { options: Record<'getString' | 'getInteger' | 'getUser' | 'getSubcommand', () => unknown> }

describe('a handler that was written for discord.js', () => {
  it.each<[run: (interaction: Foreign) => unknown, remedy: string]>([
    [(interaction) => interaction.options.getString(), 'options.weapon'],
    [({ options }) => options.getInteger(), 'options.weapon'],
    [(interaction) => interaction.options.getUser(), 'options.weapon'],
    [(interaction) => interaction.options.getSubcommand(), '{ add: … }'],
    [(interaction) => interaction.deferReply(), 'Call defer()'],
    [(interaction) => interaction.deferUpdate(), 'Call update()'],
    [(interaction) => interaction.isChatInputCommand(), 'defineCommand'],
    [(interaction) => interaction.isAutocomplete(), 'defineCommand'],
    [(interaction) => interaction.isButton(), 'onComponent'],
    [(interaction) => interaction.isStringSelectMenu(), 'onComponent'],
    [(interaction) => interaction.isModalSubmit(), 'defineModal'],
  ])('and calls %s is told what there is instead', async (run, remedy) => {
    const x = defineCommand(definition, (interaction) => {
      run(interaction as unknown as Foreign)
    })
    const sender = make({ commands: [x] })
    expect(await sender.deliver(slash('x'))).toEqual(SORRY)
    const { code, cause, message: text } = sender.errors[0] ?? {}
    expect([code, cause instanceof TypeError]).toEqual(['handler_failed', true])
    expect(text).toContain(remedy)
    expect(text).toMatch(/docs\/from-discord-js\.md has each call$/)
  })

  it.each([
    [
      'getTextInputValue of no fields',
      "Cannot read properties of undefined (reading 'getTextInputValue')",
      true,
    ],
    ['followUp in a handler of suggestions', 'interaction.followUp is not a function', true],
    ['editReply in a handler of suggestions', 'interaction.editReply is not a function', true],
    ['a function of its own', 'game.start is not a function', false],
  ])('is told so for %s, and a fault of its own keeps its text', async (_, text, isTold) => {
    const x = defineCommand(definition, () => {
      throw new TypeError(text)
    })
    const sender = make({ commands: [x] })
    await sender.deliver(slash('x'))
    expect(sender.errors[0]?.message.includes('docs/from-discord-js.md')).toBe(isTold)
  })
})

describe('a visibility', () => {
  it.each<[string, () => unknown]>([
    ['for all', () => make({ visibility: 'secret' as 'private' })],
    ['as a flag', () => make({ visibility: true as unknown as 'private' })],
    [
      'of a command',
      () =>
        defineCommand({ name: 'x', description: 'd' }, () => 'x', { visibility: 'ephemeral' as 'private' }),
    ],
    [
      'beside run',
      () =>
        defineCommand(
          { name: 'x', description: 'd' },
          { run: () => 'x', visibility: null as unknown as 'private' },
        ),
    ],
  ])('is refused if it is unknown, %s', (_, act) => {
    expect(act).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringContaining("'private' or 'public'"),
      }),
    )
  })

  it('of the closest declaration applies: beside run, of the command, for all', async () => {
    const [plain, both] = [() => 'x', { run: () => 'x', visibility: 'public' } as const]
    expect(await flagsOf(defineCommand(definition, plain))).toBe(0)
    expect(await flagsOf(defineCommand(definition, plain), 'private')).toBe(64)
    expect(await flagsOf(defineCommand(definition, plain, { visibility: 'public' }), 'private')).toBe(0)
    expect(await flagsOf(defineCommand(definition, both, { visibility: 'private' }))).toBe(0)
    expect(
      await flagsOf(
        defineCommand(definition, () => ({ content: 'x', ephemeral: false })),
        'private',
      ),
    ).toBe(0)
  })
})
