/** A part of the SDK that cannot be fetched when it is needed, as after a deployment or without a network: told with a code, and asked for again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack, run, type Packed } from '../support/packed'

let packed: Packed
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
const fetch = async () => Response.json(answers.body, { status: answers.status })
const client = new Client({ applicationId: '1', service: { host: HOST }, fetch })
const surface = { redirectUri: () => 'https://game.test/cb', open: async (url) =>
  'https://game.test/cb?error=access_denied&iss=' + encodeURIComponent(HOST) + '&state=' + new URL(url).searchParams.get('state') }
const claims = { iss: HOST, sub: '5', aud: '1', exp: 2, iat: 1 }
const tokens = { accessToken: new Secret('x'), refreshToken: new Secret('y'), tokenType: 'Bearer', expiresAt: Date.now() + 1e9, scopes: [], claims }
const part = (path, to) => renameSync(...(to ? [path + '.away', path] : [path, path + '.away']))
const tell = (work) => work.then((value) => JSON.stringify(value ?? 'done'), (error) => error.name + ' ' + error.code + ' ' + error.retryable)
`

/** The outcome of a call while its part is away, and of the same call when it is back. */
function play(path: string, { before = '', call }: { before?: string; call: string }): string[] {
  const file = JSON.stringify(join(packed.folder, 'dist', path))
  const game = `${PRELUDE}
${before}
part(${file})
const outcomes = []
try { outcomes.push(await tell(${call})) } finally { part(${file}, true) }
outcomes.push(await tell(${call}))
console.log(outcomes.join('\\n'))
client.close()`
  writeFileSync(join(packed.project, 'game.mjs'), game)
  return run(process.execPath, ['game.mjs'], packed.project).trim().split('\n')
}

const AWAY = 'NetworkError connection_failed true'

test.each([
  [
    'authorize with unsound arguments',
    'authorization/refusals.js',
    'client.authorize({}, { surface })',
    'ValidationError invalid_argument false',
  ],
  [
    'signIn without openid',
    'authorization/refusals.js',
    "client.signIn({ args: { scopes: 'a' }, surface })",
    'ValidationError invalid_argument false',
  ],
  ['a player who says no', 'authorization/refusals.js', 'client.signIn({ surface })', 'AuthorizationError access_denied true'],
  [
    'an answer in the address bar',
    'browser/attempt-store.js',
    "client.handleCallback('https://game.test/cb?code=a&state=b')",
    'AuthorizationError state_mismatch true',
  ],
  ['a refresh token of its own', 'client/token-calls.js', "client.refreshToken('z')", 'ApiError http_503 true'],
  ['an access token alone', 'client/user-calls.js', "client.updateToken('Bearer', 'x')", 'ApiError http_503 true'],
  [
    'a code that is refused',
    'foundation/refusal.js',
    "client.getToken(AuthorizationResult.fromTrustedCode('c', 'https://game.test/cb'), 'v')",
    'ApiError http_503 true',
  ],
])('%s', (_, ...[path, call, then]) => {
  expect(play(path, { call })).toEqual([AWAY, then])
})

test('a renewal that is refused leaves the session as it was, and is tried again later', () => {
  const before = "await client.updateToken('Bearer', tokens)"
  const [away, back] = play('foundation/refusal.js', { before, call: 'client.refreshToken()' })
  expect(away).toBe(AWAY)
  expect(back).toBe('SessionError refresh_in_doubt true')
})

test('a sign-out that cannot ask the service says so, and the player is signed out here', () => {
  const before = "await client.updateToken('Bearer', tokens)"
  const call = 'client.signOut({ revoke: true }).then(({ revoked, error }) => `${revoked} ${error?.name} ${error?.code} ${client.session}`)'
  expect(play('client/token-calls.js', { before, call })).toEqual([
    '"false NetworkError connection_failed null"',
    '"false undefined undefined null"',
  ])
})
