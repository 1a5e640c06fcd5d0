/** Payloads of the service field by field: which are interactions, and the values of options; and what a handler returns. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toChoices } from '../../../src/interactions/to-choices'
import { instanceId, requireMessage } from '../../../src/interactions/require-message'
import { InteractionError } from '../../../src/interactions/interaction-error'
import { chosenUser, findOptionPath, lookUp, readOptions, readPartialOptions } from '../../../src/interactions/read-options'
import { createReplayMemory } from '../../../src/interactions/replay-store'
import { asInteractionError, createReport } from '../../../src/interactions/report'
import { decodeInteraction } from '../../../src/interactions/decode-interaction'
import { prepareMessage } from '../../../src/messages/prepare-message'
import { ManualClock } from '../../support/manual-clock'
import { rejection } from '../../support/settle'

const ENVELOPE = { id: '1001', application_id: '1002', token: 'tok.en', type: 2 }
const PLAYER = { user: { id: '7' } }
const COMMAND = { name: 'blep', type: 1 }
const RESOLVED = { users: {}, members: {} }

const decoded = (changes: object, data: unknown = COMMAND): unknown => decodeInteraction({ ...ENVELOPE, ...PLAYER, data, ...changes })
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
    for (const wrong of [{ user: undefined }, { user: { id: 7 } }, { user: 'x' }, { member: {} }, { member: { user: {} } }])
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
    ['autocomplete of a user command', { type: 4 }, { name: 'a', type: 2, target_id: '1', resolved: RESOLVED }, false],
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
    [[{ type: 2, name: 'group', options: [{ type: 2, name: 'deep', options: [sub('add')] }] }], 'group deep', 1],
    [[sub('add', [sub('more')])], 'add', 1],
    [[7], '', 1],
  ])('of %j is %j', (options, path, left) => {
    const found = findOptionPath(options)
    expect([found.path, found.entries.length]).toEqual([path, left])
  })
})

const resolved = {
  users: { 1: { id: '1' }, 2: { id: '2' }, x: 'text' },
  members: { 2: { nick: 'n' } },
  roles: { 3: { id: '3' } },
  channels: { 4: { id: '4' } },
  attachments: { 5: { id: '5' } },
}

/** The value of an option of this type, or the code of the error. */
async function valueOf(type: number, value: unknown, { entryType = type, choices }: { entryType?: number; choices?: Set<unknown> } = {}) {
  const parameter = { name: 'a', type, required: false, choices } as never
  let options: unknown
  const error = await rejection(() => (options = readOptions([parameter], { entries: [{ name: 'a', type: entryType, value }], resolved })))
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
    expect([await valueOf(3, 'x', { choices: new Set(['x']) }), await valueOf(3, 'y', { choices: new Set(['x']) })]).toEqual([
      'x',
      'invalid_option',
    ])
  })

  it('may be missing unless it is required, and the first of two counts', async () => {
    const entries = [7, null, { name: 'b', type: 3, value: 'z' }]
    expect(readOptions(parametersOf(false), { entries, resolved })).toEqual({})
    expect(await rejection(() => readOptions(parametersOf(true), { entries, resolved }))).toMatchObject({ code: 'missing_option' })
    const twice = ['x', 'y'].map((value) => ({ name: 'a', type: 3, value }))
    expect(readOptions(parametersOf(true), { entries: twice, resolved })).toEqual({ a: 'x' })
  })

  it('is found in the resolved objects only by its own id', () => {
    expect([lookUp(resolved, 'users', '1'), lookUp(resolved, 'none', '1'), lookUp(resolved, 'users', 1)]).toEqual([
      { id: '1' },
      undefined,
      undefined,
    ])
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

describe('suggestions', () => {
  it('become choices: values alone, shortened names, and none without a name or with a value that is too long', () => {
    const long = '😀'.repeat(101)
    expect(toChoices(['x', 7, { name: long, value: 'y' }, { name: '', value: 1 }, { name: 'a', value: long }, '', long])).toEqual([
      { name: 'x', value: 'x' },
      { name: '7', value: 7 },
      { name: '😀'.repeat(100), value: 'y' },
    ])
    expect(toChoices(['😀'.repeat(100)])).toHaveLength(1)
    expect(toChoices(Array.from({ length: 30 }, (_, index) => index))).toHaveLength(25)
  })

  it.each(['x', undefined, [null], [{ name: 'a' }], [{ value: 'a' }], [{ name: 7, value: 'a' }], [Number.NaN], [{ name: 'a', value: {} }]])(
    'are not %j',
    async (suggestions) => {
      expect(await rejection(() => toChoices(suggestions))).toMatchObject({ code: 'invalid_argument' })
    },
  )
})

const name = (given: string) => ({ name: given, value: 'v' })

describe('a suggestion that the service would refuse', () => {
  const text = { type: 3 }
  const integer = { type: 4 }
  it.each<[string, unknown, { type: number; min?: number; max?: number }]>([
    ['a name of blanks', name('   '), text],
    ['a name of a newline', name('\n'), text],
    ['a localization of 101 characters', { ...name('n'), name_localizations: { de: 'x'.repeat(101) } }, text],
    ['a localization of blanks', { ...name('n'), name_localizations: { de: '\t' } }, text],
    ['1.5', 1.5, integer],
    ['2^53', 2 ** 53, integer],
    ['1e300', 1e300, integer],
    ['1e300 of a number', 1e300, { type: 10 }],
    ['a text for an integer', 'x', integer],
    ['a number for a text', 7, text],
    ['a number below the smallest', 0, { type: 4, min: 1 }],
    ['a text that is too long for its option', 'abc', { type: 3, max: 2 }],
  ])('is left out, with one report: %s', (_, suggestion, option) => {
    const reports: string[] = []
    const good = option.type === 3 ? 'ok' : 1
    const choices = toChoices([suggestion, good, suggestion], {
      option,
      onDropped: (problem, count) => reports.push(`${count} ${problem}`),
    })
    expect(choices).toEqual([{ name: String(good), value: good }])
    expect(reports).toEqual([expect.stringMatching(/^2 \[0\]\./)])
  })

  it.each([
    ['the largest integer', Number.MAX_SAFE_INTEGER, integer],
    ['a name with blanks around it', name(' n '), text],
    ['2^53 of a number', 2 ** 53, { type: 10 }],
  ])('is none: %s', (_, suggestion, option) => {
    expect(toChoices([suggestion], { option })).toHaveLength(1)
  })
})

describe('the bodies of interaction calls', () => {
  it('have the flag of a message for one player', () => {
    expect(prepareMessage('Hi').data).toEqual({ content: 'Hi' })
    expect(prepareMessage({ content: 'Hi' }).data).toEqual({ content: 'Hi' })
    expect(prepareMessage({ content: 'Hi', ephemeral: false }).data).toEqual({ content: 'Hi' })
    expect(prepareMessage({ content: 'Hi', ephemeral: true }).data).toEqual({ content: 'Hi', flags: 64 })
    expect(prepareMessage({ content: 'Hi', ephemeral: true, flags: 4 }).data).toEqual({ content: 'Hi', flags: 68 })
  })

  it('of responses have a message or an Activity', async () => {
    expect(requireMessage({ id: '1' }, 'POST /x')).toEqual({ id: '1' })
    for (const body of [undefined, null, {}, { id: 1 }])
      expect(await rejection(() => requireMessage(body, 'POST /x'))).toMatchObject({ code: 'malformed_response', expected: 'a message' })
    expect(instanceId({ interaction: { activity_instance_id: 'a' }, resource: { activity_instance: { id: 'b' } } })).toBe('a')
    expect(instanceId({ resource: { activity_instance: { id: 'b' } } })).toBe('b')
    for (const body of [undefined, {}, { interaction: {} }, { resource: { activity_instance: { id: 7 } } }])
      expect(await rejection(() => instanceId(body))).toMatchObject({ code: 'instance_unknown' })
  })
})

const reports = (code: string, interaction?: object) => {
  const seen: unknown[] = []
  const report = createReport({ logger: (...entry) => seen.push(entry), onError: (error, from) => seen.push([error.code, from]) })
  report(new InteractionError(code as 'handler_failed', 'x'), interaction as never)
  return seen
}

const failing = () => {
  throw new Error('x')
}

describe('a report', () => {
  it.each(['handler_failed', 'no_answer', 'too_slow', 'service_missing', 'key_unusable', 'replay_unknown', 'body_consumed'])(
    'of %s is an error',
    (code) => {
      expect(reports(code, { id: '1' })).toEqual([
        ['error', `interaction.${code}`, { message: expect.any(String) as string, id: '1' }],
        [code, { id: '1' }],
      ])
    },
  )

  it('of a refused request is a warning', () => {
    expect(reports('unknown_command')).toEqual([
      ['warn', 'interaction.unknown_command', { message: expect.any(String) as string }],
      ['unknown_command', undefined],
    ])
  })

  it('without listeners is printed if it is a failure, and not if a request was refused', () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => printed.mockRestore())
    const report = createReport({})
    report(new InteractionError('unknown_command'))
    expect(printed).not.toHaveBeenCalled()
    report(new InteractionError('too_slow'))
    expect(printed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'too_slow' }))
  })

  it('ignores listeners that fail', async () => {
    const listeners: (() => unknown)[] = [failing, () => Promise.reject(new Error('x'))]
    for (const listener of listeners)
      expect(() => createReport({ logger: listener, onError: listener })(new InteractionError('too_slow'))).not.toThrow()
    await Promise.resolve()
  })

  it('wraps any other error as a failure of the handler', () => {
    const own = new InteractionError('too_slow')
    const other = new Error('x')
    expect(asInteractionError(own, 'a')).toBe(own)
    expect(asInteractionError(other, 'a')).toMatchObject({ code: 'handler_failed', cause: other })
  })
})

describe('the memory of used signatures', () => {
  it('forgets a key after its lifetime, not before', () => {
    const clock = new ManualClock(0)
    const memory = createReplayMemory({ clock })
    expect([memory.seen('a', 100), memory.seen('a', 100)]).toEqual([false, true])
    clock.advance(99)
    expect([memory.seen('a', 100), memory.seen('b', 100)]).toEqual([true, false])
    clock.advance(100)
    expect([memory.seen('b', 100), memory.seen('c', 100)]).toEqual([true, false])
    clock.advance(200)
    expect(memory.seen('c', 100)).toBe(false)
  })

  it('keeps the newer half when it is full', () => {
    const memory = createReplayMemory({ clock: new ManualClock(0), capacity: 4 })
    for (const key of ['a', 'b', 'c']) memory.seen(key, 100)
    expect([memory.seen('a', 100), memory.seen('c', 100)]).toEqual([true, true])
    memory.seen('d', 100)
    expect([memory.seen('e', 100), memory.seen('c', 100), memory.seen('b', 100)]).toEqual([false, true, false])
  })
})
