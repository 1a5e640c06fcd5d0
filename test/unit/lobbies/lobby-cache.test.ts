/** Message IDs that a client stores so that each message is emitted once. */
import { expect, it } from 'vitest'
import type { LobbyMessage } from 'foyer-sdk'
import { lobbyCacheOf } from '../../support/lobby-cache-of'

const message = (id: number) => ({ id: String(id) }) as LobbyMessage

it('a lobby cache stores exactly the last thousand message IDs', () => {
  const emitted: string[] = []
  const cache = lobbyCacheOf({ message: ({ id }) => emitted.push(id) })
  cache.addMessages(Array.from({ length: 1001 }, (_, index) => message(10_000 + index)))
  expect(emitted).toHaveLength(1001)
  // Only the first ID has been deleted: all others are still known.
  cache.addMessages(Array.from({ length: 1000 }, (_, index) => message(10_001 + index)))
  expect(emitted).toHaveLength(1001)
  cache.addMessages([message(10_000)])
  expect(emitted.slice(1001)).toEqual(['10000'])
  // It replaced the oldest ID and no other.
  cache.addMessages([message(10_002), message(11_000)])
  expect(emitted).toHaveLength(1002)
  cache.addMessages([message(10_001)])
  expect(emitted).toHaveLength(1003)
})
