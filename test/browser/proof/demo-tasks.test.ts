/** Fifteen tasks of a tester on the demo: each takes at most four clicks, and its result is in view without scrolling. */
import { OAuth2Server } from 'oauth2-mock-server'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, deny } from '../../support/consent-page'
import { enterSettings, openScreen, useDemo } from '../../support/use-demo'
import { controlDemo } from '../demo-process'

const MAX_CLICKS = 4
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
]

const opened = useDemo({ allowed: /./, context: { permissions: ['clipboard-read', 'clipboard-write'] } })
let page: Page
let clicks = 0
/** Another issuer than the emulator. Its player approves at once. */
const issuer = new OAuth2Server()

beforeAll(async () => {
  await issuer.issuer.keys.generate('RS256')
  await issuer.start(0, '127.0.0.1')
  issuer.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    token.payload['sub'] = '175928847299117063'
  })
})
afterAll(() => issuer.stop())

beforeEach(async () => {
  page = opened.page
  page.setDefaultTimeout(15_000)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** One click of the tester. The control must be in view: looking for it is work too. */
async function click(control: Locator): Promise<void> {
  clicks++
  await expectInView(control)
  await control.click()
}

/** Presses the sign-in button, and answers on the consent page with one more click. */
async function signIn(answer: (popup: Page) => Promise<void> = approve): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), click(page.locator('#sign-in-button'))])
  clicks++
  await answer(popup)
}

/** A player who signed in before the task began. */
async function beginSignedIn(): Promise<void> {
  await page.locator('#quick-start').click()
  await page.locator('.quick-result').getByText('Signed in after').waitFor()
}

/** Waits until the beginning of an element lies in the window, and in every pane that scrolls. */
async function expectInView(element: Locator): Promise<void> {
  await element.waitFor()
  await expect.poll(() => element.evaluate(hiddenParts)).toEqual([])
}

/** Names the boxes that cut the element off; a long one must show its first 60 pixels. */
function hiddenParts(element: Element): string[] {
  const { top, left, height, width } = element.getBoundingClientRect()
  const bottom = top + Math.min(height, 60)
  const right = left + Math.min(width, 60)
  const hidden = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth ? ['window'] : []
  for (let box = element.parentElement; box !== null; box = box.parentElement) {
    if (!/(auto|scroll|hidden|clip)/.test(getComputedStyle(box).overflow) || box === document.body) continue
    const seen = box.getBoundingClientRect()
    if (top < seen.top - 1 || bottom > seen.bottom + 1) hidden.push(box.className || box.tagName)
  }
  return hidden
}

const copied = () => page.evaluate(() => navigator.clipboard.readText())
const step = (title: string) => page.locator('#steps .step', { hasText: title })
const message = () => page.locator('#message')

interface Task {
  name: string
  /** What came before, without counting. */
  before?: () => Promise<void>
  run: () => Promise<void>
}

