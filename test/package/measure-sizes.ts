/** Measures what a game downloads: consumers of the packed package are bundled and minified as a game would be, and each file is gzipped. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { PackedPackage } from '../support/packed-package'
import { bundleGame, closure, type Chunk } from './bundle-game'

export interface Measure {
  readonly what: string
  /** Bytes, minified. */
  readonly bytes: number
  /** Bytes after gzip -9. */
  readonly gzip: number
  /** Budget: the largest allowed `gzip`. */
  readonly budget: number
  /** Size of each part, in bytes after gzip. */
  readonly parts: Readonly<Record<string, number>>
}

/** The shortest game that signs in; its own code is not measured. */
export const SIGN_IN = `import { Client } from 'foyer-sdk'
const client = new Client({ service: { host: location.origin } })
onclick = () => client.signIn()
`

/** The same with a persistent session. */
const SIGN_IN_AND_PERSIST = `import { Client, indexedDbStore } from 'foyer-sdk'
const client = new Client({ service: { host: location.origin }, tokenStore: indexedDbStore() })
onload = () => client.resume()
onclick = () => client.signIn()
`
/** Modules that a click on "sign in" loads, in order of use. */
export const LOADED_ON_CLICK = [
  'client/page/watch-popup.js',
  'client/session/token-client.js',
  'client/page/browser-sessions.js',
]
/** Modules that restore a session. */
const LOADED_ON_RESUME = ['client/session/stored-session.js', 'client/page/browser-sessions.js']

export async function measure(packed: PackedPackage): Promise<readonly Measure[]> {
  return [
    await app(packed, { what: 'app that signs in, at load', game: SIGN_IN, budget: 20_300 }),
    await app(packed, {
      what: 'app that signs in, until signed in',
      game: SIGN_IN,
      parts: LOADED_ON_CLICK,
      budget: 43_500,
    }),
    await app(packed, {
      what: 'app that keeps sessions, until resumed',
      game: SIGN_IN_AND_PERSIST,
      parts: LOADED_ON_RESUME,
      budget: 31_300,
    }),
    await app(packed, {
      what: 'app that keeps sessions, until signed in',
      game: SIGN_IN_AND_PERSIST,
      parts: [...LOADED_ON_CLICK, 'client/session/stored-session.js'],
      budget: 46_300,
    }),
    builtFile(packed, { what: 'Electron, preload', path: 'desktop/preload/index.cjs', budget: 300 }),
    await electronMain(packed),
    electronRequired(packed),
    builtFile(packed, { what: 'UMD, sign-in and sessions', path: 'umd/foyer.core.umd.js', budget: 43_000 }),
    builtFile(packed, { what: 'UMD, everything', path: 'umd/index.umd.js', budget: 94_900 }),
    builtFile(packed, { what: 'Foyer.engine, beside a UMD', path: 'umd/foyer.engine.js', budget: 3_900 }),
  ]
}

interface App {
  what: string
  game: string
  /** Modules that are loaded already, besides the page’s own script. Default: none. */
  parts?: readonly string[]
  budget: number
}

/** A game as Vite builds it without configuration, including its loader and its preload polyfill. */
async function app({ project }: PackedPackage, { what, game, parts = [], budget }: App): Promise<Measure> {
  const { atLoad, load } = await bundleGame('Vite', project, game)
  return sum(what, { chunks: [...new Set([...atLoad, ...parts.flatMap(load)])], budget })
}

/** One file of `dist/`, as it is. */
function builtFile(
  packed: PackedPackage,
  { what, path, budget }: { what: string; path: string; budget: number },
): Measure {
  const code = readFileSync(join(packed.folder, 'dist', path))
  return { what, bytes: code.length, gzip: gzip(code), budget, parts: { [basename(path)]: gzip(code) } }
}

/** The shortest main process. */
const MAIN = `import { createMainClient, installDeepLinks } from 'foyer-sdk/electron/main'
createMainClient({ service: { host: 'https://service.example' }, scheme: installDeepLinks('com.example.game') })
`

