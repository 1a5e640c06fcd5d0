/** Merges modules that are always loaded together into one file of `dist/`: bundlers that cannot merge would make a request of each. */
import { posix } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

export interface MergeOptions {
  /** Folder of the sources, with a slash at its end. */
  folder: string
  /** Files of `dist/`, and the modules whose static imports each contains, unless an earlier row contains them. */
  merged: readonly (readonly [file: string, modules: readonly string[]])[]
  /** Entries that do not load in pages, and therefore none of the code for pages. */
  outsidePages: readonly string[]
}

/** Every module outside of the merged files becomes a file of its own, at its own path. */
export function mergeModules(options: MergeOptions): Rolldown.CodeSplittingOptions {
  let files: ReadonlyMap<string, string> | undefined
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'merged modules',
        name(id, graph) {
          files ??= fileNames(options, graph)
          // What is imported on demand has a file of its own anyway.
          const { isEntry, dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
          return isEntry || dynamicImporters.length > 0 ? null : (files.get(id) ?? ownPath(options.folder, id))
        },
      },
    ],
  }
}

/** Returns the file of each merged module, by module id. */
function fileNames({ folder, merged, outsidePages }: MergeOptions, graph: Rolldown.ChunkingContext): ReadonlyMap<string, string> {
  const load = (module: string): ReadonlySet<string> => staticImports(graph, `${folder}${module}.ts`)
  const outside = outsidePages.map(load)
  /** Lists the entries outside of pages that load a module. */
  const users = (id: string): string => outside.map((loaded) => loaded.has(id)).join()
  const files = new Map<string, string>()
  for (const [file, modules] of merged)
    for (const module of modules)
      for (const id of load(module))
        // Another entry may need this module without the rest of the file.
        if (!files.has(id) && users(id) === users(`${folder}${module}.ts`)) files.set(id, file)
  return files
}

/** Returns a module and everything that it imports statically. */
function staticImports(graph: Rolldown.ChunkingContext, start: string): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    graph.getModuleInfo(id)?.importedIds.forEach(add)
  }
  add(start)
  return found
}

const PART = '\0part:'

/**
 * Lets an `import()` load a merged file, by the module that the file is named after: an entry of its own must not change what the file
 * exports. `skipReexports` removes the entry again.
 */
export function importMerged({ folder, merged }: MergeOptions): Plugin {
  const named = new Set(merged.flatMap(([, modules]) => modules))
  return {
    name: 'import-merged',
    async resolveDynamicImport(specifier, importer) {
      const resolved = typeof specifier === 'string' ? await this.resolve(specifier, importer) : null
      return resolved && named.has(ownPath(folder, resolved.id) ?? '') ? PART + resolved.id : undefined
    },
    load(id) {
      return id.startsWith(PART) ? `export * from '${id.slice(PART.length)}'` : undefined
    },
  }
}

/** Returns the path of a module without its folder and extension, or null for a module of another folder. */
export function ownPath(folder: string, id: string): string | null {
  return id.startsWith(folder) ? id.slice(folder.length).replace(/\.ts$/, '') : null
}

/** A file that only exports what another file exports. */
const REEXPORT = /^export \{[^}]*\} from "([^"]+)";?\s*(?:\/\/# sourceMappingURL=.*)?$/

/** Replaces an `import()` of a file that only exports another one's names: it would be one more request, and a second one after the first. */
export function skipReexports(): Plugin {
  return {
    name: 'skip-reexports',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const { isDynamicEntry, fileName, code } of chunks) {
        const [, target] = (isDynamicEntry && REEXPORT.exec(code.trim())) || []
        if (target === undefined) continue
        for (const chunk of chunks) redirectImport(chunk, fileName, posix.join(posix.dirname(fileName), target))
        delete bundle[fileName]
        delete bundle[`${fileName}.map`]
      }
    },
  }
}

function redirectImport(chunk: Rolldown.OutputChunk, from: string, to: string): void {
  chunk.code = chunk.code.replaceAll(`import("${pathTo(chunk, from)}")`, `import("${pathTo(chunk, to)}")`)
}

function pathTo({ fileName }: Rolldown.OutputChunk, file: string): string {
  const path = posix.relative(posix.dirname(fileName), file)
  return path.startsWith('.') ? path : `./${path}`
}
