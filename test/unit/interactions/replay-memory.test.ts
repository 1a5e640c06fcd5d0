/** Memory of used signatures: a key is known for its lifetime, and the newer half of a full memory is kept. */
import { keyOf } from '../../support/key-of'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createReplayMemory } from 'foyer-sdk/server'
import { ManualClock } from '../../support/manual-clock'

it('a key is known for its lifetime, and forgotten after three times that, or twice that without any use', () => {
  const use = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    pause: fc.constantFrom(0, 1, 49, 50, 99, 100, 200),
  })
  fc.assert(
    fc.property(fc.array(use), (uses) => {
      const clock = new ManualClock(0)
      const memory = createReplayMemory({ clock })
      const stored = new Map<string, number>()
      for (const { key, pause } of uses) {
        clock.advance(pause)
        const age = pause < 200 ? clock.now() - (stored.get(key) ?? -300) : 300
        const isKnown = memory.seen(keyOf(key), 100)
        expect(isKnown ? age < 300 : age >= 100).toBe(true)
        if (!isKnown) stored.set(key, clock.now())
      }
    }),
  )
})

it('a full memory keeps its newer half', () => {
  const memory = createReplayMemory({ clock: new ManualClock(0), capacity: 4 })
  for (const key of ['a', 'b', 'c']) memory.seen(keyOf(key), 100)
  expect([memory.seen(keyOf('a'), 100), memory.seen(keyOf('c'), 100)]).toEqual([true, true])
  memory.seen(keyOf('d'), 100)
  expect([memory.seen(keyOf('e'), 100), memory.seen(keyOf('c'), 100), memory.seen(keyOf('b'), 100)]).toEqual([
    false,
    true,
    false,
  ])
})

it('a memory of the default capacity is far from full after a thousand keys', () => {
  const memory = createReplayMemory({ clock: new ManualClock(0) })
  for (let i = 0; i < 1000; i++) memory.seen(keyOf(String(i)), 100)
  expect(memory.seen(keyOf('0'), 100)).toBe(true)
})
