/** Measures what a game downloads: consumers of the packed package, bundled and minified as a game would, each file gzipped by itself. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Packed } from '../support/packed'

export interface Measure {
  readonly what: string
  /** Bytes, minified. */
  readonly bytes: number
  /** Bytes after gzip -9. */
  readonly gzip: number
  /** The most that `gzip` may be. */
  readonly budget: number
  /** The parts, in bytes after gzip. */
  readonly parts: Readonly<Record<string, number>>
}

/** The shortest game that signs in: its own code is not what is measured. */
const SIGN_IN = `import { Client } from 'foyer-sdk'
const client = new Client({ service: { host: location.origin } })
onclick = () => client.signIn()
`

/** The same with a session that outlives the page. */
const KEEP = `import { Client, indexedDbStore } from 'foyer-sdk'
const client = new Client({ service: { host: location.origin }, tokenStore: indexedDbStore() })
onload = () => client.resume()
onclick = () => client.signIn()
`
/** What brings a session back and keeps it among tabs. */
const KEPT = ['browser/sessions.js']
/** The same, with what is fetched beside the first use: what renews it, and reads what the token endpoint says. */
const RENEWED = [...KEPT, 'tokens/renewal.js', 'tokens/exchange.js']

export async function measure(packed: Packed): Promise<readonly Measure[]> {
  const chunks = await bundle(packed.project, SIGN_IN)
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (!entry) throw new Error('The bundle has no entry.')
  const first = closure([entry], chunks)
  const verification = closure(loadersOf('jose', chunks), chunks).filter((chunk) => !first.includes(chunk))
  if (verification.length === 0) throw new Error('jose is not loaded on demand: it is in the first load, or in no chunk at all.')
  const umd = readFileSync(join(packed.folder, 'dist/umd/index.umd.js'))
  return [
    sum('sign-in, until the player has answered', { chunks: first, budget: 9_800 }),
    sum('sign-in, with what verifies ID tokens', { chunks: [...first, ...verification], budget: 17_800 }),
    await session(packed, { what: 'before first use, sessions and stores included', parts: KEPT, budget: 15_000 }),
    await session(packed, { what: 'a whole session, jose not counted', parts: RENEWED, budget: 21_000 }),
    electronFile(packed, { room: 'preload', budget: 3_000 }),
    await electronMain(packed),
    electronRequired(packed),
    { what: 'UMD, everything', bytes: umd.length, gzip: gzip(umd), budget: 49_900, parts: { 'index.umd.js': gzip(umd) } },
  ]
}

/** The page's start, with a store, and some of what a session loads. */
async function session({ project }: Packed, { what, parts, budget }: { what: string; parts: readonly string[]; budget: number }) {
  const chunks = await bundle(project, KEEP, ['jose'])
  if (new Set(parts.map((part) => chunks.find((chunk) => holds(chunk, part) && !chunk.isEntry))).size < parts.length)
    throw new Error('A part of a session is in no chunk of its own.')
  const loaded = chunks.filter((chunk) => chunk.isEntry || parts.some((part) => holds(chunk, part)))
  return sum(what, { chunks: closure(loaded, chunks), budget })
}

const holds = ({ moduleIds }: Chunk, part: string): boolean => moduleIds.some((id) => id.endsWith(part))

function electronFile(packed: Packed, { room, budget }: { room: string; budget: number }): Measure {
  const code = readFileSync(join(packed.folder, `dist/electron/${room}/index.cjs`))
  return { what: `Electron, ${room}`, bytes: code.length, gzip: gzip(code), budget, parts: { 'index.cjs': gzip(code) } }
}

/** The shortest main process. */
const MAIN = `import { createMainClient, installDeepLinks } from 'foyer-sdk/electron/main'
createMainClient({ service: { host: 'https://service.example' }, scheme: installDeepLinks('com.example.game') })
`

/** What a main process loads when it starts, with its dependencies. */
async function electronMain(packed: Packed): Promise<Measure> {
  const chunks = await bundle(packed.project, MAIN, ['electron', /^node:/])
  const entry = chunks.filter((chunk) => chunk.isEntry)
  return sum('Electron, main, when it starts', { chunks: closure(entry, chunks), budget: 32_000 })
}

