/**
 * Lanes of the suite, as Vitest projects. `fast` runs from source and needs Node alone. `scripts/lists.mjs` says which list a lane is on, and
 * which programs it needs: `merge` before each landing, `proof` every night and before a release.
 */
import { availableParallelism } from 'node:os'
import process from 'node:process'
import type { TestProjectInlineConfiguration } from 'vitest/config'

interface Lane {
  /** Folders of `test`. A folder named `proof` inside of one is not part of it, and has a lane of its own. */
  folders: string[]
  exclude?: string[]
  /** Settings of Vitest beside those of a lane that needs the build. */
  settings?: TestProjectInlineConfiguration['test']
}

/** One file a process, as many at a time as there are cores: one more takes as long, and lets all wait for each other. */
const ISOLATED = { isolate: true, maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } }
const BUILD = 'test/support/global-setup.ts'
const ENGINES = 'test/support/game-engines.ts'
/** Browsers and servers may answer late on a shared machine. On CI a test has a second try, and the report names those that needed it. */
const BUILT = { ...ISOLATED, retry: process.env['CI'] ? 1 : 0, globalSetup: [BUILD] }
/** Files of a worker share their browsers, which begin each test with an empty profile. */
const WITH_ENGINES = { ...BUILT, isolate: false, globalSetup: [BUILD, ENGINES] }
/** Files share one module graph in each worker. */
const FROM_SOURCE = {
  isolate: false,
  maxWorkers: availableParallelism(),
  sequence: { groupOrder: 0 },
  setupFiles: ['test/support/refuse-lookups.ts', 'test/support/load-lazy-parts.ts'],
}

const LANES: Record<string, Lane> = {
  fast: {
    folders: ['architecture', 'attacks', 'cases', 'emulator', 'flows', 'types', 'unit'],
    exclude: ['flows/redis'],
    settings: FROM_SOURCE,
  },
  /** Generated inputs and schedules, simulations, comparisons of whole interfaces. */
  generated: { folders: ['generated'], settings: ISOLATED },
  browser: { folders: ['browser', 'electron', 'react'], exclude: ['browser/every-engine'] },
  'browser-proof': { folders: ['browser/proof', 'electron/proof'] },
  engines: { folders: ['browser/every-engine'], settings: WITH_ENGINES },
  'engines-proof': { folders: ['browser/every-engine/proof'], settings: WITH_ENGINES },
  redis: { folders: ['flows/redis'] },
  'redis-proof': { folders: ['flows/redis/proof'] },
  packages: { folders: ['package'] },
  'packages-proof': { folders: ['package/proof', 'create', 'vite'] },
  examples: { folders: ['examples'], settings: { ...WITH_ENGINES, isolate: true } },
  /** The manual as a site, which needs no build of the SDK. */
  site: { folders: ['site'], settings: { ...ISOLATED, globalSetup: ['test/support/site-setup.ts'] } },
}

const filesOf = (folder: string) => `test/${folder}/**/*.test.ts`
const proofIn = (folder: string) => `test/${folder}/**/proof/**`

export const projects: TestProjectInlineConfiguration[] = Object.entries(LANES).map(
  ([name, { folders, exclude = [], settings = BUILT }]) => ({
    extends: true,
    test: {
      name,
      include: folders.map(filesOf),
      exclude: [...exclude.map(filesOf), ...folders.map(proofIn)],
      ...settings,
    },
  }),
)
