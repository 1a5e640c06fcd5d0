/** The promises of a store of tickets, as tests for any implementation. */
import type { TicketStore } from '../../server/players/player-tickets'
import { type StoreTests, withDefaults } from './store-under-test'
import { LONG, newGroup, testKeys } from './test-keys'

/** Defines the tests that the option `store` of `createPlayerTickets` has to pass. */
export function testTicketStore(given: StoreTests<TicketStore>): void {
  const { test, expect, open, pass, unit } = withDefaults(given)
  /** Two processes that share a store, and their keys. */
  const begin = async () => {
    const group = newGroup()
    return [await open(group), await open(group), testKeys()] as const
  }

  test('a text is taken once, by any process, as it was put', async () => {
    const [a, b, keyOf] = await begin()
    for (const text of ['{"id":"1","n":[1]}', '12', 'null', '=x', '']) {
      await a.put(keyOf('ticket'), text, LONG)
      expect(await b.take(keyOf('ticket'))).toBe(text)
      expect(await a.take(keyOf('ticket'))).toBe(undefined)
    }
  })

  test('of twenty that take one text at once, one receives it', async () => {
    const [a, b, keyOf] = await begin()
    await a.put(keyOf('ticket'), 'x', LONG)
    const taken = Array.from({ length: 20 }, (_, index) => (index % 2 ? a : b).take(keyOf('ticket')))
    expect((await Promise.all(taken)).filter((text) => text === 'x')).toHaveLength(1)
  })

  test('a text is gone when its time is over', async () => {
    const [store, , keyOf] = await begin()
    await store.put(keyOf('ticket'), 'x', unit * 4)
    await pass(unit * 6)
    expect(await store.take(keyOf('ticket'))).toBe(undefined)
  })

  test('a text of another key, or of another application, stays', async () => {
    const [store, , keyOf] = await begin()
    const others = testKeys()
    await store.put(keyOf('ticket'), 'x', LONG)
    expect(await store.take(keyOf('ticket', 'b'))).toBe(undefined)
    expect(await store.take(others('ticket'))).toBe(undefined)
    expect(await store.take(keyOf('ticket'))).toBe('x')
  })
}
