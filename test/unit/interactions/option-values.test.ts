/** Values of a command's options: with their objects, and while they are typed. */
import { describe, expect, it } from 'vitest'
import { chosenUser, lookUp, readOptions, readPartialOptions } from '../../support/internals'
import { rejection } from '../../support/settle'

const resolved = {
  users: { 1: { id: '1' }, 2: { id: '2' }, x: 'text' },
  members: { 2: { nick: 'n' } },
  roles: { 3: { id: '3' } },
  channels: { 4: { id: '4' } },
  attachments: { 5: { id: '5' } },
}

/** The value of an option of this type, or the code of the error. */
async function valueOf(
  type: number,
  value: unknown,
  { entryType = type, choices }: { entryType?: number; choices?: Set<unknown> } = {},
) {
  const parameter = { name: 'a', type, required: false, choices } as never
  let options: unknown
  const error = await rejection(
    () =>
      (options = readOptions([parameter], { entries: [{ name: 'a', type: entryType, value }], resolved })),
  )
  return error ? Reflect.get(Object(error), 'code') : Reflect.get(Object(options), 'a')
}

const parametersOf = (required: boolean) => [{ name: 'a', type: 3, required }] as never

describe('the value of an option', () => {
  it.each([
    [3, 'x', 'x'],
    [3, 7, 'invalid_option'],
    [4, 7, 7],
    [4, 2 ** 53, 'invalid_option'],
    [4, 0.5, 'invalid_option'],
    [5, false, false],
    [5, 'true', 'invalid_option'],
    [6, '1', { id: '1', user: { id: '1' } }],
    [6, '2', { id: '2', user: { id: '2' }, member: { nick: 'n' } }],
    [6, '3', 'invalid_option'],
    [6, 1, 'invalid_option'],
    [6, 'x', 'invalid_option'],
    [6, 'constructor', 'invalid_option'],
    [7, '4', { id: '4' }],
    [7, '1', 'invalid_option'],
    [8, '3', { id: '3' }],
    [8, '4', 'invalid_option'],
    [9, '1', { id: '1', user: { id: '1' } }],
    [9, '3', { id: '3', role: { id: '3' } }],
    [9, '4', 'invalid_option'],
    [10, 0.5, 0.5],
    [10, '0.5', 'invalid_option'],
    [11, '5', { id: '5' }],
    [11, '4', 'invalid_option'],
    [12, 'x', 'invalid_option'],
  ])('of type %i may be %j: %j', async (type, value, expected) => {
    expect(await valueOf(type, value)).toEqual(expected)
  })

  it('has the type of its definition, and is one of its choices', async () => {
    expect(await valueOf(3, 'x', { entryType: 4 })).toBe('invalid_option')
    expect([
      await valueOf(3, 'x', { choices: new Set(['x']) }),
      await valueOf(3, 'y', { choices: new Set(['x']) }),
    ]).toEqual(['x', 'invalid_option'])
  })

  it('may be missing unless it is required, and the first of two counts', async () => {
    const entries = [7, null, { name: 'b', type: 3, value: 'z' }]
    expect(readOptions(parametersOf(false), { entries, resolved })).toEqual({})
    expect(await rejection(() => readOptions(parametersOf(true), { entries, resolved }))).toMatchObject({
      code: 'missing_option',
    })
    const twice = ['x', 'y'].map((value) => ({ name: 'a', type: 3, value }))
    expect(readOptions(parametersOf(true), { entries: twice, resolved })).toEqual({ a: 'x' })
  })

  it('is found in the resolved objects only by its own id', () => {
    expect([
      lookUp(resolved, 'users', '1'),
      lookUp(resolved, 'none', '1'),
      lookUp(resolved, 'users', 1),
    ]).toEqual([{ id: '1' }, undefined, undefined])
    expect(chosenUser('9', resolved)).toBeUndefined()
  })
})

const readOption = (type: number, entry: object | undefined) =>
  readPartialOptions([{ name: 'a', type }] as never, entry ? [{ name: 'a', ...entry }] : [])

describe('an option during autocomplete', () => {
  it.each([
    [3, 'x', 'x'],
    [3, 7, undefined],
    [5, true, true],
    [5, 'true', undefined],
    [4, 7, 7],
    [4, '7', 7],
    [10, '0.5', 0.5],
    [10, '', undefined],
    [10, ' ', undefined],
    [4, 'x', undefined],
    [4, null, undefined],
    [6, '9', { id: '9' }],
    [7, 9, undefined],
  ])('of type %i may be %j: %j', (type, value, expected) => {
    const { options } = readOption(type, { value })
    expect(options).toEqual(expected === undefined ? {} : { a: expected })
    expect(Object.keys(options)).toHaveLength(expected === undefined ? 0 : 1)
  })

  it('may be the focused one', () => {
    expect(readOption(3, { value: 'x', focused: true }).focused).toEqual({ name: 'a', value: 'x' })
    expect(readOption(3, { focused: true }).focused).toEqual({ name: 'a', value: '' })
    expect(readOption(4, { value: 'x', focused: true }).focused).toEqual({ name: 'a', value: undefined })
    expect(readOption(3, { value: 'x', focused: 1 }).focused).toBeUndefined()
    expect(readOption(3, undefined)).toEqual({ options: {}, focused: undefined })
    const both = ['a', 'b'].map((name) => ({ name, value: name, focused: true }))
    expect(
      readPartialOptions(
        [
          { name: 'a', type: 3 },
          { name: 'b', type: 3 },
        ] as never,
        both,
      ).focused?.name,
    ).toBe('a')
  })
})
