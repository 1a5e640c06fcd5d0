/** Measures what each part adds to the classic script: how much smaller it would be, after gzip, without that part. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { minify } from 'terser'

export interface Part {
  /** A folder of `src/`, or a package. */
  readonly name: string
  /** Bytes after gzip -9 that are saved without this part. */
  readonly gzip: number
}

/** `file`: all modules in one file, each under a comment with its path, as the build writes it before minification. */
export async function classicParts(file: string): Promise<readonly Part[]> {
  const modules = await Promise.all(modulesIn(readFileSync(file, 'utf8')).map(small))
  const whole = gzip(modules.map(({ code }) => code))
  const names = [...new Set(modules.map(({ name }) => name))]
  const without = (name: string) => gzip(modules.flatMap((module) => (module.name === name ? [] : [module.code])))
  return names.map((name) => ({ name, gzip: whole - without(name) })).toSorted((a, b) => b.gzip - a.gzip)
}

interface Module {
  readonly name: string
  readonly code: string
}

const PATH = /^\/\/ ((?:src|node_modules)\/\S+)$/m

function modulesIn(bundle: string): readonly Module[] {
  const [, ...pieces] = bundle.split(PATH)
  return pieces.flatMap((path, i) => (i % 2 === 0 ? [{ name: nameOf(path), code: pieces[i + 1] ?? '' }] : []))
}

/** `src/tokens/session/current-session.ts` belongs to `tokens`, `node_modules/@noble/hashes/sha2.js` to `@noble/hashes`. */
function nameOf(path: string): string {
  const [, scope = '', rest = ''] = path.split('/')
  return scope.startsWith('@') ? `${scope}/${rest}` : scope
}

async function small({ name, code }: Module): Promise<Module> {
  return { name, code: (await minify(code, { module: false, ecma: 2017 })).code ?? '' }
}

const gzip = (codes: readonly string[]): number => gzipSync(codes.join('\n'), { level: 9 }).length
