/** The built demo: any static server can serve it, and its full content policy holds. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { fileURLToPath } from 'node:url'
import { preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../../support/chromium'
import { builtDemoPage } from '../demo-process'

const configFile = fileURLToPath(new URL('../../../demo/vite.config.ts', import.meta.url))

let server: PreviewServer
let emulator: Emulator

beforeAll(async () => {
  const outDir = builtDemoPage()
  server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { host: 'localhost', port: 0 },
  })
  emulator = await createEmulator()
})

afterAll(async () => {
  await emulator.close()
  await server.close()
})

describe('the built demo', () => {
  it('signs in at a service whose address is typed in, under its content policy', async (test) => {
    const browser = await launchChromium(test)
    try {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.getByRole('textbox', { name: 'Host' }).fill(emulator.url)
      await page.getByRole('textbox', { name: 'Application id' }).fill(emulator.application.id)
      await page.getByRole('link', { name: 'Sign-in', exact: true }).click()
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#sign-in-button')])
      await popup.getByRole('button', { name: 'Approve' }).click()
      expect(await page.locator('.player-name').textContent()).toBe('Ada Quinn')
      expect(
        await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content'),
      ).toContain("script-src 'self'")
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
