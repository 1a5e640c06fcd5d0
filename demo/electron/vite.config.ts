/** Builds the Electron demo into `demo/electron/dist`: `--mode main` for the main process, `--mode preload` for its preload script, otherwise the page. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const EXTERNAL = { main: ['electron', /^node:/, /^foyer-sdk/], preload: ['electron'] }
const page = {
  outDir: here('./dist/page'),
  emptyOutDir: true,
  target: 'es2022',
  modulePreload: { polyfill: false },
}

/** One file. A window loads its preload script as CommonJS. */
function script(name: keyof typeof EXTERNAL, format: 'es' | 'cjs') {
  return {
    outDir: here('./dist'),
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: {
      entry: here(`./${name}.ts`),
      formats: [format],
      fileName: () => `${name}.${format === 'es' ? 'mjs' : 'cjs'}`,
    },
    rolldownOptions: { external: EXTERNAL[name] },
  }
}

const builds: Record<string, UserConfig['build']> = {
  main: script('main', 'es'),
  preload: script('preload', 'cjs'),
}
const alias = {
  'foyer-sdk/electron/preload': here('../../dist/desktop/preload/index.cjs'),
  'foyer-sdk': here('../../src/index.ts'),
}

export default defineConfig(({ mode }) => ({
  root: here('./page'),
  base: './',
  publicDir: false,
  // The main process and its preload script use the built package, as a game would.
  ...(mode !== 'main' && { resolve: { alias } }),
  build: builds[mode] ?? page,
}))
