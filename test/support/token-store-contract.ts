/** Contract of every token store, as one test suite for all implementations. */
import { beforeEach, expect, it } from 'vitest'
import type { TokenStore } from 'foyer-sdk'

export interface StorageUnderTest {
  /** Opens the same storage, as another page or the next start would. A memory store returns itself. */
  open: () => TokenStore
}

/** Every kind of session key, and some that break careless stores. */
const KEYS = [
  'foyer:session:https://service.example 1082700000000000001 default',
  '__proto__',
  'constructor',
  'a/b\\c:d?e=f&g#h',
  'Ünï 🎲',
]

/** `make` creates empty storage for each test. */
export function testTokenStore(make: () => Promise<StorageUnderTest>): void {
  let place: StorageUnderTest
  let store: TokenStore

  beforeEach(async () => {
    place = await make()
    store = place.open()
  })

  it('returns undefined for a key that was not set', async () => {
    for (const key of KEYS) expect(await store.get(key)).toBeUndefined()
  })

  it.each(['{"v":1}', '', 'null', 'zwölf 🎲 \u0000 \u2028', 'x'.repeat(100_000)])(
    'returns a string unchanged',
    async (text) => {
      await store.set('a', text)
      expect(await store.get('a')).toBe(text)
    },
  )

  it('keeps unusual keys apart', async () => {
    for (const key of KEYS) await store.set(key, `text of ${key}`)
    for (const key of KEYS) expect(await store.get(key)).toBe(`text of ${key}`)
    await store.delete('__proto__')
    expect(await store.get('__proto__')).toBeUndefined()
    for (const key of KEYS.filter((other) => other !== '__proto__'))
      expect(await store.get(key)).toBe(`text of ${key}`)
  })

  it('replaces the whole string', async () => {
    await store.set('a', 'a long text')
    await store.set('a', 'short')
    expect(await store.get('a')).toBe('short')
  })

  it('deletes a key, and ignores a missing one', async () => {
    await store.set('a', 'text')
    await store.delete('a')
    await store.delete('a')
    await store.delete('b')
    expect(await store.get('a')).toBeUndefined()
  })

  it('shares its content with every store over the same storage', async () => {
    await store.set('a', 'text')
    const other = place.open()
    expect(await other.get('a')).toBe('text')
    await other.set('a', 'newer')
    expect(await store.get('a')).toBe('newer')
    await store.delete('a')
    expect(await other.get('a')).toBeUndefined()
  })

  it('ends with the last of several concurrent writes', async () => {
    await Promise.all(['1', '2', '3', '4'].map((text) => store.set('a', text)))
    expect(await store.get('a')).toBe('4')
  })
}
