/** The demo's ways of a callback that a page cannot receive: a loopback port, a custom scheme, and an address that a tester pastes. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

const player = () => page.getByRole('region', { name: 'Session' }).locator('.player-name')
const alert = () => page.locator('.sign-in, #message').getByRole('alert')
const callback = () => page.getByLabel('Callback URL')
const submit = () => page.getByRole('button', { name: 'Submit' }).click()

async function begin(mode: string): Promise<void> {
  await page.getByRole('radio', { name: mode }).check()
  await page.click('#sign-in-button')
}

/** Opens the address of the waiting sign-in in another browser, which shares nothing with the first. */
async function openElsewhere(): Promise<Page> {
  const url = (await page.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href')) ?? ''
  const elsewhere = await opened.browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(url)
  return other
}

async function approveElsewhere(): Promise<{ other: Page; address: string }> {
  const other = await openElsewhere()
  await other.getByRole('radio', { name: 'Zoë' }).check()
  await other.getByRole('button', { name: 'Approve' }).click()
  await other.getByRole('heading', { name: 'Copy the address of this page' }).waitFor()
  return { other, address: other.url() }
}

describe('a pasted callback', () => {
  it('signs in the player who approved in another browser, with the checks of any callback', async () => {
    await begin('paste the callback')
    const { other, address } = await approveElsewhere()
    await other.getByRole('button', { name: 'Copy the address' }).waitFor()
    expect(await axeFaults(other)).toEqual([])
    await other.context().close()
    await callback().fill(address)
    await submit()
    await player().waitFor()
    expect(await player().textContent()).toBe('Zoë Okafor')
    await page.locator('#steps .step', { hasText: 'Checked the callback' }).click()
    const checks = await page.locator('#message .checks').textContent()
    expect(checks).toMatch(/redirect_uri.*copy-callback\.html.*state/s)
  })

  it('is refused for another attempt, with the code of the SDK, and the attempt goes on waiting', async () => {
    await begin('paste the callback')
    const { other, address } = await approveElsewhere()
    await other.context().close()
    await callback().fill(address.replace(/state=[^&]+/, 'state=another'))
    await submit()
    await alert()
      .getByText('state_mismatch: this is no address of this sign-in, which still waits.')
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    await callback().fill(address)
    await submit()
    await player().getByText('Zoë Okafor').waitFor()
  })

  it('ends the attempt when it belongs to it but was changed', async () => {
    await begin('paste the callback')
    await page.getByRole('button', { name: 'Let the emulator approve' }).click()
    await expect.poll(() => callback().inputValue()).toContain('copy-callback.html?')
    const address = await callback().inputValue()
    await callback().fill(address.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fattacker.example'))
    await submit()
    await alert().getByText('issuer_mismatch').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  it('can be cancelled, and times out in sight', async () => {
    await begin('paste the callback')
    await page.getByText(/Times out in 4 min \d+ s/).waitFor()
    await page.keyboard.press('Escape')
    await alert().getByText('aborted').waitFor()
    expect(await callback().isVisible()).toBe(false)
    await page.getByText('State, nonce, PKCE pair and more').click()
    await page.getByLabel('Timeout', { exact: true }).fill('1')
    await page.click('#sign-in-button')
    await alert().getByText('timed_out').waitFor()
  })
})

describe('a loopback port', () => {
  it('receives the callback of a tab that has no connection to the page', async () => {
    await page.getByRole('radio', { name: 'loopback port' }).check()
    const [tab] = await Promise.all([opened.context.waitForEvent('page'), page.click('#sign-in-button')])
    await tab.getByRole('radio', { name: 'Bruno' }).check()
    expect(await tab.evaluate(() => window.opener as unknown)).toBeNull()
    await tab.getByRole('button', { name: 'Approve' }).click()
    await tab.getByText('Go back to the game.').waitFor()
    expect(tab.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    await player().getByText('Bruno').waitFor()
  })

  it('answers a late callback with the end of the attempt, which signs nobody in', async () => {
    await page.getByRole('radio', { name: 'loopback port' }).check()
    const [tab] = await Promise.all([opened.context.waitForEvent('page'), page.click('#sign-in-button')])
    await tab.getByRole('button', { name: 'Approve' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await alert().getByText('aborted').waitFor()
    await tab.getByRole('button', { name: 'Approve' }).click()
    await tab.getByText('This sign-in is over').waitFor()
    expect(await player().count()).toBe(0)
  })
})

describe('a custom scheme', () => {
  it.each([
    ['', /^service-\d+:\/authorize\/callback\?/],
    ['mygame', /^mygame:\/authorize\/callback\?/],
  ])(
    '%s delivers the address of its program, which the tester may look at and submit',
    async (name, address) => {
      await page.getByText('State, nonce, PKCE pair and more').click()
      await page.getByLabel('CustomSchemeParam').fill(name)
      await begin('custom scheme')
      await page.getByRole('button', { name: 'Let the emulator approve' }).click()
      await expect.poll(() => callback().inputValue()).toMatch(address)
      await submit()
      await player().getByText('Ada Quinn').waitFor()
    },
  )
})

describe.each(['light', 'dark'] as const)('the modes, %s', (colorScheme) => {
  it('have no fault that axe-core finds, and need no scrolling sideways on 320 pixels', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 320, height: 640 })
    await begin('paste the callback')
    await page.getByRole('button', { name: 'Let the emulator approve' }).click()
    await expect.poll(() => callback().inputValue()).toContain('state=')
    expect(await axeFaults(page)).toEqual([])
    expect(await sideways(page)).toBe(0)
  })

  it('color the parameters of the authorize URL by purpose, with words beside the colors', async () => {
    await page.emulateMedia({ colorScheme })
    const url = page.getByRole('region', { name: 'Authorize URL' })
    await url.getByText('state').first().waitFor()
    expect(await url.locator('.purpose-protection .name').allTextContents()).toEqual(
      expect.arrayContaining(['state', 'nonce', 'code_challenge', 'code_challenge_method']),
    )
    const colors = await url
      .locator('.name')
      .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))])
    expect(colors).toHaveLength(4)
    await page.getByRole('radio', { name: 'custom scheme' }).check()
    await url.getByText(/^service-\d+:\/authorize\/callback$/).waitFor()
    await page.getByText('createMainClient').first().waitFor()
  })
})
