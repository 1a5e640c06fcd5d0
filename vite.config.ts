/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'
import { classicScripts } from './scripts/build/classic-script.ts'
import { MERGED_FILES, OUTSIDE_PAGES } from './scripts/build/merged-files.ts'
import { mergeModules, ownPath } from './scripts/build/merge-modules.ts'
import { projects } from './test/projects.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The packages, from source. */
const SOURCES = {
  'foyer-sdk/engine': here('./src/tools/engine/index.ts'),
  'foyer-sdk/electron/checks': here('./src/desktop/checks/index.ts'),
  'foyer-sdk/electron/main': here('./src/desktop/main/index.ts'),
  'foyer-sdk/react': here('./src/tools/react/index.ts'),
  'foyer-sdk/redis': here('./src/server/redis/index.ts'),
  'foyer-sdk/server': here('./src/server/index.ts'),
  'foyer-sdk/workers': here('./src/server/workers/index.ts'),
  'foyer-sdk/store-tests': here('./src/tools/store-tests/index.ts'),
  'foyer-sdk': here('./src/index.ts'),
  'foyer-emulator': here('./emulator/src/index.ts'),
  /** Components that the emulator's pages and the demo share. */
  kit: here('./emulator/src/pages/kit'),
}
/** Its package gives bundlers a CommonJS file, wrapped, for 0.2 kB more; its own module is inside the package, but not among its exports. */
const EVENTS = { eventemitter3: here('./node_modules/eventemitter3/dist/eventemitter3.esm.js') }

/** The floor of every build for browsers: Chrome 94, Firefox 93, Safari 16.4. */
const FLOOR = 'es2022'
const LATE = here('./src/shared/foundation/late-text-coders.ts')
/** What Electron's main process brings itself. */
const SHELL = ['electron', /^node:/]

const MERGE = { folder: here('./src/'), merged: MERGED_FILES, outsidePages: OUTSIDE_PAGES }

/** The builds, each with `vite build --mode NAME`. `production` is the default. */
const builds: Record<string, UserConfig> = {
  // For bundlers: one file for what is always loaded together, otherwise one file a module. A game's bundler leaves out the files that the
  // game does not use, and splits at our `import()`s.
  production: {
    resolve: { alias: { ...SOURCES, ...EVENTS } },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: FLOOR,
      sourcemap: true,
      minify: false,
      lib: {
        entry: {
          index: 'src/index.ts',
          'server/index': 'src/server/index.ts',
          'tools/engine/index': 'src/tools/engine/index.ts',
          'tools/react/index': 'src/tools/react/index.ts',
          'server/redis/index': 'src/server/redis/index.ts',
          'server/workers/index': 'src/server/workers/index.ts',
          'tools/store-tests/index': 'src/tools/store-tests/index.ts',
          'tools/vite/index': 'src/tools/vite/index.ts',
          'tools/vite/in-page': 'src/tools/vite/in-page.ts',
          'tools/vite/panel/developer-panel-script': 'src/tools/vite/panel/developer-panel-script.ts',
          'desktop/main/index': 'src/desktop/main/index.ts',
          'desktop/main/in-page': 'src/desktop/main/in-page.ts',
          'desktop/checks/index': 'src/desktop/checks/index.ts',
          'desktop/checks/in-page': 'src/desktop/checks/in-page.ts',
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: ['jose', 'react', /^@noble\/hashes/, ...SHELL],
        preserveEntrySignatures: 'allow-extension',
        output: {
          minifyInternalExports: false,
          chunkFileNames: ({ name, facadeModuleId }) =>
            `${(facadeModuleId && ownPath(here('./src/'), facadeModuleId)) ?? name}.js`,
          codeSplitting: mergeModules(MERGE),
        },
      },
    },
  },
  // For `require`, with the dependencies inside: they are ES modules, which the Node of older Electrons cannot `require`.
  commonjs: {
    resolve: { alias: EVENTS },
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      target: FLOOR,
      sourcemap: true,
      minify: false,
      lib: {
        entry: {
          'server/index': 'src/server/index.ts',
          'tools/react/index': 'src/tools/react/index.ts',
          'server/redis/index': 'src/server/redis/index.ts',
          'desktop/main/index': 'src/desktop/main/index.ts',
        },
        formats: ['cjs'],
      },
      rolldownOptions: {
        external: ['foyer-sdk', 'react', ...SHELL],
        output: { comments: false, chunkFileNames: 'commonjs/[name].cjs' },
      },
    },
  },
  // One file that loads nothing but Electron: a sandboxed preload script cannot load more.
  preload: {
    build: {
      outDir: 'dist/desktop/preload',
      emptyOutDir: false,
      target: FLOOR,
      lib: { entry: 'src/desktop/preload/index.ts', formats: ['cjs'], fileName: () => 'index.cjs' },
      rolldownOptions: { external: SHELL },
    },
  },
  umd: classicScript('index', 'static-capabilities'),
  core: classicScript('core', 'core-capabilities'),
  // For pages of game engines: adds `Foyer.engine` to the global of a classic script that the page has loaded.
  engine: {
    build: {
      outDir: 'dist/umd',
      emptyOutDir: false,
      target: FLOOR,
      sourcemap: true,
      lib: {
        entry: 'src/tools/engine/classic-script.ts',
        name: 'FoyerEngine',
        formats: ['iife'],
        fileName: () => 'foyer.engine.js',
      },
    },
  },
  // The page that a sign-in returns to.
  callback: {
    build: {
      outDir: 'dist/callback',
      emptyOutDir: true,
      target: FLOOR,
      copyPublicDir: true,
      lib: {
        entry: 'src/client/page/callback-page.ts',
        name: 'FoyerCallback',
        formats: ['iife'],
        fileName: () => 'callback.js',
      },
      // The mark that src/client/page/watch-popup.ts looks for.
      rolldownOptions: { output: { postBanner: '/*! foyer-callback 1 */' } },
    },
  },
}

/** A script for `<script>` tags. `capabilities`: the module that replaces those named `capabilities`, whose parts load later. */
function classicScript(entry: string, capabilities: string): UserConfig {
  return {
    resolve: {
      alias: [
        { find: /^.*\/capabilities$/, replacement: here(`./src/client/classic-script/${capabilities}.ts`) },
        { find: 'eventemitter3', replacement: EVENTS.eventemitter3 },
      ],
    },
    build: {
      outDir: 'dist/umd',
      emptyOutDir: false,
      target: FLOOR,
      sourcemap: true,
      minify: 'oxc',
      lib: { entry: `src/${entry}.ts`, formats: ['cjs'] },
      rolldownOptions: {
        transform: {
          inject: { TextDecoder: [LATE, 'LateTextDecoder'], TextEncoder: [LATE, 'LateTextEncoder'] },
        },
        output: classicScripts(entry === 'core' ? 'foyer.core' : entry),
      },
    },
  }
}

export default defineConfig(({ mode }) => ({
  resolve: { alias: SOURCES },
  publicDir: mode === 'callback' ? 'src/client/page/public' : false,
  ...builds[mode],
  test: {
    // Electron's own binary cannot be had everywhere; see test/electron.
    alias: { electron: here('./test/support/electron/fake-electron.mjs') },
    projects,
    pool: 'forks',
    reporters: ['default', './test/support/summary-reporter.ts'],
    // Packing, compilers and browsers take seconds, and the machine may be shared, slow, or asleep for a while: only what hangs ends by time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 90_000 } },
  },
}))
