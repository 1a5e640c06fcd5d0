/** Contents of the package, and the syntax and imports of its scripts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, type PackedPackage } from '../support/packed-package'
import { links } from './markdown-links'
import { codeFromText, loads, syntaxFault } from './script-syntax'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

/** All of our executable files. */
const builtScripts = (): string[] =>
  packed.files.filter((file) => file.startsWith('dist/') && file.endsWith('.js'))
const read = (path: string): string => readFileSync(join(packed.folder, path), 'utf8')

/** Modules that the platform of an entry brings: Electron's main process, React, and Vite's process on Node. */
const PLATFORM: readonly [folder: string, names: RegExp][] = [
  ['dist/desktop/main/', /^(?:electron$|node:)/],
  ['dist/desktop/checks/', /^(?:electron$|node:)/],
  ['dist/tools/react/', /^react$/],
  ['dist/tools/vite/', /^(?:vite$|node:|pathToFileURL\(found\.resolve\("foyer-emulator"\)\))/],
]

describe('the package', () => {
  test('contains exactly these files', () => {
    const expected = [
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SKILL\.md|llms\.txt)$/,
      /^docs\/(?:(?:decisions|interface|proofs|reference(?:\/foyer-sdk(?:\/electron)?)?)\/)?[\w-]+\.md$/,
      // One file per module, as in src/, so that a game’s bundler can drop unused modules.
      /^dist\/(?:[a-z-]+\/)*[a-z\d-]+\.js(?:\.map)?$/,
      /^dist\/(?:server|server\/redis|tools\/react|desktop\/main)\/index\.cjs(?:\.map)?$/,
      // What those share.
      /^dist\/commonjs\/[a-z\d-]+\.cjs(?:\.map)?$/,
      /^dist\/desktop\/preload\/index\.cjs$/,
      /^dist\/types\/(?:[a-z-]+\/)*[a-z\d-]+\.d\.ts(?:\.map)?$/,
      // What the maps of the declarations lead to.
      /^src\/(?:[a-z-]+\/)*[\w.-]+$/,
      /^dist\/umd\/(?:(?:index|foyer\.core)\.(?:umd|iife)\.js|foyer\.engine\.js|package\.json|integrity\.json)$/,
      /^dist\/umd\/(?:(?:index|foyer\.core)\.(?:umd|iife)|foyer\.engine)\.js\.map$/,
      /^engines\/(?:construct|gamemaker|godot|rpg-maker-mz|unity)\/\w+\.(?:js|jslib|cs|gd|gml)$/,
      /^dist\/umd\/types\/(?:[a-z-]+\/)*[a-z\d-]+\.d\.ts(?:\.map)?$/,
      /^dist\/callback\/callback\.(?:html|js)$/,
    ]
    expect(packed.files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
  })

  test.each([
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'SKILL.md',
    'llms.txt',
    'dist/index.js',
    'dist/server/index.js',
    'dist/server/index.cjs',
    'dist/server/redis/index.js',
    'dist/server/redis/index.cjs',
    'dist/server/workers/index.js',
    'dist/tools/store-tests/index.js',
    'dist/tools/react/index.js',
    'dist/tools/react/index.cjs',
    'dist/desktop/main/index.js',
    'dist/desktop/main/index.cjs',
    'dist/desktop/preload/index.cjs',
    'dist/types/index.d.ts',
    'dist/types/server/index.d.ts',
    'dist/types/server/redis/index.d.ts',
    'dist/types/server/workers/index.d.ts',
    'dist/types/tools/store-tests/index.d.ts',
    'dist/types/tools/react/index.d.ts',
    'dist/types/desktop/main/index.d.ts',
    'dist/umd/index.umd.js',
    'dist/umd/index.umd.js.map',
    'dist/umd/foyer.core.umd.js',
    'dist/umd/foyer.engine.js',
    'dist/umd/types/index.d.ts',
    'dist/umd/types/core.d.ts',
    'dist/umd/types/foyer.d.ts',
    'dist/umd/types/server/index.d.ts',
    'dist/umd/types/server/redis/index.d.ts',
    'dist/callback/callback.html',
    'dist/callback/callback.js',
  ])('contains %s', (file) => {
    expect(packed.files).toContain(file)
  })

  test('contains every page of docs that its README links to', () => {
    const linked = links(read('README.md')).filter((target) => /^docs\/.*\.md/.test(target))
    expect(linked).not.toEqual([])
    expect(linked.filter((target) => !packed.files.includes(target.replace(/#.*/, '')))).toEqual([])
  })

  test('lists each of its pages for programs, by a path that is in the package', () => {
    const listed = links(read('llms.txt'))
    const written = packed.files.filter((file) => /^docs\/(?!reference\/).*\.md$/.test(file))
    expect(written.filter((file) => !listed.includes(file))).toEqual([])
    expect(listed.filter((file) => !packed.files.includes(file))).toEqual([])
  })

  test('names in its skill only pages that it has', () => {
    const named = [...read('SKILL.md').matchAll(/`(docs\/[\w-]+\.md)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((file) => !packed.files.includes(file))).toEqual([])
  })

  test('states the version of the latest change log entry, or that it is unreleased', () => {
    const first = /^## \[([^\]]+)\](.*)$/m.exec(read('CHANGELOG.md'))
    expect([packed.manifest.version, 'Unreleased']).toContain(first?.[1])
    expect(read('CHANGELOG.md')).toContain(packed.manifest.version)
  })

  test('runs no script when it is installed', () => {
    const scripts: unknown = JSON.parse(read('package.json')).scripts
    expect(
      Object.keys(scripts ?? {}).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name)),
    ).toEqual([])
  })

  test('ships declarations of reachable files only, each import with its extension', () => {
    const bare = packed.files
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) =>
        [...read(file).matchAll(/from\s+['"](\.[^'"]*)['"]/g)].map((match) => `${file}: ${match[1]}`),
      )
      .filter((line) => !line.endsWith('.js'))
    expect(bare).toEqual([])
    expect(packed.files).not.toContain('dist/types/client/page/address-bar.d.ts')
  })

  test('contains no name of a test, machine or registry', () => {
    const offending = packed.files
      .filter((file) => !file.endsWith('.map'))
      .filter((file) => /\/(?:home|root|work|Users)\/|registry\.npmjs|localhost:\d{4}\/-\//.test(read(file)))
    expect(offending).toEqual([])
  })
})

describe('the scripts for Electron:', () => {
  test('the preload script is one file that loads only Electron, as a sandbox requires', () => {
    expect(loads(read('dist/desktop/preload/index.cjs'))).toEqual(['electron'])
  })

  test('the CommonJS main process loads only Electron, Node and its own files, so that older Electrons can require it', () => {
    const parts = packed.files.filter((file) => /^dist\/(?:desktop\/main|commonjs)\/.*\.cjs$/.test(file))
    const foreign = parts
      .flatMap((file) => loads(read(file)))
      .filter((name) => !/^(?:electron$|node:|(?:\.\/|\.\.\/\.\.\/commonjs\/)[a-z\d-]+\.cjs$)/.test(name))
    expect(foreign).toEqual([])
  })

  test('the main-process object for pages exposes no token, no verifier and no choice of channel', () => {
    const code = read('dist/desktop/preload/index.cjs')
    expect(code).not.toMatch(/token|verifier|secret|safeStorage|sendSync|sendToHost|executeJavaScript/i)
    expect([...code.matchAll(/exposeInMainWorld/g)]).toHaveLength(1)
  })
})

describe('the scripts for browsers:', () => {
  test.each([
    'dist/umd/index.umd.js',
    'dist/umd/index.iife.js',
    'dist/umd/foyer.core.umd.js',
    'dist/umd/foyer.engine.js',
    'dist/callback/callback.js',
  ])('%s is one classic ES2022 script without imports', (file) => {
    expect(syntaxFault(read(file), 2022)).toBeUndefined()
    expect(loads(read(file))).toEqual([])
  })

  test('the module loads only its own chunks and dependencies', () => {
    const allowed = Object.keys(packed.manifest.dependencies ?? {})
    const foreign = builtScripts()
      .flatMap((file) => loads(read(file)).map((specifier) => ({ file, specifier })))
      .filter(
        ({ file, specifier }) =>
          !/^\.{1,2}\//.test(specifier) &&
          !PLATFORM.some(([folder, names]) => file.startsWith(folder) && names.test(specifier)) &&
          !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      )
    expect(foreign).toEqual([])
  })

  test('none evaluates strings as code', () => {
    expect(builtScripts().map((file) => ({ file, found: codeFromText(read(file)) }))).toEqual(
      builtScripts().map((file) => ({ file, found: [] })),
    )
  })
})

describe('the script analysis', () => {
  test.each(['class A { accessor x = 1 }', 'x = await y', "import 'x'"])(
    'reports syntax later than ES2022, and imports, in: %s',
    (code) => {
      expect(syntaxFault(code, 2022)).toMatch('SyntaxError')
      expect(syntaxFault('class A { static #x = 1 }', 2022)).toBeUndefined()
    },
  )

  test.each([
    ["eval('1')"],
    ["new Function('return 1')"],
    ["Function('return 1')()"],
    ["setTimeout('f()', 1)"],
    ["window.eval('1')"],
  ])('reports code made from strings in: %s', (code) => {
    expect(codeFromText(code)).toHaveLength(1)
  })

  test('finds every way to load a module', () => {
    expect(
      loads("import 'a'\nexport * from 'b'\nimport('c')\nrequire('d')\nimportScripts('e')\nimport(f)"),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})
