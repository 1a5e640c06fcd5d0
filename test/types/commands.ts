/** Types that the compiler infers from a command definition and the definitions it rejects, checked by `tsc -p tsconfig.json`. */
import { expectTypeOf } from 'vitest'
import {
  type AutocompleteInteraction,
  type ChosenRole,
  type ChosenUser,
  type CommandInteraction,
  type ComponentInteraction,
  createInteractionHandler,
  defineCommand,
  type EntryPointInteraction,
  launchActivity,
  type ModalInteraction,
  type UserCommandInteraction,
} from 'foyer-sdk/server'

const text = { type: 3, description: 'd' } as const

// Values, choices and required options.
export const song = defineCommand(
  {
    name: 'song',
    description: 'd',
    options: [
      {
        ...text,
        name: 'mood',
        required: true,
        choices: [
          { name: 'Happy', value: 'happy' },
          { name: 'Sad', value: 'sad' },
        ],
      },
      {
        type: 4,
        name: 'speed',
        description: 'd',
        required: true,
        choices: [
          { name: 'Slow', value: 1 },
          { name: 'Fast', value: 2 },
        ],
      },
      { ...text, name: 'title' },
      { type: 5, name: 'loud', description: 'd' },
      { type: 6, name: 'singer', description: 'd' },
      { type: 9, name: 'crowd', description: 'd' },
      { type: 10, name: 'volume', description: 'd', required: false },
    ],
  },
  ({ options }) => {
    expectTypeOf(options.mood).toEqualTypeOf<'happy' | 'sad'>()
    expectTypeOf(options.speed).toEqualTypeOf<1 | 2>()
    expectTypeOf(options.title).toEqualTypeOf<string | undefined>()
    expectTypeOf(options.loud).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(options.singer).toEqualTypeOf<ChosenUser | undefined>()
    expectTypeOf(options.crowd).toEqualTypeOf<ChosenUser | ChosenRole | undefined>()
    expectTypeOf(options.volume).toEqualTypeOf<number | undefined>()
    // @ts-expect-error The definition has no such option.
    return options.tempo
  },
)

// A value outside the choices.
export const wrongChoice = defineCommand(
  {
    name: 's',
    description: 'd',
    options: [{ ...text, name: 'a', required: true, choices: [{ name: 'X', value: 'x' }] }],
  },
  // @ts-expect-error 'y' is no choice.
  ({ options }) => (options.a === 'y' ? 'never' : 'always'),
)

// An optional option may be undefined.
export const absent = defineCommand(
  { name: 's', description: 'd', options: [{ ...text, name: 'a' }] },
  // @ts-expect-error It may be undefined.
  ({ options }) => options.a.length.toString(),
)

// Routes of subcommands.
const tree = {
  name: 's',
  description: 'd',
  options: [
    {
      type: 1,
      name: 'add',
      description: 'd',
      options: [{ type: 4, name: 'n', description: 'd', required: true }],
    },
    {
      type: 2,
      name: 'user',
      description: 'd',
      options: [
        { type: 1, name: 'get', description: 'd' },
        { type: 1, name: 'set', description: 'd' },
      ],
    },
  ],
} as const
export const routes = defineCommand(tree, {
  add: ({ options }) => options.n.toFixed(),
  user: { get: () => 'x', set: { run: () => 'x' } },
})
// @ts-expect-error The route `add` has no handler.
export const missingRoute = defineCommand(tree, { user: { get: () => 'x', set: () => 'x' } })
// @ts-expect-error The route `user set` has no handler.
export const missingInner = defineCommand(tree, { add: () => 'x', user: { get: () => 'x' } })
export const extraRoute = defineCommand(tree, {
  add: () => 'x',
  user: { get: () => 'x', set: () => 'x' },
  // @ts-expect-error There is no route `remove`.
  remove: () => 'x',
})
// @ts-expect-error A command with subcommands cannot be used by itself.
export const base = defineCommand(tree, () => 'x')

// Autocomplete.
const search = {
  name: 's',
  description: 'd',
  options: [
    { ...text, name: 'q', required: true, autocomplete: true },
    { type: 6, name: 'who', description: 'd' },
  ],
} as const
export const suggests = defineCommand(search, {
  run: ({ options }) => options.q.trim(),
  autocomplete: {
    q: ({ value, options }) => {
      expectTypeOf(value).toEqualTypeOf<string>()
      expectTypeOf(options.q).toEqualTypeOf<string | undefined>()
      expectTypeOf(options.who).toEqualTypeOf<{ id: string } | undefined>()
      return [value]
    },
  },
})
// @ts-expect-error The option `q` has no autocomplete handler.
export const noSuggestions = defineCommand(search, { run: () => 'x' })
// @ts-expect-error The same, with a function alone.
export const noSuggestionsAtAll = defineCommand(search, () => 'x')
// @ts-expect-error `q` is a text: numbers are no suggestions for it.
export const wrongSuggestions = defineCommand(search, { run: () => 'x', autocomplete: { q: () => [1] } })
export const extraSuggestions = defineCommand(search, {
  run: () => 'x',
  // @ts-expect-error `who` does not suggest.
  autocomplete: { q: () => ['x'], who: () => ['x'] },
})

