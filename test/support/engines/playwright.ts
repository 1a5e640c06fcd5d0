/** Chromium and Firefox, driven by Playwright. */
import { existsSync } from 'node:fs'
import { type Browser, firefox as playwright, type Page } from 'playwright'
import { launchChromium } from '../chromium'
import { type Engine, type EnginePage, xpathOf } from './engine'
import { type Skip, unavailable } from './unavailable'

const FIREFOX = '/usr/bin/firefox-esr'

export async function chromium(test: Skip): Promise<Engine> {
  return engineOf(await launchChromium(test))
}

/** Firefox of the system, through WebDriver BiDi. */
export async function firefox(test: Skip): Promise<Engine> {
  if (!existsSync(FIREFOX)) return unavailable(test, `${FIREFOX} is not installed`)
  return engineOf(await playwright.launch({ channel: 'moz-firefox', executablePath: FIREFOX, headless: true }))
}

function engineOf(browser: Browser): Engine {
  return {
    async open() {
      const context = await browser.newContext()
      context.setDefaultTimeout(90_000)
      return pageOf(await context.newPage())
    },
    close: () => browser.close(),
  }
}

function pageOf(page: Page): EnginePage {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    url: async () => page.url(),
    click: (css) => page.click(css),
    press: (words) => page.click(`xpath=${xpathOf(words)}`),
    evaluate: (expression) => page.evaluate(expression),
  }
}
