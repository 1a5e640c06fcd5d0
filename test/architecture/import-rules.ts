/** Allowed imports between folders, npm packages and globals, as data. A test compares them with the syntax tree of each file. */

/**
 * Folders of `src/`, each with the folders that it may import. `(types)` allows `import type` only. A name with a slash that is no
 * folder of the table is one file. A folder may always import itself.
 */
export const FOLDERS: Record<string, readonly string[]> = {
  foundation: [],
  wire: ['foundation (types)'],
  service: ['foundation'],
  'rate-limit': ['foundation'],
  authorization: ['foundation', 'service'],
  http: ['foundation', 'rate-limit', 'service', 'wire (types)'],
  tokens: ['foundation', 'http', 'service', 'wire (types)', 'authorization/authorization-result'],
  players: ['foundation', 'http', 'service', 'tokens'],
  lobbies: ['foundation', 'http', 'service', 'wire (types)', 'rate-limit/shared/keyed-mutex', 'players/player-token-error'],
  activity: ['foundation', 'http', 'service', 'wire (types)', 'authorization'],
  commands: ['foundation', 'http', 'service', 'wire (types)', 'rate-limit/shared/keyed-mutex'],
  /** What an application sends: messages and modals. Counts characters as commands do. */
  messages: ['foundation', 'wire (types)', 'commands/validation/count-characters'],
  interactions: ['foundation', 'wire (types)', 'commands', 'messages'],
  events: ['foundation', 'wire (types)', 'interactions'],
  'lobby-hub': ['foundation', 'wire (types)', 'players', 'interactions/read-body'],
  /** Tokens and sessions of a confidential application: it begins sign-ins of its own, and checks their callbacks. */
  'backend-session': [
    'foundation',
    'service',
    'http',
    'tokens',
    'authorization',
    'interactions/read-body',
    'players/request-budget',
    'players/player-token-error',
    'players/player (types)',
  ],
  client: ['foundation', 'wire (types)', 'service', 'rate-limit', 'http', 'authorization', 'tokens', 'lobbies', 'activity'],
  browser: [
    'client',
    'foundation',
    'service',
    'authorization',
    'tokens',
    'rate-limit/store-port',
    'rate-limit/shared/bucket-state',
    'rate-limit/shared/allocate',
    'lobbies/lobby-updates',
    'lobbies/create-event-parser',
  ],
  server: [
    'players',
    'events',
    'lobby-hub',
    'http',
    'rate-limit',
    'tokens',
    'lobbies',
    'commands',
    'messages',
    'interactions',
    'service',
    'foundation',
    'wire (types)',
    'backend-session',
  ],
  redis: [
    'rate-limit/store-port',
    'lobby-hub/lobby-broker',
    'players/player-tickets (types)',
    'backend-session/session-store (types)',
    'foundation',
  ],
  react: ['browser/client (types)', 'client (types)', 'lobbies (types)', 'rate-limit (types)', 'tokens (types)', 'foundation'],
  'vite/panel': [],
  vite: [],
  'electron/ipc-contract': ['client (types)', 'foundation'],
  'electron/main': ['electron/ipc-contract', 'client', 'authorization', 'tokens', 'rate-limit/store-port', 'foundation'],
  'electron/checks': ['electron/ipc-contract', 'electron/main', 'client/call-paths', 'tokens (types)', 'foundation'],
  'electron/preload': ['electron/ipc-contract'],
  'electron/renderer': [
    'electron/ipc-contract',
    'client (types)',
    'client/call-paths',
    'client/context/client-events',
    'client/groups/lobbies',
    'client/lobbies/live-lobbies',
    'client/lobbies/invite-link',
    'client/lobbies/live-lobby',
    'lobbies (types)',
    'foundation',
    'authorization/pkce',
  ],
  /** Exports of the smaller classic script. */
  core: ['foundation', 'authorization', 'tokens', 'browser'],
  /** Exports of the package entry `.`: every folder that a game in a page may use. */
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
  /** An entry, and a script of its own that receives the SDK from the page. */
  engine: ['foundation', 'client (types)', 'client/call-paths', 'index (types)'],
}

/**
 * The folders of `emulator/src/`, from low to high, in the notation of `FOLDERS`. A row may name only rows above it, so that no two
 * folders import each other: a type or function that a lower folder needs moves down, or is passed as a parameter.
 */
export const EMULATOR_FOLDERS: Record<string, readonly string[]> = {
  foundation: [],
  model: [],
  /** What requests and responses contained, and what of it is secret. */
  exchanges: [],
  /** What an emulator knows: its tables, its seed, its clock. */
  state: ['foundation', 'model'],
  /** Whether what somebody sends is valid: the service's codes and rules. */
  check: ['foundation', 'model', 'state'],
  /** What the service does, subject by subject. */
  service: ['foundation', 'model', 'state', 'check'],
  /** HTML of the pages, which Node writes. */
  'pages/documents': ['model (types)', 'state (types)', 'check'],
  /** Drives the pages without a browser: the programming interface does so too. */
  'tools/consent-driver': ['foundation', 'state', 'pages/documents'],
  /** Answers HTTP. */
  api: ['foundation', 'model', 'exchanges', 'state', 'check', 'service', 'pages/documents', 'tools/consent-driver (types)'],
  /** Starts and stops an emulator, and implements its programming interface. */
  emulator: ['foundation', 'model (types)', 'exchanges/record-exchange', 'state', 'check', 'service', 'api', 'tools/consent-driver'],
  /** Components of the emulator's pages and of the demo: they know no state of either. */
  'pages/kit': [],
  /** Runs in browsers: what it shares with the emulator are types of what is sent. */
  pages: ['pages/kit', 'model (types)', 'exchanges (types)', 'state (types)', 'service (types)', 'api (types)'],
  /** Command line, comparison with a service, and what two test runners use. */
  tools: ['foundation', 'service', 'api (types)', 'emulator'],
  /** Exports of the package: types, and the two things that a program calls. */
  index: ['foundation', 'model (types)', 'state (types)', 'service (types)', 'api (types)', 'tools/consent-driver (types)', 'emulator'],
}

