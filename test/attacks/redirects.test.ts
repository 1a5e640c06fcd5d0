/** A server that redirects a request with a credential: every way to the service refuses it, and its target sees nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  ApplicationClient,
  botToken,
  clientCredentials,
  clientSecret,
  createPlayerVerifier,
  createSessionHandler,
  memorySessionStore,
  undiciTransport,
} from 'foyer-sdk/server'
import { Pool } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fetchUnfollowed } from '../support/internals'
import { listen, type Listening } from '../support/loopback'
import { rejection } from '../support/settle'

const APPLICATION = '1234567890123456789'
const STATUSES = [301, 302, 303, 307, 308]
let thief: Listening
let server: Listening
let host: string
let status: number
let stolen: string[]

beforeAll(async () => {
  thief = await listen(
    createServer((request, response) => (stolen.push(String(request.url)), response.end('{}'))),
  )
  const location = `http://127.0.0.1:${thief.port}/stolen`
  server = await listen(
    createServer((_, response) => response.writeHead(status, { location }).end('{"id":"1"}')),
  )
  host = `http://127.0.0.1:${server.port}`
})
beforeEach(() => {
  stolen = []
})
afterAll(async () => {
  await server.close()
  await thief.close()
})

const application = () => ({ applicationId: APPLICATION, service: { host } })
const bot = (more: object = {}) =>
  new ApplicationClient({ ...application(), credentials: botToken('bot'), ...more })

/** Every kind of request of a backend. */
const requests: Record<string, () => Promise<unknown>> = {
  'a lobby': () => bot().lobbies.get('1'),
  'a new lobby': () => bot().lobbies.create({}),
  commands: () => bot().commands.global.list(),
  'a lobby over undici': () => bot({ transport: undiciTransport(new Pool(host)) }).lobbies.get('1'),
  'an own token': () =>
    new ApplicationClient({
      ...application(),
      credentials: clientCredentials({ clientId: APPLICATION, clientSecret: 'x' }),
    }).commands.global.list(),
  'a refresh': () =>
    new ApplicationClient({ ...application(), credentials: clientSecret('x') }).tokens.refresh('r'),
  'a revocation': () =>
    new ApplicationClient({ ...application(), credentials: clientSecret('x') }).tokens.revoke('r'),
  'an unknown access token': () => createPlayerVerifier({ ...application(), accessTokens: true })('token'),
}

describe.each(STATUSES)('a redirect with %i', (given) => {
  beforeEach(() => {
    status = given
  })

  it.each(Object.keys(requests))(
    'attack/41 attack/97 of %s is refused with its status, and not repeated elsewhere',
    async (name) => {
      const error = await rejection(() => requests[name]?.() ?? Promise.resolve())
      expect(error).toMatchObject({ name: 'NetworkError', code: 'redirected', retryable: false })
      expect(String(error)).toContain(String(given))
      expect(JSON.stringify(error)).not.toContain(String(thief.port))
      expect(stolen).toEqual([])
    },
  )

  it('of a code is refused by a session handler', async () => {
    const session = createSessionHandler({
      ...application(),
      credentials: clientSecret('x'),
      origins: ['https://game.example'],
      store: memorySessionStore(),
    })
    const headers = { origin: 'https://game.example', 'content-type': 'application/json' }
    const body = JSON.stringify({ code: 'c', codeVerifier: 'v'.repeat(43) })
    const response = await session(
      new Request('https://game.example/session/sign-in', { method: 'POST', headers, body }),
    )
    expect(await response.json()).toEqual({ error: 'redirected' })
    expect(stolen).toEqual([])
  })
})

it.each([
  ['a page, where the browser refuses it', 'renderer', 'error'],
  ['a backend', undefined, 'manual'],
])('is not followed in %s', async (_, type, expected) => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('process', Object.assign(Object.create(process), { type }))
  onTestFinished(() => void vi.unstubAllGlobals())
  let policy: unknown
  await fetchUnfollowed(
    async (__, init) => ((policy = init.redirect), new Response()),
    { url: host, route: 'GET /' },
    { redirect: 'follow' },
  )
  expect(policy).toBe(expected)
})

it('whose status a runtime hides is refused as well', async () => {
  const hidden = Object.defineProperty(new Response(), 'status', { value: 0 })
  const error = await rejection(() => fetchUnfollowed(async () => hidden, { url: host, route: 'GET /' }, {}))
  expect(error).toMatchObject({ code: 'redirected' })
})

/** Files that call `fetch` themselves, each with the reason. All others send through `fetchUnfollowed`. */
const CALLERS: Record<string, string> = {
  'shared/http/http-client.ts': 'the one place',
  'desktop/main/system-fetch.ts': 'is the fetch of Electron, given to the one place',
  'client/activity/map-requests.ts': 'is the fetch of the page, which the game asked to change',
  'client/context/client-options.ts': 'is the fetch of the platform, given to the one place',
  'client/page/backend-held-sessions.ts': 'is a fetch with cookies, given to the one place',
  'client/groups/backend-calls.ts': 'is the method of a stream, which sends through the one place',
  'client/groups/backend.ts': 'declares the method of the game',
  'client/lobbies/lobby-updates.ts': 'declares the method of a stream',
  'client/lobbies/new-messages.ts': 'is a method that reads messages',
  'client/page/local-service-fault.ts': 'asks this machine, without a credential',
  'client/page/watch-popup.ts': 'loads the page of the callback, without a credential',
  'client/page/probe-callback.ts': 'loads the page of the callback, without a credential',
  'tools/vite/warn-if-silent.ts': 'asks whether anybody is there, without a credential',
  'tools/vite/developer-panel.ts': 'asks the emulator of this machine',
  'tools/vite/panel/developer-panel-script.ts': 'asks the development server',
}

function callersOf(files: Readonly<Record<string, string>>): string[] {
  const call = /(?<![\w.#$])(?:net\.|globalThis\.)?fetch\(/
  return Object.keys(files).filter((path) => call.test((files[path] ?? '').replaceAll(/^\s*\/?\*.*$/gm, '')))
}

it('no other file sends a request itself', () => {
  const src = new URL('../../src/', import.meta.url).pathname
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const found = callersOf(
    Object.fromEntries(paths.map((path) => [path, readFileSync(join(src, path), 'utf8')])),
  )
  expect(found.filter((path) => !(path in CALLERS))).toEqual([])
  expect(callersOf({ 'server/new.ts': 'const response = await fetch(url, { headers })' })).toEqual([
    'server/new.ts',
  ])
})
