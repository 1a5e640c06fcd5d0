/** Refuses a build whose page holds the code of a backend: every player could read its secrets. */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** A plugin that ends such a build. Modules that the bundler left out, such as types and code for `import.meta.env.SSR`, are not in the page. */
export function refuseBackendCode(): Plugin {
  let root = ''
  return {
    name: 'foyer:backend-code',
    apply: ({ build }, { command }) => command === 'build' && !build?.ssr,
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      if ('environment' in this && this.environment.config.consumer === 'server') return // Vite 5 has no environments
      const folder = backendFolder()
      for (const file of Object.values(bundle)) {
        const modules = file.type === 'chunk' ? Object.entries(file.modules) : []
        const [found] =
          modules.find(([id, { renderedLength }]) => renderedLength > 0 && id.startsWith(folder)) ?? []
        if (found === undefined) continue
        const [importer = ''] = importersOf(found, (id) => this.getModuleInfo(id)?.importers ?? [], folder)
        this.error(
          `foyer: ${relative(root, importer)} brings foyer-sdk/server into the page, where every player can read bot tokens and client secrets. Import it in your backend only. A page imports Client from foyer-sdk`,
        )
      }
    },
  }
}

/** Modules outside of the backend's code that import it. */
function importersOf(id: string, read: (id: string) => readonly string[], folder: string): string[] {
  const seen = new Set([id])
  for (const each of seen) if (each.startsWith(folder)) for (const importer of read(each)) seen.add(importer)
  return [...seen].filter((each) => !each.startsWith(folder))
}

/** The folder of `foyer-sdk/server` in this copy of the SDK. Not `new URL(…, import.meta.url)`, which the build of the SDK would replace. */
const backendFolder = (): string => join(dirname(fileURLToPath(import.meta.url)), '../../server/')
