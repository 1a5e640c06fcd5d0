/** Compares command validation of the SDK with that of the emulator, which shares no code with it, on 2,000 generated bodies over HTTP. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { validateCommand, validateCommands, validatePermissions, type Issue } from 'foyer-sdk/server'
import {
  type ApiResponse,
  asPlayer,
  Caller,
  errorPaths,
  fields,
  list,
} from '../emulator/commands/command-client.js'

const tavern = '319560327719026709'
/** Number of each of the five kinds. */
const RUNS = 400
const application = { embedded: true, integrationTypes: [0, 1], discoverable: false }

/** Any value where one of a certain type is required. */
const wrong = fc.oneof(
  fc.constantFrom(null, true, 0, 1, -1, 1.5, 26, 2 ** 53, '', ' ', 'A', 'a b', '007', [], {}, [1], [0, 0]),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Nearly always valid fields; about half of all bodies are invalid. */
function mostly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 100, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

/** An object that always has these fields, and any of those. */
function shape(
  always: Record<string, fc.Arbitrary<unknown>>,
  sometimes: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> {
  return fc.record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always) })
}

/** Up to three elements with distinct names. */
function named(make: (name: string) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 })
    .chain((names) => fc.tuple(...names.map(make)))
}

const dictionary = (text: string) =>
  fc.oneof(
    fc.constant(null),
    fc.dictionary(fc.constantFrom('de', 'fr', 'ja'), fc.constant(text), { maxKeys: 2 }),
  )
const choices = (value: (index: number) => string | number) =>
  fc
    .integer({ min: 0, max: 3 })
    .map((count) =>
      Array.from({ length: count }, (_, index) => ({ name: `Choice ${index}`, value: value(index) })),
    )

const byType: Record<number, Record<string, fc.Arbitrary<unknown>>> = {
  3: {
    choices: mostly(choices((index) => `v${index}`)),
    min_length: mostly(fc.constantFrom(0, 1)),
    max_length: mostly(fc.constantFrom(2, 6000)),
  },
  4: {
    choices: mostly(choices((index) => index)),
    min_value: mostly(fc.constantFrom(-1, 0)),
    max_value: mostly(fc.constantFrom(3, 9)),
  },
  7: { channel_types: mostly(fc.uniqueArray(fc.constantFrom(0, 2, 99), { maxLength: 2 })) },
  10: { min_value: mostly(fc.constantFrom(-0.5, 0)), autocomplete: mostly(fc.boolean()) },
}

const texts = (name: string) => ({
  name: mostly(fc.constant(name)),
  description: mostly(fc.constantFrom('x', 'Some words')),
})
const parameter = (name: string) =>
  fc
    .constantFrom(3, 4, 5, 7, 10, 11)
    .chain((type) =>
      shape(
        { type: mostly(fc.constant(type)), ...texts(name) },
        { name_localizations: mostly(dictionary(name)), ...byType[type] },
      ),
    )
const subcommand = (name: string) =>
  shape({ type: mostly(fc.constant(1)), ...texts(name) }, { options: mostly(named(parameter)) })
const group = (name: string) =>
  shape({ type: mostly(fc.constant(2)), ...texts(name) }, { options: mostly(named(subcommand)) })
const options = fc.oneof(
  named(parameter),
  named((name) => fc.oneof(subcommand(name), group(name))),
)

const common = {
  default_member_permissions: mostly(fc.constantFrom('0', '8', null)),
  default_permission: mostly(fc.boolean()),
  nsfw: mostly(fc.boolean()),
  unheard_of: wrong,
}
/** Fields of global commands only. */
const global = {
  integration_types: mostly(fc.constantFrom([0], [0, 1])),
  contexts: mostly(fc.constantFrom([0], [1, 2], null)),
  dm_permission: mostly(fc.constantFrom(true, null)),
}

