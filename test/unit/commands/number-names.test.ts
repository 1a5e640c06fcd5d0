/** A name in place of one of the API's numbers is answered with the number. */
import {
  ChannelType,
  CommandType,
  InstallContext,
  InteractionContext,
  OptionType,
  PermissionType,
  validateCommand,
  validateMessage,
  validateModal,
  validatePermissions,
} from 'foyer-sdk/server'
import { expect, test } from 'vitest'

const COMMAND = { name: 'score', description: 'Shows it' }
const command = (fields: object) => validateCommand({ ...COMMAND, ...fields })
const option = (fields: object) =>
  command({ options: [{ type: 7, name: 'of', description: 'Whose', ...fields }] })
const button = (fields: object) =>
  validateMessage({
    components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go', ...fields }] }],
  })

/** Every field with a number that has a name. */
const FIELDS: [owner: string, of: object, issuesOf: (given: string) => readonly { message: string }[]][] = [
  ['OptionType', OptionType, (type) => option({ type })],
  ['CommandType', CommandType, (type) => command({ type })],
  ['ChannelType', ChannelType, (channel) => option({ channel_types: [channel] })],
  ['InstallContext', InstallContext, (each) => command({ integration_types: [each] })],
  ['InteractionContext', InteractionContext, (each) => command({ contexts: [each] })],
  [
    'PermissionType',
    PermissionType,
    (type) => validatePermissions({ permissions: [{ id: '1', type, permission: true }] }),
  ],
]

test.each(FIELDS)('a name of %s, in any letters, and a number in quotes', (owner, of, issuesOf) => {
  for (const [name, number] of Object.entries(of)) {
    const messages = (given: string) => issuesOf(given).map(({ message }) => message)
    for (const given of [name, name.toLowerCase(), name.replaceAll('_', '')])
      expect(messages(given)[0]).toMatch(new RegExp(`: ${name} is ${number}, or ${owner}\\.${name}$`))
    expect(messages(String(number))[0]).toMatch(new RegExp(`: ${number}, without quotes$`))
  }
})

test('components and their styles', () => {
  expect(button({ style: 'Primary' })[0]?.message).toBe('must be one of 1, 2, 3, 4, 5, 6: PRIMARY is 1')
  expect(button({ type: 'BUTTON' })[0]?.message).toContain(': BUTTON is 2')
  const input = { type: 4, custom_id: 'a', style: 'paragraph' }
  const modal = { custom_id: 'm', title: 'M', components: [{ type: 18, label: 'L', component: input }] }
  expect(validateModal(modal)[0]?.message).toBe('must be one of 1, 2: PARAGRAPH is 2')
})

test('a name that nothing resembles gets the list', () => {
  expect(option({ type: 'colour' })[0]?.message).toContain(': 1 SUB_COMMAND, 2 SUB_COMMAND_GROUP, 3 STRING')
})
