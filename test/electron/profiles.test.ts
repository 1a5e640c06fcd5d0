/** Profiles: several players on one machine, each with their own client in one main process. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callbackFor, openedUrl, useMainProcessGame } from '../support/electron/main-process-game'

const SCHEME = { scheme: 'com.example.game', registered: true, listen: () => () => undefined }
const PLAYERS = ['ada', 'ben', '../../etc', 'default']
const harness = useMainProcessGame()
const stateOf = (index: number) => `${index}`.padStart(43, 'A')
const start = (profile: string) =>
  harness.start({ profile, scheme: SCHEME, roads: ['scheme', 'paste'] }).client

test('clients with different profiles never overwrite each other’s sign-in attempts', async () => {
  for (const [index, player] of PLAYERS.entries()) {
    start(player)
      .authorize({ scopes: 'openid', state: stateOf(index) })
      .catch(() => undefined)
  }
  const url = await openedUrl(PLAYERS.length - 1)
  for (const [index, player] of PLAYERS.entries()) {
    const result = await start(player).handleCallback(callbackFor(url, { state: stateOf(index) }))
    expect(result?.code.reveal()).toBe('the-code')
  }
})

test('clients with different profiles have separate files in the app’s folder', async () => {
  for (const player of PLAYERS)
    start(player)
      .authorize({ scopes: 'openid' })
      .catch(() => undefined)
  await openedUrl(PLAYERS.length - 1)
  const files = readdirSync(join(harness.home, 'user-data')).filter((name) => name.startsWith('foyer-vault'))
  expect(files).toHaveLength(PLAYERS.length)
  expect(files.filter((name) => /^foyer-vault(-[\da-f]{16})?-attempts$/.test(name))).toHaveLength(
    PLAYERS.length,
  )
  expect(files).toContain('foyer-vault-attempts')
})
