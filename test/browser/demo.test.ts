/** The demo as a stranger meets it: one command, a real browser, the emulator's own consent page. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { enterSettings, openScreen, useDemo } from '../support/use-demo'
import { axeFaults, sideways } from './demo-page'

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
async function answer(consent: Page, { as, decision = 'Approve' }: { as?: string; decision?: 'Approve' | 'Deny' } = {}): Promise<void> {
  if (as) await consent.getByRole('radio', { name: as }).check()
  await consent.getByRole('button', { name: decision }).click()
}

const session = () => page.getByRole('region', { name: 'Session' })
const steps = () => page.locator('#steps li strong').allTextContents()
const playerName = () => session().locator('.player-name').textContent()
const failureCode = () => page.getByRole('alert').locator('strong').textContent()
const nobody = () => session().getByText('Nobody is signed in.').waitFor()

const VERIFIED = ['Asked the player', 'Checked the callback', 'Redeemed the code', 'Received the tokens', 'Checked the ID token']

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

  it('shows the checks that the SDK reports, each with what was expected and what came', async () => {
    await answer(await openPopup())
    await playerName()
    const checks = page.locator('#steps .checks')
    await checks.nth(1).waitFor({ state: 'attached' })
    const [callback = '', idToken = ''] = await checks.allTextContents()
    expect(callback).toMatch(/Checks: \d passed.*redirect_uri.*expected http.*callback\.html, got http.*callback\.html/)
    expect(callback).toContain('expected [secret], got [secret]')
    expect(idToken).toMatch(/Checks: \d+ passed.*header\.alg.*expected RS256 or ES256, got RS256.*nonce/)
  })

  it('shows which check failed, and counts none behind it as passed', async () => {
    const [host = '', applicationId = ''] = await page.locator('.emulator code').allTextContents()
    await enterSettings(page, { Host: host, 'Application id': applicationId, Issuer: 'https://another.example' })
    await answer(await openPopup())
    const failed = page.locator('#steps .step-failed', { hasText: 'Checked the callback' })
    await failed.waitFor()
    expect(await failed.textContent()).toMatch(/Checks: 2 passed, 1 failed.*failed: iss.*expected https:\/\/another\.example, got http/)
  })

  it('signs a player in by a redirect and leaves nothing in the address bar or in storage', async () => {
    await page.getByRole('radio', { name: 'in place of this page' }).check()
    await page.click('#sign-in-button')
    await answer(page)
    expect(await playerName()).toBe('Ada Quinn')
    expect(await steps()).toEqual(VERIFIED)
    expect(page.url()).toBe(opened.demo.url)
    expect(await page.evaluate(() => [sessionStorage, localStorage].map((storage) => JSON.stringify(storage)).join(''))).not.toMatch(
      /verifier|code|token/,
    )
  })

  it('says access_denied when the player denies, and lets them try again', async () => {
    await answer(await openPopup(), { decision: 'Deny' })
    expect(await failureCode()).toBe('access_denied')
    await page.locator('#steps .checks').waitFor({ state: 'attached' })
    // The report of the checks is loaded beside the sign-in, which does not wait for it.
    expect((await steps()).toSorted()).toEqual(['Asked the player', 'Checked the callback', 'access_denied'])
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
  })

  it('cancels, closes the window, and signs in at the next try', async () => {
    const popup = await openPopup()
    const closed = popup.waitForEvent('close')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await closed
    expect(await failureCode()).toBe('aborted')
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
  })

  it('says that the window seems closed, and goes on waiting until Escape', async () => {
    const popup = await openPopup()
    await popup.close()
    await page.getByText('The window seems to be closed.').waitFor()
    await page.keyboard.press('Escape')
    expect(await failureCode()).toBe('aborted')
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
    while (!(await signOut.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab')
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

  it('gives the same tokens again, begins nothing with a used callback, and refuses a stolen code', async () => {
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
    const outcome = session().locator('.outcome')
    await session().getByRole('button', { name: 'Redeem the code again' }).click()
    await outcome.filter({ hasText: 'The same tokens came back, and no request was sent.' }).waitFor()
    await session().getByRole('button', { name: 'Load the callback again' }).click()
    await outcome.filter({ hasText: /^The same result came back|^Refused: state_mismatch\. The attempt/ }).waitFor()
    await session().getByRole('button', { name: 'Steal the code' }).click()
    await outcome.filter({ hasText: 'Refused: invalid_grant. The attacker' }).waitFor()
    // The attacker's requests are no steps of this player's sign-in, and an expected refusal is no failure.
    const experiments = ['Redeem the code again', 'Load the callback again', 'Steal the code']
    const [, ...again] = (await steps()).slice(5).toSorted()
    expect(await steps()).toEqual(expect.arrayContaining([...VERIFIED, ...experiments]))
    expect(again).toEqual(experiments.toSorted())
    expect(await page.locator('#steps .step-failed').count()).toBe(0)
    // Chromium reports every 400 that a page receives.
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 400'))
  })

  it('signs in with a PKCE pair made by the game', async () => {
    await page.getByText('State, nonce, PKCE pair and more').click()
    await page.getByRole('radio', { name: 'my own pair' }).check()
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
  })

  it('names the faults of the settings by the codes of the SDK, and opens nothing', async () => {
    await page.getByLabel('Scopes', { exact: true }).fill('identify')
    await page.locator('#argument-scopes-fault', { hasText: 'invalid_scopes' }).waitFor()
    await page.click('#sign-in-button')
    expect(await failureCode()).toBe('invalid_argument')
    await openScreen(page, 'Service')
    await page.getByRole('radio', { name: 'another service' }).check()
    await page.getByRole('textbox', { name: 'Host' }).fill('http://service.example')
    await page.locator('#service-host-fault', { hasText: 'insecure_endpoint' }).waitFor()
    expect(opened.context.pages()).toHaveLength(1)
  })

  it('remembers the service and the theme', async () => {
    await openScreen(page, 'Service')
    await page.getByRole('radio', { name: 'another service' }).check()
    await page.getByRole('textbox', { name: 'Host' }).fill('https://service.example')
    await page.getByRole('radio', { name: 'Dark theme' }).check()
    await page.reload()
    await page.locator('main:not([aria-busy])').waitFor()
    expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('https://service.example')
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  })
})

describe.each(['light', 'dark'] as const)('the demo page, %s', (colorScheme) => {
  it('has no fault that axe-core finds: empty, failed and signed in', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.getByText('State, nonce, PKCE pair and more').click()
    expect(await axeFaults(page)).toEqual([])
    await answer(await openPopup(), { decision: 'Deny' })
    expect(await failureCode()).toBe('access_denied')
    expect(await axeFaults(page)).toEqual([])
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
    expect(await axeFaults(page)).toEqual([])
  })

  it('needs no scrolling sideways on 320 pixels', async () => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
    await openScreen(page, 'Service')
    await page.getByRole('radio', { name: 'another service' }).check()
    expect(await sideways(page)).toBe(0)
    await openScreen(page, 'Sign-in')
    await page.getByText('State, nonce, PKCE pair and more').click()
    expect(await sideways(page)).toBe(0)
    await openScreen(page, 'Service')
    await page.getByRole('radio', { name: 'the emulator' }).check()
    await openScreen(page, 'Sign-in')
    await answer(await openPopup())
    await page.locator('.step', { hasText: 'Checked the ID token' }).waitFor()
    for (const summary of await page.locator('#screen-player .checks summary').all()) await summary.click()
    expect(await sideways(page)).toBe(0)
    await page.getByRole('button', { name: 'Session', exact: true }).click()
    expect(await playerName()).toBe('Ada Quinn')
    expect(await sideways(page)).toBe(0)
  })
})
