/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { importMerged, mergeModules, ownPath, skipReexports } from './scripts/esm/merge-modules.ts'
import { classicSyntax } from './scripts/umd/classic-syntax.ts'
import { lateTextCoders } from './scripts/umd/late-text-coders.ts'
import { leaveOut } from './scripts/umd/leave-out.ts'
import { inlineLazyParts } from './scripts/umd/inline-lazy-parts.ts'
import { plainPrivateNames } from './scripts/umd/plain-private-names.ts'
import { withoutEncryption } from './scripts/umd/without-encryption.ts'
import { wrapClassicScript } from './scripts/umd/wrap-classic-script.ts'
import { projects } from './test/projects.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const alias = {
  'foyer-sdk/engine': here('./src/engine/index.ts'),
  'foyer-sdk/electron/checks': here('./src/electron/checks/index.ts'),
  'foyer-sdk/electron/main': here('./src/electron/main/index.ts'),
  'foyer-sdk/react': here('./src/react/index.ts'),
  'foyer-sdk/redis': here('./src/redis/index.ts'),
  'foyer-sdk/server': here('./src/server/index.ts'),
  'foyer-sdk': here('./src/index.ts'),
  'foyer-emulator': here('./emulator/src/index.ts'),
}

const EXTERNAL = ['jose', 'react', /^@noble\/hashes/]
/** What Electron's main process brings itself. */
const SHELL = ['electron', /^node:/]
/** Its package gives bundlers a CommonJS file, wrapped, for 0.2 kB more; its own module is inside the package, but not among its exports. */
const EVENTS = { eventemitter3: here('./node_modules/eventemitter3/dist/eventemitter3.esm.js') }

/** Files of `dist/` that contain several modules; see `mergeModules`. */
const MERGED = [
  [
    'foundation',
    [
      'foundation/error/error-classes',
      'foundation/abort-group',
      'foundation/clock',
      'foundation/deferred',
      'foundation/equal-text',
      'foundation/ids',
      'foundation/is-page',
      'foundation/random-text',
      'foundation/require-web-crypto',
      'foundation/secret',
      'foundation/sha256',
      'service/service-config',
    ],
  ],
  ['client', ['client/core-client']],
  // Parts that load later use these too. Inside `page`, they would make Vite split a game's own script into three files.
  ['address-bar-and-callback-channel', ['browser/address-bar', 'browser/callback-channel']],
  ['page', ['browser/client']],
  ['token-requests', ['tokens/id-token/verify-id-token', 'tokens/id-token/remote-jwks', 'tokens/requests/token-endpoint']],
  ['rate-limited-requests', ['http/limited-api']],
  ['sessions', ['browser/browser-sessions']],
  ['exchange', ['client/context/exchange']],
  ['rest', ['client/context/create-user-api']],
] as const
const OUTSIDE_PAGES = ['server/index', 'redis/index', 'electron/main/index']
const MERGE = { folder: here('./src/'), merged: MERGED, outsidePages: OUTSIDE_PAGES }

/** The smaller classic script and the modules that it lacks. */
const LEFT_OUT = {
  file: 'foyer.core.umd.js',
  remedy: 'It has sign-in and sessions only: load index.umd.js',
  modules: [
    'authorization/callback-checks',
    'browser/page-services',
    'browser/local-service-fault',
    'browser/find-shown-fault',
    'client/methods/activity-methods',
    'client/methods/backend-methods',
    'client/methods/user-methods',
    'client/methods/account-methods',
    'client/methods/lobby-methods',
  ],
}

