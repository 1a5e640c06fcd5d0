/** Holds docs/threats.md against the tests: each threat that a test cites has a row with that test, and each row names existing tests. */
import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSources } from './source'

interface Row {
  readonly number: number
  readonly files: readonly string[]
}

/** Rows of the page, with the test files that the last cell links to. */
function rowsOf(page: string): Row[] {
  return [...page.matchAll(/^\| +(\d+) \|.*\|(.*)\|$/gm)].map(({ 1: number, 2: cell = '' }) => ({
    number: Number(number),
    files: [...cell.matchAll(/\]\(([^)]+)\)/g)].map(({ 1: target = '' }) =>
      normalize(join('docs', target)).replaceAll('\\', '/'),
    ),
  }))
}

/** Numbers that a test cites as `attack/<number>`. */
const cited = (text: string) =>
  [...text.matchAll(/\battack\/(\d+)\b/g)].map(({ 1: number }) => Number(number))

/** Returns citations without a row that names their test, rows without a test, and tests that do not exist. */
function faults(rows: readonly Row[], tests: Readonly<Record<string, string>>): string[] {
  const citations = Object.entries(tests).flatMap(([file, text]) =>
    [...new Set(cited(text))].map((number) => ({ file, number })),
  )
  return [
    ...citations
      .filter(({ file, number }) => !rows.some((row) => row.number === number && row.files.includes(file)))
      .map(({ file, number }) => `no row ${number} with ${file}`),
    ...rows.filter(({ files }) => files.length === 0).map(({ number }) => `row ${number} names no test`),
    ...rows.flatMap(({ number, files }) =>
      files.filter((file) => !(file in tests)).map((file) => `row ${number} names the missing ${file}`),
    ),
  ]
}

const OWN = 'test/architecture/threats.test.ts'
const tests = Object.fromEntries(
  Object.entries(readSources('test')).filter(([file]) => file.endsWith('.test.ts') && file !== OWN),
)
const rows = rowsOf(readFileSync(join(ROOT, 'docs/threats.md'), 'utf8'))

test('each threat that a test cites has a row that names the test, and each row names existing tests', () => {
  expect(rows.length).toBeGreaterThan(150)
  expect(faults(rows, tests)).toEqual([])
})

test('no number has two rows', () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
})

test('reports a missing row, a row without a test, and a test that does not exist', () => {
  const page =
    '|      1 | a | b | [x](../test/x.test.ts) |\n|      2 | a | b | none |\n|      3 | a | b | [y](../test/y.test.ts) |\n'
  expect(faults(rowsOf(page), { 'test/x.test.ts': "it('attack/1 attack/4 is refused')" })).toEqual([
    'no row 4 with test/x.test.ts',
    'row 2 names no test',
    'row 3 names the missing test/y.test.ts',
  ])
})
