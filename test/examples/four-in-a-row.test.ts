/** The finished game for two: two browsers sign in, meet by a word, play, play again and leave. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { copyExample, serveExample } from '../support/example-project'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function enter(url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 720, height: 780 }, deviceScaleFactor: SCREENSHOTS ? 2 : 1 })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in and play' }).waitFor()
  if (SCREENSHOTS && name === 'Ada Quinn') await page.screenshot({ path: `${SCREENSHOTS}/start.png` })
  await approve(await popupAfter(page, '#start button'), name)
  await page.getByLabel('Word').fill('Moon')
  if (SCREENSHOTS && name === 'Ada Quinn') await page.screenshot({ path: `${SCREENSHOTS}/meet.png` })
  await page.getByRole('button', { name: 'Meet' }).click()
  await page.locator('#table').waitFor()
  return page
}

const says = (page: Page, text: string | RegExp) => page.locator('#turn', { hasText: text }).waitFor()

async function drop(page: Page, column: number): Promise<void> {
  await says(page, 'Your turn')
  await page.getByLabel(`Column ${column}`).click({ position: { x: 20, y: 20 } })
}

test('two players meet, play a round each, and leave', async () => {
  const url = await serveExample(copyExample('four-in-a-row'))
  const ada = await enter(url, 'Ada Quinn')
  await says(ada, 'Waiting')
  const bruno = await enter(url, 'Bruno')
  await says(ada, /Your turn|is thinking/)
  // The first round is the first player's: four in column 4, against three in column 5.
  const first = (await ada.locator('#turn').textContent()) === 'Your turn' ? ada : bruno
  const second = first === ada ? bruno : ada
  for (const turn of [1, 2, 3]) {
    await drop(first, 4)
    await drop(second, 4 + turn)
  }
  if (SCREENSHOTS) await first.screenshot({ path: `${SCREENSHOTS}/turn.png` })
  // A click on a full column or out of turn has no effect.
  await second.getByLabel('Column 1').click({ position: { x: 20, y: 20 } })
  await drop(first, 4)
  await says(first, 'You win!')
  await says(second, 'wins.')
  expect(await second.locator('#board i').count()).toBe(7)
  expect(await second.locator('#board i.won').count()).toBe(4)
  await first.waitForFunction(() =>
    document.getAnimations().every((each) => each.playState !== 'running' || each.effect?.getTiming().iterations === Infinity),
  )
  if (SCREENSHOTS) await first.screenshot({ path: `${SCREENSHOTS}/won.png` })
  await second.getByRole('button', { name: 'Rematch' }).click()
  await drop(second, 1)
  await says(first, 'Your turn')
  await second.getByRole('button', { name: 'Leave' }).click()
  await second.getByRole('button', { name: 'Meet' }).waitFor()
  await says(first, 'Waiting')
  expect(await first.locator('#error').textContent()).toBe('')
})
