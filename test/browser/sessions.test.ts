/** One session in several tabs of real Chromium: one request, whoever dies. */
import type { Emulator } from 'foyer-emulator'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowserGame } from '../support/browser-game'
import {
  call,
  freeze,
  recordedEvents,
  longestWait,
  openTab,
  pass,
  refreshes,
  resume,
  session,
  signIn,
  signOut,
  type TabOptions,
  thaw,
  TOKEN_PATH,
} from '../support/session-tabs'

const DAY = 24 * 3_600_000
const file = useBrowserGame()

/** Tabs that all have the same session. */
async function openTabs(count: number, options: Partial<TabOptions> = {}) {
  const { emulator, game } = await file.open()
  const tab = (more: Partial<TabOptions> = {}) =>
    openTab(file.context, { url: game.url, emulator, ...options, ...more })
  const first = await tab()
  await signIn(first)
  const tabs = [first]
  while (tabs.length < count) {
    const next = await tab()
    await resume(next)
    tabs.push(next)
  }
  return { emulator, tabs, tab }
}

/** Lets the access token expire, for the service and for every tab. */
async function expire({ emulator, tabs }: Awaited<ReturnType<typeof openTabs>>): Promise<void> {
  emulator.advance(8 * DAY)
  await Promise.all(tabs.map((page) => pass(page, 8 * DAY)))
}

const until = async (condition: () => Promise<boolean> | boolean): Promise<void> => {
  await expect.poll(condition, { interval: 20 }).toBe(true)
}

async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
}

describe.each(['indexedDbStore', 'localStorageStore'] as const)('five tabs that share %s', (store) => {
  it('renew an expired token by one request, and all of a hundred calls succeed', async () => {
    const open = await openTabs(5, { store })
    const { emulator, tabs } = open
    await expire(open)
    const sent = refreshes(emulator).length
    const results = await Promise.all(tabs.map((page) => call(page, 20)))
    expect(results.flat()).toEqual(Array.from({ length: 100 }, () => 'ok'))
    expect(refreshes(emulator).length - sent).toBe(1)
    const tokens = await Promise.all(tabs.map(async (page) => (await session(page))?.token))
    expect(new Set(tokens).size).toBe(1)
    const told = async () =>
      (await Promise.all(tabs.map(recordedEvents))).flat().filter((news) => news.startsWith('refreshed'))
    await expect
      .poll(async () => (await told()).sort())
      .toEqual(['refreshed', ...Array.from({ length: 4 }, () => 'refreshed elsewhere')])
  })
})

describe.each(['indexedDbStore', 'localStorageStore'] as const)(
  'tabs in which nobody is signed in, with %s',
  (store) => {
    it.each([true, false])(
      'are signed in when one of them signs a player in (Web Locks: %s)',
      async (locks) => {
        const { emulator, game } = await file.open()
        const tabs: Page[] = []
        while (tabs.length < 3)
          tabs.push(await openTab(file.context, { url: game.url, emulator, store, locks }))
        for (const page of tabs) expect(await resume(page)).toBeNull()
        const [first, ...others] = tabs as [Page, ...Page[]]
        const userId = await signIn(first)
        for (const page of others) await expect.poll(() => recordedEvents(page)).toEqual([userId])
        expect((await Promise.all(others.map((page) => call(page, 1)))).flat()).toEqual(['ok', 'ok'])
      },
    )
  },
)

describe('a token that the service ended early', () => {
  it('is renewed once for all tabs after their first 401', async () => {
    const { emulator, tabs } = await openTabs(3)
    const userId = (await session(tabs[0] as Page))?.userId ?? ''
    emulator.tokens({ user: userId, action: 'expire' })
    const sent = refreshes(emulator).length
    const results = await Promise.all(tabs.map((page) => call(page, 5)))
    expect(results.flat().every((result) => result === 'ok')).toBe(true)
    expect(refreshes(emulator).length - sent).toBe(1)
  })
})

