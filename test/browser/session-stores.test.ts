/** The stores of a page, in real Chromium: the contract that all keep, and what a rotation leaves in them when the browser dies. */
import type * as FoyerModule from 'foyer-sdk'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { TokenStore } from 'foyer-sdk'
import { useBrowserGame } from '../support/browser-game'
import { countIn } from '../support/lock-counter'
import {
  call,
  enterTab,
  recordedEvents,
  openTab,
  pass,
  refreshes,
  resume,
  session,
  signIn,
  type StoreName,
  TOKEN_PATH,
} from '../support/session-tabs'
import { testTokenStore } from '../support/token-store-contract'

const WEEK = 7 * 24 * 3_600_000
const file = useBrowserGame()

/** A door to a store that stands in a page; each has its own. */
function storeIn(page: Page, name: StoreName, door: number): TokenStore {
  const ask = <T>(method: keyof TokenStore, args: readonly string[]): Promise<T> =>
    page.evaluate(
      ([store, number, how, values]) => {
        const tab = window as unknown as {
          Foyer: Record<string, () => TokenStore>
          doors?: Record<number, TokenStore>
        }
        const doors = (tab.doors ??= {})
        const opened = (doors[number] ??= tab.Foyer[store]?.() as TokenStore)
        const [key = '', text = ''] = values
        return (how === 'set' ? opened.set(key, text) : opened[how](key)) as never
      },
      [name, door, method, args] as const,
    )
  return {
    get: (key) => ask('get', [key]),
    set: (key, text) => ask('set', [key, text]),
    delete: (key) => ask('delete', [key]),
  }
}

describe.each(['sessionStorageStore', 'localStorageStore', 'indexedDbStore'] as const)('%s', (name) => {
  testTokenStore(async () => {
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
        const { Foyer } = window as unknown as { Foyer: typeof FoyerModule }
        return (
          await new Foyer.Client({ applicationId, service: { host }, tokenStore: Foyer[store]() }).resume()
        )?.userId
      },
      { applicationId: emulator.application.id, host: emulator.url, store: name },
    )
    expect(again).toBe(userId)
    expect(refreshes(emulator)).toHaveLength(sent)
  })
})

it('a database without its records is made anew, and the session survives a reload', async () => {
  const { emulator, game } = await file.open()
  const page = await openTab(file.context, { url: game.url, emulator, store: 'indexedDbStore' })
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('foyer-sessions', 1)
        request.addEventListener('success', () => (request.result.close(), resolve()))
      }),
  )
  await signIn(page)
  expect((await session(page))?.storage).toBe('store')
  const again = await openTab(file.context, { url: game.url, emulator, store: 'indexedDbStore' })
  await resume(again)
  expect((await session(again))?.storage).toBe('store')
})

describe.each(['localStorageStore', 'indexedDbStore'] as const)('%s among tabs', (name) => {
  it('gives who comes next in a lock what the one before has set', async () => {
    const { emulator, game } = await file.open()
    const tabs: Page[] = []
    while (tabs.length < 4) tabs.push(await openTab(file.context, { url: game.url, emulator }))
    expect(await countIn(tabs, { where: name, steps: 50 })).toBe(200)
  })
})

/** A browser that brings what other tabs change only when it is told to. */
const fallBehind = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const getItem: (key: string) => string | null = Reflect.get(Storage.prototype, 'getItem')
    const old = new Map(Object.entries(localStorage))
    Storage.prototype.getItem = (key: string) => old.get(key) ?? null
    const held = new AbortController()
    addEventListener('storage', (event) => event.stopImmediatePropagation(), {
      capture: true,
      signal: held.signal,
    })
    Object.assign(window, {
      catchUp() {
        Storage.prototype.getItem = getItem
        held.abort()
        dispatchEvent(new StorageEvent('storage'))
      },
    })
  })

const catchUp = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { catchUp: () => void }).catchUp())

