/** Compiles the UMD bundle to ES2017, and applies size optimizations that the build's own minifier lacks. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { type Plugin, transformWithOxc } from 'vite'

/** Replaces the compiler's helpers with ours where we have one: the originals are eight times as long, for engines older than ES2017. */
const HELPERS = fileURLToPath(new URL('./helpers/', import.meta.url))

export function classicSyntax(): Plugin {
  return {
    name: 'classic-syntax',
    enforce: 'pre',
    // The map of a bundle leads to the sources.
    load: (id) => (id.includes('/.cache/bundle/') ? { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') } : undefined),
    async transform(code, id) {
      // The bundler marks its own runtime as pure with comments that minifying would remove: unused parts of it are dropped first.
      if (id.startsWith(HELPERS) || id.includes('rolldown/runtime')) return undefined
      // Define fields by plain assignment: no code in the bundle depends on the difference.
      const assumptions = { setPublicClassFields: true, noDocumentAll: true, pureGetters: true }
      const lowered = await transformWithOxc(code, id, { target: 'es2017', assumptions, sourcemap: true })
      const own = lowered.code.replace(/@oxc-project\/runtime\/helpers\/(\w+)/g, helper)
      // A getter has no side effect, a method is never called with `new`, and no code reads the `length` of a function.
      const compress = { passes: 3, pure_getters: true, unsafe_arrows: true, unsafe_methods: true, keep_fargs: false }
      const sourceMap = { content: JSON.stringify(lowered.map), asObject: true }
      const { code: small = '', map } = await minify(own, { module: true, ecma: 2017, compress, sourceMap })
      return { code: small, map: JSON.stringify(map) }
    },
  }
}

function helper(usual: string, name: string): string {
  const own = `${HELPERS}${name}.js`
  return existsSync(own) ? own : usual
}
