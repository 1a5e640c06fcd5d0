/** Sign-ins on the demo that go differently, what the page shows of them, and the page in both themes and on a narrow screen. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { enterSettings, openScreen, useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

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
const step = (title: string) => page.locator('#steps .step', { hasText: title })
const checksOf = async (title: string) => {
  await step(title).click()
  await page.getByRole('heading', { name: title }).waitFor()
  return page.locator('#message .checks').textContent()
}
const steps = () => page.locator('#steps li:not(.step-request) strong').allTextContents()
const playerName = () => session().locator('.player-name').textContent()
const failureCode = () => page.getByRole('alert').locator('strong').textContent()

const VERIFIED = [
  'Asked the player',
  'Checked the callback',
  'Redeemed the code',
  'Received the tokens',
  'Checked the ID token',
]

describe('the demo page', () => {
  it('shows the checks that the SDK reports, each with what was expected and what came', async () => {
    await answer(await openPopup())
    await playerName()
    const callback = await checksOf('Checked the callback')
    const idToken = await checksOf('Checked the ID token')
    expect(callback).toMatch(
      /Checks: \d passed.*redirect_uri.*came to the address that was asked for: http.*callback\.html/,
    )
    expect(callback).toContain('it belongs to this attempt and to no other: [secret]')
    expect(idToken).toMatch(/Checks: \d+ passed.*header\.alg.*algorithm that is allowed: RS256.*nonce/)
  })

  it('shows which check failed, and counts none behind it as passed', async () => {
    const [host = '', applicationId = ''] = await page.locator('.emulator code').allTextContents()
    await enterSettings(page, {
      Host: host,
      'Application id': applicationId,
      Issuer: 'https://another.example',
    })
    await answer(await openPopup())
    const failed = page.locator('#steps .step-failed', { hasText: 'Checked the callback' })
    await failed.click()
    await page.getByRole('heading', { name: 'Checked the callback' }).waitFor()
    expect(await page.locator('#message .checks').textContent()).toMatch(
      /Checks: 2 passed, 1 failed.*failed: iss.*expected https:\/\/another\.example, got http/,
    )
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

  it('gives the same tokens again, begins nothing with a used callback, and refuses a stolen code', async () => {
    await answer(await openPopup())
    expect(await playerName()).toBe('Ada Quinn')
    const outcome = session().locator('.outcome')
    await session().getByRole('button', { name: 'Redeem the code again' }).click()
    await outcome.filter({ hasText: 'The same tokens came back, and no request was sent.' }).waitFor()
    await session().getByRole('button', { name: 'Load the callback again' }).click()
    await outcome
      .filter({ hasText: /^The same result came back|^Refused: state_mismatch\. The attempt/ })
      .waitFor()
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
