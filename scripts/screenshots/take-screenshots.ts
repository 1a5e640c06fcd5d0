/** Starts demo and emulator, and takes all screens in both themes and three widths into `screenshots/`. */
import { mkdir, rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { sideways } from '../../test/browser/demo-page'
import { startDemo, stopDemo } from '../../test/browser/demo-process'
import { launchChromium } from '../../test/support/chromium'
import { type Picture, writeContactSheet } from './contact-sheet'
import { ELECTRON_SCREENS, takeElectronPictures } from './electron-pictures'
import { type Place, type Screen, SCREENS } from './screens'

const FOLDER = 'screenshots'
const THEMES = ['light', 'dark'] as const
const SIZES = [
  { width: 320, height: 640 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

type Look = (typeof SIZES)[number] & { theme: (typeof THEMES)[number] }

/** @param names screens to take; empty for all. */
export async function takeScreenshots(names: readonly string[]): Promise<{ file: string; pictures: number; faults: string[] }> {
  const isChosen = (name: string) => names.length === 0 || names.includes(name)
  const screens = SCREENS.filter(({ name }) => isChosen(name))
  const electronScreens = ELECTRON_SCREENS.filter(isChosen)
  if (screens.length + electronScreens.length === 0)
    throw new Error(`No such screen. There are: ${[...SCREENS.map(({ name }) => name), ...ELECTRON_SCREENS].join(', ')}.`)
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER)
  const demo = await startDemo('--port', '0')
  const browser = await launchChromium(undefined, { full: true })
  try {
    const pictures: Picture[] = []
    const looks = THEMES.flatMap((theme) => SIZES.map((size) => ({ ...size, theme })))
    for (const screen of screens) for (const look of looks) pictures.push(await take(browser, screen, { look, demo }))
    pictures.push(...(await takeElectronPictures(FOLDER, electronScreens, looks)))
    const file = `${FOLDER}/index.html`
    await writeContactSheet(file, pictures)
    const faults = pictures.flatMap((one) => (one.fault === undefined ? [] : [`${one.file}: ${one.fault}`]))
    return { file, pictures: pictures.length, faults }
  } finally {
    await browser.close()
    await stopDemo(demo)
  }
}

interface Session {
  look: Look
  demo: { url: string; inspector: string }
}

/** A screen has a fault if it needs scrolling sideways, writes errors to the console, or cannot be opened. */
async function take(browser: Browser, { name, open }: Screen, { look, demo }: Session): Promise<Picture> {
  const { theme, width, height } = look
  const file = `${name}-${theme}-${width}.png`
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  const place = placeOf(demo)
  await reset(place)
  const note = (error: unknown) => void faults.push(String(error))
  await open(page, place).catch(note)
  const over = await whenLoaded(page, () => sideways(page)).catch(note)
  if (over !== undefined && over > 0) faults.push(`${over} px wider than the window`)
  await showFrames(page, width)
  await whenLoaded(page, () => settle(page)).catch(note)
  await page.screenshot({ path: `${FOLDER}/${file}`, fullPage: true })
  await context.close()
  return { screen: name, theme, width, file, fault: faults.length === 0 ? undefined : faults.join('; ') }
}

/** Documents that a page may go through by itself before it stays at one. */
const NAVIGATIONS = 5

/** Repeats on the next document what a navigation has interrupted, for example a redirect after a sign-in. */
async function whenLoaded<Result>(page: Page, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    await page.waitForLoadState('load')
    try {
      return await work()
    } catch (error) {
      if (attempt === NAVIGATIONS || !/context was destroyed|navigation/i.test(String(error))) throw error
    }
  }
}

/** Frames below the window's edge are not drawn: the window becomes as high as the page. */
async function showFrames(page: Page, width: number): Promise<void> {
  if (page.frames().length === 1) return
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height })
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState('load').catch(() => undefined)
}

/** Waits until all pictures of the page are drawn. */
function settle(page: Page): Promise<unknown> {
  return page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))))
}

function placeOf(demo: Session['demo']): Place {
  const { origin: emulator } = new URL(demo.inspector)
  const launch = async () => {
    const answer = await post(demo.inspector, 'activity/launch', { as: ['ada', 'bruno'] })
    const { url }: { url: string } = await answer.json()
    return url
  }
  return { demo: demo.url, emulator, inspector: demo.inspector, launch }
}

async function reset({ inspector }: Place): Promise<void> {
  await post(inspector, 'reset', {})
}

function post(inspector: string, path: string, body: object): Promise<Response> {
  const { origin, hash } = new URL(inspector)
  const headers = { authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json' }
  return fetch(`${origin}/_emulator/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}
