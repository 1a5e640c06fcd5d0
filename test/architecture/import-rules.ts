/** Allowed imports between folders, npm packages and globals, as data. A test compares them with the syntax tree of each file. */

/**
 * Folders of `src/`, each with the folders that it may import. `(types)` allows `import type` only. A wing such as `shared` stands for all
 * of its folders. Another name that is no folder of the table is one file. A folder may always import itself.
 */
export const FOLDERS: Record<string, readonly string[]> = {
  /** What pages, backends and desktops share. */
  'shared/foundation': [],
  'shared/wire': ['shared/foundation (types)'],
  'shared/service': ['shared/foundation'],
  'shared/rate-limit': ['shared/foundation'],
  'shared/authorization': ['shared/foundation', 'shared/service'],
  'shared/http': ['shared/foundation', 'shared/rate-limit', 'shared/service', 'shared/wire (types)'],
  'shared/tokens': [
    'shared/foundation',
    'shared/http',
    'shared/service',
    'shared/wire (types)',
    'shared/authorization/authorization-result',
    // A code verifier is given with its challenge, too.
    'shared/authorization/attempt (types)',
  ],
  'shared/lobbies': ['shared/foundation', 'shared/http'],
  /** The player's side: a page, and the main process of a desktop game. */
  client: ['shared'],
  'client/page': ['shared', 'client'],
  /** What replaces lazily loaded code inside classic scripts. */
  'client/classic-script': ['shared', 'client', 'client/page'],
  /** A backend: what its bot does, what it holds for players, and what reaches it. */
  /** Names of everything that is stored. */
  'server/keys': ['shared/foundation'],
  /** The request that every handler of a backend takes. */
  'server/requests': ['shared/foundation'],
  /** The only client of the service for what somebody outside causes. */
  'server/budget': ['shared'],
  'server/players': ['shared', 'server/requests', 'server/keys', 'server/budget (types)'],
  'server/commands': ['shared'],
  /** What an application sends: messages and modals. */
  'server/messages': ['shared'],
  'server/interactions': ['shared', 'server/requests', 'server/keys', 'server/commands', 'server/messages'],
  'server/purchases': ['shared', 'server/keys', 'server/budget (types)'],
  'server/events': ['shared', 'server/keys', 'server/interactions', 'server/purchases/decode-purchase'],
  'server/lobbies': ['shared', 'server/budget (types)', 'server/players/player-token-error'],
  'server/hub': [
    'shared',
    'server/requests',
    'server/budget/request-budget',
    'server/players',
    'server/interactions/read-body',
  ],
  /** Tokens and sessions of a confidential application: it begins sign-ins of its own, and checks their callbacks. */
  'server/sessions': [
    'shared',
    'server/requests',
    'server/interactions/read-body',
    'server/keys',
    'server/budget/backend-caller',
    'server/budget (types)',
    'server/players/player-token-error',
    'server/players/player (types)',
  ],
  server: [
    'shared',
    'server/requests',
    'server/keys',
    'server/budget',
    'server/players',
    'server/events',
    'server/hub',
    'server/lobbies',
    'server/commands',
    'server/messages',
    'server/interactions',
    'server/purchases',
    'server/sessions',
  ],
  'server/redis': [
    'shared/rate-limit/store-port',
    'server/hub/lobby-broker',
    'server/players/player-tickets (types)',
    'server/purchases/purchase-store (types)',
    'server/sessions/session-store (types)',
    'server/keys',
    'shared/foundation',
  ],
  /** Stores in a Durable Object. */
  'server/workers': [
    'server/interactions/replay-store (types)',
    'server/players/player-tickets (types)',
    'server/purchases/purchase-store (types)',
    'server/sessions/session-store (types)',
    'server/keys (types)',
    'shared/foundation',
  ],
  /** Electron. */
  'desktop/contract': ['client (types)', 'shared/foundation'],
  'desktop/main': [
    'desktop/contract',
    'client',
    'shared/authorization',
    'shared/tokens',
    'shared/rate-limit/store-port',
    // The service's program takes a few updates in a time, like its API.
    'shared/rate-limit/slot-window',
    'shared/foundation',
  ],
  'desktop/checks': [
    'desktop/contract',
    'desktop/main',
    'client/call-paths',
    'shared/tokens (types)',
    'client (types)',
    'shared/foundation',
  ],
  'desktop/preload': ['desktop/contract'],
  'desktop/window': [
    'desktop/contract',
    'client (types)',
    'client/call-paths',
    'client/context/client-events',
    'client/desktop/desktop',
    'client/lobbies/lobby-list',
    'client/lobbies/invite-link',
    'client/lobbies/live-lobby',
    'shared/foundation',
    'shared/authorization/attempt',
  ],
  /** Exports of the smaller classic script. */
  core: ['shared', 'client', 'client/page'],
  /** Exports of the package entry `.`: every folder that a game in a page may use. */
  index: ['shared', 'client', 'client/page', 'desktop/window'],
  /** What a game's framework, engine or build uses. */
  'tools/react': ['client/page/client (types)', 'client (types)', 'shared (types)', 'shared/foundation'],
  /** Tests for stores: the ports of a backend, and the keys that it makes. */
  'tools/store-tests': [
    'server/keys',
    'server/hub/lobby-broker (types)',
    'server/interactions/replay-store (types)',
    'server/players/player-tickets (types)',
    'server/purchases/purchase-store (types)',
    'server/sessions/session-store (types)',
    'shared/rate-limit/store-port',
    'shared/foundation',
  ],
  'tools/vite/panel': [],
  'tools/vite': ['shared/foundation'],
  /** An entry, and a script of its own that receives the SDK from the page. */
  'tools/engine': ['shared/foundation', 'client (types)', 'client/call-paths', 'index (types)'],
}

