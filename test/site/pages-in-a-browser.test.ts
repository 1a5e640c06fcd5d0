/** Every page of the built manual in a browser: accessible in both themes and widths, within its content policy and its own origin. */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { builtPages, readBuilt, serveBuiltSite } from '../support/built-site'
import { launchChromium } from '../support/chromium'
import { colorFaults, dropRepeatedBlocks, structureFaults } from './manual-faults'

let browser: Browser
let site: Awaited<ReturnType<typeof serveBuiltSite>>
beforeAll(async () => {
  browser = await launchChromium()
  site = await serveBuiltSite()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

interface Visit {
  page: Page
  /** Requests to elsewhere, refused ones, reports of the content policy, and errors. */
  faults: string[]
}

/** Opens a window that collects what goes wrong in it. */
async function openWindow(
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visit & { context: BrowserContext }> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const faults: string[] = []
  context.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(url))
      faults.push(`request to ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`)
  })
  await context.exposeFunction('reportFault', (text: string) => void faults.push(text))
  // Styles that axe-core adds are its own.
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    if (!window.axe) reportFault(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample)
  })`)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  return { context, page, faults }
}

async function show(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('.page-actions, .start').first().waitFor()
}

/** Opens one page in a window of its own, until the test ends. */
async function visit(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const { context, ...opened } = await openWindow(site.url, options)
  onTestFinished(() => context.close())
  await show(opened.page, new URL(path, site.url).href)
  return opened
}

const setTheme = (page: Page, theme: string) =>
  page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark')

const WIDTHS = [1280, 320]

/** Faults of the page that is open, in each look. */
async function measure(page: Page, withSidebar: boolean): Promise<string[]> {
  const found: string[] = []
  const setWidth = (width: number) => page.setViewportSize({ width, height: 900 })
  for (const width of WIDTHS) {
    await setWidth(width)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (over > 0) found.push(`${width} px: ${over} px wider than the window`)
  }
  await dropRepeatedBlocks(page)
  for (const width of WIDTHS) {
    await setWidth(width)
    for (const fault of await structureFaults(page, { withSidebar })) found.push(`${width} px: ${fault}`)
    for (const theme of ['light', 'dark']) {
      await setTheme(page, theme)
      for (const fault of await colorFaults(page)) found.push(`${width} px, ${theme}: ${fault}`)
    }
  }
  return found
}

describe('each page', () => {
  let opened: Awaited<ReturnType<typeof openWindow>>
  beforeAll(async () => {
    opened = await openWindow(site.url)
  })
  afterAll(() => opened.context.close())
  beforeEach(async () => {
    opened.faults.length = 0
    await opened.page.setViewportSize({ width: 1280, height: 900 })
  })

  test.each(builtPages())('%s', async (path) => {
    const { page, faults } = opened
    await show(page, new URL(path, site.url).href)
    await page.waitForLoadState('networkidle')
    expect(faults).toEqual([])
    // The list of all pages is measured on one of them.
    expect(await measure(page, path === 'sign-in.html')).toEqual([])
  })

  test('an address without a page says so, and leads to the start', async () => {
    const { page, faults } = opened
    const response = await page.goto(new URL('no-such-page.html', site.url).href)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    expect(faults).toEqual([`404 for ${page.url()}`])
    expect(await measure(page, false)).toEqual([])
    await page.getByRole('link', { name: 'Start page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Foyer' }).waitFor()
  })
})

describe('the measure', () => {
  test('reports a foreign request, an inline style, a missing label, a pale text and what is too wide', async () => {
    const { page, faults } = await visit('sign-in.html')
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<i style="color: red"></i><img src="http://127.0.0.1:1/" alt="">',
      )
    })
    await expect.poll(() => faults.join('\n')).toMatch(/style-src[^]*img-src|img-src[^]*style-src/)
    await page.evaluate(() => {
      const text = document.createElement('p')
      text.textContent = 'Pale'
      text.style.color = '#ccc'
      text.style.background = '#fff'
      text.style.width = '2000px'
      document.querySelector('main, #VPContent')?.append(document.createElement('input'), text)
    })
    const found = (await measure(page, false)).join('\n')
    expect(found).toMatch(/^1280 px: label: /m)
    expect(found).toMatch(/^320 px, dark: color-contrast: /m)
    expect(found).toMatch(/^320 px: \d+ px wider than the window$/m)
  })
})

const wordOf = (page: Page) => page.locator('.page-actions button')

describe('a page', () => {
  test('copies its Markdown, by a key too', async () => {
    const { page, faults } = await visit('lobbies.html', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await wordOf(page).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => wordOf(page).textContent()).toBe('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(readBuilt('lobbies.md'))
    expect(faults).toEqual([])
  })

  test('says when its Markdown cannot be copied', async () => {
    const { page } = await visit('lobbies.html')
    await page.evaluate(() => {
      navigator.clipboard.write = () => Promise.reject(new Error('no'))
    })
    await wordOf(page).click()
    await expect.poll(() => wordOf(page).textContent()).toMatch('Cannot copy')
  })

  test('has an outline whose links are reached by Tab, and lead to a heading', async () => {
    const { page } = await visit('lobbies.html', { viewport: { width: 1280, height: 900 } })
    await wordOf(page).focus()
    const focused = () => page.evaluate(() => document.activeElement?.closest('.VPDocAsideOutline') !== null)
    await page.locator('.VPDocAsideOutline a', { hasText: 'Limits' }).focus()
    expect(await focused()).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#limits')
    expect(
      await page.locator('#limits').evaluate((heading) => heading.getBoundingClientRect().top),
    ).toBeLessThan(200)
  })

  test('stays within its policy and its origin when a reader follows a link, searches and changes the theme', async () => {
    const { page, faults } = await visit('index.html', { colorScheme: 'dark' })
    await page
      .getByRole('link', { name: /Only the emulator/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Only the emulator' }).waitFor()
    await page.getByRole('switch').first().click()
    await page.keyboard.press('Control+k')
    await page.locator('.search-input').waitFor()
    await page.keyboard.type('lobby')
    await page.locator('.result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.page-actions').waitFor()
    expect(faults).toEqual([])
  })
})
