/** Bundles and minifies a game as `vite build`, webpack and esbuild do, and returns the files that the page loads. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { build } from 'vite'
import webpack from 'webpack'

/** One file of JavaScript. */
export interface Chunk {
  readonly fileName: string
  readonly name: string
  readonly code: string
  /** Names of the files that load with this one. */
  readonly imports: readonly string[]
  /** Names of the files that this one may load later. */
  readonly dynamicImports: readonly string[]
}

export interface Bundle {
  /** The game's page. */
  readonly html: string
  readonly chunks: readonly Chunk[]
  /** Files that load with the page. */
  readonly atLoad: readonly Chunk[]
  /** Returns the files that the `import()` of a module loads. @throws Error if no file is only loaded then. */
  readonly load: (module: string) => readonly Chunk[]
}

export const BUNDLERS = ['Vite', 'webpack', 'esbuild'] as const
export type Bundler = (typeof BUNDLERS)[number]

/** `project`: folder whose `node_modules` has the SDK. `game`: the game's only module. */
export async function bundleGame(bundler: Bundler, project: string, game: string): Promise<Bundle> {
  const root = mkdtempSync(join(project, 'game-'))
  try {
    writeFileSync(join(root, 'game.js'), game)
    return await { Vite: withVite, webpack: withWebpack, esbuild: withEsbuild }[bundler](root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const page = (script: string): string => `<!doctype html><title>Game</title>${script}`

async function withVite(root: string): Promise<Bundle> {
  writeFileSync(join(root, 'index.html'), page('<script type="module" src="./game.js"></script>'))
  const result = await build({ root, configFile: false, logLevel: 'error', build: { write: false } })
  const files = [result].flat().flatMap((output) => ('output' in output ? output.output : []))
  const html = files.find(({ fileName }) => fileName === 'index.html')
  const chunks = files.filter((file) => file.type === 'chunk')
  return {
    html: html?.type === 'asset' ? String(html.source) : '',
    ...withModules(chunks.map((chunk) => ({ chunk, isEntry: chunk.isEntry, modules: chunk.moduleIds }))),
  }
}

async function withEsbuild(root: string): Promise<Bundle> {
  const output = { outdir: 'out', format: 'esm', splitting: true } as const
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['game.js'],
    bundle: true,
    minify: true,
    metafile: true,
    ...output,
  })
  const files = Object.entries(metafile.outputs).map(([path, { entryPoint, imports }]) => {
    const named = (kind: string) =>
      imports.flatMap((file) => (file.kind === kind ? [relative('out', file.path)] : []))
    const fileName = relative('out', path)
    const code = readFileSync(join(root, path), 'utf8')
    const name = fileName.replace(/-[A-Z\d]{8}\.js$/, '')
    const chunk = {
      fileName,
      name,
      code,
      imports: named('import-statement'),
      dynamicImports: named('dynamic-import'),
    }
    return { chunk, isEntry: entryPoint === 'game.js', modules: [entryPoint ?? ''] }
  })
  return { html: page('<script type="module" src="/game.js"></script>'), ...withModules(files) }
}

/** `modules`: modules in the chunk; the one that an `import()` names is enough. */
function withModules(
  files: readonly { chunk: Chunk; isEntry: boolean; modules: readonly string[] }[],
): Omit<Bundle, 'html'> {
  const chunks = files.map(({ chunk }) => chunk)
  const entries = files.filter(({ isEntry }) => isEntry).map(({ chunk }) => chunk)
  const load = (module: string) => {
    const found = files.find(
      ({ isEntry, modules }) => !isEntry && modules.some((id) => id.endsWith(`/${module}`)),
    )
    return found ? closure([found.chunk], chunks) : missing(module)
  }
  return { chunks, atLoad: closure(entries, chunks), load }
}

function missing(module: string): never {
  throw new Error(`${module} is in no file of its own.`)
}

async function withWebpack(root: string): Promise<Bundle> {
  const output = { path: join(root, 'out'), publicPath: '/', trustedTypes: 'webpack' }
  const compiler = webpack({ mode: 'production', context: root, entry: './game.js', output })
  const { compilation } = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, stats) =>
      error || !stats || stats.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve(stats),
    )
  })
  await new Promise((resolve) => compiler.close(resolve))
  const byName = new Map(
    [...compilation.chunks].map(({ files: [fileName = ''] }): [string, Chunk] => {
      const code = readFileSync(join(root, 'out', fileName), 'utf8')
      return [
        fileName,
        { fileName, name: fileName.replace('.js', ''), code, imports: [], dynamicImports: [] },
      ]
    }),
  )
  const filesOf = (group: { chunks: { files: Set<string> }[] } | undefined) =>
    group?.chunks.flatMap(({ files }) => [...files].flatMap((name) => byName.get(name) ?? []))
  const load = (module: string) => {
    const group = compilation.chunkGroups.find(({ origins }) =>
      origins.some(({ request, module: from }) => join(from?.context ?? '', request).endsWith(`/${module}`)),
    )
    return filesOf(group) ?? missing(module)
  }
  const atLoad = filesOf(compilation.entrypoints.get('main')) ?? []
  return { html: page('<script defer src="/main.js"></script>'), chunks: [...byName.values()], atLoad, load }
}

/** The chunks themselves and all static imports: everything that one load brings. */
export function closure(start: readonly Chunk[], chunks: readonly Chunk[]): Chunk[] {
  return reach(start, ({ imports }) => chunks.filter(({ fileName }) => imports.includes(fileName)))
}

/** Everything that the chunks may load, at once or later, besides what is `loaded`. */
export function reachable(
  start: readonly Chunk[],
  chunks: readonly Chunk[],
  loaded: readonly Chunk[],
): Chunk[] {
  const others = chunks.filter((chunk) => !loaded.includes(chunk))
  const next = ({ imports, dynamicImports }: Chunk) =>
    others.filter(({ fileName }) => [...imports, ...dynamicImports].includes(fileName))
  return reach(
    start.filter((chunk) => !loaded.includes(chunk)),
    next,
  )
}

function reach(start: readonly Chunk[], next: (chunk: Chunk) => readonly Chunk[]): Chunk[] {
  const found = new Set<Chunk>()
  const add = (chunk: Chunk): void => {
    if (found.has(chunk)) return
    found.add(chunk)
    next(chunk).forEach(add)
  }
  start.forEach(add)
  return [...found]
}
