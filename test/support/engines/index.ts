/** Browser engines that the tests run in. */
import { chromium } from './chromium'
import type { Engine, LaunchOptions } from './engine'
import { firefox } from './firefox'
import type { Skip } from './unavailable'
import { webkit } from './webkit'

export type { EnginePage } from './engine'

export type EngineName = 'Chromium' | 'Firefox' | 'WebKit'

/** Each function starts a browser, which the caller closes. */
export const ENGINES: readonly { name: EngineName; launch: (test: Skip, options?: LaunchOptions) => Promise<Engine> }[] = [
  { name: 'Chromium', launch: chromium },
  { name: 'Firefox', launch: firefox },
  { name: 'WebKit', launch: webkit },
]
