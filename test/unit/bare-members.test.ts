/** A text in place of a list, or of an object in a list, is named with the shape that was meant: every list of messages, forms and commands. */
import { defineCommand, validateCommand, validateMessage, validateModal } from 'foyer-sdk/server'
import { describe, expect, it, test } from 'vitest'
import {
  COMPONENTS,
  MESSAGE,
  MessageCheck,
  type MessageRule,
  type MessageShape,
  Place,
} from '../support/internals'

/** Lists whose members are objects, by path, wherever they are. */
function listsOf(shape: MessageShape, path: string): [path: string, rule: MessageRule][] {
  return Object.entries(shape).flatMap(([name, rule]) => {
    const at = `${path}.${name}`
    const inner = { ...rule.fields, ...rule.of?.fields }
    const isList = rule.of !== undefined && (rule.of.fields ?? rule.of.types) !== undefined
    return [...(isList ? [[at, rule] satisfies [string, MessageRule]] : []), ...listsOf(inner, at)]
  })
}

const LISTS = [
  ...listsOf(MESSAGE, 'message'),
  ...Object.entries(COMPONENTS).flatMap(([type, shape]) => listsOf(shape, `component ${type}`)),
]

function messageOf(value: unknown, rule: MessageRule): string | undefined {
  const at = new Place(new MessageCheck({ isModal: false }))
  rule.is(value, at, rule)
  return at.state.issues.find(({ code }) => code === 'wrong_type')?.message
}

/** An object as it is written, or the fields that it has. */
const SHAPE = /\{ type: \d+, \w+: .*\}|objects? with \w+|an object with a type of/

describe('every list of a message', () => {
  it('is found', () => {
    expect(LISTS.map(([path]) => path)).toEqual([
      'message.embeds',
      'message.embeds.fields',
      'message.attachments',
      'message.poll.answers',
      'component 3.options',
      'component 5.default_values',
      'component 6.default_values',
      'component 7.default_values',
      'component 8.default_values',
      'component 9.components',
      'component 12.items',
      'component 17.components',
      'component 21.options',
      'component 22.options',
    ])
  })

  test.each(LISTS)('%s names its shape for a text', (_, rule) => {
    expect(messageOf('sword', rule)).toMatch(/^must be a list/)
    expect(messageOf('sword', rule)).toMatch(SHAPE)
    expect(messageOf(['sword'], rule)).toMatch(SHAPE)
  })
})

describe('what a newcomer writes', () => {
  test.each<[found: readonly { message: string }[], message: string]>([
    [validateMessage({ embeds: ['Score'] }), 'must be an object with title, description, url'],
    [validateMessage({ embeds: 'Score' }), 'must be a list of objects with title, description, url'],
    [validateMessage({ components: 'Play' }), 'must be a list: [{ type: 1, components: [{ type: 2,'],
    [
      validateMessage({ components: [{ type: 1, components: ['Play'] }] }),
      "must be { type: 2, style: 1, custom_id: 'play', label: 'Play' }",
    ],
    [
      validateMessage({
        components: [{ type: 1, components: [{ type: 3, custom_id: 'map', options: ['moon'] }] }],
      }),
      'must be an object with label, value',
    ],
    [validateModal({ custom_id: 'name', title: 'Name', components: 'Name' }), 'must be a list: [{ type: 18,'],
    [
      validateCommand({ name: 'roll', description: 'Roll', options: 'sides' }),
      "must be a list: [{ type: 3, name: 'weapon'",
    ],
    [
      validateCommand({
        name: 'roll',
        description: 'Roll',
        options: [{ type: 3, name: 'die', description: 'A die', choices: 'd6' }],
      }),
      "must be a list: [{ name: 'sword', value: 'sword' }]",
    ],
  ])('%# is answered with %s', (found, message) => {
    expect(found[0]?.message).toContain(message)
  })
})

it('a choice without a value is named when the command is defined, and when it is checked', () => {
  const command = {
    name: 'roll',
    description: 'Roll',
    options: [{ type: 3, name: 'die', description: 'A die', choices: [{ name: 'd6' }] }],
  }
  expect(() => Reflect.apply(defineCommand, undefined, [command, () => 'rolled'])).toThrow(
    "roll die: choices[0] has no value, must be { name: 'd6', value: 'd6' }",
  )
  expect(validateCommand(command)).toEqual([
    expect.objectContaining({ path: 'options[0].choices[0].value', code: 'required' }),
  ])
})
