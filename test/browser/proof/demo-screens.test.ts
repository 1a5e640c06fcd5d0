/** Every screen of the demo in both themes, three widths and with a font twice as large: no accessibility violation, nothing cut off, no report of the content policy. */
import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { pageOf } from '../../support/engines/chromium'
import { keyboardFaults } from '../../support/screens/keyboard'
import { useDemo } from '../../support/use-demo'
import { axeFaults, cutOff, sideways } from '../demo-page'

const SCREENS = ['player', 'exchange', 'token', 'lobby', 'limits', 'commands', 'doctor', 'service']
const WIDTHS = [320, 768, 1440]
const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await page.addInitScript(() => {
    window.name = ''
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective }) => (window.name += violatedDirective),
    )
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
      expect({ screen, over: Math.max(0, await sideways(page)), cutOff: await cutOff(page) }).toEqual({
        screen,
        over: 0,
        cutOff: [],
      })
    }
  })

  it('a run has the whole width, and is whole', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await page.click('#quick-start')
    await page.locator('.step', { hasText: 'Checked the ID token' }).waitFor()
    const panes = await page
      .locator('.pane:visible')
      .evaluateAll((all) => all.map(({ className }) => className))
    expect(panes).toEqual(['pane pane-run', 'pane pane-message'])
    const hidden = await page
      .locator('.pane-run, .pane-run .panel-body, #run-view')
      .evaluateAll((all) => all.map((one) => one.scrollHeight - one.clientHeight))
    expect(Math.max(...hidden)).toBeLessThanOrEqual(0)
    expect({ over: Math.max(0, await sideways(page)), cutOff: await cutOff(page) }).toEqual({
      over: 0,
      cutOff: [],
    })
  })
})

it('the sign-in screen has the storage in view before a sign-in, and says what a message will show', async () => {
  for (const [width, height] of [
    [1440, 900],
    [1440, 810],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    const [words, pane] = await Promise.all([
      page.locator('#store-words').boundingBox(),
      page.locator('.pane-session').boundingBox(),
    ])
    // The last 24 pixels of the pane fade out.
    expect((words?.y ?? Infinity) + (words?.height ?? 0)).toBeLessThan(
      (pane?.y ?? 0) + (pane?.height ?? 0) - 24,
    )
  }
  await page.locator('.message-example').getByRole('button', { name: 'Begin with a test player' }).click()
  await page.locator('.quick-result').getByText('Signed in after').waitFor()
  expect(await page.locator('.message-example').count()).toBe(0)
})

describe.each([
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
])('the sign-in screen at %j', (size) => {
  it('has the run, the session and the next step in view, and the page does not scroll', async () => {
    await page.setViewportSize(size)
    await page.click('#quick-start')
    await page.locator('.player-name').waitFor()
    const boxes = await Promise.all(
      ['#sign-in-button', '.step', '.step:last-child', '.player-name'].map((one) =>
        page.locator(one).first().boundingBox(),
      ),
    )
    for (const box of boxes) expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(size.height)
    expect(boxes[1]?.y).toBeLessThanOrEqual(140)
    expect(
      await page.evaluate(() => document.documentElement.scrollHeight - innerHeight),
    ).toBeLessThanOrEqual(0)
  })
})

it.each([
  [1440, 810],
  [1366, 768],
  [1280, 720],
  [1024, 768],
])('the steps of a sign-in are whole at %i × %i', async (width, height) => {
  await page.setViewportSize({ width, height })
  await page.click('#quick-start')
  await page.locator('.quick-result').getByText('Signed in after').waitFor()
  const room = await page.locator('#run-view').boundingBox()
  for (const step of await page.locator('.step').all()) {
    const box = await step.boundingBox()
    expect(box?.y ?? 0).toBeGreaterThanOrEqual(room?.y ?? Infinity)
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(
      (room?.y ?? 0) + (room?.height ?? 0),
    )
  }
})

it('the sign-in screen of a phone shows one part at a time, and the run of a sign-in by itself', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const shown = () =>
    page.locator('.pane:visible').evaluateAll((panes) => panes.map(({ className }) => className))
  expect(await shown()).toEqual(['pane pane-request'])
  await page.click('#quick-start')
  await page.locator('.step').first().waitFor()
  // The message of the chosen step is below the steps.
  expect(await shown()).toEqual(['pane pane-run', 'pane pane-message'])
  const cut = await page
    .locator('.step-message')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(cut).toBe(0)
  await page.getByRole('button', { name: 'Session', exact: true }).click()
  await page.locator('.player-name').waitFor()
  expect(await shown()).toEqual(['pane pane-session'])
})

describe('the keyboard', () => {
  it.each(SCREENS)('reaches every control of the screen %s', async (screen) => {
    await show(screen)
    expect((await keyboardFaults(pageOf(page))).unreached).toEqual([])
  })
})