const TASKS: readonly Task[] = [
  {
    name: 'signs in, and sees which checks passed',
    async run() {
      await signIn()
      await expectInView(page.locator('.run-summary').getByText(/1\d checks passed/))
      await expectInView(
        message()
          .getByRole('row', { name: /^nonce/ })
          .locator('.check-passed'),
      )
      await click(step('Checked the callback'))
      const checks = message().locator('.checks')
      await click(checks.locator('summary'))
      await expectInView(checks.locator('dl'))
      expect(await checks.locator('dt').allTextContents()).toContain('passed: state')
    },
  },
  {
    name: 'sends a redirect URI that is not registered, and reads which ones are',
    async run() {
      await page.locator('#argument-redirectUri').fill(`${opened.demo.url}callback.html?game=2`)
      await click(page.locator('#sign-in-button'))
      await expectInView(page.locator('.registered-uris').getByText(`${opened.demo.url}callback.html`))
    },
  },
  {
    name: 'reveals and copies the code verifier and the access token',
    before: beginSignedIn,
    async run() {
      await click(step('Redeemed the code'))
      await click(button('Reveal all in POST /api/v10/oauth2/token for ten seconds'))
      for (const name of ['code_verifier', 'access_token']) {
        const row = message().getByRole('row', { name: new RegExp(`^${name}`) })
        await expectInView(row.locator('code'))
        // Before the copy: on a slow machine the ten seconds may end with it.
        const shown = await row.locator('code').textContent()
        await click(row.getByRole('button', { name: `Copy ${name}` }))
        await row.getByText(`Copied ${name}.`).waitFor()
        expect(await copied()).toBe(shown)
      }
    },
  },
  {
    name: 'reads the decoded ID token with its checks',
    before: beginSignedIn,
    async run() {
      await click(step('Checked the ID token'))
      const claims = message().getByRole('table', { name: 'Claims of the ID token' })
      await expectInView(claims.getByRole('row', { name: /^nonce/ }).locator('.check-passed'))
      const names = await claims.getByRole('rowheader').allTextContents()
      expect(names.slice(2, 6).map((name) => name.replace('passed', ''))).toEqual([
        'iss',
        'sub',
        'aud',
        'exp',
      ])
      await expectInView(message().locator('.claim-absent'))
    },
  },
  {
    name: 'lets the access token expire, and sees the refresh',
    before: beginSignedIn,
    async run() {
      await click(button('Expire the access token'))
      await page.locator('.action-result', { hasText: 'rejects' }).waitFor()
      await click(button('Call the API'))
      await expectInView(page.locator('.action-result', { hasText: 'answered: ada, after a refresh' }))
    },
  },
  {
    name: 'revokes at the service, and sees what the game gets',
    before: beginSignedIn,
    async run() {
      await click(button('Revoke at the service'))
      await page.locator('.action-result', { hasText: 'revoked' }).waitFor()
      await click(button('Call the API'))
      await expectInView(page.locator('.action-failed', { hasText: 'refresh_rejected' }))
    },
  },
  {
    name: 'declines as the player',
    async run() {
      await signIn(deny)
      await expectInView(page.getByRole('alert').getByText('access_denied'))
      await expectInView(page.locator('.run-failed', { hasText: 'access_denied' }))
    },
  },
  {
    name: 'sees a callback with another state refused',
    async run() {
      await click(page.getByText('Wrong on purpose'))
      await page.getByLabel('Extra parameters').fill(`state=${'forged'.repeat(4)}`)
      await signIn()
      await expectInView(page.getByRole('alert').getByText('state_mismatch'))
      await expectInView(page.getByRole('alert').getByText('Changed on purpose'))
    },
  },
  {
    name: 'sends a burst, and sees what waits',
    before: beginSignedIn,
    async run() {
      await click(page.getByRole('link', { name: 'Limits' }))
      await click(button('Burst with Foyer'))
      const outcome = page.getByText(/\d+ succeeded/)
      await outcome.waitFor({ timeout: 60_000 })
      await expectInView(outcome)
    },
  },
  {
    name: 'compares two runs with different scopes',
    before: beginSignedIn,
    async run() {
      await click(button('Identity only'))
      await click(page.locator('#quick-start'))
      await page.getByRole('heading', { name: 'Run 2' }).waitFor()
      await page.locator('.run-summary', { hasText: 'signed in' }).waitFor()
      await click(page.getByRole('tab', { name: 'Compare' }))
      const scope = page.getByRole('row', { name: /^Parameters scope/ })
      await expectInView(scope)
      expect(await scope.getByRole('cell').allTextContents()).toEqual(['openid sdk.social_layer', 'openid'])
    },
  },
  {
    name: 'finds out why a refresh failed',
    async before() {
      await beginSignedIn()
      await button('Revoke at the service').click()
      await page.locator('.action-result', { hasText: 'revoked' }).waitFor()
    },
    async run() {
      await click(button('Refresh now'))
      await expectInView(page.locator('.action-failed', { hasText: 'refresh_rejected' }))
      await expectInView(step('Token refresh').locator('.outcome-failed'))
      await expectInView(message().getByRole('row', { name: /^error invalid_grant/ }))
    },
  },
  {
    name: 'compares two issuers',
    async before() {
      await beginSignedIn()
      await enterSettings(page, { Host: issuer.issuer.url ?? '', 'Application id': '1234567890123456789' })
      await openScreen(page, 'Service')
      await button('Discover addresses').click()
      await page.getByText('were filled in').waitFor()
      await openScreen(page, 'Sign-in')
    },
    async run() {
      await click(page.locator('#sign-in-button'))
      await page.getByRole('heading', { name: 'Run 2' }).waitFor()
      await page.locator('.run-summary', { hasText: 'signed in' }).waitFor()
      await click(page.getByRole('tab', { name: 'Compare' }))
      const iss = page.getByRole('row', { name: /^Run issuer/ })
      await expectInView(iss)
      expect(await iss.getByRole('cell').allTextContents()).toContain(issuer.issuer.url)
    },
  },
  {
    name: 'hands a failed run to a colleague, who opens it',
    async before() {
      const popup = page.waitForEvent('popup')
      await page.locator('#sign-in-button').click()
      await deny(await popup)
      await page.locator('.run-failed').waitFor()
    },
    async run() {
      const saved = page.waitForEvent('download')
      await click(button('Save run'))
      const path = await (await saved).path()
      const colleague = await opened.browser.newPage({ viewport: page.viewportSize() })
      await colleague.goto(opened.demo.url)
      const chooser = colleague.waitForEvent('filechooser')
      await click(colleague.getByRole('button', { name: 'Open run' }))
      await (await chooser).setFiles(path)
      await expectInView(colleague.locator('.run-failed', { hasText: 'access_denied' }))
      await expectInView(colleague.locator('#steps .step-failed', { hasText: 'access_denied' }))
      await expectInView(colleague.locator('#message').getByRole('row', { name: /^error access_denied/ }))
      await colleague.close()
    },
  },
  {
    name: 'sees which client caused a 429',
    async before() {
      await beginSignedIn()
      const match = { path: '/api/v10/users/@me' }
      const effect = { status: 429, headers: { 'Retry-After': '1' } }
      await controlDemo(opened.demo, 'faults', { rules: [{ match, effect }] })
      await button('Call the API').click()
      await page.locator('.action-result', { hasText: 'answered: ada' }).waitFor()
    },
    async run() {
      await page.goto(opened.demo.inspector)
      await page.getByLabel('Filter').fill('status:429')
      const row = page.locator('.virtual .row').first()
      await click(row)
      await expectInView(row.getByText('Ada Quinn'))
      await expectInView(page.locator('.details h3', { hasText: '/users/@me' }))
    },
  },
  {
    name: 'sends a request again',
    before: beginSignedIn,
    async run() {
      await click(step('Redeemed the code'))
      await click(message().getByRole('button', { name: 'Send again' }))
      await click(message().getByRole('button', { name: 'Send', exact: true }))
      await expectInView(step('Token request, sent again').locator('.outcome-failed'))
      await expectInView(message().getByRole('row', { name: /^error invalid_grant/ }))
    },
  },
]

