/** What the demo does around a click: its answer is near, the focus stays, nothing is red before a key, and links keep the chosen service. */
import type { Page } from 'playwright'
import { beforeEach, expect, it } from 'vitest'
import { openScreen, useDemo, useService } from '../../support/use-demo'

const opened = useDemo({ fresh: 'emulator', allowed: /status of 4(?:00|29)/ })
let page: Page

beforeEach(() => {
  page = opened.page
})

const limits = () => page.getByRole('region', { name: 'Limits' })
const outcome = () => limits().locator('.outcome')

async function enterLobby(): Promise<void> {
  await opened.load('#lobby')
  const first = page.getByRole('region', { name: 'First player' })
  await first.getByRole('button', { name: 'Sign in', exact: true }).click()
  await first.locator('.player-name').waitFor()
  await first.getByRole('button', { name: 'Create or join' }).click()
  await first.getByText('1 of 25 members').waitFor()
}

it('a refusal of the next message is shown while it waits, and can be taken back', async () => {
  await enterLobby()
  const refuse = limits().getByRole('button', { name: 'Make the service refuse' })
  const takeBack = limits().getByRole('button', { name: 'Take the refusal back', pressed: true })
  await refuse.click()
  await takeBack.click()
  await outcome().getByText('The next message passes.').waitFor()
  await refuse.click()
  await takeBack.waitFor()
  await page
    .getByRole('region', { name: 'First player' })
    .getByLabel('Message', { exact: true })
    .fill('Hello')
  await page.keyboard.press('Enter')
  // The rule has met its message: the button says so by itself.
  await expect.poll(() => takeBack.count(), { timeout: 15_000 }).toBe(0)
})

it('joins that exceed the limit say so below their button', async () => {
  await enterLobby()
  const join = limits().getByRole('button', { name: 'Join 11 times' })
  await join.click()
  await outcome()
    .getByText(/^Joined \d+ times, then a call was refused\. A player may join 10 times in 60 seconds\./)
    .waitFor({ timeout: 60_000 })
  const [button, words] = [await join.boundingBox(), await outcome().boundingBox()]
  expect(Math.abs((words?.y ?? 0) - (button?.y ?? 0))).toBeLessThan(100)
})

it('a link to the sign-in leads to the service that is chosen', async () => {
  await opened.load()
  await useService(page, 'https://one.example', '1')
  await openScreen(page, 'Exchange')
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Arguments' }).waitFor()
  expect(await page.getByText('This link is for another service').count()).toBe(0)
  expect(await page.locator('#service-summary code').first().textContent()).toBe('https://one.example')
})

it('nothing is red while nobody has typed a setting of another service', async () => {
  await opened.load('#service')
  await page.getByRole('radio', { name: 'another service' }).check()
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await settings.getByRole('textbox', { name: 'Host' }).waitFor()
  expect(await settings.locator('.fault:not(:empty), [aria-invalid]').count()).toBe(0)
  await settings.getByRole('textbox', { name: 'Host' }).fill('http://one.example')
  await settings.locator('[aria-invalid]').first().waitFor()
})

it('a sign-in by Ctrl and Enter leaves the focus in the field', async () => {
  await opened.load()
  const scopes = page.getByRole('textbox', { name: 'Scopes' })
  await scopes.focus()
  const popup = page.waitForEvent('popup')
  await page.keyboard.press('Control+Enter')
  await popup
  await page.getByText('Waiting for the player').first().waitFor()
  expect(await scopes.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await page.locator('.run-failed').waitFor()
  expect(await scopes.evaluate((field) => field === document.activeElement)).toBe(true)
})

it('a page that loads slowly shows where its parts will be', async () => {
  await page.route('**/*.js', () => undefined)
  await page.goto(opened.demo.url, { waitUntil: 'commit' })
  const parts = page.locator('.sign-in-screen .place:empty:visible')
  await expect.poll(() => parts.count()).toBeGreaterThan(5)
  const heights = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThan(40)
})

it('a registered redirect URI is put into its field by one click', async () => {
  await opened.load()
  const field = page.locator('#argument-redirectUri')
  await field.fill(`${opened.demo.url}callback.html?game=2`)
  await page.click('#sign-in-button')
  const registered = `${opened.demo.url}callback.html`
  await page.getByRole('button', { name: `Use ${registered}`, exact: true }).click()
  expect(await field.inputValue()).toBe(registered)
})
