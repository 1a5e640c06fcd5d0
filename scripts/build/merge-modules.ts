/** Merges modules that are always loaded together into one file of `dist/`: bundlers that cannot merge would make a request of each. */
import type { Rolldown } from 'vite'

export interface MergeOptions {
  /** Folder of the sources, with a slash at its end. */
  folder: string
  /** Files of `dist/`, and the modules whose static imports each contains, unless an earlier row contains them. Null: the bundler decides. */
  merged: readonly (readonly [file: string | null, modules: readonly string[]])[]
  /** Entries that do not load in pages, and therefore none of the code for pages. */
  outsidePages: readonly string[]
}

/** Every module outside of the merged files becomes a file of its own, at its own path. */
export function mergeModules(options: MergeOptions): Rolldown.CodeSplittingOptions {
  let files: ReadonlyMap<string, string | null> | undefined
  return {
    includeDependenciesRecursively: false,
    groups: [
      { name: 'redis/scripts', test: /\/src\/server\/redis\/lua\// },
      {
        debugName: 'merged modules',
        name(id, graph) {
          files ??= fileNames(options, graph)
          const file = isPart(graph, id) ? null : files.get(id)
          return file === undefined ? ownPath(options.folder, id) : file
        },
      },
    ],
  }
}

/** What is an entry, or imported on demand, has a file of its own anyway. */
function isPart(graph: Rolldown.ChunkingContext, id: string): boolean {
  const { isEntry = false, dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  return isEntry || dynamicImporters.length > 0
}

/** Returns the file of each merged module, by module id; null where the bundler decides. */
function fileNames(
  { folder, merged, outsidePages }: MergeOptions,
  graph: Rolldown.ChunkingContext,
): ReadonlyMap<string, string | null> {
  const load = (module: string): ReadonlySet<string> => staticImports(graph, `${folder}${module}.ts`)
  const outside = outsidePages.map(load)
  /** Lists the entries outside of pages that load a module. */
  const users = (id: string): string => outside.map((loaded) => loaded.has(id)).join()
  const files = new Map<string, string | null>()
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

/** Returns the path of a module without its folder and extension, or null for a module of another folder. */
export function ownPath(folder: string, id: string): string | null {
  return id.startsWith(folder) ? id.slice(folder.length).replace(/\.ts$/, '') : null
}
