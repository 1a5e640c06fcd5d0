/** Requests that a tester makes wrong on purpose in the demo, and what the page says about the refusal. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, popupAfter } from '../../support/consent-page'
import { startFaultyService } from '../../support/faulty-service'
import { enterSettings, openScreen, useDemo } from '../../support/use-demo'
import { axeFaults } from '../demo-page'

const opened = useDemo({ allowed: /./ })
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

const alert = () => page.locator('.sign-in, #message').getByRole('alert')
const failure = async () => {
  await alert().locator('.failure strong').waitFor()
  return (await alert().textContent()) ?? ''
}
const signIn = () => page.click('#sign-in-button')
const player = () => page.locator('.player-name')
const redirectUri = () => page.locator('#argument-redirectUri')
const openChanges = () => page.getByText('Wrong on purpose').click()
const url = () => page.getByRole('region', { name: 'Authorize URL' })

describe('a redirect URI of the tester', () => {
  it.each(['callback.html?game=2', 'elsewhere.html'])(
    '%s, which is not registered, is refused with the list of those that are',
    async (path) => {
      await redirectUri().fill(opened.demo.url + path)
      await signIn()
      const text = await failure()
      expect(text).toMatch(/Caused by this page or its settings/)
      expect(text).toContain(`This redirect URI is not registered: ${opened.demo.url}${path}`)
      const registered = await alert().locator('.registered-uris li code').allTextContents()
      expect(registered).toEqual(
        expect.arrayContaining([`${opened.demo.url}callback.html`, 'http://127.0.0.1/callback']),
      )
      expect(text).not.toContain('Let the player try again')
      expect(await axeFaults(page)).toEqual([])
    },
  )

  it('that is registered but belongs to another page can be completed by hand', async () => {
    await redirectUri().fill('copy-callback.html')
    const popup = await popupAfter(page, '#sign-in-button')
    await approve(popup)
    await popup.getByRole('heading', { name: 'Copy the address of this page' }).waitFor()
    await page.getByLabel('Callback URL').fill(popup.url())
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect.poll(() => player().count()).toBe(1)
  })

  it('at a service that does not tell which are registered says where to register it', async () => {
    const service = await startFaultyService({})
    await enterSettings(page, { Host: service.url, 'Application id': '1082700000000000001' })
    await page.getByRole('radio', { name: 'paste the callback' }).check()
    await redirectUri().fill('https://game.example/callback')
    await signIn()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await failure()).toMatch(
      /https:\/\/game\.example\/callback.*Register it in the settings of the application at 127\.0\.0\.1/s,
    )
    await service.close()
  })
})

describe('a changed authorize URL', () => {
  it('is shown with its changes, is sent with them, and the refusal says that they were on purpose', async () => {
    await openChanges()
    await page.getByLabel('Prompt').selectOption('none')
    await page.getByLabel('Extra parameters').fill('ui_locales=fr\n-nonce')
    await url().getByText('left out by you').waitFor()
    const text = await url().textContent()
    for (const words of ['promptnonechanged by you', 'ui_localesfrchanged by you', 'nonce left out by you'])
      expect(text).toContain(words)
    await signIn()
    expect(await failure()).toMatch(
      /login_required.*prompt=none was asked for.*Changed on purpose: prompt=none, ui_locales=fr, without nonce/s,
    )
    await openScreen(page, 'Exchange')
    await page.locator('.exchange', { hasText: '/oauth2/authorize' }).click()
    const authorize = page.locator('.exchange-chosen')
    expect(await authorize.textContent()).toMatch(/prompt.*none/)
    expect(await authorize.textContent()).not.toMatch(/nonce/)
  })

  it.each([
    ['response_mode=fragment', /The SDK itself would not send this request/],
    [`state=${'forged'.repeat(5)}`, /state_mismatch/],
  ])('%s ends with a refusal by the SDK', async (line, words) => {
    await openChanges()
    await page.getByLabel('Extra parameters').fill(line)
    await approve(await popupAfter(page, '#sign-in-button'))
    expect(await failure()).toMatch(words)
    expect(await player().count()).toBe(0)
  })

  it('keeps the window with the refusal open until the next sign-in', async () => {
    await openChanges()
    await page.getByLabel('Stop at the service’s page').check()
    await redirectUri().fill(`${opened.demo.url}elsewhere.html`)
    const popup = await popupAfter(page, '#sign-in-button')
    await page.getByText('The service’s page is still open in the other window.').waitFor()
    await popup.getByRole('heading', { name: 'This request was refused' }).waitFor()
    await redirectUri().fill('')
    const closed = popup.waitForEvent('close')
    await approve(await popupAfter(page, '#sign-in-button'))
    await closed
    await expect.poll(() => player().count()).toBe(1)
  })
})

it('an application id that is no number is sent when the tester says so, and the ID token ends the sign-in', async () => {
  const service = await startFaultyService({})
  await enterSettings(page, { Host: service.url, 'Application id': 'my-game' })
  await page
    .getByText('A client id is a decimal number')
    .or(page.getByText('An application id is a decimal number'))
    .first()
    .waitFor()
  await openScreen(page, 'Service')
  await page.getByLabel('Send this application id').check()
  await openScreen(page, 'Sign-in')
  await url().getByText('my-game').waitFor()
  await signIn()
  expect(await failure()).toMatch(/invalid_id_token.*aud.*Changed on purpose: client_id=my-game/s)
  await openScreen(page, 'Exchange')
  await page.locator('.exchange', { hasText: 'POST /api/v10/oauth2/token' }).click()
  await page.locator('.exchange-chosen').getByText('my-game').first().waitFor()
  await service.close()
})

it('an error of the API shows its code, which is no secret', async () => {
  await approve(await popupAfter(page, '#sign-in-button'))
  await player().waitFor()
  await page.route('**/users/@me', (route) =>
    route.fulfill({ status: 403, json: { code: 50_001, message: 'Missing Access' } }),
  )
  await page.getByRole('button', { name: 'Call the API', exact: true }).click()
  await openScreen(page, 'Exchange')
  await page.locator('.exchange-failed[aria-selected="true"]', { hasText: '/users/@me' }).waitFor()
  expect(await page.locator('.exchange-chosen').textContent()).toContain('50001')
})

it('a link to another service changes nothing until somebody presses the button', async () => {
  await enterSettings(page, { Host: 'https://one.example', 'Application id': '1' })
  const other = await opened.context.newPage()
  await other.goto(`${opened.demo.url}#player?service=emulator`)
  await other.getByText('This link is for another service: the emulator.').waitFor()
  const name = other.locator('#service-summary code')
  expect(await name.textContent()).toBe('https://one.example')
  await other.getByRole('button', { name: 'Stay' }).click()
  expect(await name.textContent()).toBe('https://one.example')
  await other.goto(`${opened.demo.url}#doctor?service=emulator`)
  await other.getByRole('button', { name: 'Use it' }).click()
  await openScreen(other, 'Sign-in')
  expect(await other.locator('#service-summary strong').textContent()).toBe('Example Game')
})
