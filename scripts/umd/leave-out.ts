/** Leaves lazily loaded modules out of a classic script: calls of their methods then reject with `unsupported`. */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Functions that other modules load. */
const EXPORTED = /^export (?:async )?function (\w+)/gm
const ID = '\0left-out:'
/** Module of the function that replaces all of them. */
const REJECT = '\0left-out'

export interface LeaveOutOptions {
  /** Folder of the sources, with a slash at its end. */
  folder: string
  /** Modules to leave out, as paths in the folder without an extension. */
  modules: readonly string[]
  /** Name of the script, for the error. */
  file: string
  /** Remedy of the error. */
  remedy: string
}

/** Replaces each exported function of the modules by one that throws ConfigurationError `unsupported`: callers load it asynchronously, and reject. */
export function leaveOut({ folder, modules, file, remedy }: LeaveOutOptions): Plugin {
  const paths = new Set(modules.map((module) => `${folder}${module}.ts`))
  return {
    name: 'leave-out',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source === REJECT) return REJECT
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved && paths.has(resolved.id) ? ID + resolved.id : undefined
    },
    load(id) {
      if (id === REJECT)
        return `import { ConfigurationError } from '${folder}foundation/errors.ts'
          export const reject = () => { throw new ConfigurationError('unsupported', '${file}', { remedy: '${remedy}' }) }`
      if (!id.startsWith(ID)) return undefined
      const names = [...readFileSync(id.slice(ID.length), 'utf8').matchAll(EXPORTED)].map(([, name]) => `reject as ${name}`)
      return `export { ${names.join(', ')} } from '${REJECT}'`
    },
  }
}
