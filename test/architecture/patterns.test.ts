/** No pattern of the product takes more than linear time for any text: a player's input, a foreign page or a header may be long. */
import { expect, test } from 'vitest'
import { patternsOf, slowPatterns } from './patterns'
import { display, readSources } from './source'

const sources = Object.assign({}, ...['src', 'emulator/src', 'create-foyer', 'demo'].map(readSources))

test('every pattern takes linear time', { timeout: 120_000 }, () => {
  const patterns = patternsOf(sources)
  expect(patterns.length).toBeGreaterThan(400)
  expect(slowPatterns(patterns).map(display)).toEqual([])
})

test.each([
  ['slashes at the end', String.raw`/\/+$/`],
  ['digits on both sides of an optional point', String.raw`/^\d+\.?\d*$/`],
  ['spaces on both sides of an optional sign', String.raw`/^\s*,?\s*$/`],
  ['a loop in a loop', String.raw`/^(?:a+)+$/`],
  ['a match that begins anew inside itself', String.raw`/eyJ[\w-]+\.eyJ[\w-]+\./`],
  ['a tag that never ends', String.raw`/<script\b[^>]*>/`],
  ['braces that never close', String.raw`/\{[^}]*\}/`],
  ['a text for RegExp', String.raw`new RegExp('\\s+$')`],
  ['a pattern that is joined', "new RegExp(`^${parts.join('.*')}$`)"],
  ['a pattern of the caller', 'RegExp(given)'],
])('finds %s', (_, code) => {
  expect(
    slowPatterns(patternsOf({ 'src/planted.ts': `export const planted = ${code}\n` })).map(
      ({ line }) => line,
    ),
  ).toEqual([1])
})

test.each([
  String.raw`/^\d+(?:\.\d*)?$/`,
  String.raw`/(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\./`,
  '/^[!-~]{1,8192}$/',
  'new RegExp(`^/${name}$`)',
])('accepts %s', (code) => {
  expect(slowPatterns(patternsOf({ 'src/planted.ts': `export const planted = ${code}\n` }))).toEqual([])
})