// Definitions that the service rejects.
const run = () => 'x'
const sub = { type: 1, name: 'sub', description: 'd' } as const
const x = { name: 'X', value: 'x' } as const
const wrong = {
  late: [
    { ...text, name: 'a' },
    { ...text, name: 'b', required: true },
  ],
  textChoice: [{ ...text, name: 'a', choices: [{ name: 'X', value: 1 }] }],
  numberChoice: [{ type: 4, name: 'a', description: 'd', choices: [x] }],
  booleanChoice: [{ type: 5, name: 'a', description: 'd', choices: [x] }],
  either: [{ ...text, name: 'a', choices: [x], autocomplete: true }],
  userAutocomplete: [{ type: 6, name: 'a', description: 'd', autocomplete: true }],
  misspelt: [{ ...text, name: 'a', requird: true }],
  twice: [
    { ...text, name: 'a' },
    { ...text, name: 'a' },
  ],
  beside: [sub, { ...text, name: 'b' }],
  deep: [{ type: 2, name: 'a', description: 'd', options: [{ type: 2, name: 'b', description: 'd' }] }],
  parameterInGroup: [{ type: 2, name: 'a', description: 'd', options: [{ ...text, name: 'b' }] }],
  nested: [{ ...sub, options: [sub] }],
} as const
const as = { name: 's', description: 'd' } as const
export const rejected = [
  // @ts-expect-error A required option after an optional one.
  defineCommand({ ...as, options: wrong.late }, run),
  // @ts-expect-error The value of a choice of a STRING option is a text.
  defineCommand({ ...as, options: wrong.textChoice }, run),
  // @ts-expect-error The value of a choice of an INTEGER option is a number.
  defineCommand({ ...as, options: wrong.numberChoice }, run),
  // @ts-expect-error A boolean has no choices.
  defineCommand({ ...as, options: wrong.booleanChoice }, run),
  // @ts-expect-error Choices and autocomplete exclude each other.
  defineCommand({ ...as, options: wrong.either }, { run, autocomplete: { a: () => [] } }),
  // @ts-expect-error A user is not suggested.
  defineCommand({ ...as, options: wrong.userAutocomplete }, { run, autocomplete: { a: () => [] } }),
  // @ts-expect-error `required` is misspelt.
  defineCommand({ ...as, options: wrong.misspelt }, run),
  // @ts-expect-error Two options of one name.
  defineCommand({ ...as, options: wrong.twice }, run),
  // @ts-expect-error A parameter beside a subcommand.
  defineCommand({ ...as, options: wrong.beside }, { sub: run, b: run }),
  // @ts-expect-error A group in a group.
  defineCommand({ ...as, options: wrong.deep }, { a: { b: run } }),
  // @ts-expect-error A parameter in a group.
  defineCommand({ ...as, options: wrong.parameterInGroup }, { a: { b: run } }),
  // @ts-expect-error A subcommand in a subcommand.
  defineCommand({ ...as, options: wrong.nested }, { sub: { sub: run } }),
  // @ts-expect-error A slash command has a description.
  defineCommand({ name: 's' }, run),
  // @ts-expect-error A USER command has none.
  defineCommand({ name: 's', type: 2, description: 'd' }, run),
  // @ts-expect-error Only an entry point has a `handler`.
  defineCommand({ ...as, handler: 1 }, run),
  // @ts-expect-error An entry point needs a handler.
  defineCommand({ name: 's', type: 4 }, run),
]

// Entry points. The service handles `handler: 2` itself, so a handler would never run.
export const entry = defineCommand({ name: 'Launch', type: 4, handler: 1 }, (interaction) =>
  interaction.launchActivity(),
)
export const configured = defineCommand({ name: 'Launch', type: 4, handler: 2 })
// @ts-expect-error SERVICE_LAUNCH_ACTIVITY is configuration only.
export const neverReached = defineCommand({ name: 'Launch', type: 4, handler: 2 }, () => 'x')
// @ts-expect-error APP_HANDLER needs a handler.
export const nobodyThere = defineCommand({ name: 'Launch', type: 4, handler: 1 })

interface Kinds {
  command: CommandInteraction
  menu: UserCommandInteraction
  entryPoint: EntryPointInteraction
  component: ComponentInteraction
  modal: ModalInteraction
  autocomplete: AutocompleteInteraction
}

// Launching an Activity.
export async function launches({
  command,
  menu,
  entryPoint,
  component,
  modal,
  autocomplete,
}: Kinds): Promise<void> {
  for (const each of [command, menu, entryPoint, component, modal]) await launchActivity(each)
  const { instanceId } = await launchActivity(entryPoint, { withResponse: true })
  expectTypeOf(instanceId).toEqualTypeOf<string>()
  // Without `withResponse` there is no instance ID.
  expectTypeOf(launchActivity(entryPoint)).toEqualTypeOf<Promise<void>>()
  // @ts-expect-error Suggestions are no answer that launches anything.
  await launchActivity(autocomplete)
  // @ts-expect-error A form cannot open a form.
  await modal.showModal({ custom_id: 'a', title: 'b', components: [] })
}

// Verification cannot be turned off.
export const handler = createInteractionHandler({
  publicKey: '00',
  commands: [song, routes, suggests, entry, configured],
  // @ts-expect-error There is no such option.
  verify: false,
})
