/** The table of tested features in docs/browsers.md has each test that runs in every engine, with its list, and where it cannot run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { walk } from '../architecture/source'
import { ROOT } from './markdown-pages'

const ENGINES = ['Chromium', 'Firefox', 'WebKit']

/**
 * Finds calls of `engineTest`; a value in a title is `…`. Returns each title with the list of the test and one cell for each engine: `yes`,
 * or the reason.
 */
function engineTests(path: string): [title: string, list: string, ...cells: string[]][] {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true)
  const calls = [...walk(tree)].filter(
    (node) => ts.isCallExpression(node) && node.expression.getText() === 'engineTest',
  )
  return calls.map((call) => {
    const [title, , options] = (call as ts.CallExpression).arguments
    if (!title) throw new Error(`A test of ${path} has no title.`)
    return [titleOf(title), listOf(path), ...ENGINES.map((engine) => reasonIn(options, engine) ?? 'yes')]
  })
}

/** A folder `proof` inside the folder of a lane is on the list of that name. */
const listOf = (path: string) => (relative(ROOT, path).split(sep).includes('proof') ? 'proof' : 'merge')

const titleOf = (title: ts.Expression): string =>
  ts.isStringLiteral(title)
    ? title.text
    : title
        .getText()
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, '…')

function reasonIn(options: ts.Node | undefined, engine: string): string | undefined {
  const entry =
    options &&
    [...walk(options)].find((node) => ts.isPropertyAssignment(node) && node.name.getText() === engine)
  return entry && ts.isPropertyAssignment(entry) && ts.isStringLiteral(entry.initializer)
    ? entry.initializer.text
    : undefined
}

const paths = readdirSync(join(ROOT, 'test/browser'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join(ROOT, 'test/browser', path))

const bySentence = (a: readonly string[], b: readonly string[]) => String(a[0]).localeCompare(String(b[0]))

test('every test that runs in every engine has a row with its list, and every row a test', () => {
  const rows = readFileSync(join(ROOT, 'docs/browsers.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const begin = rows.findIndex((cells) => cells[1] === 'feature')
  expect(rows[begin]?.slice(3, 7)).toEqual(['list', ...ENGINES])
  const end = rows.findIndex((cells, index) => index > begin && cells.length === 1)
  const listed = rows.slice(begin + 2, end).map((cells) => cells.slice(2, 7))
  expect(listed.toSorted(bySentence)).toEqual(paths.flatMap(engineTests).toSorted(bySentence))
})
