/** Inlines lazily imported modules: a classic script cannot load more later. The bundler alone would wrap every such module in a function. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** `(await importPart(import('./part'))).name`, for one export. All remaining parts become an object of all exports. */
const ONE_NAME = /\(await importPart\(import\('([^']+)'\)\)\)\.(\w+)/g
const WHOLE = /\bimportPart\(import\('([^']+)'\)\)/g
const EXPORTED = /^export (?:(?:async )?(?:function|const|class)|\{) (\w+)/gm

/** `folder`: the folder of the modules whose imports are inlined. */
export function inlineLazyParts(folder: string): Plugin {
  return {
    name: 'inline-lazy-parts',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(folder)) return undefined
      const imports: string[] = []
      const imported = (path: string, name: string) => {
        const local = `lazy${imports.length}`
        imports.push(`import { ${name} as ${local} } from '${path}'; `)
        return local
      }
      const body = code
        .replace(ONE_NAME, (_, path: string, name: string) => imported(path, name))
        .replace(WHOLE, (_, path: string) => {
          const names = exportsOf(resolve(id, '..', `${path}.ts`)).map((name) => `${name}: ${imported(path, name)}`)
          return `Promise.resolve({ ${names.join(', ')} })`
        })
      // On the first line, so that every line keeps its number: the module needs no source map.
      return imports.length > 0 ? { code: imports.join('') + body, map: null } : undefined
    },
  }
}

function exportsOf(file: string): string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(EXPORTED)].map(([, name]) => String(name))
  if (names.length === 0) throw new Error(`${file} exports nothing that can be inlined.`)
  return names
}
