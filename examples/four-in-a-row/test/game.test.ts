// `npm test` starts the emulator of the service, and signs players in by the real exchange.
import { test } from 'foyer-emulator/vitest'
import { Client } from 'foyer-sdk'
import { expect } from 'vitest'
import { replay } from '../src/match'
import { winningDiscs } from '../src/rules'

test('a player signs in', async ({ players }) => {
  const [ada] = await players(1, (settings) => new Client(settings))
  expect(ada.session?.user.displayName).toBe('Ada Quinn')
})

test('four discs in a column win', () => {
  expect(winningDiscs([0, 1, 0, 1, 0, 1])).toEqual([])
  expect(winningDiscs([0, 1, 0, 1, 0, 1, 0])).toHaveLength(4)
})

test('two players meet in a lobby, and nobody moves for the other one, frees a place too early or clears their board', async ({
  players,
}) => {
  const [ada, bruno, zoe] = await players(3, (settings) => new Client(settings))
  const red = await ada.createOrJoinLobby('moon')
  const gold = await bruno.createOrJoinLobby('moon')
  const stranger = await zoe.createOrJoinLobby('moon')
  await red.send('hello')
  await gold.send('hello')
  const away = bruno.session!.userId
  for (const text of ['move 0 3', 'move 1 3', `left ${away}`, `free ${away}`]) await red.send(text)
  await stranger.send('bye')
  const messages = await gold.fetchMessages({ limit: 200 })
  const match = replay(messages.map((message) => ({ ...message, seenAt: message.sentAt })))
  expect(match.players).toEqual([ada.session!.userId, bruno.session!.userId])
  expect(match.moves).toEqual([3])
})
