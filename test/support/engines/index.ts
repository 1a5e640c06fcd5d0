/** Browser engines that the tests run in. */
import { chromium } from './chromium'
import type { Engine, LaunchOptions } from './engine'
import { firefox } from './firefox'
import type { Skip } from './unavailable'
import { webkit } from './webkit'

export type { EnginePage } from './engine'

export type EngineName = 'Chromium' | 'Firefox' | 'WebKit'

interface EngineKind {
  name: EngineName
  /** Starts a browser, which the caller closes. */
  launch: (test: Skip, options?: LaunchOptions) => Promise<Engine>
  /** Options that make another browser. The engine ignores the others, so that one browser serves them all. */
  heeds: readonly (keyof LaunchOptions)[]
}

export const ENGINES: readonly EngineKind[] = [
  { name: 'Chromium', launch: chromium, heeds: ['contentOnly'] },
  { name: 'Firefox', launch: firefox, heeds: ['webgl'] },
  { name: 'WebKit', launch: webkit, heeds: ['takesPictures'] },
]
