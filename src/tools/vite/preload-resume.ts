/** Preloads the code that restores a session: without a hint, the browser finds it only after the page's own script has run. */
import type { HtmlTagDescriptor, IndexHtmlTransformContext, Plugin } from 'vite'

/** Modules below `dist` that `resume()` loads for a client with a `tokenStore`. */
export const RESUME_MODULES = ['client/page/browser-sessions', 'client/session/stored-session']
/** Modules below `dist` of the stores that survive a page. */
export const STORE_MODULES = [
  'client/page/indexed-db-store',
  'client/page/local-storage-store',
  'client/page/session-storage-store',
]

const isOneOf = (id: string | null, modules: readonly string[]): boolean =>
  modules.some((module) => id?.endsWith(`/dist/${module}.js`))

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>
type Chunk = Extract<Bundle[string], { type: 'chunk' }>

/** Adds `<link rel="modulepreload">` to each page of a build whose first script uses one of the SDK's token stores. */
export function preloadResume(): Plugin {
  let base = '/'
  return {
    name: 'foyer:preload-resume',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, chunk, path }) =>
        filesToPreload(bundle, chunk?.fileName).flatMap((file) =>
          toLink(html, addressOf(file, { base, path })),
        ),
    },
  }
}

/** Returns the names of the files that `resume()` loads and the page does not; empty if the page uses no store. */
function filesToPreload(bundle: Bundle, entry = ''): string[] {
  const atLoad = loadedWith(bundle, entry)
  if (
    !atLoad.some((chunk) =>
      Object.entries(chunk.modules).some(
        ([id, module]) => isOneOf(id, STORE_MODULES) && module.renderedLength > 0,
      ),
    )
  )
    return []
  const parts = Object.values(bundle).filter(
    (file) => file.type === 'chunk' && file.moduleIds.some((id) => isOneOf(id, RESUME_MODULES)),
  )
  const names = new Set(
    parts.flatMap(({ fileName }) => loadedWith(bundle, fileName).map((chunk) => chunk.fileName)),
  )
  return [...names].filter((name) => !atLoad.some(({ fileName }) => fileName === name))
}

/** Returns a file and all that it imports statically. */
function loadedWith(bundle: Bundle, name: string, found = new Set<Chunk>()): Chunk[] {
  const file = bundle[name]
  if (file?.type !== 'chunk' || found.has(file)) return [...found]
  found.add(file)
  for (const other of file.imports) loadedWith(bundle, other, found)
  return [...found]
}

/** A relative `base` (`./`) begins at the page's own folder. */
function addressOf(file: string, { base, path }: { base: string; path: string }): string {
  const isRelative = base === '' || base === './'
  return isRelative ? '../'.repeat(path.replace(/^\//, '').split('/').length - 1) + file : base + file
}

function toLink(html: string, href: string): HtmlTagDescriptor[] {
  return html.includes(`"${href}"`)
    ? []
    : [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href }, injectTo: 'head' }]
}