describe('a tab that dies while it renews', () => {
  it.each(['closed', 'crashed'])(
    '%s before the service took its request: the others settle without waiting for it to be given up, by one more request',
    async (how) => {
      const open = await openTabs(5)
      const { emulator, tabs } = open
      const [holder, ...others] = tabs as [Page, ...Page[]]
      await expire(open)
      const sent = refreshes(emulator).length
      emulator.faults({ match: { method: 'POST', path: TOKEN_PATH }, effect: { delay: 600_000 } })
      const request = holder.waitForRequest(`**${TOKEN_PATH}`)
      void call(holder, 20).catch(() => undefined)
      await request
      await until(() => emulator.faults().length === 0)
      const calls = Promise.all(others.map((page) => call(page, 20)))
      await (how === 'closed' ? holder.close() : crash(holder))
      const results = (await calls).flat()
      expect(results).toEqual(Array.from({ length: 80 }, () => 'ok'))
      for (const page of others) expect(await longestWait(page)).toBeLessThan(5000)
      const after = refreshes(emulator).slice(sent)
      expect(after.length).toBeLessThanOrEqual(2)
      expect(after.filter(({ status }) => status === 200)).toHaveLength(1)
    },
  )

  it('after the service took its request: in doubt for 30 s, then once more, then the end has its name', async () => {
    const open = await openTabs(3)
    const { emulator, tabs } = open
    const [holder, ...others] = tabs as [Page, ...Page[]]
    await expire(open)
    let answered = false
    await holder.route(`**${TOKEN_PATH}`, async (route) => {
      await route.fetch()
      answered = true
    })
    void call(holder, 1).catch(() => undefined)
    await until(() => answered)
    await holder.close()
    const results = (await Promise.all(others.map((page) => call(page, 5)))).flat()
    expect(new Set(results)).toEqual(new Set(['refresh_in_doubt']))
    const sent = refreshes(emulator).length
    expect((await call(others[0] as Page, 1))[0]).toBe('refresh_in_doubt')
    expect(refreshes(emulator).length).toBe(sent)
    await Promise.all(others.map((page) => pass(page, 30_000)))
    const ends = (await Promise.all(others.map((page) => call(page, 5)))).flat()
    expect(new Set(ends)).toEqual(new Set(['refresh_answer_lost']))
    expect(refreshes(emulator).length).toBe(sent + 1)
    for (const page of others)
      await expect.poll(async () => (await recordedEvents(page)).at(-1)).toBe('nobody refresh_answer_lost')
  })
})

const recordKey = (emulator: Emulator): string =>
  `foyer:session:${emulator.url} ${emulator.application.id} default`

/** The record as a tab sees it. */
const recordIn = (page: Page, emulator: Emulator): Promise<string> =>
  page.evaluate((key) => localStorage.getItem(key) ?? '', recordKey(emulator))

/** Whether a tab sees that somebody's renewal is under way. */
const seesMark = async (page: Page, emulator: Emulator): Promise<boolean> =>
  (await recordIn(page, emulator)).includes('"sent"')

/** This tab reads the record as it stands now, until it has written one: as if it had read it just before another tab wrote. */
const readBeforeOthersWrite = (page: Page, record: string): Promise<void> =>
  page.evaluate((key) => {
    const [getItem, setItem] = [
      Reflect.get(Storage.prototype, 'getItem'),
      Reflect.get(Storage.prototype, 'setItem'),
    ]
    const old = localStorage.getItem(key)
    let isOld = true
    Storage.prototype.getItem = function (name: string) {
      return isOld && name === key ? old : Reflect.apply(getItem, this, [name])
    }
    Storage.prototype.setItem = function (name: string, text: string) {
      if (name === key) isOld = false
      Reflect.apply(setItem, this, [name, text])
    }
  }, record)

