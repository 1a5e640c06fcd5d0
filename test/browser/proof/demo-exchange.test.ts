/** The Exchange screen of the demo: every message of a sign-in, with its response, the SDK's checks and exports. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, deny, popupAfter } from '../../support/consent-page'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo({ context: { permissions: ['clipboard-read', 'clipboard-write'] } })
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

async function signIn(): Promise<void> {
  await approve(await popupAfter(page, '#sign-in-button'))
  await page.getByText('Signed in as').waitFor()
  await page.getByRole('link', { name: 'Exchange' }).click()
}

const exchange = (text: string) => page.locator('.exchange', { hasText: text })
/** Details of the chosen message. */
const chosen = () => page.locator('.exchange-chosen')
const showSequence = () => page.getByRole('tab', { name: 'Sequence' }).last().click()

async function copied(button: string): Promise<string> {
  await page.getByRole('button', { name: `Copy ${button}` }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

describe('the Exchange screen', () => {
  it('lists each message of a sign-in with its response, in order', async () => {
    await signIn()
    const titles = await page.locator('.exchange strong').allTextContents()
    expect(titles.filter((title) => !title.includes('keys'))).toEqual([
      'GET /oauth2/authorize',
      'Callback /callback.html',
      'POST /api/v10/oauth2/token',
      'GET /api/v10/users/@me',
    ])
    expect(await exchange('/oauth2/token').locator('.exchange-outcome').textContent()).toBe('200')
    await showSequence()
    const arrows = await page.locator('.sequence svg .arrow-text').allTextContents()
    expect(arrows.slice(0, 3)).toEqual(['authorize()', 'opens the consent page', 'GET /oauth2/authorize'])
    expect(arrows.length).toBeGreaterThanOrEqual(6)
  })

  it('shows the checks of the SDK at the message that was checked', async () => {
    await signIn()
    await exchange('/oauth2/token').click()
    expect(await chosen().locator('.checks').textContent()).toMatch(
      /nonce.*belongs to this attempt: \[secret\]/,
    )
    await exchange('Callback /callback.html').click()
    expect(await chosen().locator('.checks').textContent()).toMatch(/state/)
  })

  it('masks codes and tokens until they are revealed, and leaves them out of every export', async () => {
    await signIn()
    await exchange('/oauth2/token').click()
    const token = chosen()
    await token.getByRole('button', { name: 'Reveal access_token for ten seconds' }).click()
    const row = token.locator('tr', { hasText: 'access_token' })
    const secret = (await row.locator('code').textContent()) ?? ''
    expect(secret).toMatch(/^[\w.-]{20,}$/)
    await row.getByRole('button', { name: 'Reveal access_token' }).click()
    expect(await page.locator('#exchanges').textContent()).not.toContain(secret)
    const curl = await copied('the request as cURL')
    await showSequence()
    const exports = [await copied('all exchanges as HAR'), await copied('the diagram as Mermaid')]
    for (const text of exports) expect(text).not.toContain(secret)
    expect(JSON.parse(exports[0] ?? '')).toMatchObject({ log: { version: '1.2' } })
    expect(exports[1]).toContain('SDK->>Auth: POST /api/v10/oauth2/token')
    expect(curl).toContain("--data-urlencode 'grant_type=authorization_code'")
    expect(curl).toContain("--data-urlencode 'code_verifier=SECRET'")
  })

  it('opens the exchange of a selected arrow with the focus, also one that the filter hides', async () => {
    await signIn()
    await page.getByLabel('Filter').fill('oauth2/authorize')
    const token = exchange('/oauth2/token')
    await token.waitFor({ state: 'hidden' })
    await showSequence()
    await page.getByText('The same as a list').click()
    await page
      .getByRole('button', { name: /^Details of: SDK → Auth, POST \/api\/v10\/oauth2\/token/ })
      .click()
    await chosen().getByRole('heading', { name: 'Checks of the SDK' }).waitFor()
    expect(await token.getAttribute('aria-selected')).toBe('true')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Exchanges')
    expect(await page.getByLabel('Filter').inputValue()).toBe('')
  })

  it('shows the refusal of a player at the callback', async () => {
    await deny(await popupAfter(page, '#sign-in-button'))
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Exchange' }).click()
    await page.locator('.exchange-failed[aria-selected="true"]', { hasText: 'Callback' }).waitFor()
    expect(await chosen().locator('tr', { hasText: 'access_denied' }).count()).toBe(1)
  })

  it('folds a request in the window of a phone, where name and value stay in one line', async () => {
    await signIn()
    await exchange('/oauth2/token').click()
    await chosen()
      .getByRole('row', { name: /^grant_type/ })
      .waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await chosen()
      .getByRole('row', { name: /^grant_type/ })
      .waitFor({ state: 'hidden' })
    const row = chosen().getByRole('row', { name: /^token_type/ })
    const [name, value] = await Promise.all([
      row.getByRole('rowheader').boundingBox(),
      row.getByRole('cell').boundingBox(),
    ])
    expect(name?.y).toBe(value?.y)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2200)
    await chosen().locator('summary', { hasText: 'Request' }).click()
    await chosen()
      .getByRole('row', { name: /^grant_type/ })
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(() => chosen().locator('.exchange-folded').count()).toBe(0)
  })

  it.each([320, 768, 1440])(
    'has no accessibility violation and no sideways scroll at %i pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('link', { name: 'Exchange' }).click()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
      await signIn()
      await exchange('/oauth2/token').click()
      for (const name of ['Messages', 'Sequence']) {
        await page.getByRole('tab', { name }).last().click()
        expect(await axeFaults(page)).toEqual([])
      }
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      if (process.env['SCREENSHOTS'])
        await page.screenshot({ path: `${process.env['SCREENSHOTS']}/exchange-${width}.png`, fullPage: true })
    },
  )
})
