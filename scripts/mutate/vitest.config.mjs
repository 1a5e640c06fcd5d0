/** Runs the tests on the source with mutants in it; see `runs.mjs`. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import project from '../../vite.config.ts'
import { EXCLUDED } from './coverage-cache.mjs'
import { instrumentedPath } from './mutants.mjs'

const { resolve: resolution = {}, test } = project({ mode: 'test', command: 'serve' })
const { projects: _, ...settings } = test ?? {}

export default defineConfig({
  root: resolve('.'),
  resolve: resolution,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load(id) {
        const path = instrumentedPath(id.split('?')[0] ?? id)
        return id.includes('/src/') && existsSync(path) ? readFileSync(path, 'utf8') : null
      },
    },
  ],
  test: {
    ...settings,
    include: ['test/{unit,flows,attacks,cases,generated}/**/*.test.ts'],
    exclude: EXCLUDED,
    globalSetup: [],
    setupFiles: ['scripts/mutate/coverage.mjs'],
  },
})
