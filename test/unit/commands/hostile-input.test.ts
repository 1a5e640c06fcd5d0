/** Hostile input to the validation: it is reported as invalid and never throws. */
import { describe, expect, test } from 'vitest'
import {
  localize,
  measureCommand,
  validateCommand,
  validateCommands,
  validatePermissions,
} from 'foyer-sdk/server'

const check = (body: unknown) => validateCommand(body, { scope: 'global', operation: 'create' })
const codes = (body: unknown) => check(body).map(({ path, code }) => `${path} ${code}`)

const throwing = (): never => {
  throw new Error('Mine!')
}

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['text', 'blep'],
  ['a list', []],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
])('%s is rejected as a command', (_, body) => {
  expect(codes(body)).toEqual([' wrong_type'])
})

test('options and choices that are no objects have no size', () => {
  expect(measureCommand({ options: [null, 7, { choices: [null, 'x'] }] }).total).toBe(0)
})

test('a getter that throws is reported as unreadable without its message', () => {
  const body = {
    name: 'blep',
    description: 'x',
    get options() {
      return throwing()
    },
  }
  expect(codes(body)).toContain(' unreadable')
  expect(JSON.stringify(check(body))).not.toContain('Mine')
  expect(measureCommand(body).total).toBe(5)
})

test.each<[string, () => unknown]>([
  ['a revoked proxy', revoked],
  [
    'a proxy that throws on every access',
    () => new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing }),
  ],
  ['a nested throwing proxy', () => ({ name: 'blep', description: 'x', options: [revoked()] })],
  [
    'a list with infinite length',
    () => ({
      name: 'blep',
      description: 'x',
      options: new Proxy([], {
        get: (list, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(list, key)),
      }),
    }),
  ],
])('%s is reported and does not throw', (_, make) => {
  const body = make()
  expect(check(body).length).toBeGreaterThan(0)
  expect(validateCommands([body], { scope: 'guild' }).length).toBeGreaterThan(0)
  expect(validatePermissions(body).length).toBeGreaterThan(0)
  expect(measureCommand(body).total).toBeLessThan(10)
})

test('an unreadable command in a list does not prevent validation of the others', () => {
  const list = [{ name: 'A', description: 'x' }, revoked(), { name: 'A', description: 'x' }]
  expect(validateCommands(list, { scope: 'global' }).map(({ path, code }) => `${path} ${code}`)).toEqual([
    '[0].name name_capitals',
    '[1] unreadable',
    '[2].name name_capitals',
    '[2].name duplicate',
  ])
})

test('elements beyond the maximum are validated, too', () => {
  const options = Array.from({ length: 26 }, (_, index) => ({
    type: 3,
    name: `o${index}`,
    description: index === 25 ? '' : 'x',
  }))
  expect(codes({ name: 'a', description: 'x', options })).toEqual([
    'options too_many',
    'options[25].description length',
  ])
})

test('a circular body is reported', () => {
  const options: unknown[] = []
  const body = { name: 'a', description: 'x', type: 1, options }
  for (let i = 0; i < 30; i++) options.push({ ...body, type: 2 }, { ...body, type: 1 })
  expect(check(body).length).toBeGreaterThan(0)
  measureCommand(body)
})

test('infinite nesting is validated to the depth of the interface', () => {
  let options: unknown = []
  for (let depth = 0; depth < 100_000; depth++) options = [{ type: 1, name: 'a', description: 'x', options }]
  expect(codes({ name: 'a', description: 'x', options })).toEqual([
    'options[0].options[0].type not_in_subcommand',
  ])
})

const option = (name: string, more = {}) => ({ type: 3, name, description: 'x', ...more })

describe('the name of an Object.prototype member:', () => {
  test.each(['constructor', '__proto__', 'tostring', 'hasownproperty'])(
    '%s is accepted as a name',
    (name) => {
      expect(codes({ name, description: 'x', options: [option(name), option('other')] })).toEqual([])
      expect(codes({ name, description: 'x', options: [option(name), option(name)] })).toEqual([
        'options[1].name name_taken',
      ])
      const list = [name, name].map((each) => ({ name: each, description: 'x' }))
      expect(validateCommands(list, { scope: 'global' }).map(({ path }) => path)).toEqual(['[1].name'])
    },
  )

  test('is rejected as a locale', () => {
    const body: unknown = JSON.parse(
      '{"name":"a","description":"x","name_localizations":{"__proto__":"b","constructor":"C"}}',
    )
    expect(codes(body)).toEqual([
      "name_localizations['__proto__'] unknown_locale",
      "name_localizations['constructor'] unknown_locale",
      "name_localizations['constructor'] name_capitals",
    ])
    expect(localize({ default: 'a', localizations: {}, locale: 'constructor' })).toEqual({
      value: 'a',
      source: 'default',
    })
  })

  test('does not make an object with such a member a string', () => {
    const body: unknown = JSON.parse(
      '{"name":{"toString":1},"type":{"valueOf":2},"description":{"length":5}}',
    )
    expect(codes(body)).toEqual(['type unknown_value', 'name wrong_type', 'description wrong_type'])
    expect(
      validatePermissions(JSON.parse('{"permissions":[{"id":{"toString":1},"type":{},"permission":"x"}]}'))
        .length,
    ).toBe(3)
  })
})