/**
 * The folders of `emulator/src/`, from low to high, in the notation of `FOLDERS`. A row may name only rows above it, so that no two
 * folders import each other: a type or function that a lower folder needs moves down, or is passed as a parameter.
 */
export const EMULATOR_FOLDERS: Record<string, readonly string[]> = {
  foundation: [],
  model: ['foundation'],
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
  api: [
    'foundation',
    'model',
    'exchanges',
    'state',
    'check',
    'service',
    'pages/documents',
    'tools/consent-driver (types)',
  ],
  /** Starts and stops an emulator, and implements its programming interface. */
  emulator: [
    'foundation',
    'model (types)',
    'exchanges/record-exchange',
    'state',
    'check',
    'service',
    'api',
    'tools/consent-driver',
  ],
  /** Components of the emulator's pages and of the demo: they know no state of either. */
  'pages/kit': [],
  /** Runs in browsers: what it shares with the emulator are types of what is sent. */
  pages: [
    'pages/kit',
    'model (types)',
    'exchanges (types)',
    'state (types)',
    'service (types)',
    'api (types)',
  ],
  /** Command line, comparison with a service, and what two test runners use. */
  tools: ['foundation', 'service', 'api (types)', 'emulator'],
  /** Exports of the package: types, and the two things that a program calls. */
  index: [
    'foundation',
    'model (types)',
    'state (types)',
    'service (types)',
    'api (types)',
    'tools/consent-driver (types)',
    'emulator',
  ],
}

/** npm packages and Node's own modules, each with the paths that may import it. `(types)` as above. */
export const PACKAGES: Record<string, readonly string[]> = {
  eventemitter3: ['src/'],
  '@noble/hashes': ['src/'],
  jose: ['src/shared/tokens/remote-jwks', 'src/server/sessions/sealed-text'],
  ioredis: ['src/server/redis/ (types)'],
  undici: ['src/server/ (types)'],
  react: ['src/tools/react/'],
  // By its own name, so that `require` gets the classes of the game's own SDK.
  'foyer-sdk': ['src/tools/react/'],
  electron: ['src/desktop/main/', 'src/desktop/checks/', 'src/desktop/preload/'],
  vite: ['src/tools/vite/ (types)'],
  'node:': ['src/desktop/main/', 'src/desktop/checks/', 'src/tools/vite/'],
  "(computed) pathToFileURL(found.resolve('foyer-emulator')).href": ['src/tools/vite/run-emulator'],
}