/** Size of the modules that a main process loads at startup, with dependencies. */
async function electronMain(packed: PackedPackage): Promise<Measure> {
  const chunks = await bundle(packed.project, MAIN, ['electron', /^node:/])
  const entry = chunks.filter((chunk) => chunk.isEntry)
  return sum('Electron, main, when it starts', { chunks: closure(entry, chunks), budget: 25_700 })
}

/** The same for an unbundled CommonJS main process: not minified, with the dependencies inside. */
function electronRequired({ folder }: PackedPackage): Measure {
  const files = new Map<string, Buffer>()
  const add = (path: string): void => {
    if (files.has(path)) return
    const code = readFileSync(join(folder, path))
    files.set(path, code)
    // Matches only at the start of a line: a `require` inside a function runs when the function is called.
    for (const [, other = ''] of String(code).matchAll(/^(?:(?:const|let) [^=]*= )?require\("(\.[^"]+)"\)/gm))
      add(join(dirname(path), other))
  }
  add('dist/desktop/main/index.cjs')
  const parts = Object.fromEntries([...files].map(([name, code]) => [name, gzip(code)]))
  const bytes = total([...files.values()].map(({ length }) => length))
  return {
    what: 'Electron, main, as required',
    bytes,
    gzip: total(Object.values(parts)),
    budget: 41_700,
    parts,
  }
}

/** A backend that validates one command and does nothing else. */
const VALIDATE = `import { validateCommand } from 'foyer-sdk/server'
globalThis.faults = validateCommand
`

export async function measureValidator(packed: PackedPackage): Promise<Measure> {
  return sum('validateCommand alone', { chunks: await bundle(packed.project, VALIDATE), budget: 7_100 })
}

export function table(measures: readonly Measure[]): string {
  const rows = measures.map(({ what, bytes, gzip: size, budget, parts }) => {
    const list = Object.entries(parts).map(([name, part]) => `${name} ${part}`)
    return [
      what,
      String(bytes),
      String(size),
      String(budget),
      size <= budget ? 'ok' : 'TOO BIG',
      list.join(', '),
    ]
  })
  return textTable([['what', 'min B', 'gzip B', 'budget', '', 'parts (gzip B)'], ...rows])
}

/** Aligns the columns of rows. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const padded = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return rows.map((row) => padded(row).join('  ').trimEnd()).join('\n')
}

type BuiltChunk = Chunk & { readonly isEntry: boolean }

async function bundle(
  project: string,
  source: string,
  external: (string | RegExp)[] = [],
): Promise<BuiltChunk[]> {
  const entry = join(project, 'game.js')
  writeFileSync(entry, source)
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    // Library mode keeps white space unless `minify` is set twice.
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external, output: { minify: true }, preserveEntrySignatures: false },
    },
  })
  return outputChunks(result)
}

function outputChunks(result: Awaited<ReturnType<typeof build>>): BuiltChunk[] {
  return [result]
    .flat()
    .flatMap((output) => ('output' in output ? output.output.filter((file) => file.type === 'chunk') : []))
}

function sum(what: string, { chunks, budget }: { chunks: readonly Chunk[]; budget: number }): Measure {
  const parts = Object.fromEntries(
    chunks.map(({ name, fileName, code }) => [
      isOnly(name, chunks) ? name : fileName,
      gzip(withStableNames(code)),
    ]),
  )
  return {
    what,
    budget,
    parts,
    bytes: total(chunks.map(({ code }) => Buffer.byteLength(code))),
    gzip: total(Object.values(parts)),
  }
}

/**
 * Replaces the hash in names of other files by one of their name. That of their content changes with every build, and with it the size after
 * gzip, by up to ten bytes.
 */
function withStableNames(code: string): string {
  return code.replaceAll(/([\w.-]+)-[\w-]{8}\.js/g, (_, name: string) => `${name}-${hashOf(name)}.js`)
}

const hashOf = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 8)

/** Two chunks may have files of the same name. */
const isOnly = (name: string, chunks: readonly Chunk[]): boolean =>
  chunks.filter((chunk) => chunk.name === name).length === 1

export const gzip = (code: string | Buffer): number => gzipSync(code, { level: 9 }).length

const total = (sizes: readonly number[]): number => sizes.reduce((before, size) => before + size, 0)
