/** Lazy parts of the SDK that cannot be fetched, as after a deployment or offline: the call rejects with a code and can be repeated. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack, run, type PackedPackage } from '../support/packed-package'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

/** The setup of every game below. */
const PRELUDE = `
import { renameSync } from 'node:fs'
import { Client, AuthorizationResult, Secret } from 'foyer-sdk'
const HOST = 'https://service.test'
const answers = { status: 503, body: {} }
const requests = []
const fetch = async (url) => (requests.push(new URL(url).pathname), Response.json(answers.body, { status: answers.status }))
const client = new Client({ applicationId: '1', service: { host: HOST }, fetch })
const surface = { redirectUri: () => 'https://game.test/cb', open: async (url) =>
  'https://game.test/cb?error=access_denied&iss=' + encodeURIComponent(HOST) + '&state=' + new URL(url).searchParams.get('state') }
const shown = { open: 0, closed: 0 }
/** A player who says yes when asked to. */
const player = { redirectUri: () => 'https://game.test/cb', open: (url, { signal }) => new Promise((resolve) => {
  shown.open += 1
  signal.addEventListener('abort', () => (shown.closed += 1))
  player.approve = () => resolve('https://game.test/cb?code=c&iss=' + encodeURIComponent(HOST) + '&state=' + new URL(url).searchParams.get('state'))
}) }
const claims = { iss: HOST, sub: '5', aud: '1', exp: 2, iat: 1 }
const tokens = { accessToken: new Secret('x'), refreshToken: new Secret('y'), tokenType: 'Bearer', expiresAt: Date.now() + 1e9, scopes: [], claims }
const part = (path, to) => renameSync(...(to ? [path + '.away', path] : [path, path + '.away']))
const tell = (work) => work.then((value) => JSON.stringify(value ?? 'done'), (error) => error.name + ' ' + error.code + ' ' + error.retryable)
`

/** Runs a call while its file is missing, and again when the file is back. */
function runWithMissingPart(
  path: string,
  { before = '', call, again = true }: { before?: string; call: string; again?: boolean },
): string[] {
  const file = JSON.stringify(join(packed.folder, 'dist', path))
  const game = `${PRELUDE}
${before}
part(${file})
const outcomes = []
try { outcomes.push(await tell(${call})) } finally { part(${file}, true) }
${again ? `outcomes.push(await tell(${call}))` : ''}
console.log(outcomes.join('\\n'))
client.close()`
  writeFileSync(join(packed.project, 'game.mjs'), game)
  return run(process.execPath, ['game.mjs'], packed.project).trim().split('\n')
}

const RELOAD_REQUIRED = 'NetworkError reload_required false'

test.each([
  [
    'handleCallback',
    'client/page/after-redirect.js',
    "client.handleCallback('https://game.test/cb?code=a&state=b')",
    'AuthorizationError state_mismatch true',
  ],
  ['refreshToken', 'client/sign-in/token-calls.js', "client.refreshToken('z')", 'ApiError http_503 true'],
  [
    'updateToken with an access token alone',
    'client/session/token-client.js',
    "client.updateToken('x')",
    'SessionError player_unknown true',
  ],
])(
  '%s rejects with reload_required while its file is missing, and runs once it is back',
  (_, ...[path, call, then]) => {
    expect(runWithMissingPart(path, { call })).toEqual([RELOAD_REQUIRED, then])
  },
)

// The error has the same text whether or not the error texts can be fetched.
test.each([
  [
    'authorize with invalid arguments',
    'shared/authorization/argument-error.js',
    'client.authorize({}, { surface })',
    'invalid_argument false',
  ],
  [
    'signIn without openid',
    'shared/authorization/argument-error.js',
    "client.signIn({ args: { scopes: 'a' }, surface })",
    'invalid_argument false',
  ],
])('%s ends with the same code if the error texts are missing', (_, ...[path, call, then]) => {
  const outcomes = runWithMissingPart(path, { call })
  expect(outcomes.map((outcome) => outcome.split(' ').slice(1).join(' '))).toEqual([then, then])
})

test.each(['client/page/browser-sessions.js', 'client/session/token-client.js'])(
  'a sign-in that cannot fetch %s closes its window at once, spends no consent and rejects with reload_required',
  (path) => {
    const call =
      'client.signIn({ surface: player }).finally(() => outcomes.push(JSON.stringify([shown, requests])))'
    const before = 'const approveLater = setTimeout(() => player.approve(), 5000).unref()'
    const [shown, rejected] = runWithMissingPart(path, { before, call, again: false })
    expect(rejected).toBe(RELOAD_REQUIRED)
    expect(JSON.parse(shown ?? '')).toEqual([
      { open: 1, closed: 1 },
      expect.not.arrayContaining(['/api/v10/oauth2/token']),
    ])
  },
)

test('an authorization that cannot fetch the code for its callback closes its window at once', () => {
  const call =
    "client.authorize({ scopes: 'openid' }, { surface: player }).finally(() => outcomes.push(JSON.stringify(shown)))"
  expect(runWithMissingPart('client/session/token-client.js', { call, again: false })).toEqual([
    '{"open":1,"closed":1}',
    RELOAD_REQUIRED,
  ])
})

/** Returns what a token store contains after a sign-in, as the entries of a Map. */
function storedSession(): string {
  const game = `${PRELUDE}${STORE}
await stored([]).updateToken(tokens)
console.log(JSON.stringify([...values]))
process.exit()`
  writeFileSync(join(packed.project, 'store.mjs'), game)
  return run(process.execPath, ['store.mjs'], packed.project)
}

const STORE = `
let values
const stored = (entries) => {
  values = new Map(entries)
  const tokenStore = { get: async (key) => values.get(key), set: async (key, value) => void values.set(key, value), delete: async (key) => void values.delete(key) }
  return new Client({ applicationId: '1', service: { host: HOST }, fetch, tokenStore })
}
`

test('a sign-out that cannot load its request code reports the failure and signs the player out locally', () => {
  const before = `${STORE}
const player5 = stored(${storedSession()})
await player5.resume()`
  const call =
    'player5.signOut({ revoke: true }).then(({ revoked, error }) => `${revoked} ${error?.name} ${error?.code} ${player5.session}`)'
  expect(runWithMissingPart('client/sign-in/token-calls.js', { before, call })).toEqual([
    '"false NetworkError reload_required null"',
    '"false undefined undefined null"',
  ])
})
