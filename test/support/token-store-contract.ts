/** What every token store does, wherever it keeps its texts: one suite over all of them. */
import { beforeEach, expect, it } from 'vitest'
import type { TokenStore } from '../../src/tokens/session/token-store'

export interface PlaceUnderTest {
  /** A store over the same place, as another page or the next start would open it. A store that forgets with its owner gives itself again. */
  open: () => TokenStore
}

/** Every key that a session may have, and some that break careless stores. */
const KEYS = ['foyer:session:https://service.example 1082700000000000001 default', '__proto__', 'constructor', 'a/b\\c:d?e=f&g#h', 'Ünï 🎲']

/** `make` gives an empty place for each test. */
export function keepsTheTokenStoreContract(make: () => Promise<PlaceUnderTest>): void {
  let place: PlaceUnderTest
  let store: TokenStore

  beforeEach(async () => {
    place = await make()
    store = place.open()
  })

  it('has nothing that was not set', async () => {
    for (const key of KEYS) expect(await store.get(key)).toBeUndefined()
  })

  it.each(['{"v":1}', '', 'null', 'zwölf 🎲 \u0000 \u2028', 'x'.repeat(100_000)])('gives a text back letter for letter', async (text) => {
    await store.set('a', text)
    expect(await store.get('a')).toBe(text)
  })

  it('keeps keys apart, whatever they look like', async () => {
    for (const key of KEYS) await store.set(key, `text of ${key}`)
    for (const key of KEYS) expect(await store.get(key)).toBe(`text of ${key}`)
    await store.delete('__proto__')
    expect(await store.get('__proto__')).toBeUndefined()
    for (const key of KEYS.filter((other) => other !== '__proto__')) expect(await store.get(key)).toBe(`text of ${key}`)
  })

  it('replaces a text as a whole', async () => {
    await store.set('a', 'a long text')
    await store.set('a', 'short')
    expect(await store.get('a')).toBe('short')
  })

  it('forgets what is deleted, and does not mind what was never there', async () => {
    await store.set('a', 'text')
    await store.delete('a')
    await store.delete('a')
    await store.delete('b')
    expect(await store.get('a')).toBeUndefined()
  })

  it('shows the same to whoever opens the place', async () => {
    await store.set('a', 'text')
    const other = place.open()
    expect(await other.get('a')).toBe('text')
    await other.set('a', 'newer')
    expect(await store.get('a')).toBe('newer')
    await store.delete('a')
    expect(await other.get('a')).toBeUndefined()
  })

  it('ends with the last of several texts that were set at once', async () => {
    await Promise.all(['1', '2', '3', '4'].map((text) => store.set('a', text)))
    expect(await store.get('a')).toBe('4')
  })
}
