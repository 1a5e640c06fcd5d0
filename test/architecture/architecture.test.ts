/** Checks every file against the architecture rules, and every rule against examples that break it. */
import { describe, expect, test } from 'vitest'
import { circles, mutualFolders, upwardRows } from './imports'
import { nameRules } from './name.rules'
import { display, EMULATOR, parse, readSources, SDK } from './source'
import { styleRules } from './style.rules'
import { importRules } from './import.rules'

const rules = [...importRules, ...styleRules, ...nameRules]
const sources = {
  src: readSources('src'),
  emulator: readSources('emulator/src'),
  demo: readSources('demo'),
  scripts: readSources('scripts'),
}
const all = { ...sources.src, ...sources.emulator, ...sources.demo, ...sources.scripts }
const only = (isIn: (path: string) => boolean) =>
  parse(Object.fromEntries(Object.entries(all).filter(([path]) => isIn(path))))
const isNamed = (path: string) => /^(?:src|emulator\/src|demo\/page)\//.test(path)
const projects = {
  src: parse(sources.src),
  emulator: parse(sources.emulator),
  page: only((path) => path.startsWith('demo/page/')),
  players: parse({ ...sources.demo, ...readSources('test/flows') }),
  modules: only((path) => isNamed(path) && !/^emulator\/src\/pages\/(?!documents\/)/.test(path)),
  named: only(isNamed),
  product: parse(all),
  programs: parse({ ...all, ...readSources('bench') }),
}

describe('the source', () => {
  test('has files to check', () => {
    expect(projects.src.files.length).toBeGreaterThan(100)
    expect(projects.emulator.files.length).toBeGreaterThan(100)
    expect(projects.page.files.length).toBeGreaterThan(100)
  })

  test.each([SDK, EMULATOR])('each row of the table for $root names only rows above it', ({ folders }) => {
    expect(upwardRows(folders)).toEqual([])
  })

  test.each(rules)('$title', ({ check, scope }) => {
    expect(check(projects[scope]).map(display)).toEqual([])
  })

  test.each(['src', 'emulator', 'page'] as const)('the folders of %s do not import each other', (tree) => {
    expect(mutualFolders(projects[tree])).toEqual([])
  })
})

describe('the rules', () => {
  const bad = rules.flatMap(({ title, check, bad: files }) =>
    files.map(([path, text, line]) => ({ title, check, path, text, line })),
  )
  const good = rules.flatMap(({ title, check, good: files }) =>
    files.map(([path, text]) => ({ title, check, path, text })),
  )

  test.each(bad)('"$title" rejects $path: $text', ({ check, path, text, line }) => {
    const found = check(parse({ [path]: text }))
    expect(found.map((each) => `${each.file}:${each.line}`)).toContain(`${path}:${line}`)
  })

  test.each(good)('"$title" accepts $path: $text', ({ check, path, text }) => {
    expect(check(parse({ [path]: text })).map(display)).toEqual([])
  })

  test('report a row that names itself, a row below it or no row', () => {
    const folders = { low: ['high'], middle: ['low (types)', 'middle'], high: ['middle/file', 'elsewhere'] }
    expect(upwardRows(folders)).toEqual(['low > high', 'middle > middle', 'high > elsewhere'])
  })

  test('report a circle over three files once and in full, and none that an import() closes', () => {
    const project = parse({
      'src/a/x.ts': "import '../b/y'",
      'src/b/y.ts': "export * from '../c/z'",
      'src/c/z.ts': "import type { x } from '../a/x'",
      'src/c/lazy.ts': "const f = () => import('../d/w')",
      'src/d/w.ts': "import '../c/lazy'",
    })
    expect(circles(project).map(display)).toEqual([
      'src/c/z.ts:1 import circle: src/a/x.ts -> src/b/y.ts -> src/c/z.ts -> src/a/x.ts',
    ])
  })

  test('report folders that import each other, also a folder and its own sub-folder', () => {
    const project = parse({
      'src/a/x.ts': "import './deep/y'",
      'src/a/deep/y.ts': "import type { Z } from '../z'",
      'src/a/z.ts': "import '../b/w'",
      'src/b/w.ts': '',
    })
    expect(mutualFolders(project)).toEqual(['src/a <> src/a/deep'])
  })
})
