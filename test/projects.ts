/** Lanes of the suite, as Vitest projects. `fast` runs from source and needs Node alone. Each other lane names its needs. */
import { availableParallelism } from 'node:os'
import process from 'node:process'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** Folders of `test`, by lane. */
const LANES = {
  /** From source, in one module graph a worker. */
  fast: { include: ['architecture', 'attacks', 'cases', 'emulator', 'flows', 'types', 'unit'], exclude: ['flows/redis'] },
  /** Generated inputs and schedules, simulations and comparisons of whole interfaces, which take minutes. Needs Node alone. */
  generated: { include: ['generated'] },
  /** A Chromium, and for Electron's main process the desktop tools of a Linux. */
  browser: { include: ['browser', 'electron', 'react'], exclude: ['browser/every-engine'] },
  /** Chromium, Firefox and WebKit, and the game engines of npm. */
  engines: { include: ['browser/every-engine'] },
  /** A `redis-server`. */
  redis: { include: ['flows/redis'] },
  /** The built packages, compilers and bundlers. */
  packages: { include: ['create', 'package', 'vite'] },
  /** The built packages, a Chromium, and the game engines of the examples. */
  examples: { include: ['examples'] },
} satisfies Record<string, { include: string[]; exclude?: string[] }>

const filesOf = (folders: readonly string[] = []) => folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** One file a process, as many at a time as there are cores: one more takes as long, and lets all wait for each other. */
const ISOLATED = { isolate: true, maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } }
/** Browsers and servers may answer late on a shared machine. On CI a test has a second try, and the report names those that needed it. */
const DRIVEN = { ...ISOLATED, retry: process.env['CI'] ? 1 : 0 }
const BUILD = 'test/support/global-setup.ts'
const ENGINES = 'test/support/game-engines.ts'
const SETTINGS = {
  fast: {
    isolate: false,
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 0 },
    setupFiles: ['test/support/load-lazy-parts.ts'],
  },
  generated: ISOLATED,
  built: { ...DRIVEN, globalSetup: [BUILD] },
  engines: { ...DRIVEN, globalSetup: [BUILD, ENGINES] },
  examples: { ...DRIVEN, globalSetup: [BUILD, ENGINES] },
}

export const projects: TestProjectInlineConfiguration[] = Object.entries(LANES).map(([name, lane]) => ({
  extends: true,
  test: {
    name,
    include: filesOf(lane.include),
    exclude: filesOf('exclude' in lane ? lane.exclude : []),
    ...(name in SETTINGS ? SETTINGS[name as keyof typeof SETTINGS] : SETTINGS.built),
  },
}))
