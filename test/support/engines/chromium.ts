/** Chromium, driven by Playwright, with its own popup blocker and its back/forward cache, which Playwright turns off. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Frame, Page } from 'playwright'
import { launchChromium, launchChromiumProfile } from '../chromium'
import { type Engine, type EnginePage, type LaunchOptions, type Profile, xpathOf } from './engine'
import { retry } from './retry'
import type { Skip } from './unavailable'

/** The setting that sites may store nothing. */
const BLOCKED_STORAGE = JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } })
const TURNED_ON = ['--disable-popup-blocking', '--disable-back-forward-cache']

export async function chromium(test: Skip, { profile, contentOnly }: LaunchOptions = {}): Promise<Engine> {
  if (profile) return profileOf(profile)
  if (contentOnly) return engineOf(await launchChromium(test))
  return engineOf(await launchChromium(test, { full: true, ignoreDefaultArgs: TURNED_ON }))
}

/** The first window is private if Chromium starts so; Playwright opens further ones outside of it. */
async function profileOf({ folder, isPrivate, blocksStorage }: Profile): Promise<Engine> {
  if (blocksStorage) {
    await mkdir(join(folder, 'Default'), { recursive: true })
    await writeFile(join(folder, 'Default/Preferences'), BLOCKED_STORAGE)
  }
  const context = await launchChromiumProfile(folder, {
    args: isPrivate ? ['--incognito'] : [],
    ignoreDefaultArgs: TURNED_ON,
  })
  return {
    async open() {
      const [page] = context.pages()
      if (!page) throw new Error('The window is closed.')
      return pageOf(page)
    },
    close: () => context.close(),
  }
}

/** Engine of a browser that was started elsewhere, for example the headless shell. */
export function engineOf(browser: Browser): Engine {
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

/** Page of any engine from one of Playwright. `frame`: where clicks and scripts go. Default: the page itself. */
export function pageOf(page: Page, frame: Frame = page.mainFrame()): EnginePage {
  const context = page.context()
  let opened: Promise<CDPSession> | undefined
  const session = () => (opened ??= context.newCDPSession(page))
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
    tap: async (css) => tap(await session(), css),
    async popupAfter(css, gesture = 'click') {
      const act = gesture === 'click' ? frame.click(css) : session().then((input) => tap(input, css))
      const [popup] = await Promise.all([context.waitForEvent('page'), act])
      return pageOf(popup)
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    async pressTab(times) {
      for (let press = 0; press < times; press++) await page.keyboard.press('Tab')
    },
    runFirst: async (content) => void (await page.addInitScript({ content })),
    picture: () => page.screenshot({ fullPage: true }),
    evaluate: async (expression) =>
      frame.parentFrame() ? frame.evaluate(expression) : evaluate(await session(), expression),
    async frame() {
      const inner = await (await frame.waitForSelector('iframe')).contentFrame()
      if (!inner) throw new Error('The page has no frame.')
      return pageOf(page, inner)
    },
    openTab: async () => pageOf(await context.newPage()),
    windows: async () => context.pages().length,
    isClosed: async () => page.isClosed(),
    close: () => page.close(),
  }
}

/** Playwright's own evaluation counts as a gesture of the player, which lets popups open for seconds. */
async function evaluate<T>(session: CDPSession, code: string): Promise<T> {
  const expression = `(async () => (await (${code})) ?? null)()`
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/** Touch events of the input pipeline: the browser makes the pointer events and the click from them. */
async function tap(session: CDPSession, css: string): Promise<void> {
  const point = await retry(() =>
    evaluate<{ x: number; y: number }>(
      session,
      `(() => {
        const element = document.querySelector('${css}')
        element.scrollIntoView({ block: 'center' })
        const { left, top, width, height } = element.getBoundingClientRect()
        return { x: left + width / 2, y: top + height / 2 }
      })()`,
    ),
  )
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