/** The same as a main process in CommonJS loads it that nobody has bundled: not minified, with the dependencies inside. */
function electronRequired({ folder }: Packed): Measure {
  const files = new Map<string, Buffer>()
  const add = (name: string): void => {
    if (files.has(name)) return
    const code = readFileSync(join(folder, 'dist/electron/main', name))
    files.set(name, code)
    // At the beginning of a line: what a function requires is loaded when it is called.
    for (const [, other = ''] of String(code).matchAll(/^[^\s].*require\("\.\/([^"]+)"\)/gm)) add(other)
  }
  add('index.cjs')
  const parts = Object.fromEntries([...files].map(([name, code]) => [name, gzip(code)]))
  const bytes = total([...files.values()].map(({ length }) => length))
  return { what: 'Electron, main, as required', bytes, gzip: total(Object.values(parts)), budget: 32_000, parts }
}

/** A backend that checks one command, and does nothing else. */
const VALIDATE = `import { validateCommand } from 'foyer-sdk/server'
globalThis.faults = validateCommand
`

export async function measureValidator(packed: Packed): Promise<Measure> {
  return sum('validateCommand alone', { chunks: await bundle(packed.project, VALIDATE), budget: 5000 })
}

export function table(measures: readonly Measure[]): string {
  const rows = measures.map(({ what, bytes, gzip: size, budget, parts }) => {
    const list = Object.entries(parts).map(([name, part]) => `${name} ${part}`)
    return [what, String(bytes), String(size), String(budget), size <= budget ? 'ok' : 'TOO BIG', list.join(', ')]
  })
  const head = ['what', 'min B', 'gzip B', 'budget', '', 'parts (gzip B)']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

interface Chunk {
  readonly fileName: string
  readonly name: string
  readonly isEntry: boolean
  readonly code: string
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
  readonly moduleIds: readonly string[]
}

async function bundle(project: string, source: string, external: (string | RegExp)[] = []): Promise<Chunk[]> {
  const entry = join(project, 'game.js')
  writeFileSync(entry, source)
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    // Library mode leaves out Vite's own preload wrapper, which is not ours to count; it keeps white space unless told twice.
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external, output: { minify: true }, preserveEntrySignatures: false },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  return outputs.flatMap((output) => ('output' in output ? output.output.filter((file) => file.type === 'chunk') : []))
}

/** The chunks themselves and everything they import statically: what one load brings. */
function closure(start: readonly Chunk[], chunks: readonly Chunk[]): Chunk[] {
  const found = new Set<Chunk>()
  const add = (chunk: Chunk): void => {
    if (found.has(chunk)) return
    found.add(chunk)
    chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).forEach(add)
  }
  start.forEach(add)
  return [...found]
}

/** The chunks that hold a package, and the chunks on the way to them. */
function loadersOf(name: string, chunks: readonly Chunk[]): Chunk[] {
  const found = new Set(chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`))))
  for (const chunk of found) {
    for (const other of chunks) {
      const leads = [...other.imports, ...other.dynamicImports].includes(chunk.fileName)
      if (leads && !other.isEntry) found.add(other)
    }
  }
  return [...found]
}

function sum(what: string, { chunks, budget }: { chunks: readonly Chunk[]; budget: number }): Measure {
  const parts = Object.fromEntries(chunks.map(({ name, fileName, code }) => [isOnly(name, chunks) ? name : fileName, gzip(code)]))
  return {
    what,
    budget,
    parts,
    bytes: total(chunks.map(({ code }) => Buffer.byteLength(code))),
    gzip: total(Object.values(parts)),
  }
}

/** Two chunks may be named after files of one name. */
const isOnly = (name: string, chunks: readonly Chunk[]): boolean => chunks.filter((chunk) => chunk.name === name).length === 1

const gzip = (code: string | Buffer): number => gzipSync(code, { level: 9 }).length

const total = (sizes: readonly number[]): number => sizes.reduce((before, size) => before + size, 0)
