/** The panel of open tabs: which of several tabs refreshed a session that all of them share. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, popupAfter } from '../../support/consent-page'
import { useDemo } from '../../support/use-demo'
import { axeFaults } from '../demo-page'

// The service rejects expired tokens, which Chromium reports.
const opened = useDemo({ fresh: 'emulator', allowed: /status of 401/ })
let first: Page

beforeEach(async () => {
  first = opened.page
  await opened.load()
})

const tabs = (page: Page) => page.getByRole('list', { name: 'Open tabs' }).getByRole('listitem')

async function openTabs(count: number): Promise<Page[]> {
  const others: Page[] = []
  for (let index = 1; index < count; index++) {
    const [page] = await Promise.all([
      opened.context.waitForEvent('page'),
      first.getByRole('link', { name: 'Open another tab' }).click(),
    ])
    await page.locator('main:not([aria-busy])').waitFor()
    await page.locator('.player-name').waitFor()
    others.push(page)
  }
  return [first, ...others]
}

async function signInWith(store: string): Promise<void> {
  await first.getByRole('radio', { name: store }).check()
  await approve(await popupAfter(first, '#sign-in-button'))
  await first.locator('.player-name').waitFor()
}

describe('the panel of open tabs', () => {
  it.each(['Local storage', 'IndexedDB'])(
    'names the one tab of three that refreshed, with %s',
    async (store) => {
      await signInWith(store)
      const all = await openTabs(3)
      await tabs(first).nth(2).waitFor()
      const refreshes: string[] = []
      opened.context.on('request', (request) => {
        if (request.url().endsWith('/oauth2/token')) refreshes.push(request.postData() ?? '')
      })
      await first.getByRole('button', { name: 'Expire the token, then call in all tabs' }).click()
      for (const page of all) {
        await page
          .getByText(/Last refreshed by tab \d; 2 other tabs took over its tokens without a request\./)
          .waitFor()
        await page.getByRole('log', { name: 'Session events' }).getByText('answered: ada').waitFor()
      }
      expect(refreshes).toHaveLength(1)
      const words = await tabs(first).allTextContents()
      expect(words.filter((text) => text.includes('1 token request of its own'))).toHaveLength(1)
      expect(words.filter((text) => /Took over new tokens.*0 token requests/.test(text))).toHaveLength(2)
      expect(await axeFaults(first)).toEqual([])
    },
  )

  it('drops a tab that was closed, or whose process ended', async () => {
    await signInWith('Local storage')
    const [, second] = await openTabs(2)
    await tabs(first).nth(1).waitFor()
    await second?.close({ runBeforeUnload: false })
    await tabs(first).nth(1).waitFor({ state: 'detached' })
    expect(await tabs(first).count()).toBe(1)
  })

  it('explains why tabs with sessions of their own share nothing, and offers no call without a session', async () => {
    await first.getByText('With this store each tab has a session of its own.').waitFor()
    expect(await first.getByRole('button', { name: 'Call the API in all tabs' }).isDisabled()).toBe(true)
  })
})