function command(extra: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    shape(texts('slash'), {
      options: mostly(options),
      description_localizations: mostly(dictionary('Worte')),
      ...common,
      ...extra,
    }),
    shape(
      { type: mostly(fc.constantFrom(2, 3)), name: mostly(fc.constant('In the Menu')) },
      { description: mostly(fc.constant('')), ...common, ...extra },
    ),
    shape(
      { type: mostly(fc.constant(4)), name: mostly(fc.constant('Launch')) },
      { handler: mostly(fc.constantFrom(1, 2)), ...common, ...extra },
    ),
    wrong,
  )
}

const overwrites = shape(
  {
    permissions: mostly(
      fc.array(
        shape(
          {
            id: mostly(fc.constantFrom('1', '2', tavern, '319560327719026708')),
            type: mostly(fc.constantFrom(1, 2, 3)),
            permission: mostly(fc.boolean()),
          },
          {},
        ),
        { maxLength: 3 },
      ),
    ),
  },
  {},
)

let emulator: Emulator
let bot: Caller
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off', commands: { dailyCreates: null } })
  bot = new Caller(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emptied())

/** Without the entry point that an application initially has. */
async function emptied(): Promise<void> {
  emulator.reset()
  for (const { id } of list((await bot.get('/commands')).body)) await bot.delete(`/commands/${String(id)}`)
}

/** The response of an emulator without commands: a rejected request has left none there. */
async function onEmptyEmulator(request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await request()
  if (response.status < 300) await emptied()
  return response
}

/** The body as it arrives, after a round trip through JSON. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

const errors = (issues: Issue[]) => issues.filter(({ level }) => level === 'error').map(({ path }) => path)

interface Verdicts {
  sdk: 'right' | 'wrong'
  emulator: 'right' | 'wrong'
  /** Paths with errors that only the emulator reports. */
  emulatorOnly: string[]
}

function verdicts(response: { status: number; body: unknown }, paths: string[]): Verdicts {
  const found = errorPaths(response.body).map((path) => path.replace(/^\$\.?/, ''))
  return {
    sdk: paths.length === 0 ? 'right' : 'wrong',
    emulator: response.status < 300 ? 'right' : 'wrong',
    emulatorOnly: found.filter((path) => !paths.includes(path)),
  }
}

const agreed = ({ sdk }: Verdicts): Verdicts => ({ sdk, emulator: sdk, emulatorOnly: [] })

describe('SDK and emulator agree', () => {
  const places = [
    { scope: 'global', path: '/commands', extra: global },
    { scope: 'guild', path: `/guilds/${tavern}/commands`, extra: {} },
  ] as const

  it.each(places)('on new commands: $scope', async ({ scope, path, extra }) => {
    await fc.assert(
      fc.asyncProperty(command(extra).map(sent), async (body) => {
        const response = await onEmptyEmulator(() => bot.post(path, body))
        const both = verdicts(
          response,
          errors(validateCommand(body, { scope, operation: 'create', application })),
        )
        expect(both).toEqual(agreed(both))
      }),
      { numRuns: RUNS },
    )
  })

  it.each(places)('on whole lists: $scope', async ({ scope, path }) => {
    const element = command({ ...global, id: mostly(fc.constantFrom('5', '77')) })
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 3 }).map(sent), async (body) => {
        const response = await onEmptyEmulator(() => bot.put(path, body))
        const both = verdicts(
          response,
          errors(validateCommands(body, { scope, operation: 'overwrite', application })),
        )
        expect(both).toEqual(agreed(both))
      }),
      { numRuns: RUNS },
    )
  })

  it('on permissions', async () => {
    const { id } = fields((await bot.post('/commands', { name: 'slash', description: 'x' })).body)
    const player = await asPlayer(emulator, 'ada')
    await fc.assert(
      fc.asyncProperty(overwrites.map(sent), async (body) => {
        const response = await player.put(`/guilds/${tavern}/commands/${String(id)}/permissions`, body)
        const both = verdicts(response, errors(validatePermissions(body, { guildId: tavern })))
        expect(both).toEqual(agreed(both))
      }),
      { numRuns: RUNS },
    )
  })
})