/** What is built: `vite build` for bundlers, `--mode server` and `--mode redis` for backends that `require`, `--mode umd` for a `<script>` tag, `--mode callback` for the page that a sign-in returns to. */
const builds: Record<string, UserConfig> = {
  production: {
    plugins: [importMerged(MERGE), skipReexports()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2022',
      sourcemap: true,
      minify: false,
      lib: {
        entry: {
          index: 'src/index.ts',
          'server/index': 'src/server/index.ts',
          'engine/index': 'src/engine/index.ts',
          'react/index': 'src/react/index.ts',
          'redis/index': 'src/redis/index.ts',
          'vite/index': 'src/vite/index.ts',
          'vite/panel/developer-panel-script': 'src/vite/panel/developer-panel-script.ts',
          'electron/main/index': 'src/electron/main/index.ts',
          'electron/checks/index': 'src/electron/checks/index.ts',
        },
        formats: ['es'],
      },
      // One file for what is always loaded together, and otherwise one file a module: a game's bundler drops whole files that the game does
      // not use, and splits at our `import()`s.
      rolldownOptions: {
        external: [...EXTERNAL, ...SHELL],
        preserveEntrySignatures: 'allow-extension',
        output: {
          strictExecutionOrder: false,
          minifyInternalExports: false,
          chunkFileNames: ({ name, facadeModuleId }) => `${(facadeModuleId && ownPath(here('./src/'), facadeModuleId)) ?? name}.js`,
          codeSplitting: mergeModules(MERGE),
        },
      },
    },
  },
  // What a backend loads with `require`: one file, since CommonJS cannot share modules with the entries above anyway.
  server: backend('server'),
  redis: backend('redis'),
  react: { ...backend('react'), plugins: [externalSdk()] },
  // With its dependencies inside: they are ES modules, and the Node of older Electrons cannot `require` those. Its rare parts are files of their own.
  'electron-main': shell('main', {
    chunkFileNames: '[name].cjs',
    comments: false,
    codeSplitting: { groups: [{ name: 'foundation', test: /src\/foundation\//, minShareCount: 2 }] },
  }),
  // One file that loads nothing but Electron: a sandboxed preload script cannot load more.
  'electron-preload': shell('preload', { minify: true, codeSplitting: false }),
  // First one file of today's syntax, from which everything unused is dropped; only then the old syntax, which hides what is unused.
  bundle: bundle('index'),
  'core-bundle': bundle('core', [leaveOut({ folder: here('./src/'), ...LEFT_OUT })]),
  umd: classicScript('index', 'index.umd.js'),
  'core-umd': classicScript('core', LEFT_OUT.file),
  // For pages of game engines: adds `Foyer.engine` to the global of a classic script that the page has loaded.
  engine: {
    plugins: [classicSyntax()],
    build: {
      outDir: 'dist/umd',
      emptyOutDir: false,
      target: 'es2017',
      sourcemap: true,
      minify: true,
      lib: { entry: 'src/engine/classic-script.ts', name: 'FoyerEngine', formats: ['iife'], fileName: () => 'foyer.engine.js' },
    },
  },
  callback: {
    build: {
      outDir: 'dist/callback',
      emptyOutDir: true,
      target: 'es2017',
      minify: true,
      copyPublicDir: true,
      lib: { entry: 'src/browser/callback-page.ts', name: 'FoyerCallback', formats: ['iife'], fileName: () => 'callback.js' },
      // The mark that src/browser/popup-check.ts looks for.
      rolldownOptions: { output: { postBanner: '/*! foyer-callback 1 */' } },
    },
  },
}

/** An entry as one file of today's syntax. */
function bundle(entry: string, plugins: Plugin[] = []): UserConfig {
  return {
    plugins: [...plugins, withoutEncryption(), lateTextCoders(), inlineLazyParts(here('./src/')), plainPrivateNames()],
    build: {
      outDir: '.cache/bundle',
      emptyOutDir: false,
      target: 'es2022',
      sourcemap: true,
      minify: false,
      lib: { entry: `src/${entry}.ts`, formats: ['es'], fileName: () => `${entry}.js` },
      rolldownOptions: { treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false } },
    },
  }
}

/** A bundle as a script for `<script>` tags. */
function classicScript(bundled: string, file: string): UserConfig {
  return {
    plugins: [classicSyntax(), wrapClassicScript()],
    build: {
      outDir: 'dist/umd',
      emptyOutDir: false,
      target: 'es2017',
      sourcemap: true,
      minify: true,
      lib: { entry: `.cache/bundle/${bundled}.js`, name: 'Foyer', formats: ['umd'], fileName: () => file },
      rolldownOptions: { output: { exports: 'named' } },
    },
  }
}

function toSdk() {
  return { id: 'foyer-sdk', external: true }
}

/** Keeps the client and the errors outside of an entry, so that they are the classes that the game loads with `foyer-sdk`. */
function externalSdk(): Plugin {
  return {
    name: 'foyer:external-sdk',
    enforce: 'pre',
    resolveId: { filter: { id: /\/(browser\/client|foundation\/errors)$/ }, handler: toSdk },
  }
}

/** One entry of a game's backend, as CommonJS. */
function backend(room: string): UserConfig {
  return {
    build: {
      outDir: `dist/${room}`,
      emptyOutDir: false,
      target: 'es2022',
      sourcemap: true,
      minify: false,
      lib: { entry: `src/${room}/index.ts`, formats: ['cjs'], fileName: () => 'index.cjs' },
      rolldownOptions: { external: EXTERNAL, output: { codeSplitting: false } },
    },
  }
}

/** A part of an Electron app, as CommonJS. */
function shell(room: string, output: Rolldown.OutputOptions): UserConfig {
  return {
    resolve: { alias: EVENTS },
    build: {
      outDir: `dist/electron/${room}`,
      emptyOutDir: false,
      target: 'es2022',
      sourcemap: room === 'main',
      minify: false,
      lib: { entry: `src/electron/${room}/index.ts`, formats: ['cjs'], fileName: () => 'index.cjs' },
      rolldownOptions: { external: SHELL, output },
    },
  }
}

export default defineConfig(({ mode }) => ({
  ...builds[mode],
  publicDir: mode === 'callback' ? 'src/browser/public' : false,
  resolve: { alias: ['production', 'bundle', 'core-bundle'].includes(mode) ? { ...alias, ...EVENTS } : alias },
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
