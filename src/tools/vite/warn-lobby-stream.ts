/** Warns of a build whose lobby stream is on the developer's machine, as the emulator's is. */
import type { Plugin, ResolvedConfig } from 'vite'
import { isLoopback } from './loopback'

/** The argument of `lobbyStream`, and any address that ends as the emulator's does. */
const LITERALS = [
  /\blobbyStream\(\s*['"`](https?:\/\/[^'"`$]+)['"`]/g,
  /['"`](https?:\/\/[^'"`$\s]+\/lobby-stream)['"`]/g,
]
const VARIABLE = /\blobbyStream\(\s*import\.meta\.env\.(\w+)/g

/** Code that a build leaves out, such as that for `import.meta.env.DEV`, causes no warning. */
export function warnLobbyStream(): Plugin {
  const found = new Set<string>()
  let config: ResolvedConfig
  return {
    name: 'foyer:check-lobby-stream',
    apply: ({ build }, { command }) => command === 'build' && !build?.ssr,
    configResolved(resolved) {
      config = resolved
    },
    transform(code, id) {
      if (!id.includes('/node_modules/'))
        for (const address of addressesIn(code, config.env)) found.add(address)
    },
    generateBundle(_, bundle) {
      const code = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : ''))
      for (const address of found) {
        if (code.some((text) => text.includes(address)))
          config.logger.warn(
            `foyer: lobbyStream is at ${address}, which no player can reach: name your backend's hub, or leave lobbyUpdates out of the build`,
          )
      }
    },
  }
}

/** Addresses on this machine that a module opens a lobby stream at. */
function addressesIn(code: string, env: Readonly<Record<string, unknown>>): string[] {
  const literals = LITERALS.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, address = '']) => address),
  )
  const variables = [...code.matchAll(VARIABLE)].map(([, name = '']) => String(env[name]))
  return [...literals, ...variables].filter(isLoopback)
}
