/** A time that was given in seconds is refused with the number to write, at every option of a time in ms. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'foyer-sdk'
import * as server from 'foyer-sdk/server'
import { expect, it, test } from 'vitest'
import { rejection } from '../support/settle'
import { silentSurface } from '../support/scripted-surface'

const own = { applicationId: '1287654321098765433', service: { host: 'https://service.test' } }
const backend = { ...own, credentials: server.botToken('a-token') }
const client = new server.ApplicationClient(backend)
const hub = { client, verify: async () => ({ id: '7' as never, expiresAt: 1, claims: {} }) }
const KEY = 'ab'.repeat(32)
const signed = { publicKey: KEY, commands: [] }
const sessions = {
  ...own,
  credentials: server.clientSecret('a-secret'),
  origins: ['https://game.test'],
  store: server.memorySessionStore(),
}
const desk = { purchases: client.purchases, store: server.memoryPurchaseStore(), grant: () => undefined }
const surface = silentSurface()

/** Each option by its file and name, with a call that takes it. */
const OPTIONS: readonly (readonly [at: string, make: (time: number) => unknown])[] = [
  ['client-options requestTimeout', (requestTimeout) => new Client({ ...own, requestTimeout })],
  ['client-options maxWait', (maxWait) => new Client({ ...own, maxWait })],
  [
    'sign-in-client timeout',
    (timeout) => new Client(own).authorize({ scopes: 'openid' }, { surface, timeout }),
  ],
  [
    'backend-options requestTimeout',
    (requestTimeout) => new server.ApplicationClient({ ...backend, requestTimeout }),
  ],
  ['backend-options maxWait', (maxWait) => new server.ApplicationClient({ ...backend, maxWait })],
  ['create-lobby-hub awayAfter', (awayAfter) => server.createLobbyHub({ ...hub, awayAfter })],
  ['create-lobby-hub removeAfter', (removeAfter) => server.createLobbyHub({ ...hub, removeAfter })],
  ['create-session-handler maxAge', (maxAge) => server.createSessionHandler({ ...sessions, maxAge })],
  ['create-event-handler maxAge', (maxAge) => server.createEventHandler({ publicKey: KEY, on: {}, maxAge })],
  ['create-handler deferAfter', (deferAfter) => server.createInteractionHandler({ ...signed, deferAfter })],
  ['create-handler maxAge', (maxAge) => server.createInteractionHandler({ ...signed, maxAge })],
  [
    'verify-interaction maxAge',
    (maxAge) => server.verifyInteraction(new Request('https://game.test/'), signed.publicKey, { maxAge }),
  ],
  ['purchase-desk grantTimeout', (grantTimeout) => server.createPurchaseDesk({ ...desk, grantTimeout })],
]

test.each(OPTIONS)('%s', async (at, make) => {
  const [, name = ''] = at.split(' ')
  for (const seconds of [1, 5, 30]) {
    const error = await rejection(() => make(seconds))
    expect(error).toMatchObject({ code: 'invalid_argument' })
    expect(String(error)).toContain(`${name}: `)
    expect(String(error)).toContain(`For ${seconds} seconds pass ${seconds * 1000}`)
  }
})

/** Options that other tests hold to the same rule: of a lobby, a host of an Activity, and React. Parts of the SDK take the others. */
const ELSEWHERE = new Set([
  'lobby interval',
  'lobby-requests idleTimeout',
  'use-lobby interval',
  'create-host-commands timeout',
  'activity-connection timeout',
  'http-client timeout',
  'http-client tokenTimeout',
  'api maxWait',
  'limiter-options maxWait',
  'limiter-options hold',
  'async timeout',
  'take-options timeout',
  'service-budget timeout',
  'identify-player delay',
  'refresh tokenTimeout',
  'refresh delay',
  // Points in time, and what no game passes.
  'token-store expiresAt',
  'interaction-calls deadline',
  'retry deadline',
  'limiter-options fence',
  'verify-id-token serverDate',
  'store-under-test unit',
])

it('is every option in ms of the source', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const found = files.flatMap((file) => {
    const text = readFileSync(join('src', file), 'utf8')
    const fields = text.matchAll(/\/\*\*(?:(?!\*\/)[^])*?\bms\b(?:(?!\*\/)[^])*?\*\/\s+(\w+)\?: number/g)
    return Array.from(fields, ([, name]) => `${file.replace(/^.*\/|\.tsx?$/g, '')} ${name}`)
  })
  const known = new Set(OPTIONS.map(([at]) => at))
  expect(found.filter((at) => !known.has(at) && !ELSEWHERE.has(at))).toEqual([])
  expect([...known].filter((at) => !found.includes(at))).toEqual([])
})
