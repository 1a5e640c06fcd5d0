/** Every entry of the package, loaded as Node, bundlers and old embedded browsers load it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import vm from 'node:vm'
import type * as sdk from 'foyer-sdk'
import { build } from 'esbuild'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, run, type PackedPackage } from '../support/packed-package'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

function runNode(name: string, code: string): string {
  writeFileSync(join(packed.project, name), code)
  return run(process.execPath, [name], packed.project).trim()
}

/** Files of `dist/` that an ES module loads with its static imports. */
function loadedFiles(entry: string, found = new Set<string>()): string[] {
  if (!found.has(entry)) {
    found.add(entry)
    const code = readFileSync(join(packed.folder, 'dist', entry), 'utf8')
    for (const [, path = ''] of code.matchAll(/^(?:import|export)[^'"\n]*["'](\.[^"']+)["']/gm))
      loadedFiles(join(dirname(entry), path), found)
  }
  return [...found]
}

const MAKE_CLIENT =
  "const client = new Client({ applicationId: '1', service: { host: 'https://service.example' } })"

describe('in Node', () => {
  test('import returns the client, without a window', () => {
    const response = runNode(
      'esm.mjs',
      `import { Client } from 'foyer-sdk'\n${MAKE_CLIENT}\nconsole.log(client.status, typeof window)`,
    )
    expect(response).toBe('disconnected undefined')
  })

  test('require returns the client', () => {
    const response = runNode(
      'cjs.cjs',
      `const { Client } = require('foyer-sdk')\n${MAKE_CLIENT}\nconsole.log(client.status)`,
    )
    expect(response).toBe('disconnected')
  })

  test('import and require return the same names', () => {
    const names = "console.log(Object.keys(sdk).filter((name) => name !== 'default').sort().join())"
    const esm = runNode('names.mjs', `import * as sdk from 'foyer-sdk'\n${names}`)
    expect(runNode('names.cjs', `const sdk = require('foyer-sdk')\n${names}`)).toBe(esm)
    expect(esm).toContain('Client')
  })

  test('import and require of the backend entry return the same names', () => {
    const names = "console.log(Object.keys(sdk).filter((name) => name !== 'default').sort().join())"
    const esm = runNode('server.mjs', `import * as sdk from 'foyer-sdk/server'\n${names}`)
    expect(runNode('server.cjs', `const sdk = require('foyer-sdk/server')\n${names}`)).toBe(esm)
    expect(esm).toContain('ApplicationClient')
  })

  test('an error of the backend entry is an instance of the game entry’s error class', () => {
    const response = runNode(
      'errors.mjs',
      `import { FoyerError } from 'foyer-sdk'
       import { botToken } from 'foyer-sdk/server'
       try { botToken('') } catch (error) { console.log(error instanceof FoyerError, error.code) }`,
    )
    expect(response).toBe('true invalid_argument')
  })

  test.each([
    'server/index.js',
    'server/redis/index.js',
    'server/workers/index.js',
    'tools/store-tests/index.js',
    'desktop/main/index.js',
  ])('%s loads no code for pages', (entry) => {
    const pages = [
      'page.js',
      'rest.js',
      'index.js',
      'client/session/token-client.js',
      'client/page/browser-sessions.js',
    ]
    const code = new Set(entry === 'desktop/main/index.js' ? pages : ['client.js', ...pages])
    const loaded = loadedFiles(entry)
    expect(loaded).toContain('foundation.js')
    expect(loaded.filter((file) => code.has(file) || file.startsWith('client/page/'))).toEqual([])
  })

  test('all modules share one class of errors', () => {
    const files = readdirSync(join(packed.folder, 'dist'), { recursive: true, encoding: 'utf8' })
    const modules = files.filter((file) => file.endsWith('.js') && !/^(umd|callback)\//.test(file))
    const declaring = modules.filter((file) =>
      readFileSync(join(packed.folder, 'dist', file), 'utf8').includes('FoyerError = class'),
    )
    expect(declaring).toEqual(['foundation.js'])
  })

  test('the preload entry is a file that a window can use as its preload script', () => {
    expect(runNode('preload.cjs', "console.log(require.resolve('foyer-sdk/electron/preload'))")).toMatch(
      /\.cjs$/,
    )
  })

  test('package.json can be required, and files behind the entries cannot', () => {
    const response = runNode(
      'manifest.cjs',
      `const seen = [require('foyer-sdk/package.json').name]
       try { require('foyer-sdk/dist/index.js') } catch (error) { seen.push(error.code) }
       console.log(seen.join())`,
    )
    expect(response).toBe('foyer-sdk,ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  test.each(['foyer-sdk/callback.html', 'foyer-sdk/callback.js'])('%s can be resolved by name', (entry) => {
    expect(runNode('resolve.cjs', `console.log(require.resolve('${entry}'))`)).toContain(
      join('dist', 'callback'),
    )
  })

  test('importing the entry starts nothing: the process exits, and no global is added', () => {
    const response = runNode(
      'silent.mjs',
      `const before = Object.getOwnPropertyNames(globalThis).length
       await import('foyer-sdk')
       console.log(Object.getOwnPropertyNames(globalThis).length - before, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)`,
    )
    expect(response).toBe('0 0')
  })
})

describe('in a page', () => {
  /** Entries that a page may load. */
  const OF_PAGES = ['.', './react', './engine', './foyer.core.umd.js', './callback.html', './callback.js']
  /** Bundlers take `browser` for Workers too, and for preload scripts: these say it themselves, or the Vite plugin does. */
  const OF_WORKERS = ['./server', './redis', './workers', './store-tests', './electron/preload']
  const WITHOUT_CODE = ['./global', './package.json']
  const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { browser?: { default: string }; import?: { default: string }; default?: string }>
  }
  const others = Object.keys(entries).filter(
    (name) => ![...OF_PAGES, ...OF_WORKERS, ...WITHOUT_CODE].includes(name),
  )

  test.each(others)(
    '%s has the names of the entry, and each of its own calls says where to write it',
    (name) => {
      const file = entries[name]?.browser?.default ?? 'none'
      const real = entries[name]?.import?.default ?? entries[name]?.default ?? ''
      const namesOf = (path: string) =>
        [...readFileSync(join(packed.folder, path), 'utf8').matchAll(/^export \{([^}]*)\}/gm)]
          .flatMap(([, list = '']) => list.split(','))
          .map((each) => each.trim().replace(/^.* as /, ''))
          .sort()
      expect(namesOf(file)).toEqual(namesOf(real))
      const answers = runNode(
        'in-page.mjs',
        `import * as sdk from 'foyer-sdk'
       import * as entry from ${JSON.stringify(join(packed.folder, file))}
       const own = Object.keys(entry).filter((name) => sdk[name] !== entry[name])
       const messageOf = (call) => { try { return call() } catch (error) { return error.message } }
       console.log(JSON.stringify([own.length, [...new Set(own.map((name) => messageOf(entry[name])))]]))`,
      )
      const [count, messages] = JSON.parse(answers) as [number, string[]]
      expect(count).toBeGreaterThan(0)
      expect(messages).toEqual([
        expect.stringMatching(
          `^unsupported: foyer-sdk/${name.slice(2)} in a page\\. It is .*\\b(import|send)`,
        ),
      ])
    },
  )

  test('a bundler for pages takes what says so, and finds the game entry’s classes in it', async () => {
    writeFileSync(
      join(packed.project, 'page.js'),
      `import { createMainClient, FoyerError } from 'foyer-sdk/electron/main'
       try { createMainClient({}) } catch (error) { answer(error instanceof FoyerError, error.message) }`,
    )
    const { outputFiles } = await build({
      absWorkingDir: packed.project,
      entryPoints: ['page.js'],
      bundle: true,
      write: false,
      format: 'iife',
    })
    let answered: unknown[] = []
    const answer = (...given: unknown[]) => {
      answered = given
    }
    vm.runInContext(outputFiles[0]?.text ?? '', Object.assign(shell(), { answer }))
    expect(answered).toEqual([true, expect.stringContaining('import { connectMainClient } from')])
  })
})

/** The globals of an embedded browser: those of the web without `self`, `window`, `Buffer` and `process`. */
const shell = () =>
  vm.createContext({
    TextEncoder,
    TextDecoder,
    URL,
    URLSearchParams,
    AbortController,
    crypto,
    setTimeout,
    clearTimeout,
  })
const CLIENT_IN_SHELL = `typeof Foyer.Client + ' ' + new Foyer.Client({ applicationId: '1', fetch: () => {}, service: { host: 'https://service.example' } }).status`

test('the classic script reads a response whose characters are divided between two parts', async () => {
  const bytes = new TextEncoder().encode(
    '{"id":"175928847299117063","username":"ada","global_name":"Grüße 🎲"}',
  )
  const cut = bytes.indexOf(0xf0) + 2
  const fetch = async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut))
        controller.enqueue(bytes.slice(cut))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  const context = Object.assign(shell(), { fetch, performance })
  vm.runInContext(readFileSync(join(packed.folder, 'dist/umd/index.umd.js'), 'utf8'), context)
  const name: unknown = await vm.runInContext(
    `new Foyer.Client({ applicationId: '1', fetch, service: { host: 'https://service.example' } })
       .fetchCurrentUser({ accessToken: 'a-token' })
       .then((user) => JSON.stringify(user), (error) => error.message)`,
    context,
  )
  expect(name).toContain('Grüße 🎲')
})

describe.each(['index.umd.js', 'foyer.core.umd.js'])('the classic script %s', (file) => {
  const classicScript = (): string => readFileSync(join(packed.folder, 'dist/umd', file), 'utf8')

  test('defines Foyer without self, Buffer and process', () => {
    const context = shell()
    vm.runInContext(classicScript(), context)
    expect(vm.runInContext(CLIENT_IN_SHELL, context)).toBe('function disconnected')
    expect(
      vm.runInContext('[typeof self, typeof window, typeof Buffer, typeof process].join()', context),
    ).toBe('undefined,undefined,undefined,undefined')
  })

  test('defines Foyer where top-level `this` is undefined', () => {
    const context = shell()
    vm.runInContext(`(function () { 'use strict';\n${classicScript()}\n}).call(undefined)`, context)
    expect(vm.runInContext(CLIENT_IN_SHELL, context)).toBe('function disconnected')
  })

  test('may be loaded twice', () => {
    const context = shell()
    vm.runInContext(classicScript(), context)
    vm.runInContext(classicScript(), context)
    expect(vm.runInContext(CLIENT_IN_SHELL, context)).toBe('function disconnected')
  })

  test('declares no global but Foyer', () => {
    const context = shell()
    const before = Object.keys(context)
    vm.runInContext(classicScript(), context)
    expect(Object.keys(context).filter((name) => !before.includes(name))).toEqual(['Foyer'])
  })

  test('loads where a page has frozen the prototypes, and its errors are typed', async () => {
    const context = shell()
    vm.runInContext(
      'for (const C of [Error, TypeError, Object, Array, Function, Promise, Map, Set]) Object.freeze(C.prototype)',
      context,
    )
    vm.runInContext(classicScript(), context)
    expect(vm.runInContext(CLIENT_IN_SHELL, context)).toBe('function disconnected')
    const codeOf = (call: string) =>
      vm.runInContext(
        `(async () => ${call})().catch((error) => [error instanceof Foyer.FoyerError, error.name, error.code].join())`,
        context,
      )
    const client =
      "new Foyer.Client({ fetch: () => {}, applicationId: '1', service: { host: 'https://service.example' } })"
    expect(await codeOf(`${client}.signIn()`)).toBe('true,ConfigurationError,unsupported')
    expect(await codeOf('new Foyer.Client({})')).toBe('true,ConfigurationError,missing_service_host')
    expect(await codeOf('Promise.reject(new Foyer.SessionError("signed_out"))')).toBe(
      'true,SessionError,signed_out',
    )
  })

  test('registers with an AMD loader', () => {
    const context = shell()
    vm.runInContext(
      'var seen; function define(names, make) { seen = {}; make(seen) }\ndefine.amd = {}',
      context,
    )
    vm.runInContext(classicScript(), context)
    expect(vm.runInContext('typeof seen.Client + typeof Foyer', context)).toBe('functionundefined')
  })
})

/** Loads a script as Jest does: in the window, as a CommonJS module. */
function requireInWindow(file: string): typeof sdk {
  const dom = new JSDOM('', { url: 'http://localhost/', runScripts: 'outside-only' })
  const loaded = { exports: {} as typeof sdk }
  const code = readFileSync(join(packed.folder, 'dist/umd', file), 'utf8')
  vm.runInContext(`(function (module, exports) {${code}\n})`, dom.getInternalVMContext())(
    loaded,
    loaded.exports,
  )
  return loaded.exports
}

describe('in Jest with jsdom, which has neither TextEncoder nor fetch', () => {
  test.each(['index.umd.js', 'foyer.core.umd.js'])(
    '%s loads, and what is missing is a typed error of the call that needs it',
    async (file) => {
      const { Client, FoyerError } = requireInWindow(file)
      const client = new Client({
        applicationId: '1082700000000000001',
        service: { host: 'https://service.example' },
      })
      const missing = (call: () => unknown) =>
        Promise.resolve()
          .then(call)
          .catch((error: unknown) => error instanceof FoyerError && [error.code, error.message.split('.')[0]])
      expect(await client.resume()).toBeNull()
      expect(await missing(() => client.createAuthorizationCodeVerifier())).toEqual([
        'unsupported',
        'unsupported: TextEncoder',
      ])
      expect(await missing(() => client.refreshToken('a-token'))).toEqual([
        'unsupported',
        'unsupported: fetch',
      ])
      expect(await missing(() => client.signIn())).toEqual(['unsupported', 'unsupported: crypto'])
      client.close()
    },
  )
})
