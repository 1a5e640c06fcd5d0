/** Browser engines that the tests run in. */
import type { Engine } from './engine'
import { chromium, firefox } from './playwright'
import type { Skip } from './unavailable'
import { webkit } from './webkit'

export type { EnginePage } from './engine'

/** Each function starts a browser for one test, which closes it. */
export const ENGINES: readonly { name: string; launch: (test: Skip) => Promise<Engine> }[] = [
  { name: 'Chromium', launch: chromium },
  { name: 'Firefox', launch: firefox },
  { name: 'WebKit', launch: webkit },
]
