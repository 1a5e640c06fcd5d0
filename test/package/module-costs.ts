/** Measures what each module of the source adds to a game that signs in: how much smaller its files would be, after gzip, without it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { build, type Rolldown } from 'vite'
import { SIGN_IN, textTable } from './measure-sizes'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Modules that a click on "sign in" imports. */
const ON_CLICK = new Set(['watch-popup', 'exchange', 'browser-sessions'])

export interface ModuleCost {
  readonly module: string
  /** Bytes after gzip -9. */
  readonly gzip: number
}

/** Costs of the modules that load with the page, and of those that load at the click, each from the largest. */
export async function moduleCosts(): Promise<Readonly<Record<'atLoad' | 'onClick', readonly ModuleCost[]>>> {
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
export function moduleTable({ atLoad, onClick }: Awaited<ReturnType<typeof moduleCosts>>): string {
  const rows = Array.from({ length: 20 }, (_, row) => [...cells(atLoad, row), ...cells(onClick, row)])
  return textTable([
    ['with the page, shorter without', 'gzip B', 'at the click, shorter without', 'gzip B'],
    ...rows,
  ])
}
