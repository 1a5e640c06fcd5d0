/** Sessions in every engine: reloads, tabs that share one, and storage that is missing. */
import { expect } from 'vitest'
import type { Engine, EnginePage } from '../../support/engines/engine'
import { expectOutcome, inAll, openGame } from '../../support/engines/engine-game'
import { createFolder, inEveryEngine } from '../../support/engines/in-every-engine'
import {
  type EngineGame,
  type EngineGameOptions,
  serveEngineGame,
} from '../../support/engines/serve-engine-game'

const ADA = '175928847299117063'
const BRUNO = '211842960158326785'
const DAY = 24 * 3_600_000
const WITHOUT_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
/** A full disk: everything can be read, and nothing written. */
const FULL = (method: string) => `${method} = () => { throw new DOMException('full', 'QuotaExceededError') }`
const BLOCKED = (name: string) =>
  `Object.defineProperty(window, '${name}', { get() { throw new DOMException('blocked', 'SecurityError') } })`

/** Opens tabs that all have the session of one sign-in. */
async function openTabs(
  engine: Engine,
  { count, store, ...options }: { count: number; store: string } & EngineGameOptions,
) {
  const game = await serveEngineGame(options)
  const url = `${game.url}?store=${store}`
  const tabs = [await openGame(await engine.open(), url)]
  const [first] = tabs as [EnginePage]
  await first.evaluate("window.signInAs('ada')")
  while (tabs.length < count) tabs.push(await openGame(await first.openTab(), url, `signed in ${ADA}`))
  return { game, tabs, first }
}

/** Lets the access token expire, for the service and for every tab. Returns the number of token requests so far. */
async function expire(game: EngineGame, tabs: readonly EnginePage[]): Promise<number> {
  game.emulator.advance(8 * DAY)
  for (const tab of tabs) await tab.evaluate(`window.offset += ${8 * DAY}`)
  return game.tokenRequests().length
}

const storageOf = (page: EnginePage) => page.evaluate('client.session && client.session.storage')

inEveryEngine((engineTest) => {
  for (const [store, outcome] of [
    ['memoryStore', 'nobody'],
    ['sessionStorageStore', `signed in ${ADA}`],
    ['localStorageStore', `signed in ${ADA}`],
    ['indexedDbStore', `signed in ${ADA}`],
  ] as const) {
    engineTest(`a reload with ${store}`, async (engine) => {
      const { first } = await openTabs(engine, { count: 1, store })
      expect(await storageOf(first)).toBe('store')
      await first.reload()
      await expectOutcome(first, outcome)
    })
  }

  for (const store of ['localStorageStore', 'indexedDbStore']) {
    engineTest(`five tabs that share ${store} send one refresh for a hundred calls`, async (engine) => {
      const { game, tabs } = await openTabs(engine, { count: 5, store })
      const sent = await expire(game, tabs)
      const results = await inAll<string[]>(tabs, 'calls(20)')
      expect(results.flat()).toEqual(Array.from({ length: 100 }, () => 'ok'))
      expect(game.tokenRequests()).toHaveLength(sent + 1)
    })
  }

  for (const store of ['localStorageStore', 'indexedDbStore']) {
    engineTest(`a page of the back/forward cache keeps its session in ${store}`, async (engine) => {
      const { game, first } = await openTabs(engine, { count: 1, store })
      await first.goto(`${game.emulator.url}/chat`)
      await first.back()
      await expect.poll(() => first.evaluate('window.isRestored').catch(() => undefined)).toBe(true)
      await expire(game, [first])
      expect(await first.evaluate('calls(3)')).toEqual(['ok', 'ok', 'ok'])
    })
  }

  engineTest('tabs without Web Locks wait for the refresh of another tab', async (engine) => {
    const { game, tabs } = await openTabs(engine, {
      count: 3,
      store: 'indexedDbStore',
      before: WITHOUT_LOCKS,
    })
    const sent = await expire(game, tabs)
    expect((await inAll<string[]>(tabs, 'calls(3)')).flat()).toEqual(Array.from({ length: 9 }, () => 'ok'))
    expect(game.tokenRequests()).toHaveLength(sent + 1)
  })

  for (const store of ['localStorageStore', 'indexedDbStore']) {
    engineTest(`a sign-out and another sign-in reach the other tabs of ${store}`, async (engine) => {
      const { tabs, first } = await openTabs(engine, { count: 2, store })
      const [, second] = tabs as [EnginePage, EnginePage]
      await first.evaluate('client.signOut().then(() => null)')
      await expect.poll(() => second.evaluate('client.session')).toBe(null)
      await second.evaluate("window.signInAs('bruno')")
      await expect.poll(() => first.evaluate('client.session && client.session.userId')).toBe(BRUNO)
    })
  }

  engineTest('without BroadcastChannel a session is shared, and a popup signs in', async (engine) => {
    const before = BLOCKED('BroadcastChannel')
    const { game, tabs, first } = await openTabs(engine, { count: 2, store: 'localStorageStore', before })
    const sent = await expire(game, tabs)
    expect((await inAll<string[]>(tabs, 'calls(3)')).flat()).toEqual(Array.from({ length: 6 }, () => 'ok'))
    expect(game.tokenRequests()).toHaveLength(sent + 1)
    const popup = await first.popupAfter('#popup')
    await popup.press('Bruno')
    await popup.press('Approve')
    await expectOutcome(first, `signed in ${BRUNO}`)
  })

  for (const [store, storage] of [
    ['indexedDbStore', 'indexedDB'],
    ['localStorageStore', 'localStorage'],
    ['sessionStorageStore', 'sessionStorage'],
  ] as const) {
    engineTest(`with ${storage} blocked, a session is in memory and calls work`, async (engine) => {
      const { first } = await openTabs(engine, { count: 1, store, before: BLOCKED(storage) })
      expect(await storageOf(first)).toBe('memory')
      expect(await first.evaluate('calls(2)')).toEqual(['ok', 'ok'])
    })
  }

  for (const [store, before] of [
    ['indexedDbStore', FULL('IDBObjectStore.prototype.put')],
    ['localStorageStore', FULL('Storage.prototype.setItem')],
    ['sessionStorageStore', FULL('Storage.prototype.setItem')],
  ] as const) {
    engineTest(
      `on a full disk a session of ${store} is in memory, and calls and refreshes work`,
      async (engine) => {
        const { game, tabs, first } = await openTabs(engine, { count: 1, store, before })
        expect(await storageOf(first)).toBe('memory')
        const sent = await expire(game, tabs)
        expect(await first.evaluate('calls(2)')).toEqual(['ok', 'ok'])
        expect(game.tokenRequests()).toHaveLength(sent + 1)
      },
    )
  }

  engineTest(
    'with all storage blocked in the settings, a session is in memory and calls work',
    async (_, launch) => {
      const game = await serveEngineGame()
      const browser = await launch({ folder: await createFolder(), blocksStorage: true })
      const page = await browser.open()
      for (const store of ['localStorageStore', 'indexedDbStore']) {
        await openGame(page, `${game.url}?store=${store}`)
        expect(
          await page.evaluate("(() => { try { return typeof localStorage } catch { return 'blocked' } })()"),
        ).toBe('blocked')
        // Without a popup: the emulator's pages need cookies.
        await page.evaluate("window.signInAs('ada')")
        expect(await storageOf(page)).toBe('memory')
        expect(await page.evaluate('calls(2)')).toEqual(['ok', 'ok'])
      }
      await browser.close()
    },
    { notIn: { WebKit: 'its driver cannot change the setting' } },
  )
})
