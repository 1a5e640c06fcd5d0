/** Runs the tests on the source with mutants in it; see `runs.mjs`. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import project from '../../vite.config.ts'
import { instrumentedPath } from './mutants.mjs'

const { resolve: resolution, test } = project({ mode: 'test', command: 'serve' })
const chosen = JSON.parse(process.env.MUTATE_TESTS ?? 'null')

/** Runs test files in the given order: fastest first, since the first failure ends a run. */
class InOrder extends BaseSequencer {
  sort(files) {
    return chosen ? [...files].sort((a, b) => chosen.indexOf(a.moduleId) - chosen.indexOf(b.moduleId)) : super.sort(files)
  }
}

export default defineConfig({
  root: resolve('.'),
  resolve: resolution,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load(id) {
        const path = instrumentedPath(id.split('?')[0])
        return id.includes('/src/') && existsSync(path) ? readFileSync(path, 'utf8') : null
      },
    },
  ],
  test: {
    ...test,
    // Browsers, packages and other processes run the build, not the source: they cannot detect a mutant here.
    include: ['test/{unit,flows,attacks,cases}/**/*.test.ts'],
    exclude: ['test/flows/redis/processes.test.ts', 'test/attacks/{windows,electron-windows}.test.ts', 'test/unit/rate-limit/soak.test.ts'],
    globalSetup: [],
    setupFiles: ['scripts/mutate/coverage.mjs'],
    sequence: { sequencer: InOrder },
    maxWorkers: chosen ? 1 : test.maxWorkers,
    bail: chosen ? 1 : 0,
    // A mutant that never finishes is detected by this timeout.
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
