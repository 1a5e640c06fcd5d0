/** Promises have one place each, and no part goes around: to the service, to a cookie, to a key of a store, or with an address of its own. */
import { expect, test } from 'vitest'
import { readSources } from './source'

interface Promise {
  readonly what: string
  /** What only the listed files may name. */
  readonly names: RegExp
  /** Folders and files that are searched. */
  readonly within: RegExp
  readonly only: readonly string[]
}

const PROMISES: readonly Promise[] = [
  {
    what: 'the service is asked by the budget alone, for what players and strangers cause',
    names:
      /\b(createLimitedApi|fetchTransport|requestJson|sendRequest|postTokenRequest|requestTokens|new Api)\b|\bapi\.as\(/,
    within:
      /^src\/server\/(sessions|players|hub|events|budget|ticket-handler|create-(session-handler|player-\w+|lobby-hub))/,
    // The verifier has no backend of its own: it makes the client that its budget is for.
    only: ['src/server/budget/service-budget.ts', 'src/server/create-player-verifier.ts'],
  },
  {
    what: 'the cookies of a session and of an attempt are set by one file',
    names: /\b(writeCookie|sessionCookie)\(|\.(set|append)\('set-cookie'/,
    within: /^src\/server\//,
    only: [
      'src/server/sessions/answer-cookies.ts',
      'src/server/sessions/session-cookies.ts',
      // They read the cookie of a session.
      'src/server/sessions/cookie-place.ts',
      'src/server/sessions/find-session.ts',
    ],
  },
  {
    what: 'a text becomes the key of a store in one file',
    names: /is StoreKey\b|as StoreKey\b/,
    within: /^src\//,
    only: ['src/server/keys/store-key.ts'],
  },
  {
    what: 'what a Redis with several games stores is named by one function, or after the application',
    names: /`\{\$\{/,
    within: /^src\/server\/redis\//,
    only: ['src/server/redis/rate-limit-store.ts', 'src/server/redis/redis-lobby-broker.ts'],
  },
  {
    what: 'what a game gives to be waited for is taken with an end of its waits',
    names: /\brequireMethods\(|\bgiven\.(verify|recover|store|broker|replays)\(/,
    within: /^src\/server\//,
    only: [],
  },
  {
    what: 'the address of a caller is read in one file, and a connection adds it in one',
    names: /'(x-forwarded-for|x-real-ip|cf-connecting-ip|[a-z-]+-client-ip)'|\bremoteAddress\b/,
    within: /^src\//,
    only: [
      'src/server/budget/backend-caller.ts',
      'src/server/node-listener.ts',
      // The development server, for pages of its own machine.
      'src/tools/vite/developer-panel.ts',
    ],
  },
  {
    what: 'which addresses are those of this machine is written in one file',
    names: /127(\\\.|\()|\b127\(\?:/,
    within: /^src\//,
    only: [
      'src/shared/foundation/addresses.ts',
      // Takes the other name of this machine for the one that was given.
      'src/shared/foundation/oauth-errors.ts',
      // Also the networks of proxies.
      'src/server/node-listener.ts',
      // The development server, and addresses in the source of a game, with the subdomains of localhost.
      'src/tools/vite/developer-panel.ts',
      'src/tools/vite/loopback.ts',
    ],
  },
]

/** A lobby that a game of the examples reads for nobody. */
const READS_FOR_NOBODY = /\.lobbies\.get\((?![^\n]*onBehalfOf)/

const detours = (sources: Readonly<Record<string, string>>, { names, within, only }: Promise): string[] =>
  Object.keys(sources).filter(
    (file) => within.test(file) && !only.includes(file) && names.test(sources[file] ?? ''),
  )

const sources = readSources('src')

test.each(PROMISES)('$what', (promise) => {
  expect(detours(sources, promise)).toEqual([])
  for (const file of promise.only)
    expect([file, promise.names.test(sources[file] ?? '')]).toEqual([file, true])
})

test('routes of the examples, which are the templates, read lobbies on behalf of the player who asks', () => {
  const examples = Object.entries(readSources('examples'))
  expect(examples.filter(([, text]) => READS_FOR_NOBODY.test(text)).map(([file]) => file)).toEqual([])
  expect(READS_FOR_NOBODY.test("application.lobbies.get(c.req.param('id'))")).toBe(true)
  expect(examples.some(([, text]) => text.includes('onBehalfOf'))).toBe(true)
})

test('a newcomer that goes around is found', () => {
  const planted = {
    'src/server/sessions/avatar.ts': 'const { api } = createLimitedApi(options)',
    'src/server/sessions/profile.ts': "response.headers.append('set-cookie', value)",
    'src/server/players/notes.ts': 'const key = text as StoreKey',
    'src/server/redis/notes.ts': 'const key = `{${prefix}}:notes`',
    'src/server/scores.ts': 'const player = await given.verify(request)',
    'src/server/sessions/places.ts': "const address = request.headers.get('x-real-ip')",
    'src/client/page/replay.ts': String.raw`const LOCAL = /^(localhost|127\.0\.0\.1)$/`,
  }
  expect(PROMISES.map((promise) => detours(planted, promise))).toEqual(
    Object.keys(planted).map((file) => [file]),
  )
})
