/** Chromium, driven by Playwright, with its own popup blocker and its back/forward cache, which Playwright turns off. */
import type { Browser, BrowserContext, Frame, Page } from 'playwright'
import { launchChromium } from '../chromium'
import { type Engine, type EnginePage, xpathOf } from './engine'
import type { Skip } from './unavailable'

const TURNED_ON = ['--disable-popup-blocking', '--disable-back-forward-cache']

export async function chromium(test: Skip): Promise<Engine> {
  return engineOf(await launchChromium(test, { ignoreDefaultArgs: TURNED_ON }))
}

function engineOf(browser: Browser): Engine {
  let context: BrowserContext | undefined
  return {
    async open() {
      await context?.close()
      context = await browser.newContext()
      return pageOf(await context.newPage())
    },
    close: () => browser.close(),
  }
}

/** `frame`: where clicks and scripts go. Default: the page itself. */
function pageOf(page: Page, frame: Frame = page.mainFrame()): EnginePage {
  const context = page.context()
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack({ waitUntil: 'commit' })),
    url: async () => page.url(),
    click: (css) => frame.click(css),
    press: (words) => frame.click(`xpath=${xpathOf(words)}`),
    async type(css, text) {
      await frame.click(css)
      for (const character of text) await page.keyboard.press(character === '\n' ? 'Enter' : character)
    },
    async popupAfter(css) {
      const [popup] = await Promise.all([context.waitForEvent('page'), frame.click(css)])
      return pageOf(popup)
    },
    evaluate: (expression) => frame.evaluate(expression),
    async frame() {
      const inner = await (await page.waitForSelector('iframe')).contentFrame()
      if (!inner) throw new Error('The page has no frame.')
      return pageOf(page, inner)
    },
    openTab: async () => pageOf(await context.newPage()),
    windows: async () => context.pages().length,
    isClosed: async () => page.isClosed(),
    close: () => page.close(),
  }
}
