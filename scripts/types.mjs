/** Writes the declarations: once for `import`, once for `require`. */
// The second needs its own copy under `"type": "commonjs"`.
// Each has a map to the file of src that the package has too: "go to definition" shows the code instead of its declaration.
// Includes only files that an entry reaches, and adds the extension that `moduleResolution: nodenext` requires to relative imports.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { describeClassicScripts } from './build/describe-classic-scripts.mjs'

const OUT = 'dist/types'
const ENTRIES = [
  'index.d.ts',
  'tools/engine/engine-types.d.ts',
  'tools/engine/index.d.ts',
  'core.d.ts',
  'server/index.d.ts',
  'server/redis/index.d.ts',
  'server/workers/index.d.ts',
  'tools/store-tests/index.d.ts',
  'tools/react/index.d.ts',
  'tools/vite/index.d.ts',
  'desktop/main/index.d.ts',
  'desktop/checks/index.d.ts',
  'desktop/preload/index.d.ts',
]
/** Matches relative imports in a declaration file: `from '…'` and `import('…')`. */
const SPECIFIER = /(?<=\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]*)\1/g

rmSync(OUT, { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  ['node_modules/typescript-7/bin/tsc', '-p', 'src', '--outDir', OUT, '--declarationMap'],
  { stdio: 'inherit' },
)
if (status !== 0) process.exit(1)

/** @type {Set<string>} */
const kept = new Set()
ENTRIES.forEach(keep)
for (const path of readdirSync(OUT, { recursive: true, encoding: 'utf8' })) {
  if (/\.d\.ts(?:\.map)?$/.test(path) && !kept.has(join(OUT, path.replace(/\.map$/, ''))))
    rmSync(join(OUT, path))
}

mkdirSync('dist/umd', { recursive: true })
writeFileSync('dist/umd/package.json', `${JSON.stringify({ type: 'commonjs' })}\n`)
rmSync('dist/umd/types', { recursive: true, force: true })
cpSync(OUT, 'dist/umd/types', { recursive: true })
for (const path of readdirSync('dist/umd/types', { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.map')) continue
  const file = join('dist/umd/types', path)
  // One folder deeper than the ones that it is copied from.
  const { sources, ...map } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(
    file,
    JSON.stringify({ ...map, sources: sources.map((/** @type {string} */ each) => `../${each}`) }),
  )
}
describeClassicScripts('dist/umd')

/**
 * Copies a declaration file and everything that it imports, and rewrites its imports.
 *
 * @param {string} path
 */
function keep(path) {
  const file = join(OUT, path)
  if (kept.has(file)) return
  kept.add(file)
  /** @type {string[]} */
  const next = []
  const text = readFileSync(file, 'utf8').replace(SPECIFIER, (_, quote, specifier) => {
    const target = join(dirname(path), specifier.replace(/\.js$/, ''))
    const full = existsSync(join(OUT, `${target}.d.ts`)) ? target : join(target, 'index')
    next.push(`${full}.d.ts`)
    const short = relative(dirname(path), full).replaceAll('\\', '/')
    return `${quote}${short.startsWith('.') ? short : `./${short}`}.js${quote}`
  })
  writeFileSync(file, text)
  next.forEach(keep)
}
