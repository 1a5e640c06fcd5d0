/** Forms of the inspector: amounts for the clock, fault rules and commands in words. */
import { describe, expect, it } from 'vitest'
import {
  contextWords,
  effectWords,
  kindWords,
  largestAmount,
  matchWords,
  offsetWords,
  permissionWords,
  PRESETS,
  readClockOrder,
  readRules,
  ruleOf,
  without,
} from '../../support/emulator-internals'

describe('the clock', () => {
  it.each([
    [
      ['1', 'hours', 'forward'],
      { advance: 3_600_000 },
      'The clock is 1 hour ahead of before: tokens and deadlines aged.',
    ],
    [
      ['1.5', 'minutes', 'forward'],
      { advance: 90_000 },
      'The clock is 1.5 minutes ahead of before: tokens and deadlines aged.',
    ],
    [
      ['90', 'days', 'ahead'],
      { skew: 7_776_000_000 },
      'The clock was set. It is 90 days ahead of this machine.',
    ],
    [['1', 'hours', 'behind'], { skew: -3_600_000 }, 'The clock was set. It is 1 hour behind this machine.'],
  ] as const)('moves by %s', ([amount, unit, direction], change, done) => {
    expect(readClockOrder(amount, unit, direction)).toEqual({ change, done })
  })

  it.each(['', ' ', '0', '-1', 'soon', 'Infinity', String(largestAmount('days') + 1)])(
    'does not move by %j days',
    (amount) => {
      expect(readClockOrder(amount, 'days', 'behind')).toBeUndefined()
    },
  )

  it('has presets that go forward only, each longer than the one before', () => {
    const steps = PRESETS.map(({ advance }) => advance)
    expect(steps).toEqual(steps.toSorted((left, right) => left - right))
    expect(steps.at(0)).toBeGreaterThan(0)
  })

  it.each([
    [0, 'It is the time of this machine.'],
    [1999, 'It is the time of this machine.'],
    [2000, 'It is 2 seconds ahead of this machine.'],
    [3_600_000, 'It is 1 hour ahead of this machine.'],
    [129_600_000, 'It is 1.5 days ahead of this machine.'],
    [-600_000, 'It is 10 minutes behind this machine.'],
  ])('that is %i ms ahead is described', (ms, words) => {
    expect(offsetWords(ms)).toBe(words)
  })
})

describe('a fault rule', () => {
  const fields = { method: 'POST', path: ' /api/* ', value: '503', times: '2' }

  it.each([
    ['status', { status: 503, body: {} }, 'responds with 503'],
    ['delay', { delay: 503 }, 'takes 503 ms longer'],
    ['drop', { drop: true }, 'closes the connection'],
    ['lostAnswer', { lostAnswer: true }, 'loses the response'],
  ] as const)('%s is accepted by the emulator, and has words', (effect, expected, words) => {
    const [rule] = readRules([ruleOf({ ...fields, effect })])
    expect(rule).toEqual({ match: { method: 'POST', path: '/api/*' }, times: 2, effect: expected })
    expect(effectWords(expected)).toBe(words)
  })

  it('for any method names none', () => {
    const { match = {} } = ruleOf({ ...fields, method: 'any method', effect: 'drop' })
    expect(match).toEqual({ path: '/api/*' })
    expect(matchWords({ match })).toBe('any method /api/*')
    expect(matchWords({ match: {} })).toBe('any method any path')
  })

  it('is removed once, whatever its count is by now', () => {
    const [drop, slow] = readRules([{ effect: { drop: true }, times: 5 }, { effect: { delay: 1 } }])
    if (drop === undefined || slow === undefined) throw new Error('no rules')
    expect(without([drop, slow, drop], { ...drop, times: 9 })).toEqual([slow, drop])
    expect(without([slow], drop)).toEqual([slow])
  })
})

describe('a command', () => {
  it('has a kind', () => {
    expect([1, 2, 3, 4, 9].map(kindWords)).toEqual(['slash', 'user', 'message', 'Activity', 'type 9'])
  })

  it.each([
    [{ guild: 'The Tavern', contexts: null }, 'in The Tavern'],
    [{ contexts: null }, 'in all contexts'],
    [{ contexts: [] }, 'in no context'],
    [{ contexts: [0, 2] }, 'in guilds, other direct messages'],
  ])('has contexts: %j', (command, words) => {
    expect(contextWords(command)).toBe(words)
  })

  it.each([
    [null, 'every member'],
    ['0', 'administrators only'],
    ['32', 'members with MANAGE_GUILD'],
    [
      String((1n << 50n) | (1n << 3n) | (1n << 2n)),
      'members with bit 2 and ADMINISTRATOR and USE_EXTERNAL_APPS',
    ],
  ])('with the permissions %s is for %s', (permissions, words) => {
    expect(permissionWords({ permissions })).toBe(words)
  })
})
