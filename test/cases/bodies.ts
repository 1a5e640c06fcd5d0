/** Generates command bodies: valid ones, valid ones with one mutation, and arbitrary values. */
import * as fc from 'fast-check'
import type { ApplicationCommandOption, GlobalCommandBody } from 'foyer-sdk/server'

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz0123456789-_'éßñ日本ไทยकि²\u{10428}")
const LOCALES = ['de', 'fr', 'ja', 'en-US', 'en-GB', 'es-ES', 'es-419', 'zh-CN']
const CHARACTERS = Array.from('abc DÉ😀日.!\n')

const name = (maxLength = 32) => fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength })
const text = (maxLength = 100) => fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength })
const dictionary = (of: fc.Arbitrary<string>) =>
  fc.option(fc.dictionary(fc.constantFrom(...LOCALES), of, { maxKeys: 4, noNullPrototype: true }), {
    nil: null,
  })

/** Keeps the first of entries with equal names. */
const unlike = <T extends { name: string }>(list: readonly T[]): T[] => [
  ...new Map(list.map((each) => [each.name, each])).values(),
]

const texts = { description: text(40), description_localizations: dictionary(text(40)) }

const choices = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(
      fc.record(
        { name: text(20), name_localizations: dictionary(text(20)), value },
        { requiredKeys: ['name', 'value'] },
      ),
      {
        maxLength: 25,
      },
    )
    .map(unlike)

const whole = fc.maxSafeInteger()
const decimal = fc.double({ min: -(2 ** 53), max: 2 ** 53, noNaN: true })

/** Fields that apply to one type of option. */
const byType: Readonly<Record<number, fc.Arbitrary<object>>> = {
  3: fc.oneof(
    fc.record({ choices: choices(text(30)) }, { requiredKeys: [] }),
    fc.record(
      {
        min_length: fc.integer({ min: 0, max: 10 }),
        max_length: fc.integer({ min: 10, max: 6000 }),
        autocomplete: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
  4: fc.oneof(fc.record({ choices: choices(whole) }, { requiredKeys: [] }), bounds(whole)),
  10: fc.oneof(fc.record({ choices: choices(decimal) }, { requiredKeys: [] }), bounds(decimal)),
  7: fc.record({ channel_types: fc.uniqueArray(fc.constantFrom(0, 2, 5, 15, 16)) }, { requiredKeys: [] }),
}

function bounds(of: fc.Arbitrary<number>): fc.Arbitrary<object> {
  return fc.tuple(of, of).map(([a, b]) => ({ min_value: Math.min(a, b), max_value: Math.max(a, b) }))
}

const parameter: fc.Arbitrary<ApplicationCommandOption> = fc
  .constantFrom(
    3 as const,
    4 as const,
    5 as const,
    6 as const,
    7 as const,
    8 as const,
    9 as const,
    10 as const,
    11 as const,
  )
  .chain((type) =>
    fc
      .tuple(
        fc.record(
          { type: fc.constant(type), name: name(), required: fc.boolean(), ...texts },
          { requiredKeys: ['type', 'name', 'description'] },
        ),
        byType[type] ?? fc.constant({}),
      )
      .map(([option, more]) => ({ ...option, ...more })),
  )

const parameters = (maxLength: number) =>
  fc
    .array(parameter, { maxLength })
    .map((list) => unlike(list).toSorted((a, b) => Number(b.required === true) - Number(a.required === true)))

const subcommand: fc.Arbitrary<ApplicationCommandOption> = fc.record(
  { type: fc.constant(1 as const), name: name(), ...texts, options: parameters(4) },
  { requiredKeys: ['type', 'name', 'description'] },
)

const group: fc.Arbitrary<ApplicationCommandOption> = fc.record(
  {
    type: fc.constant(2 as const),
    name: name(),
    ...texts,
    options: fc.array(subcommand, { maxLength: 3 }).map(unlike),
  },
  { requiredKeys: ['type', 'name', 'description'] },
)

const options = fc.oneof(parameters(8), fc.array(fc.oneof(subcommand, group), { maxLength: 5 }).map(unlike))

const everywhere = {
  default_member_permissions: fc.option(fc.bigInt({ min: 0n, max: 2n ** 50n }).map(String), { nil: null }),
  nsfw: fc.boolean(),
  contexts: fc.option(fc.uniqueArray(fc.constantFrom(0 as const, 1 as const, 2 as const), { minLength: 1 }), {
    nil: null,
  }),
  integration_types: fc.uniqueArray(fc.constantFrom(0 as const, 1 as const), { minLength: 1 }),
}

const slash = fc.record(
  { name: name(), ...texts, options, ...everywhere },
  { requiredKeys: ['name', 'description'] },
)

const menuName = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '!', 'é'), minLength: 1, maxLength: 32 })
const menu = fc.record(
  { type: fc.constantFrom(2 as const, 3 as const), name: menuName, ...everywhere },
  { requiredKeys: ['type', 'name'] },
)

/** Bodies that the interface accepts as global commands. */
export const validBody: fc.Arbitrary<GlobalCommandBody> = fc.oneof({ arbitrary: slash, weight: 4 }, menu)

/** Values that are wrong in most places, and some that resemble valid ones. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    [],
    {},
    [[]],
    'a b',
    'A',
    '__proto__',
    'constructor',
    '\ud800',
  ),
  fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
    withMap: true,
  }),
)

/** A valid body with an odd value at one random place. */
const mutatedBody: fc.Arbitrary<unknown> = fc
  .tuple(validBody, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), odd)
  .map(([body, steps, value]) => {
    const copy: unknown = structuredClone(body)
    let place: unknown = copy
    for (const [index, step] of steps.entries()) {
      if (typeof place !== 'object' || place === null) break
      const keys = Object.keys(place)
      const key = keys[step % (keys.length + 1)] ?? '__proto__'
      // An own property: the prototype of all objects must not change.
      const next: unknown = Object.hasOwn(place, key) ? Reflect.get(place, key) : undefined
      if (index === steps.length - 1 || typeof next !== 'object' || next === null) {
        Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
        break
      }
      place = next
    }
    return copy
  })

export const anyBody: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: validBody, weight: 3 },
  { arbitrary: mutatedBody, weight: 6 },
  { arbitrary: odd, weight: 1 },
)