/** Globals, and the paths that may name them. All other files receive an interface to them. */
export const GLOBALS: readonly { names: readonly string[]; only: readonly string[]; instead: string }[] = [
  {
    names: [
      'window',
      'document',
      'navigator',
      'localStorage',
      'sessionStorage',
      'location',
      'history',
      'indexedDB',
    ],
    only: [
      'src/client/page/',
      'src/tools/engine/next-gesture.ts',
      'src/tools/vite/panel/',
      'src/client/activity/host-window.ts',
      'src/shared/foundation/platform.ts',
    ],
    instead: 'only src/client/page knows the page: receive it through an interface',
  },
  {
    names: ['Buffer', 'require', '__dirname', '__filename'],
    only: ['src/desktop/main/'],
    instead: 'only src/desktop/main uses Node',
  },
  {
    names: ['process'],
    only: [
      'src/desktop/main/',
      'src/desktop/checks/',
      'src/desktop/preload/',
      'src/tools/vite/',
      'src/shared/foundation/platform.ts',
    ],
    instead: 'only src/desktop/main and src/desktop/checks use Node',
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
    only: [
      'src/shared/foundation/clock.ts',
      'src/shared/foundation/monotonic-clock.ts',
      'src/tools/vite/panel/',
      // The time at which the page was loaded tells one load from another.
      'src/client/page/invitation-address.ts',
    ],
    instead: 'use the Clock',
  },
  {
    names: ['fetch', 'XMLHttpRequest'],
    only: [
      'src/client/page/local-service-fault.ts',
      'src/client/page/watch-popup.ts',
      'src/client/page/probe-callback.ts',
      'src/client/context/client-options.ts',
      // Replaces them, for libraries.
      'src/client/activity/map-requests.ts',
      'src/server/',
      // Asks the emulator, in Node.
      'src/tools/vite/developer-panel.ts',
      // Vite itself runs it, beside a game.
      'src/tools/vite/warn-if-silent.ts',
      'src/tools/vite/panel/',
    ],
    instead: 'use the fetch of the options',
  },
  { names: ['eval', 'Function'], only: [], instead: 'the SDK also runs in pages that forbid unsafe-eval' },
]

/** Files whose functions may make an object literal with accessors, with the reason. */
export const ACCESSORS: Record<string, string> = {
  'src/client/session/session.ts': 'one for each session, whose properties a game may list',
  'src/server/redis/node-redis-link.ts': 'one for each connection to Redis',
}

/** Functions and tables that return the issues of a body, as `CheckedBody.of` names them. */
export const BODY_CHECKS = /\b(?:validate[A-Z]\w*|checkJoin|DATA\[|issuesOf|accountIssues|collectIssues)\b/

/** Files that may use a type assertion (`as`, `<T>`, `!`), each with the reason. `as const` is free everywhere. */
export const CASTS: Record<string, string> = {
  'src/shared/foundation/ids.ts': 'creates branded ids after validating them',
  'src/shared/foundation/crypto.ts':
    'checks for globalThis.crypto, which the DOM types declare as always present',
  'src/client/activity/activity-host.ts':
    'inherits methods, and passes unverified data of a host to the listener of their event',
  'src/client/activity/create-host-commands.ts':
    'types methods that are generated from the table of commands',
  'src/client/core-client.ts':
    'takes metadata with the keys that the game names; every value is checked before it is sent',
  'src/desktop/window/window-client.ts':
    'types the client of a window, whose methods are generated from the list of IPC calls',
  'src/shared/tokens/verify-id-token.ts':
    'checks for globalThis.crypto, which the DOM types declare as always present',
}

/** Files that may make issues of values by hand, each with the reason. All others apply rules (`shared/foundation/rules.ts`). */
export const ISSUES: Record<string, string> = {
  'src/shared/foundation/rules.ts': 'holds the language',
  'src/shared/http/api-error.ts': 'reads the issues that the service sends',
  'src/shared/authorization/argument-error.ts':
    'has a text for each argument of a sign-in, and loads with a page whose arguments are wrong, without rules',
}

/** Scripts: files whose purpose is to run when they are loaded. */
export const SCRIPTS: readonly string[] = [
  'src/client/page/callback-page.ts',
  'src/desktop/preload/index.ts',
  'src/tools/engine/classic-script.ts',
  'src/tools/vite/panel/developer-panel-script.ts',
]

/** Modules with state that a whole process may share, with the reason. */
export const MODULE_STATE: Record<string, string> = {
  'emulator/src/foundation/credentials.ts':
    'one RSA key a process, which takes long to make; each emulator gives it an id of its own',
  'emulator/src/exchanges/record-exchange.ts':
    'attaches data to request objects, which no two emulators share',
  'emulator/src/api/request/log-request.ts': 'attaches data to request objects, which no two emulators share',
}

/** Functions that may be called while a module loads: they compute a constant and have no side effect. */
export const CALLS_ON_IMPORT: readonly string[] = [
  'createContext',
  'invalidForEver',
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
