/** Mutated payloads with valid signatures: the endpoint responds to all. `MUTATIONS=100000` for the full run. */
import { beforeAll, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { defineCommand } from 'foyer-sdk/server'
import { invocation, nextId, PING, Sender, Signer, slash, USER } from '../unit/interactions/signed-sender'

const RUNS = Number(process.env['MUTATIONS'] ?? 3000)

const option = <const T extends 3 | 4 | 6 | 7 | 9 | 11, const N extends string>(type: T, name: N) =>
  ({ type, name, description: 'd' }) as const
const all = defineCommand(
  {
    name: 'all',
    description: 'd',
    options: [
      { ...option(3, 'text'), required: true },
      { ...option(4, 'count'), choices: [{ name: 'one', value: 1 }] },
      option(6, 'who'),
      option(7, 'where'),
      option(9, 'whom'),
      option(11, '__proto__'),
    ],
  },
  (interaction) => interaction.reply(JSON.stringify(interaction.options).slice(0, 100)),
)
const tree = defineCommand(
  {
    name: 'tree',
    description: 'd',
    options: [
      { type: 1, name: 'leaf', description: 'd' },
      {
        type: 2,
        name: 'branch',
        description: 'd',
        options: [
          { type: 1, name: 'leaf', description: 'd', options: [{ ...option(3, 'a'), autocomplete: true }] },
        ],
      },
    ],
  },
  {
    leaf: ({ user }) => user.username.slice(0, 9),
    branch: { leaf: { run: () => 'x', autocomplete: { a: ({ value }) => [value] } } },
  },
)
const poke = defineCommand({ type: 2, name: 'Poke' }, ({ target }) => target.user.username)
const keep = defineCommand({ type: 3, name: 'Keep' }, ({ target }) => target.content)
const launch = defineCommand({ type: 4, name: 'Launch', handler: 1 }, (interaction) =>
  interaction.launchActivity(),
)

const SEEDS: readonly object[] = [
  PING,
  slash('all', [{ type: 3, name: 'text', value: 'x' }]),
  slash(
    'all',
    [
      { type: 3, name: 'text', value: 'x' },
      { type: 6, name: 'who', value: '5' },
      { type: 9, name: 'whom', value: '5' },
    ],
    { resolved: { users: { 5: USER }, members: { 5: { nick: null } } } },
  ),
  slash('tree', [{ type: 1, name: 'leaf' }]),
  {
    ...slash('tree', [
      {
        type: 2,
        name: 'branch',
        options: [{ type: 1, name: 'leaf', options: [{ type: 3, name: 'a', value: '', focused: true }] }],
      },
    ]),
    type: 4,
  },
  invocation({ name: 'Poke', type: 2, target_id: '5', resolved: { users: { 5: USER } } }),
  invocation({
    name: 'Keep',
    type: 3,
    target_id: '9',
    resolved: { messages: { 9: { id: '9', content: 'hi' } } },
  }),
  invocation({ name: 'Launch', type: 4 }),
  { ...invocation({}), type: 3, data: { custom_id: 'a', component_type: 2 } },
  { ...invocation({}), type: 5, data: { custom_id: 'a', components: [] } },
]

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'type',
  'name',
  'options',
  'resolved',
  'users',
  'value',
  'focused',
  '0',
  'length',
]
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    2 ** 53,
    1e308,
    '',
    '__proto__',
    '..',
    'all',
    [],
    {},
    [[]],
    { length: -1 },
    '\ud800',
    '5',
  ),
  fc.integer({ min: 0, max: 12 }),
  fc.string(),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 2 })),
)
const step = fc.record({
  /** Path to the mutation: the index of a field at each level. */
  path: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  act: fc.constantFrom('replace', 'remove', 'add', 'nest'),
  name: fc.constantFrom(...NAMES),
  value: strange,
})

interface Step {
  path: number[]
  act: string
  name: string
  value: unknown
}

/** Walks down the path and mutates the value there. */
function mutate(node: unknown, { path: [index = 0, ...rest], act, name, value }: Step): unknown {
  if (typeof node !== 'object' || node === null) return act === 'nest' ? [node] : value
  const entries = Object.entries(node)
  const at = index % Math.max(entries.length, 1)
  if (act === 'add' && rest.length === 0) entries.push([name, value])
  else if (act === 'remove' && rest.length === 0) entries.splice(at, 1)
  else {
    const entry = entries[at]
    if (entry)
      entry[1] =
        rest.length === 0
          ? mutate('', { path: [], act, name, value })
          : mutate(entry[1], { path: rest, act, name, value })
  }
  return Array.isArray(node)
    ? entries.map(([, each]: [string, unknown]) => each)
    : Object.fromEntries(entries)
}

let signer: Signer
beforeAll(async () => {
  signer = await Signer.create()
})

it(
  'a mutated payload gets a response or a rejection and never an unhandled error',
  async () => {
    const sender = new Sender(signer, {
      commands: [all, tree, poke, keep, launch],
      onComponent: () => 'x',
      onModal: () => 'x',
    })
    const seen = new Map<number, number>()
    const property = async (seed: object, steps: Step[]) => {
      const payload = steps.reduce<unknown>((node, each) => mutate(node, each), { ...seed, id: nextId() })
      sender.clock.advance(1000)
      const { status, body } = await sender.deliver(payload ?? null)
      expect([200, 400, 401]).toContain(status)
      expect(body).toBeTypeOf('object')
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
    await fc.assert(fc.asyncProperty(fc.constantFrom(...SEEDS), fc.array(step, { maxLength: 4 }), property), {
      numRuns: RUNS,
    })
    await sender.finished()
    expect(sender.clock.waiting).toBe(0)
    // Otherwise the mutations were too weak or too destructive to show anything.
    expect(seen.get(200)).toBeGreaterThan(RUNS / 10)
    expect(seen.get(400)).toBeGreaterThan(RUNS / 10)
  },
  RUNS * 20,
)
