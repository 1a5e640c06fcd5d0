/** The stores of a page, in real Chromium: the contract that all keep, and what a rotation leaves in them when the browser dies. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { TokenStore } from '../../src/tokens/store'
import { useBrowserGame } from '../support/browser-game'
import { heard, openTab, refreshes, resume, session, signIn, type StoreName, TOKEN_PATH } from '../support/session-tabs'
import { keepsTheTokenStoreContract } from '../support/token-store-contract'

const file = useBrowserGame()

/** A door to a store that stands in a page; each has its own. */
function storeIn(page: Page, name: StoreName, door: number): TokenStore {
  const ask = <T>(method: keyof TokenStore, args: readonly string[]): Promise<T> =>
    page.evaluate(
      ([store, number, call, values]) => {
        const tab = window as unknown as { Foyer: Record<string, () => TokenStore>; doors?: Record<number, TokenStore> }
        const doors = (tab.doors ??= {})
        const opened = (doors[number] ??= tab.Foyer[store]?.() as TokenStore)
        const [key = '', text = ''] = values
        return (call === 'set' ? opened.set(key, text) : opened[call](key)) as never
      },
      [name, door, method, args] as const,
    )
  return { get: (key) => ask('get', [key]), set: (key, text) => ask('set', [key, text]), delete: (key) => ask('delete', [key]) }
}

describe.each(['sessionStorageStore', 'localStorageStore', 'indexedDbStore'] as const)('%s', (name) => {
  keepsTheTokenStoreContract(async () => {
    const { page } = await file.open()
    let doors = 0
    return { open: () => storeIn(page, name, doors++) }
  })

  it('brings a session back after a reload, without a request', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator, store: name })
    const userId = await signIn(page)
    expect((await session(page))?.storage).toBe('store')
    const sent = refreshes(emulator).length
    await page.reload()
    await page.locator('#outcome', { hasText: 'nobody' }).waitFor()
    const again = await page.evaluate(
      async ({ applicationId, host, store }) => {
        const { Foyer } = window as unknown as { Foyer: typeof import('foyer-sdk') }
        return (await new Foyer.Client({ applicationId, service: { host }, tokenStore: Foyer[store]() }).resume())?.userId
      },
      { applicationId: emulator.application.id, host: emulator.url, store: name },
    )
    expect(again).toBe(userId)
    expect(refreshes(emulator)).toHaveLength(sent)
  })
})

describe('indexedDbStore', () => {
  it('seals what it keeps: no token can be read from its records, and its key cannot be taken away', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator })
    await signIn(page)
    const token = (await session(page))?.token ?? ''
    const kept = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('foyer-sessions')
        request.onsuccess = () => resolve(request.result)
      })
      const all = database.transaction('records').objectStore('records').getAll()
      await new Promise((resolve) => (all.onsuccess = resolve))
      const records: unknown[] = all.result
      const key = records.find((record) => record instanceof CryptoKey)
      const bytes = records.flatMap((record) => Object.values(record as object)).filter((value) => value instanceof ArrayBuffer)
      const text = bytes.map((value) => new TextDecoder('latin1').decode(value)).join()
      return { extractable: key?.extractable, text, sealed: bytes.length }
    })
    expect(kept.extractable).toBe(false)
    expect(kept.sealed).toBeGreaterThan(0)
    expect(kept.text).not.toContain(token)
    expect(kept.text).not.toContain('accessToken')
  })

  it('attack/111 that is blocked costs the session nothing but its memory', async () => {
    const { emulator, game } = await file.open()
    const page = await file.context.newPage()
    await page.close()
    const blocked = await openTab(file.context, { url: game.url, emulator })
    await blocked.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('blocked', 'SecurityError')
      }
    })
    await signIn(blocked)
    expect(await session(blocked)).toMatchObject({ state: 'fresh', storage: 'memory' })
  })
})

describe('a browser that dies at any step of a rotation', () => {
  const STEPS = ['before the mark', 'after the mark', 'after the answer', 'after the pair'] as const

  it.each(STEPS)('%s leaves the whole old pair with its mark, or the whole new one', async (step) => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator, store: 'localStorageStore' })
    const userId = await signIn(page)
    const key = await page.evaluate(
      () => Object.keys(localStorage).find((name) => name.startsWith('foyer:session:') && !name.endsWith(' epoch')) ?? '',
    )
    const before = JSON.parse((await page.evaluate((name) => localStorage.getItem(name), key)) ?? '') as Record<string, unknown>
    // Every write after the chosen one never happens, as if the process had ended there.
    const writes = { 'before the mark': 0, 'after the mark': 1, 'after the answer': 1, 'after the pair': 2 }[step]
    await page.evaluate((allowed) => {
      const { setItem } = Storage.prototype
      let count = 0
      Storage.prototype.setItem = function (name: string, text: string) {
        if (name.startsWith('foyer:session:') && !name.endsWith(' epoch') && count++ >= allowed) return void new Promise(() => undefined)
        setItem.call(this, name, text)
      }
    }, writes)
    if (step === 'after the mark') emulator.faults({ match: { method: 'POST', path: TOKEN_PATH }, effect: { delay: 60_000 } })
    const answered = step === 'after the mark' ? page.waitForRequest(`**${TOKEN_PATH}`) : page.waitForResponse(`**${TOKEN_PATH}`)
    void page.evaluate(
      () => void (window as unknown as { game: { refreshToken(): Promise<unknown> } }).game.refreshToken().catch(() => undefined),
    )
    await answered
    if (step !== 'after the mark') await expect.poll(() => heard(page)).toContain('refreshed')
    const crashed = page.waitForEvent('crash')
    void page.goto('chrome://crash').catch(() => undefined)
    await crashed
    const next = await openTab(file.context, { url: game.url, emulator, store: 'localStorageStore' })
    const after = JSON.parse((await next.evaluate((name) => localStorage.getItem(name), key)) ?? '') as Record<string, unknown>
    if (step === 'after the pair') {
      expect(after['epoch']).toBe(1)
      expect(after['refreshToken']).not.toBe(before['refreshToken'])
      expect(after['accessToken']).not.toBe(before['accessToken'])
      expect(after['attempt']).toBeUndefined()
    } else {
      expect(after).toMatchObject({ epoch: 0, refreshToken: before['refreshToken'], accessToken: before['accessToken'] })
      if (step !== 'before the mark') expect(after['attempt']).toMatchObject({ outcome: 'sent', tries: 1 })
    }
    expect(await resume(next)).toBe(userId)
  })
})
