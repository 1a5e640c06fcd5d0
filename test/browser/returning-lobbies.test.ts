/** Lobbies that come back in a real Chromium: after a reload, after a tab was killed, and in two tabs, with a sealed store. */
import type { Emulator } from 'foyer-emulator'
import type * as FoyerModule from 'foyer-sdk'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import { openTab, resume, signIn, signOut } from '../support/session-tabs'

const file = useBrowserGame()

interface GamePage {
  Foyer: typeof FoyerModule
  game: FoyerModule.Client
}

const join = (page: Page, secret: string): Promise<string> =>
  page.evaluate(
    async (word) => (await (window as unknown as GamePage).game.createOrJoinLobby(word)).id,
    secret,
  )

const lobbyIds = (page: Page): Promise<string[]> =>
  page.evaluate(() => Array.from((window as unknown as GamePage).game.lobbies, ({ id }) => id).sort())

/** Number of characters of the list, sealed, that the database has for the page; 0 without one. */
const keptLength = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('foyer-sessions')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const records = opening.result.transaction('records').objectStore('records')
          const reading = records.getAllKeys()
          reading.addEventListener('success', () => {
            const key = reading.result.find((each) => typeof each === 'string' && each.endsWith(' lobbies'))
            const value = records.get(key ?? 'none')
            value.addEventListener('success', () => {
              opening.result.close()
              resolve((value.result as { data?: ArrayBuffer } | undefined)?.data?.byteLength ?? 0)
            })
          })
        })
      }),
  )

/** Loads the page again, with a client that resumes. Resolves with the ids of its lobbies. */
async function reload(page: Page, emulator: Emulator): Promise<string[]> {
  await page.reload()
  await page.locator('#outcome', { hasText: 'nobody' }).waitFor()
  await page.evaluate(
    async ({ applicationId, host }) => {
      const tab = window as unknown as GamePage
      tab.game = new tab.Foyer.Client({
        applicationId,
        service: { host },
        tokenStore: tab.Foyer.indexedDbStore(),
      })
      await tab.game.resume()
    },
    { applicationId: emulator.application.id, host: emulator.url },
  )
  return lobbyIds(page)
}

const members = (emulator: Emulator, id: string) =>
  fetch(`${emulator.url}/api/v10/lobbies/${id}`, {
    headers: { authorization: `Bot ${emulator.application.botToken}` },
  })
    .then((response) => response.json())
    .then((lobby: { members: unknown[] }) => lobby.members.length)

describe('a lobby', () => {
  it('comes back after reloads, with one member, and not after a sign-out', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator })
    await signIn(page)
    const id = await join(page, 'moon-42')
    await expect.poll(() => keptLength(page)).toBeGreaterThan(0)
    for (let count = 0; count < 3; count++) expect(await reload(page, emulator)).toEqual([id])
    expect(await members(emulator, id)).toBe(1)
    await signOut(page)
    expect([await keptLength(page), await reload(page, emulator)]).toEqual([0, []])
  })

  it('comes back in a page that is loaded at the moment in which the join resolves', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator })
    await signIn(page)
    const left = page.waitForEvent('framenavigated')
    await page.evaluate(
      () =>
        void (window as unknown as GamePage).game.createOrJoinLobby('moon-42').then(() => location.reload()),
    )
    await left
    // A page that is still being replaced cannot be loaded again.
    await page.waitForLoadState()
    expect(await reload(page, emulator)).toHaveLength(1)
  })

  it('comes back in another tab after the one that joined it was killed', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator })
    await signIn(page)
    const id = await join(page, 'moon-42')
    await expect.poll(() => keptLength(page)).toBeGreaterThan(0)
    const crashed = page.waitForEvent('crash')
    page.goto('chrome://crash').catch(() => undefined)
    await crashed
    const next = await openTab(file.context, { url: game.url, emulator })
    await resume(next)
    expect(await lobbyIds(next)).toEqual([id])
  })

  it('of either of two tabs that join at the same moment comes back in both', async () => {
    const { emulator, game } = await file.open()
    const tabs = [
      await openTab(file.context, { url: game.url, emulator }),
      await openTab(file.context, { url: game.url, emulator }),
    ]
    const [first, second] = tabs as [Page, Page]
    await signIn(first)
    await resume(second)
    // Each alone is shorter than 400 characters.
    const ids = (
      await Promise.all(['moon', 'sun'].map((word, at) => join(tabs[at] as Page, word.repeat(40))))
    ).sort()
    await expect.poll(() => keptLength(first)).toBeGreaterThan(400)
    expect(await reload(first, emulator)).toEqual(ids)
    expect(await reload(second, emulator)).toEqual(ids)
  })

  it('attack/221 is kept sealed: no database of the browser holds its secret as text', async () => {
    const { emulator, game } = await file.open()
    const page = await openTab(file.context, { url: game.url, emulator })
    await signIn(page)
    await join(page, 'moon-42')
    await expect.poll(() => keptLength(page)).toBeGreaterThan(0)
    const stored = await page.evaluate(async () => {
      const texts = [localStorage, sessionStorage].map((each) => JSON.stringify(Object.entries(each)))
      for (const { name = '' } of await indexedDB.databases()) {
        const values = await new Promise<unknown[]>((resolve) => {
          const opening = indexedDB.open(name)
          opening.addEventListener('success', () => {
            const [records = ''] = opening.result.objectStoreNames
            const reading = opening.result.transaction(records).objectStore(records).getAll()
            reading.addEventListener('success', () => resolve(reading.result))
          })
        })
        const decoder = new TextDecoder()
        for (const value of values) {
          const { data } = Object(value) as { data?: ArrayBuffer }
          texts.push(data ? decoder.decode(data) : JSON.stringify(value))
        }
      }
      return texts.join()
    })
    expect(stored.length).toBeGreaterThan(100)
    expect(stored).not.toContain('moon-42')
  })
})
