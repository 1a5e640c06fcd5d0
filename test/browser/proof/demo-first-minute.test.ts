/** The first minute with the demo: one button signs a ready-made player in, and the doctor says what a sign-in needs here. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { openScreen, useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

// The doctor asks for the service's address, which refuses pages of other origins.
const opened = useDemo({ fresh: 'emulator', allowed: /Failed to load resource/ })
let page: Page

beforeEach(() => {
  page = opened.page
})

const quickStart = () => page.getByRole('button', { name: 'Sign in with a test player' })
const result = () => page.locator('.quick-result')
const player = () => page.getByRole('region', { name: 'Session' }).locator('.player-name')
const diagnosis = (check: string) =>
  page.locator('.diagnosis', { has: page.getByText(new RegExp(`^\\w+: ${check}$`)) })

async function runDoctor(): Promise<void> {
  await openScreen(page, 'Doctor')
  await page.getByRole('button', { name: 'Run the checks' }).click()
  await page.getByText(/\d+ passed, \d+ warnings, \d+ failed/).waitFor()
}

async function startQuickly(): Promise<void> {
  await quickStart().click()
  await result().getByText('Signed in after').waitFor()
}

describe('the first minute', () => {
  it('signs a ready-made player in by one click, without a window, and shows what was measured', async () => {
    await opened.load()
    await startQuickly()
    expect(await player().textContent()).toBe('Ada Quinn')
    expect(await result().textContent()).toMatch(
      /Signed in after \d+\.\d s: [2-9] requests, (?:[1-9]|1\d) checks passed\./,
    )
    expect(opened.context.pages()).toHaveLength(1)
    expect(await axeFaults(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await sideways(page)).toBe(0)
    await result().getByRole('link', { name: 'what was sent' }).click()
    await page.locator('.exchange', { hasText: '/oauth2/token' }).waitFor()
  })

  it('is repeated by a second click, and its result goes when somebody else signs in', async () => {
    await opened.load()
    await startQuickly()
    await startQuickly()
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#sign-in-button')])
    expect(await result().textContent()).toBe('')
    await popup.getByRole('radio', { name: 'Bruno' }).check()
    await popup.getByRole('button', { name: 'Approve' }).click()
    await player().getByText('Bruno').waitFor()
  })

  it('is not offered by a page that was served alone, which says how to get an emulator', async () => {
    await page.route('**/preset.json', (route) => route.fulfill({ json: null }))
    await opened.load('#player')
    await page.getByText('npm run demo starts an emulator beside it').waitFor()
    expect(await quickStart().isVisible()).toBe(false)
  })
})

describe('the doctor', () => {
  it('compares the clocks and names the visible headers once a player is signed in', async () => {
    await opened.load()
    await runDoctor()
    expect(await diagnosis('Clock').textContent()).toContain('Sign in, then run the checks again')
    expect(await diagnosis('Headers about limits').textContent()).toContain('Warning')
    await openScreen(page, 'Sign-in')
    await startQuickly()
    await runDoctor()
    expect(await diagnosis('Clock').textContent()).toMatch(/Passed.*differ by \d+ s/)
    expect(await diagnosis('Headers about limits').textContent()).toMatch(/Passed.*x-ratelimit-remaining/)
    expect(await page.locator('.diagnosis-passed').count()).toBe(await page.locator('.diagnosis').count())
  })

  it.each([
    [
      'an hour, which the SDK corrects',
      {
        ms: 3_600_000,
        outcome: 'Signed in after',
        finding: /Warning.*60 minutes behind the service: set it\..*the SDK corrects it/,
      },
    ],
    [
      'five days, for which a sign-in is refused',
      {
        ms: 432_000_000,
        outcome: 'invalid_id_token',
        finding: /Failed.*7200 minutes behind the service: set it/,
      },
    ],
  ])('says by how much the clocks differ: %s', async (_, { ms, outcome, finding }) => {
    await opened.load()
    const headers = { origin: new URL(opened.demo.url).origin }
    await fetch(new URL('faults/sleep', opened.demo.url), {
      method: 'POST',
      headers,
      body: JSON.stringify({ ms }),
    })
    await quickStart().click()
    await page.locator('.sign-in, #message').getByText(outcome).first().waitFor()
    await runDoctor()
    expect(await diagnosis('Clock').textContent()).toMatch(finding)
    expect(await axeFaults(page)).toEqual([])
  })

  it('warns when the service hides its headers about limits from pages', async () => {
    await page.route('**/api/v10/**', async (route) => {
      const response = await route.fetch()
      const { 'access-control-expose-headers': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await opened.load()
    await startQuickly()
    await runDoctor()
    expect(await diagnosis('Headers about limits').textContent()).toMatch(
      /Warning.*Access-Control-Expose-Headers/,
    )
  })

  it('warns about an opener policy that hides the popup, and still receives messages between tabs', async () => {
    const headers = { 'cross-origin-opener-policy': 'same-origin' }
    // The doctor reads the policy by HEAD; a document that a test fulfills may not send requests to this machine.
    await page.route(opened.demo.url, (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ headers }) : route.fallback(),
    )
    await opened.load()
    await runDoctor()
    expect(await diagnosis('Cross-Origin-Opener-Policy').textContent()).toMatch(/Warning.*looks closed/)
    expect(await diagnosis('BroadcastChannel').textContent()).toContain('Passed')
  })

  it('opens a test window on a click, and says what to do when the browser blocks it', async () => {
    await opened.load('#doctor')
    await page.getByRole('button', { name: 'Open a test window' }).click()
    await diagnosis('Test window').getByText('both see each other').waitFor()
    await expect.poll(() => opened.context.pages().length).toBe(1)
    await page.evaluate('window.open = () => null')
    await page.getByRole('button', { name: 'Open a test window' }).click()
    await diagnosis('Test window').getByText('allow popups for this page').waitFor()
    expect(await axeFaults(page)).toEqual([])
  })
})