/** A tab and one that may fall behind, each with its own door to what they share. */
async function openTwoTabs() {
  const { emulator, game } = await file.open()
  const tab = () => openTab(file.context, { url: game.url, emulator })
  const [page, late] = [await tab(), await tab()]
  return {
    page,
    late,
    store: storeIn(page, 'localStorageStore', 0),
    elsewhere: storeIn(late, 'localStorageStore', 0),
  }
}

describe('localStorageStore', () => {
  it.each([
    ['set', 'new', (store: TokenStore) => store.set('name', 'new')],
    ['deleted', undefined, (store: TokenStore) => store.delete('name')],
  ])('waits for what another tab has %s and the browser has not brought yet', async (_, expected, change) => {
    await file.context.clock.install()
    const { late, store, elsewhere } = await openTwoTabs()
    await store.set('name', 'old')
    expect(await elsewhere.get('name')).toBe('old')
    await fallBehind(late)
    // Nobody's patience ends, however slow the machine is.
    await file.context.clock.pauseAt(Date.now() + 600_000)
    await change(store)
    const text = elsewhere.get('name')
    expect(await store.get('name')).toBe(expected)
    await catchUp(late)
    expect(await text).toBe(expected)
  })

  it("goes on when the site's data are cleared", async () => {
    const { page, store, elsewhere } = await openTwoTabs()
    await store.set('key', 'text')
    expect(await elsewhere.get('key')).toBe('text')
    await page.evaluate(() => localStorage.clear())
    expect(await store.get('key')).toBeUndefined()
    await store.set('key', 'again')
    expect(await elsewhere.get('key')).toBe('again')
  })
})

describe('indexedDbStore', () => {
  it('goes on when the browser has closed its connection without a word', async () => {
    const { page } = await file.open()
    const store = storeIn(page, 'indexedDbStore', 0)
    await page.evaluate(() => {
      const open = indexedDB.open.bind(indexedDB)
      indexedDB.open = (...args) => {
        const request = open(...args)
        request.addEventListener(
          'success',
          () => ((window as unknown as { connection: IDBDatabase }).connection = request.result),
        )
        return request
      }
    })
    await store.set('key', 'text')
    await page.evaluate(() => (window as unknown as { connection: IDBDatabase }).connection.close())
    expect(await store.get('key')).toBe('text')
    await page.evaluate(() => (window as unknown as { connection: IDBDatabase }).connection.close())
    await store.set('key', 'other')
    expect(await store.get('key')).toBe('other')
  })

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
      const bytes = records
        .flatMap((record) => Object.values(record as object))
        .filter((value) => value instanceof ArrayBuffer)
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

describe('sessionStorageStore', () => {
  it('begins in a duplicated tab with a copy: the tab that renews first uses up the refresh token of both', async () => {
    const { emulator, game } = await file.open()
    const options = { url: game.url, emulator, store: 'sessionStorageStore' } as const
    const page = await openTab(file.context, options)
    const userId = await signIn(page)
    const [copy] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(() => void window.open(location.href)),
    ])
    await enterTab(copy, options)
    expect(await resume(copy)).toBe(userId)
    emulator.advance(WEEK + 1)
    await Promise.all([page, copy].map((tab) => pass(tab, WEEK + 1)))
    expect(await call(page, 1)).toEqual(['ok'])
    expect(await call(copy, 1)).toEqual(['refresh_rejected'])
    expect((await session(page))?.userId).toBe(userId)
  })
})

/** A tab's record as its store gives it. */
const recordOf = (
  page: Page,
  { name, key }: { name: StoreName; key: string },
): Promise<Record<string, unknown>> =>
  page.evaluate(
    async ([store, place]) => {
      const { Foyer } = window as unknown as { Foyer: Record<string, () => TokenStore> }
      return JSON.parse((await Foyer[store]?.().get(place)) ?? 'null') as Record<string, unknown>
    },
    [name, key] as const,
  )

