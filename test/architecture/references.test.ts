/** Checks that references to docs/interface resolve to a page and a heading, and that no comment cites a text outside the repository. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anchors } from '../package/markdown-links'
import { ROOT } from './source'

const FOLDERS = new Set(['.github', 'bench', 'demo', 'docs', 'emulator', 'scripts', 'src', 'test'])
const SKIPPED = /(?:^|\/)(?:node_modules|dist|images|\.cache)(?:\/|$)/
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|html|css|ya?ml)$/
/** Matches references to lines or parts of documents outside the repository. The brackets prevent a match with this line. */
const ELSEWHERE = /\bS:\d|supp[l]ement/i

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (SKIPPED.test(path)) return []
    if (!entry.isDirectory()) return TEXT.test(path) ? [path] : []
    return folder !== '' || FOLDERS.has(entry.name) ? filesBelow(path) : []
  })

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const files = filesBelow('')
  .filter((path) => path !== 'package-lock.json')
  .map((path) => ({ path, text: read(path) }))

const pages = new Map(
  files.flatMap(({ path, text }) =>
    path.startsWith('docs/interface/') ? [[path.replace('docs/interface/', ''), anchors(text)]] : [],
  ),
)

/** Returns references to missing pages and headings, in code (`docs/interface/…`) and in links between pages. */
const broken = (text: string): string[] =>
  [...text.matchAll(/\binterface\/([\w-]+\.md)(?:#([\w-]+))?/g)].flatMap(([reference, page = '', anchor]) => {
    const headings = pages.get(page)
    return headings && (anchor === undefined || headings.includes(anchor)) ? [] : [reference]
  })

test('there are references and pages to check', () => {
  expect(pages.size).toBeGreaterThan(5)
  expect(files.length).toBeGreaterThan(500)
})

test('each reference resolves to a page of docs/interface and a heading on it', () => {
  const own = 'test/architecture/references.test.ts'
  expect(
    files
      .filter(({ path }) => path !== own)
      .flatMap(({ path, text }) => broken(text).map((each) => `${path}: ${each}`)),
  ).toEqual([])
})

test('nothing cites a document outside the repository', () => {
  const lines = files.flatMap(({ path, text }) =>
    text.split('\n').map((line, index) => ({ at: `${path}:${index + 1}`, line })),
  )
  expect(lines.filter(({ line }) => ELSEWHERE.test(line)).map(({ at }) => at)).toEqual([])
})

test('detects a reference that does not resolve', () => {
  expect(broken('(docs/interface/lobbies.md#limits), docs/interface/errors.md')).toEqual([])
  expect(broken('(docs/interface/lobbies.md#nothing)')).toEqual(['interface/lobbies.md#nothing'])
  expect(broken('[a](interface/missing.md)')).toEqual(['interface/missing.md'])
  expect(['(S', '365)'].join(':')).toMatch(ELSEWHERE)
})
