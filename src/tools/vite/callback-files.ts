/** The callback page: served in development, and added to a build. Both files are those of the installed SDK. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, ResolvedConfig } from 'vite'

const FILES = { 'callback.html': 'text/html', 'callback.js': 'text/javascript' } as const
type Name = keyof typeof FILES

export function callbackFiles(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'foyer:callback-files',
    configResolved(resolved) {
      config = resolved
      for (const name of ownFiles(config))
        config.logger.warn(`foyer: public/${name} is used instead of the SDK's; delete a copy of it`)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const name = served(config).find((each) => request.url?.split('?')[0] === config.base + each)
        if (!name) return next()
        response.setHeader('content-type', FILES[name])
        response.setHeader('cache-control', 'no-cache')
        response.end(read(name))
      })
    },
    generateBundle() {
      if (config.build.ssr) return
      for (const fileName of served(config))
        this.emitFile({ type: 'asset', fileName, source: read(fileName) })
    },
  }
}

const NAMES: readonly Name[] = ['callback.html', 'callback.js']

/** Files that the game's own public folder replaces. */
function ownFiles({ publicDir }: ResolvedConfig): Name[] {
  return NAMES.filter((name) => publicDir !== '' && existsSync(join(publicDir, name)))
}

function served(config: ResolvedConfig): Name[] {
  return NAMES.filter((name) => !ownFiles(config).includes(name))
}

function read(name: Name): string {
  // Not `new URL(…, import.meta.url)`, which the build of the SDK would replace by the content.
  return readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../callback', name), 'utf8')
}
