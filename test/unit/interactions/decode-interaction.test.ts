/** Payloads of the service: which are interactions, and the path of their subcommand. */
import { describe, expect, it } from 'vitest'
import { decodeInteraction, findOptionPath } from '../../support/internals'

const ENVELOPE = { id: '1001', application_id: '1002', token: 'tok.en', type: 2 }
const PLAYER = { user: { id: '7' } }
const COMMAND = { name: 'blep', type: 1 }
const RESOLVED = { users: {}, members: {} }

const decoded = (changes: object, data: unknown = COMMAND): unknown =>
  decodeInteraction({ ...ENVELOPE, ...PLAYER, data, ...changes })
const isDecoded = (changes: object, data?: unknown) => typeof decoded(changes, data) === 'object'

describe('a payload', () => {
  it('of a ping needs no player and no data', () => {
    expect(decodeInteraction({ ...ENVELOPE, type: 1 })).toEqual({ ...ENVELOPE, type: 1 })
  })

  it.each([
    ['null', null],
    ['a list', []],
    ['without an id', { ...ENVELOPE, id: 7 }],
    ['of a ping without an id', { ...ENVELOPE, id: 7, type: 1 }],
    ['of a ping without a token', { ...ENVELOPE, token: '.', type: 1 }],
    ['without an application', { ...ENVELOPE, application_id: 'x' }],
    ['without a token', { ...ENVELOPE, token: undefined }],
    ['with a token of dots', { ...ENVELOPE, token: '..' }],
    ['without a type', { ...ENVELOPE, type: '1' }],
  ])('%s is malformed', (_, payload) => {
    expect(decodeInteraction(payload)).toBe('malformed_interaction')
  })

  it.each([0, 6, 9, -1, 2.5])('of type %d is unknown', (type) => {
    expect(decoded({ type })).toBe('unknown_type')
  })

  it('has a player, as a member or a user', () => {
    expect(isDecoded({})).toBe(true)
    expect(isDecoded({ user: undefined, member: { user: { id: '7' } } })).toBe(true)
    for (const wrong of [
      { user: undefined },
      { user: { id: 7 } },
      { user: 'x' },
      { member: {} },
      { member: { user: {} } },
    ])
      expect(decoded(wrong)).toBe('malformed_interaction')
  })

  it.each([
    ['a component', { type: 3 }, { custom_id: 'a' }, true],
    ['a form', { type: 5 }, { custom_id: '' }, true],
    ['a component without an id', { type: 3 }, { custom_id: 7 }, false],
    ['a form without data', { type: 5 }, undefined, false],
    ['a command', {}, COMMAND, true],
    ['a command with options', {}, { ...COMMAND, options: [], resolved: RESOLVED }, true],
    ['a command without a name', {}, { type: 1 }, false],
    ['a command whose options are no list', {}, { ...COMMAND, options: {} }, false],
    ['a command whose resolved objects are none', {}, { ...COMMAND, resolved: [] }, false],
    ['autocomplete', { type: 4 }, COMMAND, true],
    ['autocomplete whose options are no list', { type: 4 }, { ...COMMAND, options: 7 }, false],
    [
      'autocomplete of a user command',
      { type: 4 },
      { name: 'a', type: 2, target_id: '1', resolved: RESOLVED },
      false,
    ],
    ['autocomplete of an entry point', { type: 4 }, { name: 'a', type: 4 }, false],
    ['an entry point', {}, { name: 'a', type: 4 }, true],
    ['a user command', {}, { name: 'a', type: 2, target_id: '1', resolved: RESOLVED }, true],
    ['a message command', {}, { name: 'a', type: 3, target_id: '1', resolved: RESOLVED }, true],
    ['a user command without a target', {}, { name: 'a', type: 2, resolved: RESOLVED }, false],
    ['a message command without resolved objects', {}, { name: 'a', type: 3, target_id: '1' }, false],
    ['a command of an unknown type', {}, { name: 'a', type: 5, target_id: '1', resolved: RESOLVED }, false],
  ])('may be %s', (...[, changes, data, expected]) => {
    expect(isDecoded({ data, ...changes }, data)).toBe(expected)
  })
})

const sub = (name: string, options?: unknown) => ({ type: 1, name, options })

describe('the path of a subcommand', () => {
  it.each([
    [undefined, '', 0],
    [{}, '', 0],
    [[{ type: 3, name: 'a' }], '', 1],
    [[sub('add', [{}, {}])], 'add', 2],
    [[sub('add')], 'add', 0],
    [[{ type: 2, name: 'group', options: [sub('add', [{}])] }], 'group add', 1],
    [
      [{ type: 2, name: 'group', options: [{ type: 2, name: 'deep', options: [sub('add')] }] }],
      'group deep',
      1,
    ],
    [[sub('add', [sub('more')])], 'add', 1],
    [[7], '', 1],
  ])('of %j is %j', (options, path, left) => {
    const found = findOptionPath(options)
    expect([found.path, found.entries.length]).toEqual([path, left])
  })
})
