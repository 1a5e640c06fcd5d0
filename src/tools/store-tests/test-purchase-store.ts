/** The promises of a record of granted purchases, as tests for any implementation. */
import type { PurchaseStore } from '../../server/purchases/purchase-store'
import { type StoreTests, type StoreUnderTest, withDefaults } from './store-under-test'
import { LONG, newGroup, testKeys } from './test-keys'

/**
 * Defines the tests that the option `store` of `createPurchaseDesk` has to pass.
 *
 * @example
 * ```ts
 * import { expect, test } from 'vitest'
 * testPurchaseStore({ test, expect, open: () => postgresPurchaseStore(pool) })
 * ```
 */
export function testPurchaseStore(given: StoreTests<PurchaseStore>): void {
  const tested = withDefaults(given)
  testStates(tested)
  testClaims(tested)
}

type Tested = StoreUnderTest<PurchaseStore>

/** Two processes that share a store, and their keys. */
async function beginPurchases({ open }: Tested) {
  const group = newGroup()
  return [await open(group), await open(group), testKeys()] as const
}

/** States by key. */
function testStates(tested: Tested): void {
  const { test, expect, pass, unit } = tested
  const begin = () => beginPurchases(tested)

  test('a purchase is new once, and claimed from then on, in all processes', async () => {
    const [a, b, keyOf] = await begin()
    const key = keyOf('purchase')
    expect(await b.get(key)).toBe(undefined)
    expect(await a.claim(key, 'ada', LONG)).toBe('new')
    expect(await b.get(key)).toBe('claimed')
    expect(await a.settle(key, 'ada', 'claimed')).toBe(true)
    expect(await b.claim(key, 'bruno', LONG)).toBe('claimed')
  })

  test('a state that was recorded is read by every process, and is what the next claim returns', async () => {
    const [a, b, keyOf] = await begin()
    const key = keyOf('purchase')
    for (const state of ['granted', 'revoked'] as const) {
      await a.claim(key, 'ada', LONG)
      expect(await a.settle(key, 'ada', state)).toBe(true)
      expect(await b.get(key)).toBe(state)
      expect(await b.claim(key, 'bruno', LONG)).toBe(state)
      expect(await b.settle(key, 'bruno', state)).toBe(true)
    }
  })

  test('a state has no end', async () => {
    const [store, , keyOf] = await begin()
    const keys = [keyOf('purchase'), keyOf('purchase', 'b')]
    for (const key of keys) await store.claim(key, 'ada', unit)
    for (const key of keys.slice(1)) {
      await pass(unit * 2)
      await store.claim(key, 'ada', unit * 4)
      await store.settle(key, 'ada', 'granted')
    }
    await pass(unit * 10)
    expect([await store.get(keyOf('purchase')), await store.get(keyOf('purchase', 'b'))]).toEqual([
      'claimed',
      'granted',
    ])
  })

  test('purchases of two ids and of two applications do not meet', async () => {
    const [store, , keyOf] = await begin()
    const others = testKeys()
    await store.claim(keyOf('purchase'), 'ada', LONG)
    await store.settle(keyOf('purchase'), 'ada', 'granted')
    for (const key of [keyOf('purchase', 'b'), others('purchase')]) {
      expect(await store.get(key)).toBe(undefined)
      expect(await store.claim(key, 'ada', LONG)).toBe('new')
    }
  })
}

/** Claims by key. */
function testClaims(tested: Tested): void {
  const { test, expect, pass, unit } = tested
  const begin = () => beginPurchases(tested)

  test('of twenty owners that claim a purchase at once, one has it', async () => {
    const [a, b, keyOf] = await begin()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (index % 2 ? a : b).claim(keyOf('purchase'), `owner-${index}`, LONG),
      ),
    )
    expect(answers.filter((answer) => answer === 'new')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'busy')).toHaveLength(19)
  })

  test('a claim holds against its own owner too, and nobody else settles it', async () => {
    const [a, b, keyOf] = await begin()
    const key = keyOf('purchase')
    await a.claim(key, 'ada', LONG)
    expect(await a.claim(key, 'ada', LONG)).toBe('busy')
    expect(await b.settle(key, 'bruno', 'granted')).toBe(false)
    expect(await b.get(key)).toBe('claimed')
    expect(await b.claim(key, 'bruno', LONG)).toBe('busy')
  })

  test('a claim ends with its time, and its former owner changes nothing any more', async () => {
    const [a, b, keyOf] = await begin()
    const key = keyOf('purchase')
    await a.claim(key, 'ada', unit * 4)
    await pass(unit * 6)
    expect(await a.settle(key, 'ada', 'granted')).toBe(false)
    expect(await b.claim(key, 'bruno', LONG)).toBe('claimed')
    expect(await a.settle(key, 'ada', 'granted')).toBe(false)
    expect(await b.settle(key, 'bruno', 'revoked')).toBe(true)
    expect(await a.get(key)).toBe('revoked')
  })

  test('a claim that was settled is over', async () => {
    const [a, b, keyOf] = await begin()
    const key = keyOf('purchase')
    await a.claim(key, 'ada', LONG)
    await a.settle(key, 'ada', 'granted')
    expect(await a.settle(key, 'ada', 'revoked')).toBe(false)
    expect(await b.get(key)).toBe('granted')
  })
}
