/** The table of tested features in docs/browsers.md lists each test of test/browser that runs in every engine, and where it cannot. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { walk } from '../architecture/source'
import { ROOT } from './markdown-pages'

const ENGINES = ['Chromium', 'Firefox', 'WebKit']

/** Finds calls of `engineTest`; a value in a title is `…`. Returns each title with one cell for each engine: `yes`, or the reason. */
function engineTests(path: string): [title: string, ...cells: string[]][] {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true)
  const calls = [...walk(tree)].filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'engineTest')
  return calls.map((call) => {
    const [title, , options] = (call as ts.CallExpression).arguments
    if (!title) throw new Error(`A test of ${path} has no title.`)
    return [titleOf(title), ...ENGINES.map((engine) => reasonIn(options, engine) ?? 'yes')]
  })
}

const titleOf = (title: ts.Expression): string =>
  ts.isStringLiteral(title)
    ? title.text
    : title
        .getText()
        .slice(1, -1)
        .replaceAll(/\$\{[^}]*\}/g, '…')

function reasonIn(options: ts.Node | undefined, engine: string): string | undefined {
  const entry = options && [...walk(options)].find((node) => ts.isPropertyAssignment(node) && node.name.getText() === engine)
  return entry && ts.isPropertyAssignment(entry) && ts.isStringLiteral(entry.initializer) ? entry.initializer.text : undefined
}

const paths = readdirSync(join(ROOT, 'test/browser'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join(ROOT, 'test/browser', path))

const bySentence = (a: readonly string[], b: readonly string[]) => String(a[0]).localeCompare(String(b[0]))

test('every test that runs in every engine has a row, and every row a test', () => {
  const rows = readFileSync(join(ROOT, 'docs/browsers.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const begin = rows.findIndex((cells) => cells[1] === 'feature')
  expect(rows[begin]?.slice(3, 6)).toEqual(ENGINES)
  const end = rows.findIndex((cells, index) => index > begin && cells.length === 1)
  const listed = rows.slice(begin + 2, end).map((cells) => cells.slice(2, 6))
  expect(listed.toSorted(bySentence)).toEqual(paths.flatMap(engineTests).toSorted(bySentence))
})
