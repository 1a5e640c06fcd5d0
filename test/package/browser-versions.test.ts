/** The browser versions in docs/browsers.md and README.md are those that the built files need. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { parse } from 'acorn'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { walk } from '../architecture/source'
import { type Feature, featuresOf, floorOf } from './browser-features'
import { elementVersions, isSyntax, type Versions } from './compatibility-data'
import { modules as blocksOf, pages, ROOT } from './markdown-pages'

/** Features that a page works without, or that a browser never reaches. */
const OPTIONAL: Record<string, string> = {
  BroadcastChannel:
    'a popup and other tabs are reached otherwise: test/browser/every-engine/sessions.test.ts',
  'Uint8Array.fromBase64': 'jose checks for it',
  'Error.captureStackTrace': 'jose checks for it',
  crossOriginIsolated: 'undefined counts as false',
  'document.prerendering': 'checked for: browsers without it load no page in advance',
  '.prerendering': 'the same in a script that keeps `document` in a variable',
  '.isActive': 'only in the text of an error',
  'Object.hasOwn': 'only in a window of Electron',
  BigInt: 'only in lobbies, which have a row of their own',
  '.d': 'field of a JSON Web Key',
  '.finished': 'field of the hash function',
  '.format()': 'of Intl.NumberFormat, which all have, and not of VideoFrame',
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const files = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })

/** Names of members that the project declares. */
function ownNames(): Set<string> {
  const own = new Set<string>()
  for (const file of files('src').filter((path) => path.endsWith('.ts')))
    for (const node of walk(ts.createSourceFile(file, read(`src/${file}`), ts.ScriptTarget.ESNext, true)))
      if (
        (ts.isTypeElement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node)) &&
        node.name &&
        ts.isIdentifier(node.name)
      )
        own.add(node.name.text)
  return own
}

const own = ownNames()
const needed = (code: string, sourceType: 'script' | 'module') =>
  featuresOf(code, { sourceType, own }).filter(({ name }) => !(name in OPTIONAL))

const CLASSIC = needed(read('dist/umd/index.umd.js'), 'script')
const NOT_IN_PAGES = /^(?:callback|desktop|server|tools\/vite|types|umd)\//
const MODULES = [
  ...files('dist').flatMap((path) =>
    path.endsWith('.js') && !NOT_IN_PAGES.test(path) ? [`dist/${path}`] : [],
  ),
  'node_modules/jose/dist/webapi/key/import.js',
  'node_modules/@noble/hashes/sha2.js',
]
const modules = (paths: readonly string[]) => paths.flatMap((path) => needed(read(path), 'module'))
/** APIs of the modules with the syntax of the classic script. */
const inClassic = (pattern: RegExp, ...more: Feature[]) => [
  ...modules(MODULES.filter((path) => pattern.test(path))).filter(({ name }) => !isSyntax(name)),
  ...CLASSIC.filter(({ name }) => isSyntax(name)),
  ...more,
]
const api = (name: string): Feature[] => featuresOf(name, { sourceType: 'script', own })

const ROWS: Record<string, Versions> = {
  'classic script `dist/umd/index.umd.js`': floorOf(CLASSIC),
  'its lobbies': floorOf([...CLASSIC, ...api('BigInt')]),
  '`callback.js`': floorOf(needed(read('dist/callback/callback.js'), 'script')),
  'session stores': floorOf(inClassic(/store|indexed-db|client\/session/)),
  'limits shared by tabs': floorOf(inClassic(/rate-limit|indexed-db/)),
  'one refresh among tabs without a wait': floorOf([...CLASSIC, ...api('LockManager')]),
  'ES modules, bundled without changing the syntax': floorOf(modules(MODULES)),
  'ES modules with an import map': floorOf([
    ...modules(MODULES),
    { name: 'import map', since: elementVersions('script', 'type', 'importmap') },
  ]),
}

/** Returns the four versions of a row. */
function versionsIn(page: string, row: string): string[] | undefined {
  const line = page.split('\n').find((one) => one.startsWith(`| ${row} `))
  return line
    ?.split('|')
    .slice(2, 6)
    .map((cell) => cell.trim())
}

const texts = ({ chrome, webview_android: webview, firefox, safari }: Versions) =>
  [chrome, webview, firefox, safari].map(String)

