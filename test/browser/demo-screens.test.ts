/** Every screen of the demo in both themes, three widths and with a font twice as large: no accessibility violation, nothing cut off, no report of the content policy. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { pageOf } from '../support/engines/chromium'
import { unreachedControls } from '../support/screens/keyboard'
import { useDemo } from '../support/use-demo'
import { axeFaults, cutOff, sideways } from './demo-page'

const SCREENS = ['player', 'exchange', 'lobby', 'limits', 'commands', 'doctor', 'service']
const WIDTHS = [320, 768, 1440]
const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await page.addInitScript(() => {
    window.name = ''
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => (window.name += violatedDirective))
  })
  await opened.load()
})

async function show(screen: string): Promise<void> {
  await page.click(`#to-${screen}`)
  await page.locator(`#screen-${screen}`).waitFor()
  if (screen === 'commands') await page.locator('.cm-content').waitFor()
}

describe.each(['light', 'dark'] as const)('each screen, %s', (colorScheme) => {
  it.each(WIDTHS)('has no fault at %i pixels', async (width) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    for (const screen of SCREENS) {
      await show(screen)
      expect({ screen, faults: await axeFaults(page) }).toEqual({ screen, faults: [] })
      expect({ screen, over: Math.max(0, await sideways(page)) }).toEqual({ screen, over: 0 })
    }
    expect(await page.evaluate(() => window.name)).toBe('')
  })
})

describe('with a font twice as large', () => {
  it.each(WIDTHS)('nothing is cut off at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    for (const screen of SCREENS) {
      await show(screen)
      expect({ screen, over: Math.max(0, await sideways(page)), cutOff: await cutOff(page) }).toEqual({ screen, over: 0, cutOff: [] })
    }
  })
})

describe('the keyboard', () => {
  it.each(SCREENS)('reaches every control of the screen %s', async (screen) => {
    await show(screen)
    expect(await unreachedControls(pageOf(page))).toEqual([])
  })
})
