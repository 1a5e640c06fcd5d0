/** Validation of option types, installation types and entries of permissions, and the locale of a request. */
import { requesterLocale, validateCommand, validatePermissions } from 'foyer-sdk/server'
import { expect, test } from 'vitest'

const BLEP = { name: 'blep', description: 'Sends a blep' }
const codes = (body: unknown, integrationTypes?: number[]) =>
  validateCommand(body, { scope: 'global', operation: 'create', ...(integrationTypes && { application: { integrationTypes } }) }).map(
    ({ path, code }) => `${path} ${code}`,
  )

test('an option without a type is reported once', () => {
  expect(codes({ ...BLEP, options: [{ name: 'size', description: 'Size' }] })).toEqual(['options[0].type required'])
})

test.each([
  [[0], [0, 1], []],
  [[0], [1], ['integration_types[0] not_installable']],
  [[-1], [0, 1], ['integration_types[0] unknown_value']],
  [[2], undefined, ['integration_types[0] unknown_integration_type']],
])('the installation types %j for an application with %j: %j', (integration_types, application, expected) => {
  expect(codes({ ...BLEP, integration_types }, application)).toEqual(expected)
})

test('entries of permissions with an ID and no type are not duplicates of each other', () => {
  const issues = validatePermissions({ permissions: ['1', '1'].map((id) => ({ id, permission: true })) })
  expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual(['permissions[0].type required', 'permissions[1].type required'])
})

test('the locale of a list is that of the header without spaces, and of the next source if it is empty', () => {
  expect(requesterLocale({ header: ' de ' })).toBe('de')
  expect(requesterLocale({ header: '  ', userLocale: 'fr' })).toBe('fr')
})
