/** Screens of the demo and the emulator with forced colors, as in a high-contrast mode, and with reduced motion: no accessibility violation, what is chosen and what has the focus differ from the rest, and nothing moves. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { pageOf } from '../../support/engines/chromium'
import { selectScreens } from '../../support/screens'
import { keyboardFaults } from '../../support/screens/keyboard'
import { openWorld, type OpenWorld } from '../../support/screens/open-world'
import { AXE_FAULTS, SIDEWAYS } from '../demo-page'

const SCREENS = [
  'sign-in-waiting',
  'sign-in-done',
  'sign-in-denied',
  'exchange',
  'lobby',
  'limits',
  'inspector-messages',
  'inspector-faults',
  'chat-commands',
  'consent',
  'activity',
  'index',
]

/** Backgrounds are gone: a mark needs an outline, a sign in front of it, or a border of its own. */
const UNMARKED = `[...document.querySelectorAll('[aria-current], [aria-pressed=true], [aria-selected=true], :checked + span')]
  .filter((element) => element.checkVisibility())
  .filter((element) => {
    const style = getComputedStyle(element)
    const before = getComputedStyle(element, '::before').content
    const bordered = ['Top', 'Left'].some((side) => style['border' + side + 'Color'] === style.outlineColor && style['border' + side + 'Width'] !== '0px')
    return style.outlineStyle === 'none' && before === 'none' && !bordered
  })
  .map((element) => element.outerHTML.slice(0, 120))`

/** Names of the animations and transitions that run. */
const MOVING = `document.getAnimations().filter(({ playState }) => playState === 'running')
  .map(({ animationName, transitionProperty }) => animationName ?? transitionProperty)`

let browser: Browser
let world: OpenWorld

beforeAll(async () => {
  browser = await launchChromium()
  world = await openWorld()
})

afterAll(async () => {
  await browser.close()
  await world.close()
})

beforeEach(() => world.reset())

it.each(selectScreens(SCREENS))('$name', async ({ open }) => {
  const context = await browser.newContext({
    forcedColors: 'active',
    reducedMotion: 'reduce',
    viewport: { width: 1024, height: 768 },
  })
  onTestFinished(() => context.close())
  const page = pageOf(await context.newPage())
  await open(page, world)
  expect(await page.evaluate<string[]>(MOVING)).toEqual([])
  expect(await page.evaluate<string[]>(UNMARKED)).toEqual([])
  // The colors are the system's: axe-core computes contrast from those of the page.
  const faults = await page.evaluate<string[]>(AXE_FAULTS)
  expect(faults.filter((fault) => !fault.startsWith('color-contrast'))).toEqual([])
  expect(Math.max(0, await page.evaluate<number>(SIDEWAYS))).toBe(0)
  expect(await keyboardFaults(page)).toEqual({ unreached: [], unmarked: [] })
})
