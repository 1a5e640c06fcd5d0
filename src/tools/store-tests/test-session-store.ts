/** The promises of a store of sessions, as tests for any implementation. */
import type { SessionStore } from '../../server/sessions/session-store'
import { type StoreTests, type StoreUnderTest, withDefaults } from './store-under-test'
import { LONG, newGroup, testKeys } from './test-keys'

/** What a store has to keep as it is: sealed records are ASCII, and nothing else is promised to them. */
const TEXTS = ['{"sealed":1}', '12', 'null', '=x', 'ä€😀']
/** Characters of a record with large tokens. */
const LARGE = 16_000

/**
 * Defines the tests that a store of `createSessionHandler` has to pass.
 *
 * @example
 * ```ts
 * import { expect, test } from 'vitest'
 * testSessionStore({ test, expect, open: () => postgresSessionStore(pool) })
 * ```
 */
export function testSessionStore(given: StoreTests<SessionStore>): void {
  const tested = withDefaults(given)
  testTexts(tested)
  testLocks(tested)
}

type Tested = StoreUnderTest<SessionStore>

/** Two processes that share a store, and their keys. */
async function beginSessions({ open }: Tested) {
  const group = newGroup()
  return [await open(group), await open(group), testKeys()] as const
}

/** Texts by key. */
function testTexts(tested: Tested): void {
  const { test, expect, pass, unit } = tested
  const begin = () => beginSessions(tested)

  test('a text is read by every process as it was stored', async () => {
    const [a, b, keyOf] = await begin()
    for (const text of [...TEXTS, 'x'.repeat(LARGE)]) {
      await a.set(keyOf('session'), text, LONG)
      expect(await b.get(keyOf('session'))).toBe(text)
    }
  })

  test('a text that was never stored, or was deleted, is undefined', async () => {
    const [a, b, keyOf] = await begin()
    expect(await a.get(keyOf('session'))).toBe(undefined)
    await a.set(keyOf('session'), 'x', LONG)
    await b.delete(keyOf('session'))
    await b.delete(keyOf('session'))
    expect(await a.get(keyOf('session'))).toBe(undefined)
  })

  test('a text ends when its time is over, and one that is stored again has the new time', async () => {
    const [store, , keyOf] = await begin()
    for (const id of ['brief', 'renewed']) await store.set(keyOf('session', id), 'x', unit * 4)
    await store.set(keyOf('session', 'renewed'), 'y', LONG)
    await pass(unit * 6)
    expect(await store.get(keyOf('session', 'brief'))).toBe(undefined)
    expect(await store.get(keyOf('session', 'renewed'))).toBe('y')
  })

  test('keys of two kinds, of two ids and of two applications do not meet', async () => {
    const [store, , keyOf] = await begin()
    const others = testKeys()
    const keys = [keyOf('session'), keyOf('session', 'b'), keyOf('ended'), others('session')]
    for (const key of keys) await store.set(key, `of ${key}`, LONG)
    for (const key of keys) expect(await store.get(key)).toBe(`of ${key}`)
    await store.delete(keyOf('session'))
    for (const key of keys.slice(1)) expect(await store.get(key)).toBe(`of ${key}`)
  })
}

/** Locks by key. */
function testLocks(tested: Tested): void {
  const { test, expect, pass, unit } = tested
  const begin = () => beginSessions(tested)

  test('of twenty owners that want a lock at once, one has it', async () => {
    const [a, b, keyOf] = await begin()
    const tries = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? a : b).lock(keyOf('lock'), `owner-${index}`, LONG),
    )
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
  })

  test('a lock is held against its own owner too, until that owner releases it', async () => {
    const [a, b, keyOf] = await begin()
    expect(await a.lock(keyOf('lock'), 'ada', LONG)).toBe(true)
    expect(await a.lock(keyOf('lock'), 'ada', LONG)).toBe(false)
    await b.unlock(keyOf('lock'), 'bruno')
    expect(await b.lock(keyOf('lock'), 'bruno', LONG)).toBe(false)
    await a.unlock(keyOf('lock'), 'ada')
    expect(await b.lock(keyOf('lock'), 'bruno', LONG)).toBe(true)
  })

  test('a lock ends with its time, and its former owner cannot release that of the next', async () => {
    const [a, b, keyOf] = await begin()
    await a.lock(keyOf('lock'), 'ada', unit * 4)
    await pass(unit * 6)
    expect(await b.lock(keyOf('lock'), 'bruno', LONG)).toBe(true)
    await a.unlock(keyOf('lock'), 'ada')
    expect(await a.lock(keyOf('lock'), 'ada', LONG)).toBe(false)
  })

  test('a lock that its owner renews lasts longer, and nobody else renews it (a store without `renew` passes)', async () => {
    const [a, b, keyOf] = await begin()
    if (!a.renew || !b.renew) return
    await a.lock(keyOf('lock'), 'ada', unit * 6)
    await pass(unit * 3)
    expect(await b.renew(keyOf('lock'), 'bruno', LONG)).toBe(false)
    expect(await a.renew(keyOf('lock'), 'ada', unit * 6)).toBe(true)
    await pass(unit * 4)
    expect(await b.lock(keyOf('lock'), 'bruno', LONG)).toBe(false)
    await pass(unit * 4)
    expect(await a.renew(keyOf('lock'), 'ada', LONG)).toBe(false)
    expect(await b.lock(keyOf('lock'), 'bruno', LONG)).toBe(true)
  })
}
