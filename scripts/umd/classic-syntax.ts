/** Brings the one file down to ES2017, and makes it smaller in ways that the build's own minifier does not know. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { type Plugin, transformWithOxc } from 'vite'

/** Ours, where there is one, in place of the usual ones: those are eight times as long, for engines older than ES2017. */
const HELPERS = fileURLToPath(new URL('./helpers/', import.meta.url))

export function classicSyntax(): Plugin {
  return {
    name: 'classic-syntax',
    enforce: 'pre',
    async transform(code, id) {
      // The bundler's own runtime is marked as pure by comments that minifying would take away: what nobody uses of it is dropped.
      if (id.startsWith(HELPERS) || id.includes('rolldown/runtime')) return undefined
      // Fields by plain assignment: nothing in the bundle can tell the difference.
      const assumptions = { setPublicClassFields: true, noDocumentAll: true, pureGetters: true }
      const lowered = await transformWithOxc(code, id, { target: 'es2017', assumptions, sourcemap: false })
      // A getter has no effect, a method is never called with `new`, and nobody asks a function how many parameters it has.
      const compress = { passes: 3, pure_getters: true, unsafe_arrows: true, unsafe_methods: true, keep_fargs: false }
      const { code: small = '' } = await minify(lowered.code, { module: true, ecma: 2017, compress })
      return { code: small.replace(/@oxc-project\/runtime\/helpers\/(\w+)/g, helper), map: null }
    },
  }
}

function helper(usual: string, name: string): string {
  const own = `${HELPERS}${name}.js`
  return existsSync(own) ? own : usual
}
