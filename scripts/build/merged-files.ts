/** Files of `dist/` that contain several modules: what is always loaded together. */

/** Files, and the modules whose static imports each contains. Null: each of the modules loads on demand, and the bundler adds to it what it alone imports. */
export const MERGED_FILES = [
  [
    'foundation',
    [
      'foundation/error/error-classes',
      'foundation/abort-group',
      'foundation/clock',
      'foundation/deferred',
      'foundation/equal-text',
      'foundation/ids',
      'foundation/is-page',
      'foundation/random-text',
      'foundation/require-web-crypto',
      'foundation/secret',
      'foundation/sha256',
      'service/service-config',
    ],
  ],
  ['client', ['client/core-client']],
  // Parts that load later use these too. Inside `page`, they would make Vite split a game's own script into three files.
  ['address-bar-and-callback-channel', ['browser/address-bar', 'browser/callback-channel']],
  ['page', ['browser/client']],
  ['token-requests', ['tokens/id-token/verify-id-token', 'tokens/id-token/remote-jwks', 'tokens/requests/token-endpoint']],
  ['rate-limited-requests', ['http/limited-api']],
  [null, ['browser/browser-sessions', 'client/context/exchange']],
  ['rest', ['client/context/create-user-api']],
] as const
/** Entries that load no code for pages. */
export const OUTSIDE_PAGES = ['server/index', 'redis/index', 'electron/main/index']