/** Every write of the record after so many never happens, as if the process had ended there. */
const endAfter = {
  localStorageStore: (page: Page, key: string, writes: number) =>
    page.evaluate(
      ([record, allowed]) => {
        const setItem = Reflect.get(Storage.prototype, 'setItem')
        let count = 0
        Storage.prototype.setItem = function (name: string, text: string) {
          if (name !== record || count++ < allowed) Reflect.apply(setItem, this, [name, text])
        }
      },
      [key, writes] as const,
    ),
  // What is read is put back as it is; a write has a seal of its own.
  indexedDbStore: (page: Page, key: string, writes: number) =>
    page.evaluate(
      async ([record, allowed]) => {
        const put = Reflect.get(IDBObjectStore.prototype, 'put')
        const seals = new Set<string>()
        let count = -1
        IDBObjectStore.prototype.put = function (value: { iv?: Uint8Array }, place: IDBValidKey) {
          const seal = String(value.iv)
          const isWrite = place === `text:${record}` && !seals.has(seal)
          if (isWrite && count++ >= allowed) return this.get(place)
          seals.add(seal)
          return Reflect.apply(put, this, [value, place])
        }
        // The seal of the record as it stands.
        await (window as unknown as { Foyer: typeof FoyerModule }).Foyer.indexedDbStore().get(record)
        count = 0
      },
      [key, writes] as const,
    ),
}

describe.each(['localStorageStore', 'indexedDbStore'] as const)(
  'a browser that dies at any step of a rotation in %s',
  (name) => {
    it.each([
      [
        'before the mark',
        { writes: 0, left: { epoch: 0, refreshToken: 'old', accessToken: 'old', attempt: undefined } },
      ],
      [
        'after the mark',
        { writes: 1, left: { epoch: 0, refreshToken: 'old', accessToken: 'old', attempt: 'sent' } },
      ],
      [
        'after the answer',
        { writes: 1, left: { epoch: 0, refreshToken: 'old', accessToken: 'old', attempt: 'sent' } },
      ],
      [
        'after the pair',
        { writes: 2, left: { epoch: 1, refreshToken: 'new', accessToken: 'new', attempt: undefined } },
      ],
    ])('%s leaves the whole old pair with its mark, or the whole new one', async (step, { writes, left }) => {
      const { emulator, game } = await file.open()
      const page = await openTab(file.context, { url: game.url, emulator, store: name })
      const userId = await signIn(page)
      const key = `foyer:session:${emulator.url} ${emulator.application.id} default`
      const before = await recordOf(page, { name, key })
      await endAfter[name](page, key, writes)
      const isUnanswered = step === 'after the mark'
      if (isUnanswered)
        emulator.faults({ match: { method: 'POST', path: TOKEN_PATH }, effect: { delay: 600_000 } })
      const sent = page.waitForRequest(`**${TOKEN_PATH}`)
      void page.evaluate(
        () =>
          void (window as unknown as { game: { refreshToken(): Promise<unknown> } }).game
            .refreshToken()
            .catch(() => undefined),
      )
      await sent
      // Unanswered, the request waits at the service; else its answer has been taken.
      await expect
        .poll(async () =>
          isUnanswered ? emulator.faults().length === 0 : (await recordedEvents(page)).includes('refreshed'),
        )
        .toBe(true)
      const crashed = page.waitForEvent('crash')
      void page.goto('chrome://crash').catch(() => undefined)
      await crashed
      const next = await openTab(file.context, { url: game.url, emulator, store: name })
      const after = await recordOf(next, { name, key })
      const age = (field: string) => (after[field] === before[field] ? 'old' : 'new')
      const { epoch, attempt } = after as { epoch: number; attempt?: { outcome: string } }
      const found = {
        epoch,
        refreshToken: age('refreshToken'),
        accessToken: age('accessToken'),
        attempt: attempt?.outcome,
      }
      expect(found).toEqual(left)
      expect(await resume(next)).toBe(userId)
    })
  },
)