describe('tabs of a browser without Web Locks', () => {
  const unlocked = { store: 'localStorageStore', locks: false } as const

  it('that renew at the same moment send one request, and nobody is signed out', async () => {
    const open = await openTabs(2, unlocked)
    const { emulator, tabs } = open
    const [first, second] = tabs as [Page, Page]
    await expire(open)
    const sent = refreshes(emulator).length
    await freeze(first)
    await readBeforeOthersWrite(second, recordKey(emulator))
    const early = call(first, 1)
    await until(() => seesMark(first, emulator))
    expect(await call(second, 1)).toEqual(['ok'])
    // Without locks nothing but time tells a tab what the others have stored: it wakes when that has come.
    await until(async () => !(await seesMark(first, emulator)))
    await thaw(first)
    expect(await early).toEqual(['ok'])
    expect(refreshes(emulator).slice(sent)).toMatchObject([{ status: 200 }])
    for (const page of tabs) expect((await session(page))?.state).toBe('fresh')
  })

  it('lose nothing and hang on nothing: a call that meets the renewal of another tab waits for it', async () => {
    const open = await openTabs(3, unlocked)
    const { emulator, tabs } = open
    await expire(open)
    const sent = refreshes(emulator).length
    // The second in which each looks whether another was faster is as long as it takes, however slow the machine is.
    await Promise.all(tabs.map(freeze))
    const calls = Promise.all(tabs.map((page) => call(page, 5)))
    for (const page of tabs) await until(() => seesMark(page, emulator))
    await until(
      async () => new Set(await Promise.all(tabs.map((page) => recordIn(page, emulator)))).size === 1,
    )
    await Promise.all(tabs.map(thaw))
    const results = (await calls).flat()
    expect(results).toEqual(Array.from({ length: 15 }, () => 'ok'))
    expect(refreshes(emulator).slice(sent)).toMatchObject([{ status: 200 }])
    await signOut(tabs[0] as Page)
    for (const page of tabs) await until(async () => (await session(page)) === null)
  })
})

describe('what tabs tell each other', () => {
  it('a sign-out here is one everywhere, and a sign-in too', async () => {
    const { tabs } = await openTabs(2)
    const [first, second] = tabs as [Page, Page]
    await signOut(first)
    await until(async () => (await session(second)) === null)
    await expect.poll(() => recordedEvents(second)).toContain('nobody signed_out')
    await signIn(first)
    expect(await resume(second)).toBe((await session(first))?.userId)
  })

  it('attack/116 a foreign broadcast signs nobody out', async () => {
    const { tabs } = await openTabs(2)
    const [first, second] = tabs as [Page, Page]
    await second.evaluate(() => {
      const channel = new BroadcastChannel('foyer:session')
      for (const message of ['', 'foyer:session', { key: 'x', ended: true }, null, 'signed_out'])
        channel.postMessage(message)
    })
    expect(await call(first, 3)).toEqual(['ok', 'ok', 'ok'])
    expect((await session(first))?.state).toBe('fresh')
  })

  it('profiles side by side never mix', async () => {
    const { emulator, game } = await file.open()
    const [alice, bob] = await Promise.all(
      (['ada', 'bruno'] as const).map((as) =>
        openTab(file.context, { url: game.url, emulator, as, profile: as }),
      ),
    )
    const ids = [await signIn(alice as Page), await signIn(bob as Page)]
    expect(ids[0]).not.toBe(ids[1])
    await signOut(alice as Page)
    expect((await session(bob as Page))?.userId).toBe(ids[1])
    const again = await openTab(file.context, { url: game.url, emulator, profile: 'bruno' })
    expect(await resume(again)).toBe(ids[1])
  })

  it('a tab that slept renews when it is woken, by online, pageshow or visibility', async () => {
    for (const sign of ['online', 'pageshow', 'visibilitychange']) {
      const open = await openTabs(1)
      const [page] = open.tabs as [Page]
      const sent = refreshes(open.emulator).length
      await expire(open)
      await page.evaluate(
        (name) => void (name === 'visibilitychange' ? document : window).dispatchEvent(new Event(name)),
        sign,
      )
      await expect.poll(() => refreshes(open.emulator).length).toBe(sent + 1)
    }
  })
})