/** npm packages and Node's own modules, each with the paths that may import it. `(types)` as above. */
export const PACKAGES: Record<string, readonly string[]> = {
  eventemitter3: ['src/'],
  '@noble/hashes': ['src/'],
  jose: ['src/tokens/id-token/verify-signature', 'src/backend-session/sealed-text'],
  ioredis: ['src/redis/ (types)'],
  undici: ['src/server/ (types)'],
  react: ['src/react/'],
  // By its own name, so that `require` gets the classes of the game's own SDK.
  'foyer-sdk': ['src/react/'],
  electron: ['src/electron/main/', 'src/electron/checks/', 'src/electron/preload/'],
  vite: ['src/vite/ (types)'],
  'node:': ['src/electron/main/', 'src/electron/checks/', 'src/vite/'],
  "(computed) pathToFileURL(found.resolve('foyer-emulator')).href": ['src/vite/run-emulator'],
}

/** Globals, and the paths that may name them. All other files receive an interface to them. */
export const GLOBALS: readonly { names: readonly string[]; only: readonly string[]; instead: string }[] = [
  {
    names: ['window', 'document', 'navigator', 'localStorage', 'sessionStorage', 'location', 'history', 'indexedDB'],
    only: ['src/browser/', 'src/engine/next-gesture.ts', 'src/vite/panel/', 'src/activity/host-window.ts', 'src/foundation/is-page.ts'],
    instead: 'only src/browser knows the page: receive it through an interface',
  },
  { names: ['Buffer', 'require', '__dirname', '__filename'], only: ['src/electron/main/'], instead: 'only src/electron/main uses Node' },
  {
    names: ['process'],
    only: [
      'src/electron/main/',
      'src/electron/checks/',
      'src/electron/preload/',
      'src/vite/',
      'src/foundation/is-page.ts',
      'src/foundation/is-production-build.ts',
    ],
    instead: 'only src/electron/main and src/electron/checks use Node',
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
    only: ['src/foundation/clock.ts', 'src/foundation/monotonic-clock.ts', 'src/vite/panel/'],
    instead: 'use the Clock',
  },
  {
    names: ['fetch', 'XMLHttpRequest'],
    only: [
      'src/browser/local-service-fault.ts',
      'src/browser/popup-check.ts',
      'src/browser/probe-callback.ts',
      'src/client/context/client-options.ts',
      'src/server/',
      // Asks the emulator, in Node.
      'src/vite/developer-panel.ts',
      'src/vite/panel/',
    ],
    instead: 'use the fetch of the options',
  },
  { names: ['eval', 'Function'], only: [], instead: 'the SDK also runs in pages that forbid unsafe-eval' },
]

/** Files that may use a type assertion (`as`, `<T>`, `!`), each with the reason. `as const` is free everywhere. */
export const CASTS: Record<string, string> = {
  'src/foundation/ids.ts': 'creates branded ids after validating them',
  'src/foundation/random-text.ts': 'checks for globalThis.crypto, which the DOM types declare as always present',
  'src/activity/activity-host.ts': 'inherits methods, and passes unverified data of a host to the listener of their event',
  'src/activity/create-host-commands.ts': 'types methods that are generated from the table of commands',
  'src/client/core-client.ts': 'takes metadata with the keys that the game names; every value is checked before it is sent',
  'src/electron/renderer/window-client.ts': 'types the client of a window, whose methods are generated from the list of IPC calls',
  'src/tokens/id-token/verify-id-token.ts': 'checks for globalThis.crypto, which the DOM types declare as always present',
}

/** Scripts: files whose purpose is to run when they are loaded. */
export const SCRIPTS: readonly string[] = [
  'src/browser/callback-page.ts',
  'src/electron/preload/index.ts',
  'src/engine/classic-script.ts',
  'src/vite/panel/developer-panel-script.ts',
]

/** Modules with state that a whole process may share, with the reason. */
export const MODULE_STATE: Record<string, string> = {
  'emulator/src/foundation/credentials.ts': 'one RSA key a process, which takes long to make; each emulator gives it an id of its own',
  'emulator/src/exchanges/record-exchange.ts': 'attaches data to request objects, which no two emulators share',
  'emulator/src/api/request/log-request.ts': 'attaches data to request objects, which no two emulators share',
}

/** Functions that may be called while a module loads: they compute a constant and have no side effect. */
export const CALLS_ON_IMPORT: readonly string[] = [
  'createContext',
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

/** Alarms, not goals: a file or a function that is longer is probably two ideas. Nothing is cut in two to stay below. */
export const LIMITS = { fileLines: 600, functionLines: 60, componentLines: 100 } as const

export const FORBIDDEN_WORDS: readonly string[] = ['Manager', 'Helper', 'Utils', 'Util']
