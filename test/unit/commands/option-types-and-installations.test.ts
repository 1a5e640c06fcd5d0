/** Validation of option types with their choices and names, and of installation types and contexts. */
import { validateCommand } from 'foyer-sdk/server'
import { expect, test } from 'vitest'

const BLEP = { name: 'blep', description: 'Sends a blep' }
const codes = (body: unknown, integrationTypes?: number[]) =>
  validateCommand(body, {
    scope: 'global',
    operation: 'create',
    ...(integrationTypes && { application: { integrationTypes } }),
  }).map(({ path, code }) => `${path} ${code}`)

test('an option without a type is reported once', () => {
  expect(codes({ ...BLEP, options: [{ name: 'size', description: 'Size' }] })).toEqual([
    'options[0].type required',
  ])
})

test('an empty list of contexts contradicts nothing', () => {
  expect(codes({ ...BLEP, contexts: [], dm_permission: true })).toEqual([
    'contexts empty',
    'dm_permission deprecated',
  ])
})

test('choices of an option without a type may be numbers or texts', () => {
  const choices = [
    { name: 'one', value: 1 },
    { name: 'two', value: 'two' },
    { name: 'three', value: true },
  ]
  expect(codes({ ...BLEP, options: [{ name: 'size', description: 'Size', choices }] })).toEqual([
    'options[0].type required',
    'options[0].choices[2].value wrong_type',
  ])
})

test('translated names of options that are no texts are not equal to each other', () => {
  const options = ['a', 'b', 'a'].map((name) => ({
    type: 3,
    name,
    description: 'x',
    name_localizations: { de: 5 },
  }))
  const wrong = [0, 1, 2].map((index) => `options[${index}].name_localizations['de'] wrong_type`)
  expect(codes({ ...BLEP, options }).sort()).toEqual(['options[2].name name_taken', ...wrong].sort())
})

test.each([
  [[0], [0, 1], []],
  [[1], undefined, []],
  [[0], [1], ['integration_types[0] not_installable']],
  [[-1], [0, 1], ['integration_types[0] unknown_value']],
  [[2], undefined, ['integration_types[0] unknown_integration_type']],
])('the installation types %j for an application with %j: %j', (integration_types, application, expected) => {
  expect(codes({ ...BLEP, integration_types }, application)).toEqual(expected)
})
