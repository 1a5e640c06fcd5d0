/** Holds the prose of the documentation to three goals: short pages, and one thought for each sentence. */
import { describe, expect, test } from 'vitest'
import { pages } from '../package/markdown-pages'
import { measureProse } from './prose'

const WORDS = 2500
/** Largest shares of sentences with a semicolon, and with a colon that leads into neither a list nor code. */
const SEMICOLONS = 0.03
const COLONS = 0.12

/** The service's interface is a list of facts, and the change log a list of changes. */
const measured = pages()
  .filter(({ path }) => !path.startsWith('docs/interface/') && path !== 'CHANGELOG.md')
  .map(({ path, text }) => ({ path, ...measureProse(text) }))

/** Returns the sentences if they are more than the share of all, rounded up, so that a short page may have one. */
const above = (found: readonly string[], sentences: readonly string[], share: number) =>
  found.length > Math.ceil(sentences.length * share) ? found : []

const count = (part: 'sentences' | 'semicolons' | 'colons') => measured.flatMap((page) => page[part]).length

describe.each(measured)('the prose of $path', ({ words, sentences, semicolons, colons }) => {
  test('has at most 2,500 words', () => {
    expect(words).toBeLessThanOrEqual(WORDS)
  })

  test('has few sentences with a semicolon or an inner colon', () => {
    expect(above(semicolons, sentences, SEMICOLONS)).toEqual([])
    expect(above(colons, sentences, COLONS)).toEqual([])
  })
})

test('the whole documentation has few sentences with a semicolon or an inner colon', () => {
  expect(count('sentences')).toBeGreaterThan(1500)
  expect(count('semicolons') / count('sentences')).toBeLessThanOrEqual(SEMICOLONS)
  expect(count('colons') / count('sentences')).toBeLessThanOrEqual(COLONS)
})

describe('the measure', () => {
  test('sees a semicolon, and a colon that leads into prose', () => {
    const { semicolons, colons } = measureProse(
      'It waits; then it stops. One thing is clear: it works.\n\n- **Label:** text',
    )
    expect(semicolons).toEqual(['It waits; then it stops.'])
    expect(colons).toEqual(['One thing is clear: it works.', 'Label: text'])
  })

  test('ignores code, tables, headings, addresses, and colons before a list or code', () => {
    const page = [
      '# A: b; c',
      'Set `a: b; c`, or open [it](http://a.example/;b: c). Call this:',
      '```ts\nconst a: number = 1; // b: c\n```',
      '| a: b | c; d |',
      'The rest: `x: y`, at 12:30.',
    ].join('\n\n')
    const { sentences, semicolons, colons } = measureProse(page)
    expect(sentences).toHaveLength(3)
    expect([...semicolons, ...colons]).toEqual([])
  })

  test('counts the words of sentences only', () => {
    expect(
      measureProse('Two words.\n\n```sh\nnpm install\n```\n\n| a cell |\n\n- One\n- more item').words,
    ).toBe(5)
  })

  test('accepts one exception on a short page, and no second one', () => {
    const page = 'One is short. Two is long; it goes on. Three is long; it goes on too.'
    const { semicolons, sentences } = measureProse(page)
    expect(above(semicolons.slice(1), sentences, SEMICOLONS)).toEqual([])
    expect(above(semicolons, sentences, SEMICOLONS)).toHaveLength(2)
  })
})
