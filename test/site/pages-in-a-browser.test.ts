/** Every page of the built manual in a browser: accessible in both themes and widths, within its content policy and its own origin. */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { axeFaults } from '../browser/demo-page'
import { builtPages, readBuilt, serveBuiltSite } from '../support/built-site'
import { launchChromium } from '../support/chromium'

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
  /** Requests to elsewhere, reports of the content policy, and errors. */
  faults: string[]
}

async function visit(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  onTestFinished(() => context.close())
  const faults = await collectFaults(context)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(new URL(path, site.url).href)
  await page.locator('.page-actions, .start').first().waitFor()
  return { page, faults }
}

async function collectFaults(context: BrowserContext): Promise<string[]> {
  const faults: string[] = []
  context.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(site.url))
      faults.push(`request to ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`)
  })
  await context.exposeFunction('reportFault', (text: string) => void faults.push(text))
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    if (!window.axe) reportFault(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample)
  })`)
  return faults
}

const setTheme = (page: Page, theme: string) =>
  page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark')

/** Faults of one page in each look, after what the page itself reported. */
async function measurePage(path: string): Promise<string[]> {
  const { page, faults } = await visit(path)
  await page.waitForLoadState('networkidle')
  const found = [...faults]
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (over > 0) found.push(`${width} px: ${over} px wider than the window`)
    for (const theme of ['light', 'dark']) {
      await setTheme(page, theme)
      for (const fault of await axeFaults(page)) found.push(`${width} px, ${theme}: ${fault}`)
    }
  }
  return found
}

test.each(builtPages())('%s', async (path) => {
  expect(await measurePage(path)).toEqual([])
})

describe('the measure', () => {
  test('reports a foreign request, an inline style, a missing label and what is too wide', async () => {
    const { page, faults } = await visit('sign-in.html')
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<i style="color: red"></i><img src="http://127.0.0.1:1/" alt="">',
      )
    })
    await expect.poll(() => faults.join('\n')).toMatch(/style-src[^]*img-src|img-src[^]*style-src/)
    await page.evaluate(() => {
      document.querySelector('main, #VPContent')?.append(document.createElement('input'))
    })
    expect((await axeFaults(page)).join()).toMatch('label: ')
  })
})

const wordOf = (page: Page) => page.locator('.page-actions button')

describe('a page', () => {
  test('copies its Markdown', async () => {
    const { page, faults } = await visit('lobbies.html', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await wordOf(page).click()
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

  test('stays within its policy and its origin when a reader follows a link, searches and changes the theme', async () => {
    const { page, faults } = await visit('index.html', { colorScheme: 'dark' })
    await page.getByRole('link', { name: /Only the emulator/ }).click()
    await page.getByRole('heading', { level: 1, name: 'The emulator' }).waitFor()
    await page.getByRole('switch').first().click()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lobby')
    await page.locator('.result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.page-actions').waitFor()
    expect(faults).toEqual([])
  })
})
