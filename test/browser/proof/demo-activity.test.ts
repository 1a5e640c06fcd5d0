/** The demo as an Activity, while another program has the port of the host page. */
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { listen } from '../../support/loopback'
import { startBuiltDemo, stopDemo } from '../demo-process'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

test('connects to the host page on its other port, and both players are there', async () => {
  const squatter = await listen(createServer())
  cleanups.push(squatter.close)
  const demo = await startBuiltDemo('--port', '0', '--activity-port', String(squatter.port))
  cleanups.push(() => stopDemo(demo))
  const browser = await launchChromium()
  cleanups.push(() => browser.close())
  const { activity } = (await (await fetch(`${demo.url}preset.json`)).json()) as { activity: string }
  expect(new URL(activity).port).not.toBe(String(squatter.port))
  const page = await (await browser.newContext()).newPage()
  // A page that no window embeds offers the link, and waits for no host window.
  await page.goto(demo.url)
  await page.locator('main:not([aria-busy])').waitFor()
  expect(await page.locator('#activity').innerText()).toMatch(
    /^Open as an Activity in the emulator’s host window/,
  )
  await page.goto(activity)
  await page.getByLabel('Bruno').check()
  await page.getByRole('button', { name: 'Launch' }).click()
  for (const name of ['Ada Quinn', 'Bruno'])
    await page
      .frameLocator(`iframe[title="The game, as ${name} sees it"]`)
      .getByText('An Activity: the host window asks the player.')
      .waitFor()
  await expect.poll(() => page.locator('.state').allTextContents()).toEqual(['connected', 'connected'])
})
