/** Serves and builds the demo page: with the package's own callback page, under a strict content security policy. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Parts of the editor on the commands screen. */
const EDITOR = [...['commands', 'lang-json', 'language', 'lint', 'state', 'view'].map((part) => `@codemirror/${part}`), '@lezer/highlight']

const LOOPBACK = ['http://localhost:*', 'http://127.0.0.1:*']

/** `https:` because the page accepts any service's address; tokens are sent only to the address that was typed in. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' https: ${LOOPBACK.join(' ')}`,
  `connect-src 'self' https: ${LOOPBACK.join(' ')}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function contentPolicy(): Plugin {
  return {
    name: 'foyer-demo:content-policy',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
  }
}

/** Serves the files that a game would copy. */
function callbackPage(): Plugin {
  return {
    name: 'foyer-demo:callback-page',
    configureServer({ middlewares }) {
      const script = bundleOnce()
      middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0]
        const answer = path === '/callback.html' ? readPage() : path === '/callback.js' ? script() : undefined
        if (!answer) return next()
        response.setHeader('Content-Type', path === '/callback.html' ? 'text/html' : 'text/javascript')
        answer.then((text) => response.end(text), next)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'callback.html', source: await readPage() })
      this.emitFile({ type: 'asset', fileName: 'callback.js', source: await bundle() })
      // A built demo has no emulator: the user enters a service.
      this.emitFile({ type: 'asset', fileName: 'preset.json', source: 'null' })
    },
  }
}

function readPage(): Promise<string> {
  return readFile(here('../src/browser/public/callback.html'), 'utf8')
}

function bundleOnce(): () => Promise<string> {
  let script: Promise<string> | undefined
  return () => (script ??= bundle())
}

/** Bundles `callback.js` as the package does. */
async function bundle(): Promise<string> {
  const outputs = await build({
    root: here('..'),
    configFile: here('../vite.config.ts'),
    mode: 'callback',
    logLevel: 'error',
    build: { write: false },
  })
  for (const output of Array.isArray(outputs) ? outputs : [outputs]) {
    if (!('output' in output)) continue
    for (const file of output.output) if (file.type === 'chunk') return file.code
  }
  throw new Error('The callback page has no script.')
}

/** Disables live reload: it needs a second port, and could reload the page during a sign-in. */
function noLiveReload(): Plugin {
  return {
    name: 'foyer-demo:no-live-reload',
    apply: 'serve',
    transformIndexHtml: { order: 'post', handler: (html) => html.replace(/<script[^>]*@vite\/client[^>]*><\/script>/, '') },
  }
}

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  resolve: { alias: { 'foyer-sdk/server': here('../src/server/index.ts'), 'foyer-sdk': here('../src/index.ts') } },
  plugins: [callbackPage(), contentPolicy(), noLiveReload()],
  // Listed here because a dependency that is found late would reload the page during a sign-in.
  optimizeDeps: { noDiscovery: true, include: ['eventemitter3', '@noble/hashes/sha2.js', 'oauth4webapi', ...EDITOR] },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', cssTarget: 'chrome123', modulePreload: { polyfill: false } },
})
