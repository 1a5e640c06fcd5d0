/** Measures what each module of the source adds to a game that signs in: how much smaller its files would be, after gzip, without it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { build, type Rolldown } from 'vite'
import { LOADED_ON_CLICK, SIGN_IN, textTable } from './measure-sizes'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Names of the files that a click on "sign in" loads. */
const ON_CLICK = new Set(LOADED_ON_CLICK.map((module) => basename(module, '.js')))
/** Costs of each module when they were last recorded, by `npm run size -- --record`. */
const RECORD = join(ROOT, 'test/package/module-sizes.json')
/** Bytes that a module may grow by without being named. */
const NOISE = 10

export interface ModuleCost {
  readonly module: string
  /** Bytes after gzip -9. */
  readonly gzip: number
}

export type ModuleCosts = Readonly<Record<'atLoad' | 'onClick', readonly ModuleCost[]>>

/** Costs of the modules that load with the page, and of those that load at the click, each from the largest. */
export async function moduleCosts(): Promise<ModuleCosts> {
  const chunks = await buildFromSource()
  const atLoad = withImports(
    chunks.filter(({ isEntry }) => isEntry),
    chunks,
  )
  const clicked = chunks.filter(({ isDynamicEntry, name }) => isDynamicEntry && ON_CLICK.has(name))
  const onClick = [...withImports(clicked, chunks)].filter((chunk) => !atLoad.has(chunk))
  return { atLoad: await costsOf([...atLoad]), onClick: await costsOf(onClick) }
}

/** Builds the game with the modules of `src/`, which the files of the package contain merged. */
async function buildFromSource(): Promise<readonly Rolldown.OutputChunk[]> {
  const root = mkdtempSync(join(tmpdir(), 'foyer-modules-'))
  try {
    writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="./game.js"></script>')
    writeFileSync(join(root, 'game.js'), SIGN_IN)
    const alias = { 'foyer-sdk': join(ROOT, 'src/index.ts') }
    const result = await build({
      root,
      configFile: false,
      logLevel: 'error',
      resolve: { alias },
      build: { write: false },
    })
    return [result]
      .flat()
      .flatMap((output) => ('output' in output ? output.output.filter((file) => file.type === 'chunk') : []))
  } finally {
    rmSync(root, { recursive: true })
  }
}

function withImports(
  start: readonly Rolldown.OutputChunk[],
  chunks: readonly Rolldown.OutputChunk[],
): Set<Rolldown.OutputChunk> {
  const found = new Set(start)
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  return found
}

const gzip = (modules: readonly { code: string }[]): number =>
  gzipSync(modules.map(({ code }) => code).join('\n'), { level: 9 }).length

async function costsOf(chunks: readonly Rolldown.OutputChunk[]): Promise<readonly ModuleCost[]> {
  const rendered = chunks.flatMap(({ modules }) => Object.entries(modules).filter(([, { code }]) => code))
  const modules = await Promise.all(
    rendered.map(async ([id, { code }]) => ({ module: relative(ROOT, id), code: await small(code ?? '') })),
  )
  const whole = gzip(modules)
  return modules
    .map((each) => ({ module: each.module, gzip: whole - gzip(modules.filter((other) => other !== each)) }))
    .toSorted((a, b) => b.gzip - a.gzip)
}

/** Nothing is dropped: other modules use it. */
async function small(code: string): Promise<string> {
  const options = { ecma: 2020, compress: { unused: false }, mangle: { toplevel: true } } as const
  return (await minify(code, options)).code ?? ''
}

const cells = (costs: readonly ModuleCost[], row: number): string[] => [
  costs[row]?.module ?? '',
  String(costs[row]?.gzip ?? ''),
]

/** The largest of both lists, side by side. */
export function moduleTable({ atLoad, onClick }: ModuleCosts): string {
  const rows = Array.from({ length: 20 }, (_, row) => [...cells(atLoad, row), ...cells(onClick, row)])
  return textTable([
    ['with the page, shorter without', 'gzip B', 'at the click, shorter without', 'gzip B'],
    ...rows,
  ])
}

const byModule = ({ atLoad, onClick }: ModuleCosts): Record<string, number> =>
  Object.fromEntries(
    [...atLoad, ...onClick]
      .filter(({ module }) => /^(src|node_modules)\//.test(module))
      .map(({ module, gzip: bytes }): [string, number] => [module, bytes])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Keeps these costs as those to compare with. */
export function recordCosts(costs: ModuleCosts): void {
  writeFileSync(RECORD, `${JSON.stringify(byModule(costs), null, 2)}\n`)
}

/** The modules that have grown, appeared or gone since the costs were recorded. */
export function growthTable(costs: ModuleCosts): string {
  const before: Record<string, number> = JSON.parse(readFileSync(RECORD, 'utf8'))
  const now = byModule(costs)
  const rows = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .map((module) => ({ module, grown: (now[module] ?? 0) - (before[module] ?? 0) }))
    .filter(({ grown }) => Math.abs(grown) > NOISE)
    .toSorted((one, other) => other.grown - one.grown)
  if (rows.length === 0) return 'No module has grown since the sizes were recorded.'
  return textTable([
    ['since the sizes were recorded', 'gzip B'],
    ...rows.map(({ module, grown }) => [module, grown > 0 ? `+${grown}` : String(grown)]),
  ])
}
