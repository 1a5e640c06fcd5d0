/** The demo's settings: density and motion, kept on this machine. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDemo } from '../../support/use-demo'
import { axeFaults, sideways } from '../demo-page'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

const dialog = () => page.getByRole('dialog', { name: 'Settings and keys' })
/** Height of what the left pane of the sign-in screen shows, which scrolls. */
const height = () => page.evaluate(() => document.querySelector('.pane-request')?.scrollHeight ?? 0)
const animationOf = (selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).animationName)

async function choose(name: string): Promise<void> {
  await page.keyboard.press('?')
  await dialog().getByRole('radio', { name, exact: true }).check({ force: true })
  await page.keyboard.press('Escape')
}

describe('the settings', () => {
  it('make the page compact, after a reload too, and every target stays large enough', async () => {
    const before = await height()
    await choose('compact')
    expect(await height()).toBeLessThan(0.95 * before)
    await page.reload()
    await page.locator('main:not([aria-busy])').waitFor()
    expect(await height()).toBeLessThan(0.95 * before)
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await sideways(page)).toBeLessThanOrEqual(0)
      expect(await axeFaults(page)).toEqual([])
    }
    const small = await page
      .locator('button:visible')
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.textContent),
      )
    expect(small).toEqual([])
    await page.setViewportSize({ width: 1280, height: 720 })
    await choose('comfortable')
    expect(await height()).toBe(before)
  })

  it('remove every animation without a setting of the system', async () => {
    await page.evaluate(() =>
      document.body.append(Object.assign(document.createElement('i'), { className: 'spinner' })),
    )
    expect(await animationOf('i.spinner')).toBe('turn')
    await choose('reduced')
    expect(await animationOf('i.spinner')).toBe('none')
  })

  it('have no fault that axe-core finds, in both themes, and name the keys of every screen', async () => {
    await page.keyboard.press('?')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeFaults(page)).toEqual([])
    }
    const screens = await page.getByRole('navigation', { name: 'Screens' }).locator('a').allTextContents()
    const listed = await dialog().getByRole('row').allTextContents()
    expect(screens.filter((name) => !listed.some((row) => row.includes(`goes to ${name}`)))).toEqual([])
  })
})
