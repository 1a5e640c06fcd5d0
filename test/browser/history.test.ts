/** A session in a page that the browser kept whole while the player was elsewhere: its back/forward cache, which Playwright turns off. */
import { expect, test } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import {
  call,
  recordedEvents,
  openTab,
  refreshes,
  resume,
  session,
  signIn,
  signOut,
} from '../support/session-tabs'

const WEEK = 7 * 24 * 3_600_000
const file = useBrowserGame({ full: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] })

test.each(['indexedDbStore', 'localStorageStore'] as const)(
  'a page that comes back by the history goes on with its session in %s, renews once, and hears the other tabs',
  async (store) => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator, store })
    const userId = await signIn(page)
    await page.evaluate((away) => {
      const tab = window as unknown as { offset: number; restored: boolean }
      addEventListener('pageshow', ({ persisted }) => {
        tab.restored = persisted
        tab.offset += away
      })
    }, WEEK + 1)
    const sent = refreshes(emulator).length
    await page.goto(`${emulator.url}/chat`)
    emulator.advance(WEEK + 1)
    // A page that is kept loads nothing when it comes back.
    await page.goBack({ waitUntil: 'commit' })
    const outcome = () =>
      page.evaluate(() => {
        const [{ notRestoredReasons = null } = {}] = performance.getEntriesByType('navigation') as {
          notRestoredReasons?: unknown
        }[]
        return { isRestored: (window as unknown as { restored?: boolean }).restored, notRestoredReasons }
      })
    await expect.poll(outcome).toEqual({ isRestored: true, notRestoredReasons: null })
    await expect.poll(() => recordedEvents(page)).toContain('refreshed')
    expect(await call(page, 3)).toEqual(['ok', 'ok', 'ok'])
    expect(await session(page)).toMatchObject({ userId, state: 'fresh', storage: 'store' })
    expect(refreshes(emulator).slice(sent)).toMatchObject([{ status: 200 }])

    const other = await openTab(file.context, { url: game.url, emulator, store, offset: WEEK + 1 })
    expect(await resume(other)).toBe(userId)
    await signOut(other)
    await expect.poll(() => recordedEvents(page)).toContain('nobody signed_out')
  },
)
