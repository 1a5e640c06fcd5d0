/** A part of the SDK that cannot be fetched when it is needed, as after a deployment or without a network: told with a code, and asked for again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack, run, type PackedPackage } from '../support/packed-package'

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
})
afterAll(() => packed[Symbol.dispose]())

/** What every game below stands on. */
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

/** The outcome of a call while its part is away, and of the same call when it is back. */
function play(path: string, { before = '', call, again = true }: { before?: string; call: string; again?: boolean }): string[] {
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

const AWAY = 'NetworkError reload_required false'

test.each([
  [
    'an answer in the address bar',
    'browser/attempt-store.js',
    "client.handleCallback('https://game.test/cb?code=a&state=b')",
    'AuthorizationError state_mismatch true',
  ],
  ['a refresh token of its own', 'client/methods/token-methods.js', "client.refreshToken('z')", 'ApiError http_503 true'],
  ['an access token alone', 'client/methods/current-user-methods.js', "client.updateToken('Bearer', 'x')", 'ApiError http_503 true'],
])('%s', (_, ...[path, call, then]) => {
  expect(play(path, { call })).toEqual([AWAY, then])
})

// Such an error says the same whether or not its texts can be fetched.
test.each([
  [
    'authorize with unsound arguments',
    'authorization/args-error-messages.js',
    'client.authorize({}, { surface })',
    'invalid_argument false',
  ],
  [
    'signIn without openid',
    'authorization/args-error-messages.js',
    "client.signIn({ args: { scopes: 'a' }, surface })",
    'invalid_argument false',
  ],
  ['a player who says no', 'foundation/oauth-errors.js', 'client.authorize({ scopes: "openid" }, { surface })', 'access_denied true'],
])('%s ends as the same code while the texts of refusals are away', (_, ...[path, call, then]) => {
  const outcomes = play(path, { call })
  expect(outcomes.map((outcome) => outcome.split(' ').slice(1).join(' '))).toEqual([then, then])
})

test.each(['browser/load-sessions.js', 'tokens/session/refresh-session.js', 'tokens/redeem-code.js', 'foundation/oauth-errors.js'])(
  'a sign-in for which %s cannot be fetched closes its window at once, spends no consent and says to reload',
  (path) => {
    const call = 'client.signIn({ surface: player }).finally(() => outcomes.push(JSON.stringify([shown, requests])))'
    const before = 'const approveLater = setTimeout(() => player.approve(), 5000).unref()'
    const [seen, away] = play(path, { before, call, again: false })
    expect(away).toBe(AWAY)
    expect(JSON.parse(seen ?? '')).toEqual([{ open: 1, closed: 1 }, expect.not.arrayContaining(['/api/v10/oauth2/token'])])
  },
)

test('a sign-out that cannot ask the service says so, and the player is signed out here', () => {
  const before = "await client.updateToken('Bearer', tokens)"
  const call = 'client.signOut({ revoke: true }).then(({ revoked, error }) => `${revoked} ${error?.name} ${error?.code} ${client.session}`)'
  expect(play('client/methods/token-methods.js', { before, call })).toEqual([
    '"false NetworkError reload_required null"',
    '"false undefined undefined null"',
  ])
})