describe.each(SIZES)('a tester at $width × $height', (viewport) => {
  it.each(TASKS)('$name', async ({ before, run }) => {
    await page.setViewportSize(viewport)
    await opened.load()
    await before?.()
    clicks = 0
    await run()
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
  })
})

it('a step of an older run, its diagram and its messages are those of that run', async () => {
  await opened.load()
  await beginSignedIn()
  await button('Identity only').click()
  await page.locator('#quick-start').click()
  await page.getByRole('heading', { name: 'Run 2' }).waitFor()
  await page.locator('.run-summary', { hasText: 'signed in' }).waitFor()
  await page.getByRole('tab', { name: 'Raw' }).click()
  await page.locator('.raw-message', { hasText: 'scope=openid&' }).waitFor()
  await button(/^Run 1/).click()
  await page.locator('.raw-message', { hasText: 'scope=openid%20sdk.social_layer&' }).waitFor()
  await page.getByRole('tab', { name: 'Sequence' }).click()
  expect(await page.locator('#run-view .arrow-text', { hasText: 'GET /oauth2/authorize' }).count()).toBe(1)
  await page.reload()
  await page.locator('main:not([aria-busy])').waitFor()
  await button(/^Run 1/).click()
  expect(await page.locator('#steps li:not(.step-request) strong').allTextContents()).toHaveLength(5)
  await page.locator('.run-summary', { hasText: 'Ada Quinn signed in' }).waitFor()
})
