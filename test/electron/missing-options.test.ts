/** Wrong options that plain JavaScript can pass to `createMainClient`: rejected with a code before anything is opened or written. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMainClient, installDeepLinks, type MainClientOptions } from 'foyer-sdk/electron/main'
import { expect, it } from 'vitest'
import { useMainProcessGame } from '../support/electron/main-process-game'

const harness = useMainProcessGame()
const options = { applicationId: '1234567890123456789', service: { host: 'https://service.test' } }
const make = (given?: unknown) => createMainClient(given as MainClientOptions)

it.each<[string, unknown, string]>([
  ['nothing', undefined, 'missing service host'],
  ['null', null, 'missing service host'],
  ['an ID as application ID', '1234567890123456789', 'missing service host'],
  [
    'a string as scheme',
    { ...options, scheme: 'com.example.game' },
    'invalid argument: scheme. Pass what installDeepLinks(',
  ],
  [
    'no list of windows',
    { ...options, windows: { origin: 'app://game' } },
    "invalid argument: windows: a list. Write [{ origin: 'app://game' }]",
  ],
  ['null as list of windows', { ...options, windows: null }, 'invalid argument: windows: a list. Write '],
  [
    'a window without an origin',
    { ...options, windows: [null] },
    "invalid argument: windows.origin. Write { origin: 'app://game' }",
  ],
  [
    'an address as origin of a window',
    { ...options, windows: [{ origin: 'app://game/index.html' }] },
    'without path and slash at the end',
  ],
  ['an unknown callback method', { ...options, roads: 'loopback' }, 'invalid argument: roads: a list'],
])('createMainClient with %s reports what is missing or wrong', (_, given, message) => {
  expect(() => make(given)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: expect.stringContaining(message) as string,
    }),
  )
  expect(existsSync(join(harness.home, 'user-data', 'foyer-vault'))).toBe(false)
})

it('installDeepLinks reports a missing scheme before it registers the app', () => {
  expect(() => (installDeepLinks as () => unknown)()).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', code: 'invalid_argument' }),
  )
})

it.each(['mygame://', 'My Game', 'https'])(
  'installDeepLinks says how a scheme is written, for %s',
  (scheme) => {
    expect(() => installDeepLinks(scheme)).toThrow("Write it like 'com.example.mygame'")
  },
)
