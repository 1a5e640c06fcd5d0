/** What is in the package, what is not, and what its scripts are made of. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, type PackedPackage } from '../support/packed-package'
import { links } from './links'
import { codeFromText, laterThanES2017, loads } from './syntax'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

/** Everything of ours that runs. */
const builtScripts = (): string[] => packed.files.filter((file) => file.startsWith('dist/') && file.endsWith('.js'))
const read = (path: string): string => readFileSync(join(packed.folder, path), 'utf8')

describe('the package', () => {
  test('holds these files and no others', () => {
    const expected = [
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^docs\/(?:(?:decisions|interface|reference(?:\/foyer-sdk(?:\/electron)?)?)\/)?[\w-]+\.md$/,
      // One file a module, as in src/, so that a game's bundler can drop what the game does not use.
      /^dist\/(?:[a-z-]+\/)*[a-z\d-]+\.js(?:\.map)?$/,
      /^dist\/(?:server|redis|react)\/index\.cjs(?:\.map)?$/,
      /^dist\/electron\/main\/[a-z\d-]+\.cjs(?:\.map)?$/,
      /^dist\/electron\/preload\/index\.cjs$/,
      /^dist\/types\/(?:[a-z-]+\/)*[a-z\d-]+\.d\.ts$/,
      /^dist\/umd\/(?:index\.umd\.js(?:\.map)?|package\.json)$/,
      /^dist\/umd\/types\/(?:[a-z-]+\/)*[a-z\d-]+\.d\.ts$/,
      /^dist\/callback\/callback\.(?:html|js)$/,
    ]
    expect(packed.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
  })

  test.each([
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'dist/index.js',
    'dist/server/index.js',
    'dist/server/index.cjs',
    'dist/redis/index.js',
    'dist/redis/index.cjs',
    'dist/react/index.js',
    'dist/react/index.cjs',
    'dist/electron/main/index.js',
    'dist/electron/main/index.cjs',
    'dist/electron/preload/index.cjs',
    'dist/types/index.d.ts',
    'dist/types/server/index.d.ts',
    'dist/types/redis/index.d.ts',
    'dist/types/react/index.d.ts',
    'dist/types/electron/main/index.d.ts',
    'dist/umd/index.umd.js',
    'dist/umd/types/index.d.ts',
    'dist/umd/types/server/index.d.ts',
    'dist/umd/types/redis/index.d.ts',
    'dist/callback/callback.html',
    'dist/callback/callback.js',
  ])('has %s', (file) => {
    expect(packed.files).toContain(file)
  })

  test('has every page of docs that its README leads to', () => {
    const led = links(read('README.md')).filter((target) => /^docs\/.*\.md/.test(target))
    expect(led).not.toEqual([])
    expect(led.filter((target) => !packed.files.includes(target.replace(/#.*/, '')))).toEqual([])
  })

  test('says the version that its change log begins with, or that it is not released yet', () => {
    const first = /^## \[([^\]]+)\](.*)$/m.exec(read('CHANGELOG.md'))
    expect([packed.manifest.version, 'Unreleased']).toContain(first?.[1])
    expect(read('CHANGELOG.md')).toContain(packed.manifest.version)
  })

  test('runs nothing when it is installed', () => {
    const scripts: unknown = JSON.parse(read('package.json')).scripts
    expect(Object.keys(scripts ?? {}).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([])
  })

  test('ships declarations of reachable files only, each import with its extension', () => {
    const bare = packed.files
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) => [...read(file).matchAll(/from\s+['"](\.[^'"]*)['"]/g)].map((match) => `${file}: ${match[1]}`))
      .filter((line) => !line.endsWith('.js'))
    expect(bare).toEqual([])
    expect(packed.files).not.toContain('dist/types/browser/address-bar.d.ts')
  })

  test('names no test, no machine and no registry', () => {
    const telling = packed.files
      .filter((file) => !file.endsWith('.map'))
      .filter((file) => /\/(?:home|root|work|Users)\/|registry\.npmjs|localhost:\d{4}\/-\//.test(read(file)))
    expect(telling).toEqual([])
  })
})

describe('the scripts for Electron', () => {
  test('the preload script is one file that loads Electron and nothing else, as a sandbox demands', () => {
    expect(loads(read('dist/electron/preload/index.cjs'))).toEqual(['electron'])
  })

  test('the main process in CommonJS loads Electron, Node and its own parts only, so that older Electrons can require it', () => {
    const parts = packed.files.filter((file) => /^dist\/electron\/main\/.*\.cjs$/.test(file))
    const foreign = parts.flatMap((file) => loads(read(file))).filter((name) => !/^(?:electron$|node:|\.\/[a-z\d-]+\.cjs$)/.test(name))
    expect(foreign).toEqual([])
  })

  test('what a page gets of the main process names no token, no verifier and no channel that a page could choose', () => {
    const code = read('dist/electron/preload/index.cjs')
    expect(code).not.toMatch(/token|verifier|secret|safeStorage|sendSync|sendToHost|executeJavaScript/i)
    expect([...code.matchAll(/exposeInMainWorld/g)]).toHaveLength(1)
  })
})

describe('the scripts for browsers', () => {
  test.each(['dist/umd/index.umd.js', 'dist/callback/callback.js'])('%s is one classic script in ES2017 that loads nothing', (file) => {
    expect(laterThanES2017(read(file))).toEqual([])
    expect(loads(read(file))).toEqual([])
  })

  test('the module loads its own chunks and its dependencies only', () => {
    const allowed = Object.keys(packed.manifest.dependencies ?? {})
    const foreign = builtScripts()
      .flatMap((file) => loads(read(file)).map((specifier) => ({ file, specifier })))
      .filter(
        ({ file, specifier }) =>
          !/^\.{1,2}\//.test(specifier) &&
          !(file.startsWith('dist/electron/main/') && /^(?:electron$|node:)/.test(specifier)) &&
          !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      )
    expect(foreign).toEqual([])
  })

  test('none makes code from text', () => {
    expect(builtScripts().map((file) => ({ file, found: codeFromText(read(file)) }))).toEqual(
      builtScripts().map((file) => ({ file, found: [] })),
    )
  })
})

describe('the reading of scripts', () => {
  test.each([
    ['x = { ...y }'],
    ['var { a, ...b } = y'],
    ['class A { x = 1 }'],
    ['class A { #x() {} }'],
    ['class A { static { f() } }'],
    ['x = 1n'],
    ['x = y?.z'],
    ['x = y ?? z'],
    ['x ??= y'],
    ['x ||= y'],
    ['try { f() } catch { g() }'],
    ['async function f() { for await (const x of y) g(x) }'],
    ['async function* f() { yield 1 }'],
    ['x = 1_000'],
    ['x = /a/s'],
    ['x = /(?<=a)b/'],
    ['x = /(?<name>a)/'],
    ['x = /\\p{L}/u'],
    ['x = import.meta.url'],
    ["import 'x'"],
  ])('finds what is later than ES2017 in: %s', (code) => {
    expect(laterThanES2017(code)).not.toEqual([])
  })

  test('finds nothing in what ES2017 has', () => {
    expect(
      laterThanES2017('class A { async m({ a, b = 1 }, ...c) { for (const x of await c) yield_(x ** 2, `${a}`) } } try {} catch (e) {}'),
    ).toEqual([])
  })

  test.each([["eval('1')"], ["new Function('return 1')"], ["Function('return 1')()"], ["setTimeout('f()', 1)"], ["window.eval('1')"]])(
    'finds code made from text in: %s',
    (code) => {
      expect(codeFromText(code)).toHaveLength(1)
    },
  )

  test('finds every way to load a module', () => {
    expect(loads("import 'a'\nexport * from 'b'\nimport('c')\nrequire('d')\nimportScripts('e')\nimport(f)")).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
    ])
  })
})
