/** `npm run dev`: the demo from its source. An edit is in the open page at once, while the emulator and its players stay. */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoOf, stopDemo } from '../browser/demo-process'
import { approve } from '../support/consent-page'
import { launchChromium } from '../support/chromium'

/** A copy of the demo that a test may edit, beside the source that it imports. */
function copyDemo(): string {
  mkdirSync('.cache', { recursive: true })
  const folder = resolve(mkdtempSync('.cache/demo-dev-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('demo', join(folder, 'demo'), { recursive: true })
  for (const name of ['src', 'emulator', 'scripts', 'test', 'vite.config.ts', 'tsconfig.json'])
    symlinkSync(resolve(name), join(folder, name))
  return join(folder, 'demo')
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
}

test('an edit is in the open page, the emulator stays, and Ctrl-C ends both', async (context) => {
  const browser = await launchChromium(context)
  onTestFinished(() => browser.close())
  const folder = copyDemo()
  const demo = await startDemoOf(join(folder, 'start.mjs'), '--dev', '--port', '0', '--activity-port', '0')
  onTestFinished(() => void demo.process.kill())
  const run = async () => (await fetch(`${demo.url}preset.json`)).text()
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(demo.url)
  const started = await run()
  edit(join(folder, 'page/screens/sign-in/sign-in-panel.tsx'), "'Sign in'", "'Enter the game'")
  const button = page.getByRole('button', { name: 'Enter the game' })
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await approve(popup)
  await page.getByRole('button', { name: 'Sign in again' }).waitFor()
  appendFileSync(join(folder, 'style.css'), ':root { --of-the-test: 7 }\n')
  await page.waitForFunction(
    () => getComputedStyle(document.documentElement).getPropertyValue('--of-the-test') === '7',
  )
  // A style sheet is replaced without a reload: the player is still signed in.
  await page.getByRole('button', { name: 'Sign in again' }).waitFor()
  expect([faults, await run()]).toEqual([[], started])
  expect(await stopDemo(demo)).toBe(0)
})
