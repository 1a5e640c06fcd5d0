/** The demo as a stranger meets it: one command, a real browser, the emulator's own consent page. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../support/use-demo'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

/** Presses the button and resolves with the consent page. */
async function openPopup(press: () => Promise<void> = () => page.click('#sign-in-button')): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
  return popup
}

/** Chooses a player and presses a button, on the emulator's page. */
async function answer(
  consent: Page,
  { as, decision = 'Approve' }: { as?: string; decision?: 'Approve' | 'Deny' } = {},
): Promise<void> {
  if (as) await consent.getByRole('radio', { name: as }).check()
  await consent.getByRole('button', { name: decision }).click()
}

const session = () => page.getByRole('region', { name: 'Session' })
const steps = () => page.locator('#steps li:not(.step-request) strong').allTextContents()
const playerName = () => session().locator('.player-name').textContent()
const failureCode = () => page.getByRole('alert').locator('strong').textContent()
const nobody = () => session().getByText('Nobody is signed in.').waitFor()

const VERIFIED = [
  'Asked the player',
  'Checked the callback',
  'Redeemed the code',
  'Received the tokens',
  'Checked the ID token',
]

describe('the demo page', () => {
  it('signs a player in through a popup and shows the verified session', async () => {
    await answer(await openPopup(), { as: 'Bruno' })
    expect(await playerName()).toBe('Bruno')
    expect(await steps()).toEqual(VERIFIED)
    expect(await session().getByText('211842960158326785').count()).toBeGreaterThan(0)
    expect(page.url()).toBe(opened.demo.url)
    await session().getByRole('button', { name: 'Sign out' }).click()
    await nobody()
  })

  it('signs a player in by a redirect and leaves nothing in the address bar or in storage', async () => {
    await page.getByRole('radio', { name: 'in place of this page' }).check()
    await page.click('#sign-in-button')
    await answer(page)
    expect(await playerName()).toBe('Ada Quinn')
    expect(await steps()).toEqual(VERIFIED)
    expect(page.url()).toBe(opened.demo.url)
    expect(
      await page.evaluate(() =>
        [sessionStorage, localStorage].map((storage) => JSON.stringify(storage)).join(''),
      ),
    ).not.toMatch(/verifier|code|token/)
  })

  it('says access_denied when the player denies, and lets them try again', async () => {
    await answer(await openPopup(), { decision: 'Deny' })
    expect(await failureCode()).toBe('access_denied')
    // The report of the checks is loaded beside the sign-in, which does not wait for it. The error is last all the same.
    await page.locator('#message .checks').waitFor({ state: 'attached' })
    expect(await steps()).toEqual(['Asked the player', 'Checked the callback', 'access_denied'])
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
  })

  it('can be used from sign-in to sign-out with the keyboard alone', async () => {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the sign-in button')
    await page.keyboard.press('Enter')
    const popup = await openPopup(() => page.keyboard.press('Control+Enter'))
    const closed = popup.waitForEvent('close')
    await popup.getByRole('radio', { name: 'Zoë' }).focus()
    await popup.keyboard.press('Space')
    await popup.keyboard.press('Enter')
    await closed
    expect(await playerName()).toBe('Zoë Okafor')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sign-in-button')
    const signOut = session().getByRole('button', { name: 'Sign out' })
    while (!(await signOut.evaluate((button) => button === document.activeElement)))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await nobody()
  })

  it('keeps tokens out of the document until they are asked for', async () => {
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
    const token = session().locator('.secret').first()
    expect(await token.textContent()).toMatch(/^•+$/)
    // By itself it is covered again after ten seconds: they pass when the test says so.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const reveal = session().getByRole('button', { name: 'Reveal Access token for ten seconds' })
    await reveal.click()
    const shown = (await token.textContent()) ?? ''
    expect(shown).toMatch(/^[\w.~-]{20,}$/)
    await reveal.click()
    expect(await page.content()).not.toContain(shown)
    await reveal.click()
    expect(await page.content()).toContain(shown)
    await page.clock.runFor(10_000)
    expect(await page.content()).not.toContain(shown)
  })
})
