/** The files of cases have one case a line, as `npm run format` writes them. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onePerLine } from '../../scripts/cases/one-per-line.mjs'

const FOLDER = new URL('data/', import.meta.url)

test.each(readdirSync(FOLDER))('%s has one case a line: run `npm run format`', (name) => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8')
  expect(onePerLine(text) === text).toBe(true)
})

test('a list becomes a line for each entry, and characters that cannot be seen are escaped', () => {
  const text = '[ {"a": [1,\n 2]},\n {"b": "\u200b\u{1f600}"} ]'
  const lines = onePerLine(text)
  expect(lines).toBe('[\n{"a":[1,2]},\n{"b":"\\u200b\\ud83d\\ude00"}\n]\n')
  expect(onePerLine(lines)).toBe(lines)
  expect(JSON.parse(lines)).toEqual(JSON.parse(text))
})
