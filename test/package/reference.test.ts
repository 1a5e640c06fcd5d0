/** The API reference in docs/reference: complete, and equal to what the source comments generate. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const fresh = mkdtempSync(join(tmpdir(), 'foyer-reference-'))
const typedoc = spawnSync('node', ['node_modules/typedoc/bin/typedoc', '--out', fresh], {
  cwd: ROOT,
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
})

afterAll(() => rmSync(fresh, { recursive: true, force: true }))

/** Returns each file of a folder with its text. */
function pagesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

test('every export and every member of every entry has a doc comment', () => {
  const output = `${typedoc.stdout}${typedoc.stderr}`
  expect(output).toContain('markdown generated')
  // Fields of anonymous and mapped types have no declaration.
  const missing = output
    .match(/^.*(?:does not have any documentation|Failed to resolve link).*$/gm)
    ?.filter((line) => !line.includes('__type') && !line.includes('defined in foyer-sdk/,'))
  expect(missing ?? []).toEqual([])
})

test('docs/reference equals the output of `npm run docs`', () => {
  const pages = pagesOf(fresh)
  expect(Object.keys(pages).length).toBeGreaterThan(4)
  expect(pagesOf(join(ROOT, 'docs/reference'))).toEqual(pages)
})
