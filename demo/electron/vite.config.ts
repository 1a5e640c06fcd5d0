/** Builds the Electron demo: `--mode main` for the main process, otherwise the page. Both are written to `demo/electron/dist`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const main = {
  outDir: here('./dist'),
  emptyOutDir: false,
  target: 'es2022',
  minify: false,
  lib: { entry: here('./main.ts'), formats: ['es' as const], fileName: () => 'main.mjs' },
  rolldownOptions: { external: ['electron', /^node:/, /^foyer-sdk/] },
}
const page = { outDir: here('./dist/page'), emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } }

export default defineConfig(({ mode }) => ({
  root: here('./page'),
  base: './',
  publicDir: false,
  // The main process imports the built package, as a game would.
  ...(mode !== 'main' && { resolve: { alias: { 'foyer-sdk': here('../../src/index.ts') } } }),
  build: mode === 'main' ? main : page,
}))
