/** Every decided case of lobby validation, every open one as recommended, and further bodies. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateLobby, validateLobbyMember, validateLobbyMembers, type Issue } from 'foyer-sdk/server'
import { checkLobby, isLobby, ofLobby, read, sdkPath, type DecidedCase, type OpenCase } from './cases'

const allDecided: readonly DecidedCase[] = JSON.parse(read('commands'))
const allOpen: readonly OpenCase[] = JSON.parse(read('ambiguous'))
// A token without its prefix has no equivalent here: `botToken` adds the prefix.
const decided = allDecided
  .filter((each) => isLobby(each) && each.path !== '$headers.authorization')
  .map(ofLobby)
const open = allOpen.filter(isLobby).map(ofLobby)
const errors = (issues: readonly Issue[]) =>
  issues.filter(({ level }) => level === 'error').map(({ path, code }) => `${path} ${code}`)

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']))

describe('the decided lobby cases', () => {
  test('are complete', () => {
    expect(decided.length).toBe(22)
  })

  test.each(decided)('include $id: $expect because $why', (each) => {
    const paths = checkLobby(each)
      .filter(({ level }) => level === 'error')
      .map(({ path }) => path)
    expect(paths).toEqual(each.path === null ? [] : [sdkPath(each.path)])
  })
})

describe('the open lobby cases', () => {
  test('are complete', () => {
    expect(open.length).toBe(10)
  })

  test.each(open)('include $id: $recommended for $open_question', (each) => {
    expect(errors(checkLobby(each)).length > 0).toBe(each.recommended === 'reject')
  })
})

describe('lobby validation', () => {
  test.each<[string[], unknown]>([
    [[], {}],
    [[], { metadata: {}, members: [], idle_timeout_seconds: 5 }],
    [[], { metadata: { k: 'v'.repeat(999) } }],
    [['metadata too_large'], { metadata: { k: 'v'.repeat(1000) } }],
    [[], { metadata: { '😀': '😀'.repeat(999) } }],
    [
      ["metadata['__proto__'] wrong_type", "metadata['a\\'b'] wrong_type"],
      { metadata: JSON.parse('{"__proto__":1,"a\'b":null}') },
    ],
    [[], { metadata: keys(25) }],
    [['metadata too_many'], { metadata: keys(26) }],
    [['members[0].metadata too_many'], { members: [{ id: '1', metadata: keys(26) }] }],
    [['metadata too_many', 'metadata too_large'], { metadata: keys(400) }],
    [['metadata wrong_type'], { metadata: 'x' }],
    [['members wrong_type'], { members: {} }],
    [
      ['members[0] wrong_type', 'members[1] wrong_type', 'members[2].id wrong_type'],
      { members: [null, '1', { id: '' }] },
    ],
    [['members[0].flags wrong_type'], { members: [{ id: '1', flags: 1.5 }] }],
    [
      ["members[0].metadata['a'] wrong_type", 'members[0].flags unknown_value'],
      { members: [{ id: '1', flags: 4, metadata: { a: 1 } }] },
    ],
    [['members[2].id duplicate'], { members: [{ id: '7' }, { id: '8' }, { id: '7' }] }],
    [['members[0].id wrong_type'], { members: [{ id: '18446744073709551616' }] }],
    [[], { idle_timeout_seconds: 604_800 }],
    [['idle_timeout_seconds wrong_type'], { idle_timeout_seconds: 5.5 }],
    [['idle_timeout_seconds wrong_type'], { idle_timeout_seconds: Number.NaN }],
    [[' wrong_type'], null],
    [[' wrong_type'], []],
  ])('reports the issues %j (%#)', (expected, body) => {
    expect(errors(validateLobby(body, 'create'))).toEqual(expected)
  })

  test('warns that an edit replaces the members, and accepts it', () => {
    expect(validateLobby({ members: [{ id: '1' }] }, 'edit')).toMatchObject([
      { path: 'members', code: 'replaces_members', level: 'warning' },
    ])
    expect(validateLobby({ members: [{ id: '1' }] }, 'create')).toEqual([])
  })

  test('puts the numbers of the rule into its messages', () => {
    expect(validateLobby({ idle_timeout_seconds: 4 }, 'create')).toEqual([
      {
        path: 'idle_timeout_seconds',
        code: 'out_of_range',
        message: 'must be 5 to 604800 seconds',
        params: { min: 5, max: 604_800 },
        level: 'error',
      },
    ])
  })
})

describe('member validation', () => {
  test.each<[string[], unknown]>([
    [[], {}],
    [[], { flags: null, metadata: null, additional_name: null }],
    [['flags wrong_type'], { flags: '1' }],
    [['flags unknown_value'], { flags: 3 }],
    [[], { additional_name: '😀'.repeat(80) }],
    [['additional_name length'], { additional_name: '' }],
    [['additional_name length'], { additional_name: 'x'.repeat(81) }],
    [['additional_name wrong_type'], { additional_name: 1 }],
    [[' wrong_type'], undefined],
  ])('reports the issues %j (%#)', (expected, body) => {
    expect(errors(validateLobbyMember(body))).toEqual(expected)
  })

  test.each<[string[], unknown]>([
    [[], [{ id: '1' }, { id: '2', remove_member: true }]],
    [[' empty'], []],
    [[' wrong_type'], {}],
    [
      ['[0].remove_member wrong_type', '[1].id number_id'],
      [{ id: '1', remove_member: 'yes' }, { id: 1 }],
    ],
    [[' too_many'], Array.from({ length: 26 }, (_, index) => ({ id: String(index) }))],
  ])('reports the issues %j of a bulk update (%#)', (expected, list) => {
    expect(errors(validateLobbyMembers(list))).toEqual(expected)
  })
})

test('lobby validation never throws', () => {
  const hostile = {
    get metadata(): never {
      throw new Error('no')
    },
  }
  expect(errors(validateLobby(hostile, 'create'))).toEqual([' unreadable'])
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withSparseArray: true,
    withDate: true,
    withMap: true,
  })
  const body = fc.oneof(
    anything,
    fc.record({
      metadata: anything,
      members: fc.oneof(anything, fc.array(anything)),
      idle_timeout_seconds: anything,
    }),
  )
  fc.assert(
    fc.property(body, (value) => {
      for (const issues of [
        validateLobby(value, 'create'),
        validateLobby(value, 'edit'),
        validateLobbyMember(value),
        validateLobbyMembers(value),
      ]) {
        expect(issues.every(({ code, message }) => code !== 'unreadable' && !message.includes('{'))).toBe(
          true,
        )
      }
    }),
    { numRuns: 2000 },
  )
})
