/** The checks are given what nobody would write, and say so instead of throwing. */
import { describe, expect, test } from 'vitest'
import { localize, measureCommand, validateCommand, validateCommands, validatePermissions } from 'foyer-sdk/server'

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
  ['a big number', 1n],
])('%s is no command', (_, body) => {
  expect(codes(body)).toEqual([' wrong_type'])
})

test('a getter that throws is said to be unreadable, and its words are not repeated', () => {
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
  ['a proxy that throws at everything', () => new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing })],
  ['a proxy deep inside', () => ({ name: 'blep', description: 'x', options: [revoked()] })],
  [
    'a list that says it is endless',
    () => ({
      name: 'blep',
      description: 'x',
      options: new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(list, key)) }),
    }),
  ],
])('%s', (_, make) => {
  const body = make()
  expect(check(body).length).toBeGreaterThan(0)
  expect(validateCommands([body], { scope: 'guild' }).length).toBeGreaterThan(0)
  expect(validatePermissions(body).length).toBeGreaterThan(0)
  expect(measureCommand(body).total).toBeLessThan(10)
})

test('a command of a list that cannot be read keeps none of the others from being checked', () => {
  const list = [{ name: 'A', description: 'x' }, revoked(), { name: 'A', description: 'x' }]
  expect(validateCommands(list, { scope: 'global' }).map(({ path, code }) => `${path} ${code}`)).toEqual([
    '[0].name name_capitals',
    '[1] unreadable',
    '[2].name name_capitals',
    '[2].name duplicate',
  ])
})

test('elements that are too many are checked as well', () => {
  const options = Array.from({ length: 26 }, (_, index) => ({ type: 3, name: `o${index}`, description: index === 25 ? '' : 'x' }))
  expect(codes({ name: 'a', description: 'x', options })).toEqual(['options too_many', 'options[25].description length'])
})

test('a body that holds itself ends', () => {
  const options: unknown[] = []
  const body = { name: 'a', description: 'x', type: 1, options }
  for (let i = 0; i < 30; i++) options.push({ ...body, type: 2 }, { ...body, type: 1 })
  expect(check(body).length).toBeGreaterThan(0)
  measureCommand(body)
})

test('nesting without end is read as far as the interface goes', () => {
  let options: unknown = []
  for (let depth = 0; depth < 100_000; depth++) options = [{ type: 1, name: 'a', description: 'x', options }]
  expect(codes({ name: 'a', description: 'x', options })).toEqual(['options[0].options[0].type not_in_subcommand'])
})

const option = (name: string, more = {}) => ({ type: 3, name, description: 'x', ...more })

describe('names that objects have already', () => {
  test.each(['constructor', '__proto__', 'tostring', 'hasownproperty'])('%s is a name like any other', (name) => {
    expect(codes({ name, description: 'x', options: [option(name), option('other')] })).toEqual([])
    expect(codes({ name, description: 'x', options: [option(name), option(name)] })).toEqual(['options[1].name name_taken'])
    const list = [name, name].map((each) => ({ name: each, description: 'x' }))
    expect(validateCommands(list, { scope: 'global' }).map(({ path }) => path)).toEqual(['[1].name'])
  })

  test('and as a locale no locale at all', () => {
    const body: unknown = JSON.parse('{"name":"a","description":"x","name_localizations":{"__proto__":"b","constructor":"C"}}')
    expect(codes(body)).toEqual([
      "name_localizations['__proto__'] unknown_locale",
      "name_localizations['constructor'] unknown_locale",
      "name_localizations['constructor'] name_capitals",
    ])
    expect(localize({ default: 'a', localizations: {}, locale: 'constructor' })).toEqual({ value: 'a', source: 'default' })
  })

  test('a field that only looks like text is none', () => {
    const body: unknown = JSON.parse('{"name":{"toString":1},"type":{"valueOf":2},"description":{"length":5}}')
    expect(codes(body)).toEqual(['type unknown_value', 'name wrong_type', 'description wrong_type'])
    expect(validatePermissions(JSON.parse('{"permissions":[{"id":{"toString":1},"type":{},"permission":"x"}]}')).length).toBe(3)
  })
})
