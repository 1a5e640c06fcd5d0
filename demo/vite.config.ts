/** Builds the demo page, with the package's own callback page under a strict content security policy, or serves it from its source. */
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build, defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

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
    // Vite's development server adds inline styles and an overlay for errors.
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
        injectTo: 'head-prepend',
      },
    ],
  }
}

/** Adds the files that a game would copy. */
function callbackPage(): Plugin {
  return {
    name: 'foyer-demo:callback-page',
    configureServer({ middlewares }) {
      middlewares.use('/callback.html', (_request, response) => void send(response, 'text/html', readPage()))
      middlewares.use(
        '/callback.js',
        (_request, response) => void send(response, 'text/javascript', bundle()),
      )
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'callback.html', source: await readPage() })
      this.emitFile({ type: 'asset', fileName: 'callback.js', source: await bundle() })
      // A built demo has no emulator: the user enters a service.
      this.emitFile({ type: 'asset', fileName: 'preset.json', source: 'null' })
    },
  }
}

async function send(response: ServerResponse, type: string, text: Promise<string>): Promise<void> {
  try {
    response.setHeader('Content-Type', type).end(await text)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}

function readPage(): Promise<string> {
  return readFile(here('../src/client/page/public/callback.html'), 'utf8')
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

export default defineConfig({
  root: here('.'),
  base: './',
  publicDir: false,
  resolve: {
    alias: {
      kit: here('../emulator/src/pages/kit'),
      'foyer-sdk/server': here('../src/server/index.ts'),
      'foyer-sdk': here('../src/index.ts'),
    },
  },
  plugins: [callbackPage(), contentPolicy()],
  build: {
    rolldownOptions: { input: [here('index.html'), here('copy-callback.html')] },
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: 'chrome123',
    modulePreload: { polyfill: false },
  },
})
