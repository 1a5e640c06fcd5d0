/** Files of `dist/` that contain several modules: what is always loaded together. */

/** Files, and the modules whose static imports each contains. Null: each of the modules loads on demand, and the bundler adds to it what it alone imports. */
export const MERGED_FILES = [
  [
    'foundation',
    [
      'shared/foundation/errors',
      'shared/foundation/async',
      'shared/foundation/clock',
      'shared/foundation/crypto',
      'shared/foundation/ids',
      'shared/foundation/platform',
      'shared/foundation/secret',
      'shared/service/service-config',
    ],
  ],
  ['client', ['client/core-client']],
  // Parts that load later use these too. Inside `page`, they would make Vite split a game's own script into three files.
  ['address-bar-and-callback-channel', ['client/page/address-bar', 'client/page/callback-channel']],
  ['page', ['client/page/client']],
  [
    'token-requests',
    ['shared/tokens/verify-id-token', 'shared/tokens/remote-jwks', 'shared/tokens/token-endpoint'],
  ],
  ['rate-limited-requests', ['shared/http/limited-api']],
  [null, ['client/page/browser-sessions', 'client/session/token-client']],
  // Streams of a game read lobbies too. Inside `rest`, esbuild would load every call with the page.
  ['read-lobby', ['client/lobbies/read-lobby']],
  ['rest', ['client/groups/player-calls']],
] as const
/** Entries that load no code for pages. */
export const OUTSIDE_PAGES = [
  'server/index',
  'server/redis/index',
  'server/workers/index',
  'tools/store-tests/index',
  'desktop/main/index',
]
