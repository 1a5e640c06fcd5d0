/** Requests of a main process go through Electron's network stack, which knows the proxy and the certificates of the system. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { BACKEND, CallOwnerWorld } from '../support/call-owner-world'
import { app, net } from '../support/electron/fake-electron.mjs'
import { useMainProcessGame } from '../support/electron/main-process-game'

const mainProcess = useMainProcessGame()

let world: CallOwnerWorld
let requests: Request[]

beforeEach(() => {
  world = new CallOwnerWorld()
  requests = []
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('a firewall lets only the proxy out'))
})
afterEach(() => vi.restoreAllMocks())

/** A game behind a system proxy: only Electron's network stack reaches the service. */
function startBehindProxy() {
  vi.spyOn(net, 'fetch').mockImplementation(async (url, init) => {
    requests.push(new Request(url, init))
    return world.options.fetch(url, init)
  })
  const { fetch: _, ...options } = world.options
  return mainProcess.start(options).client
}

it('a sign-in, a refresh, lobbies, a revocation and the backend are reached through it', async () => {
  const client = startBehindProxy()
  await world.signIn(client, 'ada')
  await client.refreshToken()
  await client.createOrJoinLobby('moon')
  expect((await client.backend.fetch(`${BACKEND}/score`)).status).toBe(200)
  expect(await client.signOut({ revoke: true })).toEqual({ revoked: true })
  const paths = requests.map(({ url }) => new URL(url).pathname)
  expect(paths).toEqual(
    expect.arrayContaining([
      '/api/v10/oauth2/token',
      '/api/v10/lobbies',
      '/score',
      '/api/v10/oauth2/token/revoke',
    ]),
  )
})

it('no request brings the cookies of the app’s windows, or is kept in their cache', async () => {
  const client = startBehindProxy()
  await world.signIn(client, 'ada')
  await client.backend.fetch(`${BACKEND}/score`)
  await client.backend.fetch(`${BACKEND}/map`, { cache: 'force-cache' })
  expect(new Set(requests.map(({ credentials }) => credentials))).toEqual(new Set(['omit']))
  const caches = requests.map(({ url, cache }) => [new URL(url).pathname, cache])
  expect(caches.filter(([, cache]) => cache !== 'no-store')).toEqual([['/map', 'force-cache']])
})

it('a request before the app is ready waits for it', async () => {
  const { ready } = app
  onTestFinished(() => void (app.ready = ready))
  let open: ((value: unknown) => void) | undefined
  app.ready = new Promise((resolve) => (open = resolve))
  const client = startBehindProxy()
  const joining = world.signIn(client, 'ada').then(() => client.createOrJoinLobby('moon'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(requests).toEqual([])
  open?.(undefined)
  expect((await joining).id).toBe('42')
})

it('a fetch of the game’s own replaces it', async () => {
  vi.spyOn(net, 'fetch').mockRejectedValue(new Error('net::ERR_FAILED'))
  const { client } = mainProcess.start(world.options)
  await world.signIn(client, 'ada')
  expect((await client.createOrJoinLobby('moon')).id).toBe('42')
})

it.each([
  [
    'net::ERR_CERT_AUTHORITY_INVALID',
    /add its authority to those of the system \(ERR_CERT_AUTHORITY_INVALID\)/,
  ],
  ['net::ERR_NAME_NOT_RESOLVED', /no address.*\(ERR_NAME_NOT_RESOLVED\)/],
  ['net::ERR_PROXY_CONNECTION_FAILED', /proxy.*\(ERR_PROXY_CONNECTION_FAILED\)/],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', /proxy.*\(ERR_TUNNEL_CONNECTION_FAILED\)/],
  ['net::ERR_INTERNET_DISCONNECTED', /\(ERR_INTERNET_DISCONNECTED\)/],
])('%s is a failed connection, with what to do', async (message, remedy) => {
  vi.spyOn(net, 'fetch').mockRejectedValue(new Error(message))
  const { client } = mainProcess.start()
  const failing = client.revokeToken('a-token')
  await expect(failing).rejects.toMatchObject({
    code: 'connection_failed',
    retryable: true,
    message: expect.stringMatching(remedy),
  })
})
