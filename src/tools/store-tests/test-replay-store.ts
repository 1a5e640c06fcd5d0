/** The promises of a store of received interactions and events, as tests for any implementation. */
import type { ReplayStore } from '../../server/interactions/replay-store'
import { type StoreTests, withDefaults } from './store-under-test'
import { LONG, newGroup, testKeys } from './test-keys'

/** Defines the tests that the option `replays` of an interactions or events handler has to pass. */
export function testReplayStore(given: StoreTests<ReplayStore>): void {
  const { test, expect, open, pass, unit } = withDefaults(given)
  /** Two processes that share a store, and their keys. */
  const begin = async () => {
    const group = newGroup()
    return [await open(group), await open(group), testKeys()] as const
  }

  test('a key is new once, in all processes', async () => {
    const [a, b, keyOf] = await begin()
    expect(await a.seen(keyOf('seen'), LONG)).toBe(false)
    expect(await a.seen(keyOf('seen'), LONG)).toBe(true)
    expect(await b.seen(keyOf('seen'), LONG)).toBe(true)
    expect(await b.seen(keyOf('seen', 'b'), LONG)).toBe(false)
    expect(await b.seen(testKeys()('seen'), LONG)).toBe(false)
  })

  test('of twenty that ask for one key at once, it is new for one', async () => {
    const [a, b, keyOf] = await begin()
    const answers = Array.from({ length: 20 }, async (_, index) =>
      (index % 2 ? a : b).seen(keyOf('seen'), LONG),
    )
    expect((await Promise.all(answers)).filter((isKnown) => !isKnown)).toHaveLength(1)
  })

  test('a key is known for as long as was asked', async () => {
    const [store, , keyOf] = await begin()
    await store.seen(keyOf('seen'), unit * 10)
    await pass(unit * 4)
    expect(await store.seen(keyOf('seen'), unit * 10)).toBe(true)
  })
}
