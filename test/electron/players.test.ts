/** Two players on one machine, each with a client of their own in one main process. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callbackFor, openedUrl, useMainProcessGame } from '../support/electron/main-process-game'

const SCHEME = { scheme: 'com.example.game', registered: true, listen: () => () => undefined }
const PLAYERS = ['ada', 'ben', '../../etc', 'default']
const file = useMainProcessGame()
const stateOf = (index: number) => `${index}`.padStart(43, 'A')
const start = (profile: string) => file.start({ profile, scheme: SCHEME, roads: ['scheme', 'paste'] }).client

test('what one of them keeps is never written over by the other', async () => {
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

test('they have files of their own, in the folder of the app', async () => {
  for (const player of PLAYERS)
    start(player)
      .authorize({ scopes: 'openid' })
      .catch(() => undefined)
  await openedUrl(PLAYERS.length - 1)
  const files = readdirSync(join(file.home, 'user-data')).filter((name) => name.startsWith('foyer-vault'))
  expect(files).toHaveLength(PLAYERS.length)
  expect(files.filter((name) => /^foyer-vault(-[\da-f]{16})?$/.test(name))).toHaveLength(PLAYERS.length)
  expect(files).toContain('foyer-vault')
})
