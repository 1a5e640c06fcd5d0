/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const alias = {
  'foyer-sdk': here('./src/index.ts'),
  'foyer-emulator': here('./emulator/src/index.ts'),
}

/** What is built: `vite build` for bundlers, `--mode umd` for a `<script>` tag, `--mode callback` for the page that a sign-in returns to. */
const builds: Record<string, UserConfig> = {
  production: {
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2022',
      sourcemap: true,
      minify: false,
      lib: { entry: { index: 'src/index.ts' }, formats: ['es'] },
      // One file a module: a game's bundler then drops whole modules that the game does not use, and splits at our `import()`s.
      rolldownOptions: { external: ['eventemitter3', 'jose', /^@noble\/hashes/], output: { preserveModules: true } },
    },
  },
  umd: {
    build: {
      outDir: 'dist/umd',
      emptyOutDir: false,
      target: 'es2017',
      sourcemap: true,
      minify: true,
      lib: { entry: 'src/index.ts', name: 'Foyer', formats: ['umd'], fileName: () => 'index.umd.js' },
      rolldownOptions: { output: { exports: 'named' } },
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
    },
  },
}

export default defineConfig(({ mode }) => ({
  ...builds[mode],
  publicDir: mode === 'callback' ? 'src/browser/public' : false,
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    // Two at a time: real browsers, an emulator and a packer share the machine with the tests.
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: 'test/support/once.ts',
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
}))
