/** What a client remembers of messages, so that each is told once. */
import { expect, it } from 'vitest'
import type { LobbyMessage } from '../../../src/lobbies/lobby-types'
import { LobbyCache } from '../../../src/lobbies/lobby-cache'

const nothing = () => undefined
const message = (id: number) => ({ id: String(id) }) as LobbyMessage

it('remembers the last thousand messages, and no more', () => {
  const told: string[] = []
  const listeners = { lobbyCreated: nothing, lobbyUpdated: nothing, lobbyDeleted: nothing }
  const cache = new LobbyCache(new Map(), { ...listeners, lobbyMessage: ({ message: { id } }) => told.push(id) })
  cache.addMessages(Array.from({ length: 1001 }, (_, index) => message(10_000 + index)))
  expect(told).toHaveLength(1001)
  // The first has been forgotten, and nothing after it: all others are still known.
  cache.addMessages(Array.from({ length: 1000 }, (_, index) => message(10_001 + index)))
  expect(told).toHaveLength(1001)
  cache.addMessages([message(10_000)])
  expect(told.slice(1001)).toEqual(['10000'])
  // It took the place of the one that was the oldest then, and of no other.
  cache.addMessages([message(10_002), message(11_000)])
  expect(told).toHaveLength(1002)
  cache.addMessages([message(10_001)])
  expect(told).toHaveLength(1003)
})
