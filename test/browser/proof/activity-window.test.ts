/** The Activity's host window as a developer uses it: forms over the frame, presets of a device, and the messages with their answers. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ActivityGame, serveActivityGame } from '../../support/activity-game'
import { launchChromium } from '../../support/chromium'
import { axeFaults } from '../demo-page'

let browser: Browser
let context: BrowserContext
let emulator: Emulator
let game: ActivityGame
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1024, height: 768 } })
  emulator = await createEmulator({ activityPort: 0 })
  game = await serveActivityGame(emulator)
  await emulator.activity.serve(game.url)
  page = await context.newPage()
  await page.goto(emulator.activity.launch({ as: ['ada', 'bruno'] }).url)
  for (const state of await page.locator('.state').all()) await state.getByText('connected').waitFor()
})
afterEach(async () => {
  await context.close()
  await Promise.all([emulator.close(), game.close()])
})

const tile = (name: string) => page.getByRole('region', { name, exact: true })
const sizeOfFrame = () => page.locator('iframe').first().boundingBox()
const device = () => tile('Ada Quinn').locator('.device')

test('a form over a frame leaves the frame its size, and closes by Escape or a click elsewhere', async () => {
  const before = await sizeOfFrame()
  await tile('Ada Quinn').getByText('Device').click()
  await device().waitFor()
  expect(await sizeOfFrame()).toEqual(before)
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await device().waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Device')
  await tile('Ada Quinn').getByText('Device').click()
  await tile('Ada Quinn').getByText('Invite').click()
  await device().waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1 }).click()
  await tile('Ada Quinn').locator('.join').waitFor({ state: 'hidden' })
})

test('a preset turns the device into a hot phone, and the game learns of it', async () => {
  const frame = page.frameLocator('iframe[title*="Ada Quinn"]')
  await frame.locator('body[data-ready=yes]').waitFor()
  // As text: the game's `window.sdk` is known to its page alone.
  await frame.locator('body').evaluate(`(async () => {
    for (const event of ['ORIENTATION_UPDATE', 'THERMAL_STATE_UPDATE'])
      await window.sdk.subscribe(event, (data) => {
        document.body.dataset[event.slice(0, 7).toLowerCase()] = JSON.stringify(data)
      })
  })()`)
  await tile('Ada Quinn').getByText('Device').click()
  await device().getByRole('button', { name: 'Hot phone' }).click()
  await frame.locator('body[data-thermal*="2"][data-orienta*="0"]').waitFor()
  expect(await device().getByLabel('Orientation').inputValue()).toBe('portrait')
})

test('a message stands with its time and its answer, and can be found by words', async () => {
  await page.getByText('Messages between game and host').click()
  const pair = page.locator('#log > li', { hasText: 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS' }).first()
  await pair.locator('.answer').waitFor()
  expect(await pair.locator('time').allTextContents()).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
    expect.stringMatching(/^\+\d+ ms$/),
  ])
  await page.getByLabel('Filter').fill('handshake bruno')
  await expect.poll(() => page.locator('#log > li:visible').count()).toBe(1)
  expect(await page.locator('#log > li:visible .who').allTextContents()).toEqual(['Bruno'])
  expect(await axeFaults(page)).toEqual([])
})

test('a long message is one line, and opens by the keyboard to the whole of it', async () => {
  await page.getByText('Messages between game and host').click()
  const line = page.locator('#log .line', { has: page.locator('details') }).first()
  const [folded, code] = [line.locator('details'), line.locator('details code')]
  const lines = () =>
    code.evaluate(
      (one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight),
    )
  await code.waitFor()
  const text = (await code.textContent()) ?? ''
  expect(text.length).toBeGreaterThan(100)
  expect(await lines()).toBeLessThan(1.5)
  await folded.locator('summary').press('Enter')
  await expect.poll(lines).toBeGreaterThan(3)
  expect(JSON.parse((await code.textContent()) ?? '')).toEqual(JSON.parse(text))
  expect(
    await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBeLessThanOrEqual(0)
  await page.getByLabel('Filter').fill(text.slice(0, 20))
  await line.waitFor()
  expect(await axeFaults(page)).toEqual([])
  await folded.locator('summary').press('Enter')
  await expect.poll(lines).toBeLessThan(1.5)
})
