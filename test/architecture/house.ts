/** Who may import whom, which packages and which globals: the house rules as data. A test walks the syntax tree and compares. */

/**
 * A room and what it may import. `(types)` allows `import type` only. A name with a slash that is no room is one file of a room.
 * A room may always import itself.
 */
export const ROOMS: Record<string, readonly string[]> = {
  foundation: [],
  wire: ['foundation (types)'],
  service: ['foundation'],
  'rate-limit': ['foundation'],
  authorization: ['foundation', 'service'],
  http: ['foundation', 'rate-limit', 'service', 'wire (types)'],
  tokens: ['foundation', 'http', 'service', 'wire (types)', 'authorization/result'],
  lobbies: ['foundation', 'http', 'service', 'wire (types)', 'rate-limit/shared/keyed-mutex'],
  activity: ['foundation', 'http', 'service', 'wire (types)', 'authorization'],
  commands: ['foundation', 'http', 'service', 'wire (types)'],
  interactions: ['foundation', 'wire (types)', 'commands'],
  client: ['foundation', 'wire (types)', 'service', 'rate-limit', 'http', 'authorization', 'tokens', 'lobbies', 'activity'],
  browser: [
    'client',
    'foundation',
    'service',
    'authorization',
    'tokens',
    'rate-limit/shared/store',
    'rate-limit/shared/bucket-state',
    'rate-limit/shared/allocate',
    'lobbies/lobby-events',
  ],
  server: ['http', 'rate-limit', 'tokens', 'lobbies', 'commands', 'interactions', 'service', 'foundation', 'wire (types)'],
  redis: ['rate-limit/shared/store', 'foundation'],
  'electron/contract': ['client (types)', 'foundation'],
  'electron/main': ['electron/contract', 'client', 'authorization', 'tokens', 'rate-limit/shared/store', 'foundation'],
  'electron/preload': ['electron/contract'],
  'electron/renderer': ['electron/contract', 'client (types)', 'foundation', 'authorization/pkce'],
  /** The table of contents of `.`: every room that a game in a page may see. */
  index: [
    'foundation',
    'wire (types)',
    'service',
    'rate-limit',
    'authorization',
    'http',
    'tokens',
    'lobbies',
    'activity',
    'client',
    'browser',
    'electron/renderer',
  ],
}

/** npm packages and Node's own modules, each with the places that may import it. `(types)` as above. */
export const PACKAGES: Record<string, readonly string[]> = {
  eventemitter3: ['src/'],
  '@noble/hashes': ['src/'],
  jose: ['src/tokens/id-token/verify-signature'],
  ioredis: ['src/redis/ (types)'],
  undici: ['src/server/ (types)'],
  electron: ['src/electron/main/', 'src/electron/preload/'],
  'node:': ['src/electron/main/'],
}

/** Globals and the places that may name them. Everything else asks a port. */
export const GLOBALS: readonly { names: readonly string[]; only: readonly string[]; instead: string }[] = [
  {
    names: ['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'location', 'history', 'indexedDB'],
    only: ['src/browser/', 'src/activity/host.ts', 'src/server/backend-only.ts'],
    instead: 'the page lives at the rim: take what you need through a port',
  },
  { names: ['Buffer', 'require', '__dirname', '__filename'], only: ['src/electron/main/'], instead: 'Node lives at the rim' },
  {
    names: ['process'],
    only: ['src/electron/main/', 'src/electron/preload/', 'src/server/backend-only.ts'],
    instead: 'Node lives at the rim',
  },
  {
    names: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'requestAnimationFrame',
      'requestIdleCallback',
      'performance',
      'Date.now',
      'new Date()',
      'Date()',
      'AbortSignal.timeout',
    ],
    only: ['src/foundation/clock.ts', 'src/foundation/monotonic-clock.ts'],
    instead: 'ask the Clock',
  },
  {
    names: ['fetch', 'XMLHttpRequest'],
    only: ['src/browser/popup-check.ts', 'src/client/options.ts', 'src/server/'],
    instead: 'use the fetch that the caller gave',
  },
  { names: ['eval', 'Function'], only: [], instead: 'pages that forbid unsafe-eval run the SDK too' },
]

/** Files that may use a type assertion (`as`, `<T>`, `!`), each with the reason. `as const` is free everywhere. */
export const CASTS: Record<string, string> = {
  'src/foundation/ids.ts': 'mints branded ids after checking them',
  'src/foundation/random.ts': 'asks whether globalThis.crypto is there, which the DOM types promise',
  'src/electron/renderer.ts': 'gives the client of a window its type: its methods are made from the list of what may cross',
  'src/tokens/id-token/verify.ts': 'asks whether globalThis.crypto is there, which the DOM types promise',
}

/** Files that are scripts: they run when they are loaded, since that is what they are for. */
export const SCRIPTS: readonly string[] = ['src/browser/callback-page.ts', 'src/electron/preload/index.ts']

/** What may be called while a module loads: it computes a constant and touches nothing else. */
export const CALLS_ON_IMPORT: readonly string[] = [
  'Object.freeze',
  'Object.keys',
  'Object.values',
  'Object.entries',
  'Object.fromEntries',
  'Symbol',
  'Symbol.for',
  'BigInt',
  'new RegExp',
  'new Map',
  'new Set',
  'new TextEncoder',
]

export const LIMITS = { fileLines: 250, functionLines: 40, parameters: 3 } as const

/** Rooms where state and time live: decide in pure functions, act in thin ones. */
export const SHORT_FUNCTIONS: Record<string, number> = { tokens: 25, 'rate-limit': 25 }

export const FORBIDDEN_WORDS: readonly string[] = ['Manager', 'Helper', 'Utils', 'Util']