describe('docs/browsers.md', () => {
  test.each(Object.entries(ROWS))('has the versions of %s', (row, versions) => {
    expect(versionsIn(read('docs/browsers.md'), row)).toEqual(texts(versions))
  })
})

test('README.md has the versions of both builds', () => {
  for (const row of ['classic script', 'ES modules']) {
    const versions = Object.entries(ROWS).find(([name]) => name.startsWith(row))?.[1]
    expect(versionsIn(read('README.md'), row)).toEqual(versions && texts(versions))
  }
})

test('the command of the manual compiles the classic script for the Chromium 85 of an older engine', () => {
  const [, command = ''] = /`(npx esbuild [^`]*)`/.exec(read('docs/engines.md')) ?? []
  const [, , input = '', ...options] = command.split(' ')
  const given = [`dist/umd/${input}`, ...options.filter((option) => !option.startsWith('--outfile'))]
  const code = execFileSync('node_modules/.bin/esbuild', given, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  expect(floorOf(needed(code, 'script')).chrome).toBeLessThanOrEqual(85)
  const context = createContext({ URL, URLSearchParams, AbortController, TextEncoder, TextDecoder, fetch })
  runInContext(code, context)
  const create =
    "new Foyer.Client({ applicationId: '1082700000000000001', service: { host: 'https://service.example' } }).status"
  expect(runInContext(create, context)).toBe('disconnected')
})

/** Blocks for a backend, Electron, a test or another program: no browser of a player runs them. */
const NOT_FOR_PAGES =
  /from '(?:node:|foyer-sdk\/(?:server|redis|workers|electron|vite|test)|foyer-emulator|electron|vite|vitest|@playwright)|\.(?:listen|serve)\(|process\.env/

/** Newer features of blocks. */
const IN_BLOCKS: Record<string, string> = {
  'crypto.randomUUID': 'docs/browsers.md names it',
  'navigator.share': 'the block says what to call without it',
}

test('no block of the manual for a page uses what the oldest of these browsers lack', () => {
  const oldest = versionsIn(read('README.md'), 'ES modules')?.map(Number) ?? []
  const options = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext }
  const tooNew = pages()
    .flatMap((page) => ['ts', 'js'].flatMap((language) => blocksOf(page, language)))
    .filter(({ text }) => !NOT_FOR_PAGES.test(text))
    .flatMap(({ file, text }) => {
      const { outputText } = ts.transpileModule(text, { compilerOptions: options })
      const features = needed(outputText, 'module').filter(({ name }) => !(name in IN_BLOCKS))
      return features.flatMap(({ name, since }) =>
        [since.chrome, since.webview_android, since.firefox, since.safari].some(
          (version, at) => version > (oldest[at] ?? 0),
        )
          ? [`${file}: ${name}`]
          : [],
      )
    })
  expect(tooNew).toEqual([])
  expect(read('docs/browsers.md')).toContain('but for `crypto.randomUUID()`')
})

test('the syntax of the builds is ES2022', () => {
  for (const path of ['dist/umd/index.umd.js', 'dist/umd/foyer.engine.js', 'dist/callback/callback.js'])
    expect(() => parse(read(path), { ecmaVersion: 2022, sourceType: 'script' })).not.toThrow()
  for (const path of MODULES)
    expect(() => parse(read(path), { ecmaVersion: 2022, sourceType: 'module' })).not.toThrow()
})

const floor = (code: string) =>
  texts(floorOf(featuresOf(code, { sourceType: 'module', own: new Set(['at']) })))

test('newer syntax and APIs raise the versions', () => {
  expect(floor('class A { static { } }')).toEqual(['94', '94', '93', '16.4'])
  expect(floor('AbortSignal.any([])')).toEqual(['116', '116', '124', '17.4'])
  expect(floor('x.toSorted()')).toEqual(['110', '110', '115', '16'])
  expect(floor('const { at } = y; z.at')).toEqual(['0', '0', '0', '0'])
})

test('each optional feature is used by a build', () => {
  const used = new Set(
    [read('dist/umd/index.umd.js'), read('dist/callback/callback.js')].flatMap((code) =>
      featuresOf(code, { sourceType: 'script', own }).map(({ name }) => name),
    ),
  )
  expect(Object.keys(OPTIONAL).filter((name) => !used.has(name))).toEqual([])
})
