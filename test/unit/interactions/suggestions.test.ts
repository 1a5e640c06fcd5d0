/** Suggestions of autocomplete: what becomes a choice, what is left out, and what is no suggestion. */
import { describe, expect, it } from 'vitest'
import { toChoices } from '../../support/internals'
import { codeOf } from '../../support/settle'

describe('suggestions', () => {
  it('become choices: values alone, shortened names, and none without a name or with a value that is too long', () => {
    const long = '😀'.repeat(101)
    expect(
      toChoices([
        'x',
        7,
        { name: long, value: 'y' },
        { name: '', value: 1 },
        { name: 'a', value: long },
        '',
        long,
      ]),
    ).toEqual([
      { name: 'x', value: 'x' },
      { name: '7', value: 7 },
      { name: '😀'.repeat(100), value: 'y' },
    ])
    expect(toChoices(['😀'.repeat(100)])).toHaveLength(1)
    expect(toChoices(Array.from({ length: 30 }, (_, index) => index))).toHaveLength(25)
  })

  it.each([
    'x',
    undefined,
    [null],
    [{ name: 'a' }],
    [{ value: 'a' }],
    [{ name: 7, value: 'a' }],
    [Number.NaN],
    [{ name: 'a', value: {} }],
  ])('are not %j', async (suggestions) => {
    expect(await codeOf(() => toChoices(suggestions))).toBe('invalid_argument')
  })
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
