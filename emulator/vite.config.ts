/** Bundles the scripts of the emulator's pages into `dist/browser`, with Preact inside, so that the package needs no Preact. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { version }: { version: string } = JSON.parse(
  readFileSync(here('../node_modules/preact/package.json'), 'utf8'),
)

/** The scripts that pages load, by the names that `src/api/routes/create-pages.ts` serves. */
const ENTRIES = {
  chat: here('src/pages/chat/chat.tsx'),
  consent: here('src/pages/consent/warn-unreachable-callback.ts'),
  host: here('src/pages/host/host.ts'),
  inspector: here('src/pages/inspector/inspector.tsx'),
  'lost-connection': here('src/pages/consent/lost-connection.ts'),
}

export default defineConfig({
  root: here('.'),
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/browser',
    target: 'es2022',
    minify: false,
    modulePreload: false,
    rolldownOptions: {
      input: ENTRIES,
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: { groups: [{ name: 'preact', test: /node_modules[\\/]preact/ }] },
        postBanner: ({ name }) => (name === 'preact' ? `/*! preact ${version} | MIT */` : ''),
      },
    },
  },
})
