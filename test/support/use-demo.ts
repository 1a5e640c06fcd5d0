/** Demo, browser and page for the tests of one file: started before them, closed after them. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { controlDemo, type Demo, startBuiltDemo, stopDemo } from '../browser/demo-process'
import { launchChromium } from './chromium'

export interface DemoOptions {
  /** What each test begins with: a reset emulator, or a demo of its own, which has counted nothing either. Default: what the last test left. */
  fresh?: 'emulator' | 'demo'
  context?: BrowserContextOptions
  /** Console errors and warnings that do not fail a test; all are allowed for a test of failures. */
  allowed?: RegExp
}

export interface OpenDemo {
  /** A test that restarts it assigns the new one. */
  demo: Demo
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** Errors and warnings of the browser; a test that expects some removes them. */
  complaints: string[]
  /** Opens a screen by its fragment, and waits until it can be used. */
  load(fragment?: string): Promise<void>
}

/** Call it once, outside of tests; its values are those of the current test. */
export function useDemo({ fresh, context: contextOptions, allowed }: DemoOptions = {}): OpenDemo {
  const opened = new CurrentDemo()
  beforeAll(async () => {
    if (fresh !== 'demo') opened.demo = await startBuiltDemo('--port', '0')
    opened.browser = await launchChromium()
  })
  beforeEach(async () => {
    if (fresh === 'demo') opened.demo = await startBuiltDemo('--port', '0')
    await opened.openPage(contextOptions)
  })
  afterEach(async () => {
    await opened.context.close()
    if (fresh === 'demo') await stopDemo(opened.demo)
    if (fresh === 'emulator') await opened.reset()
    const unexpected = opened.complaints.filter((text) => !allowed?.test(text))
    if (unexpected.length > 0) throw new Error(`The browser complained: ${unexpected.join('\n')}`)
  })
  afterAll(async () => {
    await opened.browser.close()
    if (fresh !== 'demo') await stopDemo(opened.demo)
  })
  return opened
}

class CurrentDemo implements OpenDemo {
  declare demo: Demo
  declare browser: Browser
  declare context: BrowserContext
  declare page: Page
  complaints: string[] = []

  async openPage(options?: BrowserContextOptions): Promise<void> {
    this.complaints = []
    this.context = await this.browser.newContext(options)
    this.context.on('page', (page) => watch(page, (text) => this.complaints.push(text)))
    this.page = await this.context.newPage()
  }

  /** The demo remembers how long it slept: only another one has the time of the reset emulator. */
  async reset(): Promise<void> {
    await controlDemo(this.demo, 'reset', {})
    const { ahead } = (await (await fetch(`${this.demo.url}preset.json`)).json()) as { ahead: number }
    if (ahead === 0) return
    await stopDemo(this.demo)
    this.demo = await startBuiltDemo('--port', '0')
  }

  async load(fragment = ''): Promise<void> {
    await this.page.goto(this.demo.url + fragment)
    await this.page.locator('main:not([aria-busy])').waitFor()
  }
}

function watch(page: Page, complain: (text: string) => void): void {
  page.on('console', (message) => {
    const { url } = message.location()
    // The browser's own words do not say what could not be loaded.
    const what = message.text().startsWith('Failed to load resource') ? ` ${url}` : ''
    if (message.type() === 'error' || message.type() === 'warning') complain(message.text() + what)
  })
  page.on('pageerror', (error) => complain(String(error)))
}

/** Enters another service than the emulator that was started with the demo. */
export function useService(page: Page, host: string, applicationId: string): Promise<void> {
  return enterSettings(page, { Host: host, 'Application id': applicationId })
}

/** Enters settings of another service by their labels, and returns to the sign-in. */
export async function enterSettings(page: Page, settings: Record<string, string>): Promise<void> {
  await openScreen(page, 'Service')
  await page.getByRole('radio', { name: 'another service' }).check()
  for (const [name, value] of Object.entries(settings)) await page.getByRole('textbox', { name }).fill(value)
  await openScreen(page, 'Sign-in')
}

/** Opens a screen by its link. */
export async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click()
}
