/** The deadline in the emulator's chat: three seconds for a response, seen while they run, and fifteen minutes for its token. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serveBackend, type Backend, type Reply } from '../../emulator/support/backend'
import { launchChromium } from '../../support/chromium'
import { axeFaults } from '../demo-page'

let browser: Browser
let emulator: Emulator
let backend: Backend
let page: Page
let answer: () => Reply | Promise<Reply>

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())
beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  backend = await serveBackend(emulator, () => answer())
  await emulator.interactions.connect(backend.url)
  const headers = {
    authorization: `Bot ${emulator.application.botToken}`,
    'content-type': 'application/json',
  }
  const address = `${emulator.url}/api/v10/applications/${emulator.application.id}/commands`
  await fetch(address, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'greet', description: 'Hello' }),
  })
  page = await browser.newPage()
  await page.goto(`${emulator.url}/chat`)
})
afterEach(async () => {
  await page.close()
  await Promise.all([emulator.close(), backend.close()])
})

const entry = () =>
  page.getByRole('complementary', { name: 'Requests' }).getByRole('listitem').filter({ hasText: 'greet' })
const bar = () => entry().getByRole('meter', { name: 'Deadline of' })
const timeOf = () => bar().evaluate((meter) => (meter instanceof HTMLMeterElement ? meter.value : Number.NaN))
const inWords = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

async function greet(): Promise<void> {
  const writing = page.getByRole('combobox', { name: /^Message to/ })
  await writing.fill('/greet')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send' }).click()
}

describe('the deadline of a response', () => {
  it('runs while the backend works, and stops at the time that it took', async () => {
    let respond: ((reply: Reply) => void) | undefined
    answer = () => new Promise((resolve) => (respond = resolve))
    await page.exposeFunction('respond', () => respond?.({ type: 4, data: { content: 'Hello' } }))
    // The backend answers as soon as the bar has moved: a test that looks from outside may be slower than the deadline.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const isMoving = [...document.querySelectorAll('meter')].some(({ value }) => value > 100)
        if (isMoving) Reflect.apply(Reflect.get(window, 'respond'), undefined, [])
      })
      observer.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      })
    })
    await greet()
    await entry().getByText('answered after').waitFor()
    const after = await timeOf()
    await entry()
      .getByText(`answered after ${inWords(after)}, of 3 s`)
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    await entry().locator('summary').click()
    await entry()
      .getByText(/Its token takes calls for 14 min 5\d s more/)
      .waitFor()
    await page.reload()
    await entry().getByText('answered after').waitFor()
    expect(await timeOf()).toBe(after)
  })

  it('is full when the backend stays silent', async () => {
    answer = () => 'silence'
    await greet()
    await entry()
      .getByText(/no answer after 3\.\d s, of 3 s/)
      .waitFor()
    expect(await timeOf()).toBe(3000)
  })

  it('of the token ends after fifteen minutes of the emulator', async () => {
    answer = () => ({ type: 5 })
    await greet()
    await entry().getByText('answered after').waitFor()
    emulator.advance(15 * 60_000)
    await page.reload()
    await entry().locator('summary').click()
    await entry().getByText('Its token takes no calls any more.').waitFor()
    expect(await entry().getByText('Its token takes calls').count()).toBe(0)
  })
})
